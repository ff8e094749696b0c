import type { EmailSettings, MailAccount } from '#contract/mailboxes.ts'

/** A problem that keeps the user from their mail, in one line; null if there is none. */
export function mailboxProblem(
  settings: EmailSettings | undefined,
  accounts: readonly MailAccount[] = [],
): string | null {
  if (settings === undefined || !settings.configured) return null
  if (settings.last_error !== null) return `There is a problem with your mailbox. ${settings.last_error}`
  if (settings.practice) return null
  const other = accounts.find(({ connected, last_error }) => connected && last_error !== null)
  return other === undefined ? null : `There is a problem with ${other.address}. ${other.last_error}`
}
