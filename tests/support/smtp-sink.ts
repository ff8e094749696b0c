import { EventEmitter, once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { callbackify } from 'node:util'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { readQuotedLocalParts } from '#server/mail/practice-mail/quoted-local-parts.ts'

/** The step of a mail at which the script is asked. `data` is before the first byte of the mail, `dot` after the last one. */
export type SinkStep = 'connect' | 'auth' | 'mail' | 'rcpt' | 'data' | 'dot'

/**
 * What the sink does there: `reply` with the given line ("451 4.7.1 Greylisted"; at `data` this is not possible);
 * `drop` the connection; `keep-and-drop` at `dot`: take the mail, then drop before saying 250; `stall`: say nothing more;
 * `waitMs` or `until` a moment before the answer; `drip` a byte of an endless reply every `everyMs`.
 */
export type SinkAction =
  | { reply: string }
  | 'drop'
  | 'keep-and-drop'
  | 'stall'
  | { drip: number }
  | { waitMs: number }
  | { until: Promise<void> }

/** `connection` and `mail` count from 1 over the life of the sink; `onConnection` counts the mails of one connection. */
export type SinkEvent = {
  step: SinkStep
  connection: number
  mail: number
  onConnection: number
  address?: string
  username?: string
  password?: string
}
export type SinkScript = (event: SinkEvent) => SinkAction | undefined

export type SinkMail = {
  envelope: { from: string; to: string[] }
  raw: Buffer
  connection: number
  username: string
}

export type SinkOptions = {
  script?: SinkScript
  /** Keep counts and Message-IDs only, for runs of many thousand mails. */
  light?: boolean
  /** Requires AUTH with these; without them any credentials will do, and none are needed. */
  users?: Record<string, string>
  /** Whose access token this is, if it is good now; AUTH XOAUTH2 is offered then. */
  personOf?: (accessToken: string) => string | undefined
  maxBytes?: number
  maxMailsPerConnection?: number
  /** `tls` from the first byte or `starttls`, both with a certificate that nobody trusts. */
  security?: 'plain' | 'tls' | 'starttls'
  hidePipelining?: boolean
}

export type SmtpSink = {
  host: string
  port: number
  /** Every accepted mail, in order; empty in light mode. */
  received: SinkMail[]
  /** How many mails were accepted, and for each Message-ID the connections that it came over, in order. */
  readonly count: number
  byMessageId: Map<string, number[]>
  /** How many connections are open now, and the most that were open at a time. */
  readonly connections: { open: number; most: number; total: number }
  setScript(script: SinkScript | undefined): void
  /** Resolves when `n` mails have been accepted. */
  waitFor(n: number): Promise<void>
  clear(): void
  stop(): Promise<void>
}

readQuotedLocalParts()

type ConnectionState = { number: number; mails: number; open: boolean }

/** A real SMTP server on a free loopback port that keeps what it gets, and misbehaves on demand. */
export async function startSmtpSink(options: SinkOptions = {}): Promise<SmtpSink> {
  const received: SinkMail[] = []
  const byMessageId = new Map<string, number[]>()
  const states = new Map<string, ConnectionState>()
  const connections = { open: 0, most: 0, total: 0 }
  const arrivals = new EventEmitter().setMaxListeners(0)
  let script = options.script
  let count = 0
  let mailNumber = 0

  const stateOf = (session: SMTPServerSession) =>
    states.get(session.id) ?? { number: 0, mails: 0, open: false }
  const act = async (session: SMTPServerSession, step: SinkStep, more: Partial<SinkEvent>): Promise<void> => {
    const { number, mails } = stateOf(session)
    const action = script?.({ step, connection: number, mail: mailNumber, onConnection: mails, ...more })
    if (action) await perform(action, socketOf(server, session))
  }
  const keep = (session: SMTPServerSession, raw: Buffer) => {
    const { number } = stateOf(session)
    const id = messageId(raw)
    if (id) byMessageId.set(id, [...(byMessageId.get(id) ?? []), number])
    const { mailFrom, rcptTo } = session.envelope
    const envelope = { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) }
    const username = typeof session.user === 'string' ? session.user : ''
    if (!options.light) received.push({ envelope, raw, connection: number, username })
    count += 1
    arrivals.emit('mail')
  }

  const server = new SMTPServer({
    logger: false,
    secure: options.security === 'tls',
    hideSTARTTLS: options.security !== 'starttls',
    ...(options.security === 'starttls'
      ? {}
      : { disabledCommands: options.users ? ['STARTTLS'] : ['STARTTLS'] }),
    allowInsecureAuth: true,
    authOptional: !options.users && !options.personOf,
    authMethods: ['PLAIN', 'LOGIN', ...(options.personOf ? ['XOAUTH2'] : [])],
    disableReverseLookup: true,
    hidePIPELINING: options.hidePipelining ?? false,
    closeTimeout: 50,
    ...(options.maxBytes ? { size: options.maxBytes } : {}),
    onConnect(session, done) {
      connections.total += 1
      connections.open += 1
      connections.most = Math.max(connections.most, connections.open)
      states.set(session.id, { number: connections.total, mails: 0, open: true })
      callbackify(act)(session, 'connect', {}, done)
    },
    onClose(session) {
      const state = states.get(session.id)
      if (!state?.open) return
      // Keep its number: a mail whose client died after the final dot is stored after the connection is closed.
      state.open = false
      connections.open -= 1
    },
    onAuth({ username = '', password, accessToken }, session, done) {
      if (accessToken !== undefined) callbackify(signInByToken)(session, username, accessToken, done)
      else callbackify(signIn)(session, username, password ?? '', done)
    },
    onMailFrom({ address }, session, done) {
      mailNumber += 1
      const state = stateOf(session)
      state.mails += 1
      if (options.maxMailsPerConnection && state.mails > options.maxMailsPerConnection) {
        done(replyError('421 4.7.0 Too many mails on this connection'))
        setImmediate(() => socketOf(server, session)?.end())
        return
      }
      callbackify(act)(session, 'mail', { address }, done)
    },
    onRcptTo({ address }, session, done) {
      callbackify(act)(session, 'rcpt', { address }, done)
    },
    onData(stream, session, done) {
      callbackify(takeMail)(stream, session, done)
    },
  })
  const signIn = async (session: SMTPServerSession, username: string, password: string) => {
    await act(session, 'auth', { username, password })
    if (options.users && options.users[username] !== password)
      throw replyError('535 5.7.8 Authentication failed')
    return { user: username }
  }
  const signInByToken = async (session: SMTPServerSession, username: string, accessToken: string) => {
    await act(session, 'auth', { username, password: accessToken })
    if (options.personOf?.(accessToken) === username) return { user: username }
    // RFC 7628 3.2.2: the server explains the refusal, and the client ends the exchange.
    return { data: { status: '401', schemes: 'bearer' } }
  }
  const takeMail = async (stream: SMTPServerDataStream, session: SMTPServerSession) => {
    await act(session, 'data', {})
    const pieces: Buffer[] = []
    for await (const piece of stream as AsyncIterable<Buffer>) pieces.push(piece)
    if (stream.sizeExceeded) throw replyError('552 5.3.4 Message too big')
    // Reading fails if the connection breaks before the final dot; after it the mail is accepted, with or without a client.
    const raw = Buffer.concat(pieces)
    const { number, mails } = stateOf(session)
    const action = script?.({ step: 'dot', connection: number, mail: mailNumber, onConnection: mails })
    if (
      !action ||
      action === 'keep-and-drop' ||
      (typeof action === 'object' && ('waitMs' in action || 'until' in action))
    )
      keep(session, raw)
    if (action) await perform(action, socketOf(server, session))
    return `OK ${count}`
  }

  const arrived = async (n: number): Promise<void> => {
    if (count >= n) return
    await once(arrivals, 'mail')
    await arrived(n)
  }

  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')

  return {
    host: '127.0.0.1',
    port: (server.server.address() as AddressInfo).port,
    received,
    byMessageId,
    connections,
    get count() {
      return count
    },
    setScript(next) {
      script = next
    },
    async waitFor(n) {
      await arrived(n)
    },
    clear() {
      received.length = 0
      byMessageId.clear()
      count = 0
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const connection of server.connections)
          (connection as unknown as { _socket: Socket })._socket.destroy()
      }),
  }
}

