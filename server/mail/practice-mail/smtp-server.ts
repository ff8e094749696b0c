import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { callbackify } from 'node:util'
import {
  SMTPServer,
  type SMTPServerAuthentication,
  type SMTPServerDataStream,
  type SMTPServerSession,
} from 'smtp-server'
import { readQuotedLocalParts } from './quoted-local-parts.ts'

/** One user's bulk run uses a handful of connections; more than this is a fault. */
const MAX_CONNECTIONS = 64

/** Compose refuses far shorter lists. */
const MAX_RECIPIENTS = 200

/** An idle connection is closed after this; the sender opens another one. */
const IDLE_MS = 120_000

/** How long open connections may finish when the server stops. */
const CLOSING_MS = 2_000

/** A mail that the practice server accepted. `from` is empty for the null sender. */
export type PracticeMail = { from: string; to: string[]; raw: Buffer; username: string }

export type PracticeSmtp = { port: number; close(): Promise<void> }

/** The practice server's callbacks into its domain. */
export type PracticeSmtpOptions = {
  authenticate(username: string, password: string): Promise<boolean>
  /** Accepts a mail. When it throws, the sender is told to try again later. */
  receive(mail: PracticeMail): Promise<void>
  /** Mails above this many bytes are refused (RFC 1870). */
  maxBytes: number
}

/**
 * The built-in SMTP server on a free port of the loopback interface, so that a first run sends real mail without any
 * provider. It requires a password; the caller decides what happens to a mail.
 */
export async function startPracticeSmtp(options: PracticeSmtpOptions): Promise<PracticeSmtp> {
  readQuotedLocalParts()
  const server = new SMTPServer({
    name: 'practice.howl.local',
    banner: 'Howl practice mail',
    logger: false,
    // Loopback only, so the traffic never leaves the machine: no certificate to make, none to trust.
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    authMethods: ['PLAIN', 'LOGIN'],
    disableReverseLookup: true,
    maxClients: MAX_CONNECTIONS,
    socketTimeout: IDLE_MS,
    closeTimeout: CLOSING_MS,
    size: options.maxBytes,
    onAuth(attempt, _session, done) {
      callbackify(signIn)(attempt, options, done)
    },
    onRcptTo(_address, session, done) {
      const full = session.envelope.rcptTo.length >= MAX_RECIPIENTS
      done(full ? reply(452, '4.5.3 Too many recipients') : null)
    },
    onData(stream, session, done) {
      callbackify(take)(stream, session, options, done)
    },
  })
  // A sender that hangs up half-way must not end the whole process.
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function signIn(
  attempt: SMTPServerAuthentication,
  options: PracticeSmtpOptions,
): Promise<{ user: string }> {
  const { username = '', password } = attempt
  const ok = await options.authenticate(username, password ?? '').catch(() => {
    throw reply(454, '4.7.0 Try again later')
  })
  if (!ok) throw reply(535, '5.7.8 Wrong user name or password')
  return { user: username }
}

/** Reads the mail and passes it on; what that returns is sent to the client. */
async function take(
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  options: PracticeSmtpOptions,
): Promise<string> {
  const raw = await readMail(stream)
  const { mailFrom, rcptTo } = session.envelope
  const mail = {
    from: mailFrom ? mailFrom.address : '',
    to: rcptTo.map(({ address }) => address),
    raw,
    username: String(session.user),
  }
  await options.receive(mail).catch(() => {
    throw reply(451, '4.3.0 Try again later')
  })
  return 'OK, taken by the practice server'
}

async function readMail(stream: SMTPServerDataStream): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of stream as AsyncIterable<Buffer>) {
    // A mail that is too large is read to its end, as SMTP requires, but not kept.
    if (stream.sizeExceeded) pieces.length = 0
    else pieces.push(piece)
  }
  if (stream.sizeExceeded) throw reply(552, '5.3.4 This mail is too large')
  return Buffer.concat(pieces)
}

/** An error that smtp-server sends to the client as it is. */
function reply(code: number, words: string): Error & { responseCode: number } {
  return Object.assign(new Error(words), { responseCode: code })
}
