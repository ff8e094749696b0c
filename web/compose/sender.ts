import type { MailAccount } from '#contract/mailboxes.ts'

/** The address that mails are sent from; '' while no account is connected. */
export function addressInUse(accounts: readonly MailAccount[]): string {
  return accounts.find(({ primary, connected }) => primary && connected)?.address ?? ''
}
