import type { MailAccount } from '#contract/mailboxes.ts'

/** The addresses of all connected accounts. */
export function ownAddresses(accounts: readonly MailAccount[]): string[] {
  return accounts.filter(({ connected }) => connected).map(({ address }) => address)
}

/**
 * The accounts that a mail can be sent from, the one in use first. During practice that is the practice mailbox alone,
 * and the account `begun` of a mail that was read or begun there.
 */
export function sendersOf(accounts: readonly MailAccount[], begun: number | null): MailAccount[] {
  // An account that only reads has no address to send from.
  const connected = accounts.filter((account) => account.connected && account.address !== '')
  const practising = connected.some(({ practice, primary }) => practice && primary)
  return connected.filter(({ id, practice }) => !practising || practice || id === begun)
}

/** The account that a mail begins with: that of the mail it answers or continues, else null, the one in use. */
export function begunWith(
  accounts: readonly MailAccount[],
  mail: { mailbox_id: number | null; in_reply_to?: string | null },
  isDraft: boolean,
): number | null {
  const account = accounts.find(({ id, connected }) => connected && id === mail.mailbox_id)
  if (account === undefined) return null
  const inUse = accounts.find(({ primary, connected }) => primary && connected)
  // A draft from before practice answers nobody: it stays inside Howl like all that is written in practice.
  const staysInside = isDraft && inUse?.practice === true && (mail.in_reply_to ?? null) === null
  return staysInside ? null : account.id
}

/** The address that mails are sent from; '' while no account is connected. */
export function addressInUse(accounts: readonly MailAccount[]): string {
  return accounts.find(({ primary, connected }) => primary && connected)?.address ?? ''
}
