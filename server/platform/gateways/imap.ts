import type { ImapFlow, ImapFlowOptions } from 'imapflow'
import type { DialGuard, DialTarget } from '#server/platform/security/addresses.ts'
import { type AccessTokens, signedIn, signInDetail } from './access-token.ts'
import { withinDeadline } from './deadline.ts'
import { DIAL_SENTENCES, notSpoken, testDetail } from './dial-failure.ts'
import { ImapFailure, imapFailure, type ImapFailureKind, THROTTLED } from './imap-failure.ts'
import { acceptNoNamespace } from './imap-namespace.ts'
import { MAX_MAIL_BYTES } from './imap-rows.ts'
import type { ConnectionNotes, ImapDeadlines } from './imap-runner.ts'
import { makeImapSession, type ImapSession } from './imap-session.ts'

export { pauseAskedFor } from './imap-later.ts'
export { ImapFailure, type ImapFailureKind } from './imap-failure.ts'
export {
  MAX_MAIL_BYTES,
  ORIGINAL_ID_HEADER,
  type ImapAddress,
  type ImapEnvelope,
  type ImapEnvelopeRow,
  type ImapFlagRow,
  type ImapRawRow,
  type ImapSentRow,
  type UidRange,
} from './imap-rows.ts'
export type { Relocated } from './imap-actions.ts'
export type { ImapChange } from './imap-idle.ts'
export type { ImapDeadlines } from './imap-runner.ts'
export type { FolderRole, FolderStatus, ImapFolder } from './imap-folders.ts'
export type { ImapSession } from './imap-session.ts'
export type { UidList } from './imap-folders.ts'

/** The server and account to read. `tls` from the first byte, `starttls` required, or `plain`. */
export type ImapAccount = {
  host: string
  port: number
  security: 'tls' | 'starttls' | 'plain'
  username: string
  password: string
  /** Where the account signs in by OAuth 2: access tokens, instead of the password. */
  accessToken?: AccessTokens
  allowInvalidCertificate?: boolean
}

/** The default deadlines, in milliseconds. */
export const IMAP_DEADLINES: ImapDeadlines = {
  connect: 15_000,
  greeting: 15_000,
  login: 60_000,
  command: 60_000,
  row: 2 * 60_000,
  transfer: 5 * 60_000,
}

/** NAT boxes forget connections that are silent for longer (RFC 2177 would allow 29 minutes). */
const MAX_IDLE_MS = 4 * 60_000

/** The longest silence on the wire while a response is due: longer than storing a message ever takes. */
const SILENCE_MS = 5 * 60_000

/** A line without a literal: folder lists and search results of the largest mailboxes fit. */
const MAX_LINE_BYTES = 16 * 1024 * 1024

/** What a literal's framing may add. */
const FRAMING_BYTES = 1024 * 1024

export type ImapOptions = {
  guard: DialGuard
  deadlines?: Partial<ImapDeadlines>
  /** Receives imapflow's warnings; never passwords. */
  log?: { warn(entry: object, message: string): void }
}

/**
 * Connects and signs in.
 *
 * @throws {ImapFailure}
 */
export async function openImap(account: ImapAccount, options: ImapOptions): Promise<ImapSession> {
  const isRefused = (error: unknown) => error instanceof ImapFailure && error.kind === 'auth'
  try {
    return await signedIn(account, isRefused, (token) => openOnce(account, token, options))
  } catch (error) {
    throw imapFailure(error, false)
  }
}

/** One connection, with the password or, unless it is null, with the token. */
async function openOnce(
  account: ImapAccount,
  token: string | null,
  options: ImapOptions,
): Promise<ImapSession> {
  const deadlines = { ...IMAP_DEADLINES, ...options.deadlines }
  const notes: ConnectionNotes = {
    lastError: undefined,
    lastWarning: undefined,
    droppedLines: 0,
    fetching: false,
  }
  let client: ImapFlow | undefined
  try {
    const target = await options.guard.resolve(account.host, account.port)
    // A heavy module, not needed until a mailbox is connected.
    const imapflow = await import('imapflow')
    const opening = new imapflow.ImapFlow(
      clientOptions(
        account,
        token,
        target,
        deadlines,
        collectWarnings(notes, options, () => client?.close()),
      ),
    )
    client = opening
    acceptNoNamespace(opening)
    // Stays for the life of the connection: an error event without a listener would end the process.
    opening.on('error', (error) => {
      notes.lastError = error
    })
    const limit = deadlines.connect + deadlines.greeting + deadlines.login
    await withinDeadline(limit, opening.connect(), () => opening.close())
    return makeImapSession(opening, deadlines, notes)
  } catch (error) {
    client?.close()
    const failure = imapFailure(error, false, notes.lastError)
    if (client === undefined || hasGreeted(client, failure)) throw failure
    throw new ImapFailure(failure.kind, notSpoken('IMAP'), error)
  }
}

