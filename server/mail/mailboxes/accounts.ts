import type { Context } from '../../platform/context.ts'
import type { ImapAccount } from '../../platform/gateways/imap.ts'
import type { SmtpAccount } from '../../platform/gateways/smtp.ts'
import { Refusal } from '../../platform/errors.ts'
import { type DialGuard, HostNotAllowed, makeDialGuard } from '../../platform/security/addresses.ts'
import type { AccessTokens } from '../../platform/gateways/access-token.ts'
import { freshAccessToken } from './fresh-access-token.ts'
import type { Mailbox } from './store.ts'

/** SMTP encrypted from the first byte (RFC 8314); every other port begins in plain text and switches by STARTTLS. */
const SMTPS_PORT = 465
/** IMAP that begins in plain text; every other port is encrypted from the first byte. */
const IMAP_PORT = 143

const PRACTICE_HOST = '127.0.0.1'
const PRACTICE_PURPOSE = 'practice mailbox'

/** The sentence for a call that needs SMTP settings when there are none. */
export const SMTP_NOT_CONFIGURED = 'Please configure your email settings before generating emails.'

export type PasswordUse = 'smtp' | 'imap'

/** Encrypts a mail password for one mailbox and protocol; it can be decrypted only for the same. */
export function sealPassword(
  context: Pick<Context, 'secrets'>,
  place: { user_id: number; id: number },
  use: PasswordUse,
  plain: string,
): string {
  return context.secrets.seal(plain, placeOf(place, use))
}

/**
 * @throws Refusal 400 when the secret key is not the one the password was saved with
 */
export function openPassword(context: Pick<Context, 'secrets'>, row: Mailbox, use: PasswordUse): string {
  const box = use === 'smtp' ? row.smtp_password_box : row.imap_password_box
  if (box === null) return ''
  try {
    return context.secrets.open(box, placeOf(row, use))
  } catch {
    throw new Refusal(
      400,
      'The saved email password cannot be read any more. Please enter it again in your email settings.',
      use === 'smtp' ? 'SMTP_NOT_CONFIGURED' : 'IMAP_NOT_CONFIGURED',
    )
  }
}

function placeOf(row: { user_id: number; id: number }, use: PasswordUse): string {
  return `mailbox:${row.user_id}:${row.id}:${use}`
}

/** True when mail can be sent through the mailbox. */
export function isConfigured(row: Mailbox | undefined): row is Mailbox {
  if (row === undefined || row.disconnected_at !== null) return false
  return row.is_practice || (row.smtp_host !== '' && row.smtp_port !== null && row.address !== '')
}

/** True when mail is read from an IMAP account. */
export function hasImap(row: Mailbox): boolean {
  return row.disconnected_at === null && !row.is_practice && row.imap_host !== '' && row.imap_port !== null
}

/** The sender of mails from this mailbox. */
export function senderOf(row: Mailbox, user: { name: string }): { name: string; address: string } {
  return { name: user.name, address: row.address }
}

/**
 * The credentials for the mailbox's SMTP server, with the password in plain text: never log them. Dial it with {@link
 * dialGuardOf} of the same mailbox.
 *
 * @throws Refusal 400 SMTP_NOT_CONFIGURED
 */
export function smtpAccountOf(context: Context, row: Mailbox): SmtpAccount {
  if (row.is_practice) return practiceAccount(context, row)
  if (!isConfigured(row) || row.smtp_port === null) {
    throw new Refusal(400, SMTP_NOT_CONFIGURED, 'SMTP_NOT_CONFIGURED')
  }
  return {
    host: row.smtp_host,
    port: row.smtp_port,
    security: smtpSecurity(row.smtp_use_tls, row.smtp_port),
    username: row.smtp_username,
    ...credentialsOf(context, row, 'smtp'),
  }
}

/** The credentials for the mailbox's IMAP server; null when it has none. @throws Refusal 400 IMAP_NOT_CONFIGURED */
export function imapAccountOf(context: Context, row: Mailbox): ImapAccount | null {
  if (!hasImap(row) || row.imap_port === null) return null
  return {
    host: row.imap_host,
    port: row.imap_port,
    security: imapSecurity(row.imap_use_ssl, row.imap_port),
    username: row.imap_username,
    ...credentialsOf(context, row, 'imap'),
  }
}

/** The password or, where the mailbox signs in by OAuth 2, a way to get an access token at the moment of signing in. */
export type Credentials = { password: string; accessToken?: AccessTokens }

/** @throws Refusal 400 when the secret key is not the one the password was saved with */
export function credentialsOf(context: Context, row: Mailbox, use: PasswordUse): Credentials {
  if (row.oauth_provider === null) return { password: openPassword(context, row, use) }
  return { password: '', accessToken: (refused) => freshAccessToken(context, row, refused) }
}

/** Decides which hosts may be dialled for this mailbox; for a practice mailbox, only the practice server. */
export function dialGuardOf(
  context: Context,
  row: Pick<Mailbox, 'is_practice' | 'is_system' | 'smtp_port'>,
): DialGuard {
  // The operator has named this server: it may be inside, and at any port.
  if (row.is_system && !row.is_practice)
    return makeDialGuard({ allowPrivate: true, ports: new Set([row.smtp_port ?? 0]) })
  if (!row.is_practice) return context.guard
  return {
    resolve: async (host, port) => {
      if (host !== PRACTICE_HOST || port !== context.practice?.port) {
        throw new HostNotAllowed('Practice mail stays inside Howl')
      }
      return { address: PRACTICE_HOST, family: 4 }
    },
  }
}

export function smtpSecurity(useTls: boolean, port: number): SmtpAccount['security'] {
  if (!useTls) return 'plain'
  return port === SMTPS_PORT ? 'tls' : 'starttls'
}

export function imapSecurity(useSsl: boolean, port: number): ImapAccount['security'] {
  if (!useSsl) return 'plain'
  return port === IMAP_PORT ? 'starttls' : 'tls'
}

function practiceAccount(context: Context, row: Mailbox): SmtpAccount {
  if (context.practice === null) {
    throw new Refusal(503, 'The practice mailbox is not running. Please restart Howl.', 'UNAVAILABLE')
  }
  const username = `practice-${row.user_id}-${row.id}`
  return {
    host: PRACTICE_HOST,
    port: context.practice.port,
    security: 'plain',
    username,
    password: context.secrets.sign(username, PRACTICE_PURPOSE),
  }
}

/** True when these are the credentials that {@link smtpAccountOf} returns for a practice mailbox. */
export function practicePasswordFits(
  context: Pick<Context, 'secrets'>,
  username: string,
  password: string,
): boolean {
  return (
    practiceMailboxNamed(username) !== null && context.secrets.verify(username, password, PRACTICE_PURPOSE)
  )
}

/** The owner of the practice mailbox with this user name; null when there is none. */
export function practiceMailboxNamed(username: string): { userId: number; mailboxId: number } | null {
  const place = /^practice-(\d{1,15})-(\d{1,15})$/.exec(username)
  return place === null ? null : { userId: Number(place[1]), mailboxId: Number(place[2]) }
}
