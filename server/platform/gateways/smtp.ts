import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { DialGuard, DialTarget } from '#server/platform/security/addresses.ts'
import { type AccessTokens, signedIn, signInDetail } from './access-token.ts'
import { withinDeadline } from './deadline.ts'
import { DIAL_SENTENCES, notSpoken, testDetail } from './dial-failure.ts'
import { SmtpFailure, smtpFailure, type SmtpFailureKind } from './smtp-failure.ts'
import { makeSession, type SmtpDeadlines, type SmtpSession } from './smtp-session.ts'
import { tokenAuth, tokenMethod } from './smtp-token-auth.ts'

export { SmtpFailure, type RecipientFailure, type SmtpFailureKind } from './smtp-failure.ts'
export type { SmtpDeadlines, SmtpEnvelope, SmtpMail, SmtpAcceptance, SmtpSession } from './smtp-session.ts'

/** The server and the credentials. `tls` from the first byte, `starttls` required, or `plain`. No AUTH if the user name is empty. */
export type SmtpAccount = {
  host: string
  port: number
  security: 'tls' | 'starttls' | 'plain'
  username: string
  password: string
  /** Where the account signs in by OAuth 2: access tokens, instead of the password. */
  accessToken?: AccessTokens
  allowInvalidCertificate?: boolean
}

/** The usual deadlines. */
export const SMTP_DEADLINES: SmtpDeadlines = {
  connect: 15_000,
  greeting: 15_000,
  command: 60_000,
  data: 10 * 60_000,
  // RFC 5321 4.5.3.2.6 asks for ten minutes. Five are enough for servers that scan mails; after that the mail is `unsure`.
  answer: 5 * 60_000,
}

/** A reply has a few lines. RFC 5321 4.5.3.1.5 allows 512 bytes per line; the reply to EHLO may be long. */
const MAX_REPLY_BYTES = 64 * 1024

/** Which hosts may be dialled, and deadlines other than the usual ones. */
export type SmtpOptions = { guard: DialGuard; deadlines?: Partial<SmtpDeadlines> }

/**
 * Connects and signs in. The session sends any number of mails, one after the other.
 *
 * @throws {SmtpFailure}
 */
export async function openSmtp(account: SmtpAccount, options: SmtpOptions): Promise<SmtpSession> {
  const isRefused = (error: unknown) => error instanceof SmtpFailure && error.kind === 'auth'
  try {
    return await signedIn(account, isRefused, (token) => openOnce(account, token, options))
  } catch (error) {
    throw smtpFailure(error, 'open')
  }
}

/** One connection, with the password or, unless it is null, with the token. */
async function openOnce(
  account: SmtpAccount,
  token: string | null,
  options: SmtpOptions,
): Promise<SmtpSession> {
  const deadlines = { ...SMTP_DEADLINES, ...options.deadlines }
  let connection: SMTPConnection | undefined
  try {
    const target = await options.guard.resolve(account.host, account.port)
    connection = new SMTPConnection({
      ...connectionOptions(account, target, deadlines),
      ...(token === null ? {} : { customAuth: tokenAuth(account, account.username, token) }),
    })
    await connect(connection, deadlines).catch((error: unknown) => {
      throw isNoGreeting(error) ? new SmtpFailure('unreachable', notSpoken('SMTP'), { cause: error }) : error
    })
    await signIn(connection, account, token !== null, deadlines)
    return makeSession(connection, deadlines, MAX_REPLY_BYTES)
  } catch (error) {
    connection?.close()
    throw smtpFailure(error, 'open')
  }
}

function connectionOptions(account: SmtpAccount, target: DialTarget, deadlines: SmtpDeadlines) {
  return {
    host: target.address,
    port: account.port,
    servername: target.servername,
    secure: account.security === 'tls',
    requireTLS: account.security === 'starttls',
    ignoreTLS: account.security === 'plain',
    tls: { rejectUnauthorized: !account.allowInvalidCertificate },
    connectionTimeout: deadlines.connect + deadlines.greeting,
    greetingTimeout: deadlines.greeting,
    // Our own deadlines are stricter. This one only has to be longer than each of them.
    socketTimeout: Math.max(...Object.values(deadlines)) + 1000,
    // Closing discards whatever the kernel does not have yet, above all a final dot.
    socketCloseTimeout: 0,
    maxResponseSize: MAX_REPLY_BYTES,
  }
}

async function connect(connection: SMTPConnection, deadlines: SmtpDeadlines): Promise<void> {
  const connected = Promise.withResolvers<void>()
  // The listener stays as long as the connection: an error event without a listener would end the process.
  connection.on('error', (error) => connected.reject(error))
  connection.on('end', () => connected.reject(new Error('Connection closed')))
  connection.connect((error) => (error ? connected.reject(error) : connected.resolve()))
  const limit = deadlines.connect + deadlines.greeting + deadlines.command
  await withinDeadline(limit, connected.promise, () => connection.close())
}

/**
 * True if the first line is not one that a mail server begins with (RFC 5321 3.1 and 4.2: 220, 554, 421). Another service
 * answers there, and users must not be shown what it says.
 */
function isNoGreeting(error: unknown): boolean {
  const { code, command, response } = (error ?? {}) as {
    code?: unknown
    command?: unknown
    response?: unknown
  }
  if (command !== 'CONN' || code === 'ETLS') return false
  return typeof response === 'string' && !/^(?:220|421|554)(?:[ -]|$)/.test(response)
}

async function signIn(
  connection: SMTPConnection,
  account: SmtpAccount,
  byToken: boolean,
  deadlines: SmtpDeadlines,
): Promise<void> {
  // A relay that offers no AUTH lets us in by address.
  if (!account.username || !connection.allowsAuth) return
  const method = byToken ? tokenMethod(connection) : undefined
  if (byToken && method === undefined)
    throw new SmtpFailure('refused', 'The server does not offer signing in by OAuth 2')
  const answer = Promise.withResolvers<void>()
  connection.on('error', (error) => answer.reject(error))
  connection.on('end', () => answer.reject(new Error('Connection closed')))
  const credentials = { user: account.username, pass: account.password }
  connection.login({ credentials, ...credentials, ...(method === undefined ? {} : { method }) }, (error) =>
    error ? answer.reject(error) : answer.resolve(),
  )
  await withinDeadline(deadlines.command, answer.promise, () => connection.close())
}

const SENTENCES: Record<SmtpFailureKind, string> = {
  ...DIAL_SENTENCES,
  auth: 'The server did not accept the user name and password.',
  later: 'The server takes no mail at the moment. Try again later.',
  refused: 'The server refuses mail from this account.',
  too_large: 'The server takes only smaller mails.',
  unsure: 'The server did not answer.',
}

/** Connects, signs in and disconnects. `detail` is one sentence for the user, with the far server's reply. */
export async function testSmtp(
  account: SmtpAccount,
  options: SmtpOptions,
): Promise<{ ok: boolean; detail: string }> {
  try {
    const session = await openSmtp(account, options)
    session.close()
    return { ok: true, detail: 'Connected and signed in.' }
  } catch (error) {
    if (!(error instanceof SmtpFailure)) throw error
    return {
      ok: false,
      detail:
        signInDetail(account, error) ?? testDetail('SMTP', account.host, SENTENCES[error.kind], error.words),
    }
  }
}