/**
 * The first word of RFC 3501 7.1: OK, PREAUTH or BYE. Anything else may be a service that users must not be able to
 * read.
 */
function hasGreeted(client: ImapFlow, { kind }: ImapFailure): boolean {
  const saidNothing = kind === 'certificate' || client.stats().received === 0
  return (
    saidNothing ||
    client.greeting !== undefined ||
    client.authenticated !== false ||
    client.byeReason !== undefined
  )
}

function clientOptions(
  account: ImapAccount,
  token: string | null,
  target: DialTarget,
  deadlines: ImapDeadlines,
  logger: NonNullable<Exclude<ImapFlowOptions['logger'], false>>,
): ImapFlowOptions {
  return {
    host: target.address,
    port: account.port,
    servername: target.servername,
    secure: account.security === 'tls',
    ...(account.security === 'tls' ? {} : { doSTARTTLS: account.security === 'starttls' }),
    auth: {
      user: account.username,
      ...(token === null ? { pass: account.password } : { accessToken: token }),
    },
    tls: { rejectUnauthorized: !account.allowInvalidCertificate },
    logger,
    clientInfo: { name: 'Howl', version: false, vendor: false, 'support-url': false },
    connectionTimeout: deadlines.connect,
    greetingTimeout: deadlines.greeting,
    socketTimeout: SILENCE_MS,
    maxIdleTime: MAX_IDLE_MS,
    disableAutoIdle: true,
    maxLineLength: MAX_LINE_BYTES,
    maxLiteralSize: MAX_MAIL_BYTES,
    maxResponseSize: MAX_MAIL_BYTES + MAX_LINE_BYTES + FRAMING_BYTES,
  }
}

function collectWarnings(notes: ConnectionNotes, options: ImapOptions, hangUp: () => void) {
  const note = (entry: { err?: unknown; msg?: unknown; src?: unknown }) => {
    if (entry.err) notes.lastWarning = entry.err
    // imapflow would wait with the connection open, longer than our deadlines allow. We come back later.
    if ((entry.err as { code?: unknown } | undefined)?.code === THROTTLED) {
      notes.lastError ??= entry.err
      queueMicrotask(hangUp)
    }
    const unread = entry.src === 's' || entry.msg === 'Failed to process untagged response'
    if (unread && entry.err) notes.droppedLines += 1
    options.log?.warn(entry, 'imap')
  }
  const ignore = () => {}
  return { trace: ignore, debug: ignore, info: ignore, warn: note, error: note, fatal: note }
}

const SENTENCES: Record<ImapFailureKind, string> = {
  ...DIAL_SENTENCES,
  auth: 'The server did not accept the user name and password.',
  timeout: 'The server did not answer in time.',
  gone: 'The server closed the connection.',
  no_folder: 'The mailbox has no inbox.',
  refused: 'The server refused to open the inbox.',
  later: 'The server cannot open the inbox now. Try again in a few minutes.',
  protocol: 'The server did not speak IMAP as expected. Check the host and the port.',
}

/** Connects, signs in, opens the inbox and hangs up. `detail` is one sentence, with what the server said. */
export async function testImap(
  account: ImapAccount,
  options: ImapOptions,
): Promise<{ ok: boolean; detail: string }> {
  let session: ImapSession | undefined
  try {
    session = await openImap(account, options)
    const { exists } = await session.status('INBOX')
    return {
      ok: true,
      detail: `Connected and signed in. The inbox holds ${exists} ${exists === 1 ? 'mail' : 'mails'}.`,
    }
  } catch (error) {
    if (!(error instanceof ImapFailure)) throw error
    return {
      ok: false,
      detail:
        signInDetail(account, error) ?? testDetail('IMAP', account.host, SENTENCES[error.kind], error.words),
    }
  } finally {
    session?.close()
  }
}
