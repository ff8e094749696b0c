import type { EmailSettings, MailAccount } from '#contract/mail/mailboxes.ts'
import { asSentence, toldTrouble } from '#web/mail/email-text/next-try.ts'

/** What keeps the user from their mail; a server that only asks for a wait is no matter of the settings. */
export type MailboxProblem = { sentence: string; isWait: boolean }

/** A problem that keeps the user from their mail, in one line; null if there is none. */
export function mailboxProblem(
  settings: EmailSettings | undefined,
  accounts: readonly MailAccount[],
  now: Date,
): MailboxProblem | null {
  if (settings === undefined || !settings.configured) return null
  if (settings.last_error !== null) return problemOf(settings, null, now)
  if (settings.practice) return null
  const other = accounts.find(({ connected, last_error }) => connected && last_error !== null)
  return other === undefined ? null : problemOf(other, other.address, now)
}

type Account = Pick<MailAccount, 'last_error' | 'more_troubles' | 'waits_until'>

function problemOf(account: Account, address: string | null, now: Date): MailboxProblem {
  const { last_error: error, more_troubles: more, waits_until: until } = account
  const told = toldTrouble(error ?? '', until, now)
  const said =
    until === null
      ? `There is a problem with ${address ?? 'your mailbox'}. ${told}`
      : `${address === null ? '' : `${address}: `}${told}`
  const others = more === 0 ? '' : ` And ${more.toLocaleString('en')} more on your profile page.`
  return { sentence: `${others === '' ? said : asSentence(said)}${others}`, isWait: until !== null }
}
