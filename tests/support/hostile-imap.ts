import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** `reset` cuts the line, `end` closes it politely, `stall` sends nothing more. */
export type CutManner = 'reset' | 'end' | 'stall'

export type CuttingProxy = {
  host: string
  port: number
  /** Bytes that the target has sent so far, over all connections. */
  readonly bytesFromTarget: number
  readonly connections: number
  /** From the next connection on: cut after this many bytes of the target's; null never cuts. */
  setCut(afterBytes: number | null, manner?: CutManner): void
  /** Cuts the connections that are open now. */
  cutNow(): void
  stop(): Promise<void>
}

/** A TCP proxy in front of a real server (Dovecot) that cuts the connection in the middle of the server's output. */
export async function startCuttingProxy(options: {
  target: { host: string; port: number }
  cutAfterBytes?: number
  manner?: CutManner
}): Promise<CuttingProxy> {
  let cutAfter: number | null = options.cutAfterBytes ?? null
  let cutManner: CutManner = options.manner ?? 'reset'
  let bytesFromTarget = 0
  let connections = 0
  const open = new Set<Socket>()

  const server = createServer((client) => {
    connections += 1
    const [limit, manner] = [cutAfter, cutManner]
    const target = connect(options.target.port, options.target.host)
    let passed = 0
    let over = false
    for (const socket of [client, target]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => open.delete(socket))
    }
    client.on('data', (piece: Buffer) => target.write(piece))
    client.once('close', () => target.destroy())
    target.once('close', () => {
      if (!over || manner !== 'stall') client.end()
    })
    target.on('data', (piece: Buffer) => {
      if (over) return
      const room = limit === null ? piece.length : limit - passed
      const part = piece.subarray(0, Math.max(room, 0))
      passed += part.length
      bytesFromTarget += part.length
      if (part.length) client.write(part)
      if (part.length === piece.length && (limit === null || passed < limit)) return
      over = true
      if (manner === 'end') client.end()
      // The bytes before the cut must arrive, so the reset waits for them.
      if (manner === 'reset') setImmediate(() => client.resetAndDestroy())
      target.destroy()
    })
  })
  return {
    ...(await listen(server)),
    get bytesFromTarget() {
      return bytesFromTarget
    },
    get connections() {
      return connections
    },
    setCut(afterBytes, manner = 'reset') {
      cutAfter = afterBytes
      cutManner = manner
    },
    cutNow() {
      for (const socket of open) socket.destroy()
    },
    stop: () => stopServer(server, open),
  }
}

/** One command as it came: tag, upper-case name ("UID FETCH" is one name), and the rest of the line. */
export type ImapCommand = { tag: string; name: string; rest: string; connection: number }

/** Writes lines to the client. `raw` as they are, `line` with CRLF, `ok` the tagged OK; `cut` ends the connection. */
export type ImapReply = {
  line: (text: string) => void
  raw: (bytes: string | Buffer) => void
  ok: (text?: string) => void
  cut: () => void
}

/** Answers the command and returns true, or returns false for the usual answer. */
export type ImapScript = (command: ImapCommand, reply: ImapReply) => boolean

export type HostileImap = {
  host: string
  port: number
  commands: ImapCommand[]
  setScript(script: ImapScript): void
  stop(): Promise<void>
}

/** Never answers. */
export const silence: ImapScript = () => true

/**
 * A small IMAP server that gives whatever false answers the script wants. Without one it has an INBOX with three mails, UIDs 1 to
 * 3, UIDVALIDITY 7. With `greeting` null it does not greet.
 */
export async function startHostileImap(
  options: { script?: ImapScript; greeting?: string | null; capabilities?: string } = {},
): Promise<HostileImap> {
  const { greeting = '* OK ready', capabilities = 'IMAP4rev1' } = options
  const commands: ImapCommand[] = []
  const open = new Set<Socket>()
  let script = options.script ?? (() => false)
  let connections = 0

  const server = createServer((socket) => {
    connections += 1
    const connection = connections
    let rest = ''
    open.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => open.delete(socket))
    if (greeting !== null) socket.write(`${greeting}\r\n`)
    socket.on('data', (piece: Buffer) => {
      const lines = (rest + piece.toString('latin1')).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const [, tag = '', name = '', args = ''] = /^(\S+) ((?:UID )?\S+) ?(.*)$/i.exec(line) ?? []
        const command = { tag, name: name.toUpperCase(), rest: args, connection }
        commands.push(command)
        const reply = replyOn(socket, command)
        if (!script(command, reply)) usualAnswer(command, reply, capabilities)
      }
    })
  })
  return {
    ...(await listen(server)),
    commands,
    setScript(next) {
      script = next
    },
    stop: () => stopServer(server, open),
  }
}

function replyOn(socket: Socket, { tag, name }: ImapCommand): ImapReply {
  return {
    line: (text) => void socket.write(`${text}\r\n`),
    raw: (bytes) => void socket.write(bytes),
    ok: (text = `${name} done`) => void socket.write(`${tag} OK ${text}\r\n`),
    cut: () => socket.end(),
  }
}

function usualAnswer({ name, rest }: ImapCommand, { line, ok }: ImapReply, capabilities: string): void {
  if (name === 'CAPABILITY') line(`* CAPABILITY ${capabilities}`)
  if (name === 'NAMESPACE') line('* NAMESPACE (("" "/")) NIL NIL')
  if (name === 'LIST') line('* LIST (\\HasNoChildren) "/" INBOX')
  if (name === 'STATUS') line('* STATUS INBOX (MESSAGES 3 UIDNEXT 4 UIDVALIDITY 7)')
  if (name === 'SELECT' || name === 'EXAMINE') {
    line('* FLAGS (\\Seen \\Deleted)')
    line('* 3 EXISTS')
    line('* OK [UIDVALIDITY 7] valid')
    line('* OK [UIDNEXT 4] next')
  }
  if (name === 'UID SEARCH') line('* SEARCH 1 2 3')
  if (name === 'UID FETCH')
    for (const uid of [1, 2, 3]) line(`* ${uid} FETCH (UID ${uid} FLAGS () ${mailOf(uid, rest)})`)
  ok()
}

function mailOf(uid: number, items: string): string {
  const facts = 'INTERNALDATE "01-Jan-2026 10:00:00 +0000" RFC822.SIZE 19'
  const nobody = 'NIL NIL NIL NIL NIL NIL'
  if (items.includes('ENVELOPE')) return `${facts} ENVELOPE (NIL "mail ${uid}" ${nobody} NIL "<${uid}@test>")`
  const raw = `Subject: mail ${uid}\r\n\r\n`
  return items.includes('BODY.PEEK[]') ? `${facts} BODY[]<0> {${raw.length}}\r\n${raw}` : facts
}

async function listen(server: Server): Promise<{ host: string; port: number }> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
}

async function stopServer(server: Server, open: Set<Socket>): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  for (const socket of open) socket.destroy()
  await closed
}
