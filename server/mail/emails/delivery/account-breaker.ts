import { type SendOutcome, withoutDetails } from './classify-outcome.ts'

/** The same failure this many times in a row is about the account, not about single emails. */
const SAME_REFUSALS = 20
const SAME_DEFERRALS = 5
/** How long an account waits when it is refused as a whole. */
export const ACCOUNT_REFUSED_PAUSE_MS = 30 * 60_000
const ACCOUNT_DEFERRED_PAUSE_MS = 10 * 60_000

/**
 * Gives a function that sees each outcome and pauses the account when outcomes are about the account rather than single
 * emails. It returns what `pauseAccount` returns, or undefined if there is no need to pause.
 */
export function makeAccountBreaker(
  pauseAccount: (pauseMs: number, reason: string) => Promise<unknown>,
): (outcome: SendOutcome) => Promise<unknown> | undefined {
  let lastFailure = ''
  let times = 0
  return ({ settlement, pauseMs }) => {
    const reason = settlement.reason ?? ''
    if (pauseMs !== undefined) return pauseAccount(pauseMs, reason)
    if (settlement.state === 'sent') {
      times = 0
      return undefined
    }
    const failure = `${settlement.state} ${withoutDetails(reason)}`
    times = failure === lastFailure ? times + 1 : 1
    lastFailure = failure
    if (settlement.state === 'failed' && times >= SAME_REFUSALS)
      return pauseAccount(ACCOUNT_REFUSED_PAUSE_MS, reason)
    if (settlement.state === 'deferred' && times >= SAME_DEFERRALS)
      return pauseAccount(ACCOUNT_DEFERRED_PAUSE_MS, reason)
    return undefined
  }
}
