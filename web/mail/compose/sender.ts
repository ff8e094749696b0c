import type { MailAccount } from '#contract/mail/mailboxes.ts'

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

/**
 * The account that From shows and that the mail is sent from: the chosen one while it can send, else the one in use.
 * Undefined where no account can send.
 */
export function senderOf(
  accounts: readonly MailAccount[],
  begun: number | null,
  chosen: number | null,
): MailAccount | undefined {
  const senders = sendersOf(accounts, begun)
  return senders.find(({ id }) => id === chosen) ?? senders.find(({ primary }) => primary) ?? senders[0]
}

/** The account that a mail begins with: that of the mail it answers or continues, else null, the one in use. */
export function begunWith(
  accounts: readonly MailAccount[],
  mail: { mailbox_id: number | null; in_reply_to?: string | null; status?: string },
  isDraft: boolean,
): number | null {
  const account = accounts.find(({ id, connected }) => connected && id === mail.mailbox_id)
  if (account === undefined) return null
  const inUse = accounts.find(({ primary, connected }) => primary && connected)
  // A draft from before practice answers nobody: it stays inside Howl like all that is written in practice.
  // A scheduled mail leaves in any case: that must not look like practice.
  const canStay = isDraft && mail.status !== 'scheduled'
  const staysInside = canStay && inUse?.practice === true && (mail.in_reply_to ?? null) === null
  return staysInside ? null : account.id
}
