import { type SendOutcome, sameWords } from './classify-outcome.ts'

/** The same "no" this often in a row is about the account, not about the mails. */
const SAME_REFUSALS = 20
const SAME_DEFERRALS = 5
export const ACCOUNT_REFUSED_PAUSE_MS = 30 * 60_000
const ACCOUNT_LATER_PAUSE_MS = 10 * 60_000

/** Sees when outcomes tell of the account rather than of single mails. */
export function makeAccountBreaker(
  pauseAccount: (pauseMs: number, words: string) => Promise<unknown>,
): (outcome: SendOutcome) => Promise<unknown> | undefined {
  let said = ''
  let times = 0
  return ({ settlement, pauseMs }) => {
    const words = settlement.reason ?? ''
    if (pauseMs !== undefined) return pauseAccount(pauseMs, words)
    if (settlement.state === 'sent') {
      times = 0
      return undefined
    }
    const now = `${settlement.state} ${sameWords(words)}`
    times = now === said ? times + 1 : 1
    said = now
    if (settlement.state === 'failed' && times >= SAME_REFUSALS)
      return pauseAccount(ACCOUNT_REFUSED_PAUSE_MS, words)
    if (settlement.state === 'deferred' && times >= SAME_DEFERRALS)
      return pauseAccount(ACCOUNT_LATER_PAUSE_MS, words)
    return undefined
  }
}
