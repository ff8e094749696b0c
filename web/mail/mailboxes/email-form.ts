import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { AccountInput, mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import type { AccountSettings, EmailStanding } from '#contract/mail/mailboxes.ts'

export type Proposal = ReplyOf<typeof mailboxSetup.discover>

/** What stands in the form: ports and limits as they are typed. */
export type EmailEntries = {
  smtp_from: string
  smtp_host: string
  smtp_port: string
  smtp_username: string
  smtp_password: string
  smtp_use_tls: boolean
  imap_host: string
  imap_port: string
  imap_username: string
  imap_password: string
  imap_use_ssl: boolean
  hourly_limit: string
}

/** The fields from top to bottom, for the focus to go to the first wrong one. */
export const EMAIL_FIELDS = [
  'smtp_from',
  'smtp_host',
  'smtp_port',
  'smtp_username',
  'smtp_password',
  'smtp_use_tls',
  'imap_host',
  'imap_port',
  'imap_username',
  'imap_password',
  'imap_use_ssl',
  'hourly_limit',
] as const satisfies readonly (keyof EmailEntries)[]

/** What is saved of an account, as far as the form shows it. */
export type SavedServers = Omit<
  AccountSettings,
  'id' | 'default' | keyof EmailStanding | 'folders' | 'troubles'
>

/** An account that is still to be connected. */
export const NOTHING_SAVED: SavedServers = {
  smtp_host: '',
  smtp_port: null,
  smtp_username: '',
  smtp_password_set: false,
  smtp_from: '',
  smtp_use_tls: true,
  imap_host: '',
  imap_port: null,
  imap_username: '',
  imap_password_set: false,
  imap_use_ssl: true,
  hourly_limit: null,
  oauth: null,
}

/** The form for what is saved; passwords are never there to be shown. */
export function entriesOf(saved: SavedServers): EmailEntries {
  return {
    smtp_from: saved.smtp_from,
    smtp_host: saved.smtp_host,
    smtp_port: typed(saved.smtp_port),
    smtp_username: saved.smtp_username,
    smtp_password: '',
    smtp_use_tls: saved.smtp_use_tls,
    imap_host: saved.imap_host,
    imap_port: typed(saved.imap_port),
    imap_username: saved.imap_username,
    imap_password: '',
    imap_use_ssl: saved.imap_use_ssl,
    hourly_limit: typed(saved.hourly_limit),
  }
}

const typed = (value: number | null) => (value === null ? '' : String(value))

/** What is sent: an empty password keeps the saved one, an empty number is none. */
export function bodyOf(entries: EmailEntries): AccountInput {
  const { smtp_password, imap_password, smtp_port, imap_port, hourly_limit, ...rest } = entries
  return {
    ...rest,
    smtp_port: numberOf(smtp_port),
    imap_port: numberOf(imap_port),
    hourly_limit: numberOf(hourly_limit),
    ...(smtp_password === '' ? {} : { smtp_password }),
    // Without a server the rest of IMAP means nothing, whatever has been filled in by itself.
    ...(imap_password === '' || rest.imap_host.trim() === '' ? {} : { imap_password }),
  }
}

/** Words that are no number go as they are: the server says what is wrong with them. */
const numberOf = (text: string) => (text.trim() === '' ? null : text.trim())

/**
 * The fields that a proposal fills: those that are empty, or that still hold what an earlier proposal put there.
 */
export function filledBy(
  proposal: Proposal,
  entries: EmailEntries,
  earlier: Partial<EmailEntries>,
): Partial<EmailEntries> {
  const { smtp_use_tls, imap_use_ssl } = proposal
  const username = proposal.username ?? ''
  const smtp = {
    smtp_host: proposal.smtp_host ?? '',
    smtp_port: typed(proposal.smtp_port),
    smtp_username: username,
  }
  const imap = {
    imap_host: proposal.imap_host ?? '',
    imap_port: typed(proposal.imap_port),
    imap_username: username,
  }
  const free = (name: keyof EmailEntries) => entries[name] === '' || entries[name] === earlier[name]
  const fill: Partial<EmailEntries> = {}
  // A port or an encryption belongs to its host: half of a proposal would be a wrong one.
  if (smtp.smtp_host !== '' && free('smtp_host')) {
    Object.assign(fill, kept(smtp, free), { smtp_use_tls })
  }
  if (imap.imap_host !== '' && free('imap_host')) {
    Object.assign(fill, kept(imap, free), { imap_use_ssl })
  }
  return fill
}

function kept<T extends Partial<EmailEntries>>(
  proposed: T,
  free: (name: keyof EmailEntries) => boolean,
): Partial<T> {
  return Object.fromEntries(
    Object.entries(proposed).filter(([name]) => free(name as keyof EmailEntries)),
  ) as Partial<T>
}

/** What the page says after it has looked for the provider. */
export function proposalText(proposal: Proposal, filled: Partial<EmailEntries>): string {
  const hint = proposal.hint ?? ''
  if (proposal.source === 'none' || proposal.smtp_host === null) {
    return 'Howl could not find the servers for this address. Your provider’s help pages list them.'
  }
  const from = proposal.provider ?? 'your provider'
  if (proposal.oauth !== null)
    return `${from} works without a password: use “Connect with ${proposal.oauth}” above.`
  const found =
    Object.keys(filled).length > 0
      ? `Filled in the servers for ${from}.`
      : `${from} sends through ${proposal.smtp_host}. What you entered was kept.`
  return `${found} ${hint}`.trim()
}