/** An error that smtp-server turns into the given reply line. */
function replyError(line: string): Error & { responseCode: number } {
  return Object.assign(new Error(line.slice(4)), { responseCode: Number(line.slice(0, 3)) })
}

async function perform(action: SinkAction, socket: Socket | undefined): Promise<void> {
  if (typeof action === 'object' && 'reply' in action) throw replyError(action.reply)
  if (typeof action === 'object' && 'waitMs' in action) {
    await new Promise((resolve) => setTimeout(resolve, action.waitMs))
    return
  }
  if (typeof action === 'object' && 'until' in action) return action.until
  if (action === 'drop' || action === 'keep-and-drop') socket?.destroy()
  else if (typeof action === 'object') drip(socket, action.drip)
  await new Promise(() => {})
}

/** Sends a reply that never ends, one byte at a time. */
function drip(socket: Socket | undefined, everyMs: number): void {
  const words = '250-please hold the line\r\n'
  let at = 0
  const timer = setInterval(() => {
    if (!socket || socket.destroyed) return clearInterval(timer)
    socket.write(words[at++ % words.length] ?? '')
  }, everyMs)
  timer.unref()
}

function socketOf(server: SMTPServer, session: SMTPServerSession): Socket | undefined {
  for (const connection of server.connections) {
    const open = connection as unknown as { session: SMTPServerSession; _socket: Socket }
    if (open.session === session) return open._socket
  }
  return undefined
}

/** Message-ID of the header, without angle brackets; empty without one. */
function messageId(raw: Buffer): string {
  const end = raw.indexOf('\r\n\r\n')
  const header = raw.subarray(0, end < 0 ? raw.length : end).toString('latin1')
  return /^message-id:\s*<([^>]*)>/im.exec(header)?.[1] ?? ''
}
