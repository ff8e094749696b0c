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

  const server = createServer({ noDelay: true }, (client) => {
    connections += 1
    const [limit, manner] = [cutAfter, cutManner]
    const target = connect({ ...options.target, noDelay: true })
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

/** One command as it came: tag, upper-case name ("UID FETCH" is one name), the rest of the line, and the last literal. */
export type ImapCommand = { tag: string; name: string; rest: string; connection: number; literal: string }

/** Writes lines to the client. `raw` as they are, `line` with CRLF, `ok` and `no` tagged; `cut` ends the connection. */
export type ImapReply = {
  line: (text: string) => void
  raw: (bytes: string | Buffer) => void
  ok: (text?: string) => void
  no: (text: string) => void
  cut: () => void
}

/** Answers the command and returns true, or returns false for the usual answer. */
export type ImapScript = (command: ImapCommand, reply: ImapReply) => boolean

export type ScriptedMail = { uid: number; raw: string; flags: Set<string> }

/** A folder of the scripted server. `says` overrides what SELECT and STATUS say; null leaves it out. */
export type ScriptedFolder = {
  use: string
  mails: ScriptedMail[]
  uidValidity: number
  uidNext: number
  says: { exists?: number; uidNext?: number | null; uidValidity?: number | null }
  /** The same for STATUS alone. */
  statusSays: { uidNext?: number | null; uidValidity?: number | null }
  /** Why the folder cannot be selected. */
  refuses: string | null
}

export type HostileImap = {
  host: string
  port: number
  commands: ImapCommand[]
  /** By the names of the folders, a character for each byte. */
  folders: Map<string, ScriptedFolder>
  setScript(script: ImapScript): void
  /** Puts a mail into a folder, which is made if it is missing. */
  put(path: string, subject: string, uid?: number): ScriptedMail
  stop(): Promise<void>
}

/** Never answers. */
export const silence: ImapScript = () => true

/** A folder with mails of these subjects. */
export function scriptedFolder(subjects: readonly string[] = [], use = ''): ScriptedFolder {
  return {
    use,
    mails: subjects.map((subject, at) => scriptedMail(at + 1, subject)),
    uidValidity: 7,
    uidNext: subjects.length + 1,
    says: {},
    statusSays: {},
    refuses: null,
  }
}

function scriptedMail(uid: number, subject: string): ScriptedMail {
  const id = subject.replaceAll(/[^A-Za-z0-9]/g, '.')
  return { uid, raw: `Subject: ${subject}\r\nMessage-ID: <${id}@test>\r\n\r\n`, flags: new Set() }
}

/**
 * A small IMAP server that gives whatever false answers the script wants. Without one it has an INBOX with three mails,
 * UIDs 1 to 3, UIDVALIDITY 7. With `greeting` null it does not greet.
 */
export async function startHostileImap(
  options: {
    script?: ImapScript
    greeting?: string | null
    capabilities?: string
    folders?: Record<string, ScriptedFolder>
  } = {},
): Promise<HostileImap> {
  const { greeting = '* OK ready', capabilities = 'IMAP4rev1' } = options
  const commands: ImapCommand[] = []
  const folders = new Map(
    Object.entries(options.folders ?? { INBOX: scriptedFolder(['mail 1', 'mail 2', 'mail 3']) }),
  )
  const open = new Set<Socket>()
  let script = options.script ?? (() => false)
  let connections = 0

  // An answer of several lines does not wait for the client to acknowledge the first one.
  const server = createServer({ noDelay: true }, (socket) => {
    connections += 1
    const session: Session = { folders, capabilities, selected: null, idling: null }
    const connection = connections
    let rest = ''
    open.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => open.delete(socket))
    if (greeting !== null) socket.write(`${greeting}\r\n`)
    socket.on('data', (piece: Buffer) => {
      rest += piece.toString('latin1')
      for (let taken = takeCommand(rest, socket); taken !== null; taken = takeCommand(rest, socket)) {
        rest = taken.rest
        const [, tag = '', name = '', args = ''] = /^(\S+) ((?:UID )?\S+) ?(.*)$/i.exec(taken.line) ?? []
        const command = { tag, name: name.toUpperCase(), rest: args, connection, literal: taken.literal }
        commands.push(command)
        const reply = replyOn(socket, command)
        if (!script(command, reply)) usualAnswer(session, command, reply, taken.line)
      }
    })
  })
  return {
    ...(await listen(server)),
    commands,
    folders,
    setScript(next) {
      script = next
    },
    put(path, subject, uid) {
      const folder = folders.get(path) ?? scriptedFolder()
      folders.set(path, folder)
      return add(folder, scriptedMail(uid ?? folder.uidNext, subject))
    },
    stop: () => stopServer(server, open),
  }
}

/** Takes one command off the input, with its literal; null while it is incomplete. */
function takeCommand(input: string, socket: Socket): { line: string; literal: string; rest: string } | null {
  const end = input.indexOf('\r\n')
  if (end < 0) return null
  const line = input.slice(0, end)
  const size = /\{(\d+)\}$/.exec(line)?.[1]
  if (size === undefined) return { line, literal: '', rest: input.slice(end + 2) }
  const from = end + 2
  if (input.length === from) socket.write('+ go ahead\r\n')
  const to = from + Number(size)
  if (input.length < to + 2) return null
  return { line, literal: input.slice(from, to), rest: input.slice(to + 2) }
}

function replyOn(socket: Socket, { tag, name }: ImapCommand): ImapReply {
  return {
    line: (text) => void socket.write(`${text}\r\n`),
    raw: (bytes) => void socket.write(bytes),
    ok: (text = `${name} done`) => void socket.write(`${tag} OK ${text}\r\n`),
    no: (text) => void socket.write(`${tag} NO ${text}\r\n`),
    cut: () => socket.end(),
  }
}

type Session = {
  folders: Map<string, ScriptedFolder>
  capabilities: string
  selected: ScriptedFolder | null
  idling: string | null
}

function usualAnswer(session: Session, command: ImapCommand, reply: ImapReply, line: string): void {
  if (session.idling !== null && /^done$/i.test(line)) {
    reply.line(`${session.idling} OK idled`)
    session.idling = null
    return
  }
  const answer = ANSWERS[command.name]
  if (answer === undefined) reply.ok()
  else answer(session, command, reply)
}

/** What the server does with a command; any other one is answered by OK. */
const ANSWERS: Record<string, (session: Session, command: ImapCommand, reply: ImapReply) => void> = {
  CAPABILITY({ capabilities }, _, { line, ok }) {
    line(`* CAPABILITY ${capabilities}`)
    ok()
  },
  NAMESPACE(_, __, { line, ok }) {
    line('* NAMESPACE (("" "/")) NIL NIL')
    ok()
  },
  LIST({ folders }, { rest }, { raw, ok }) {
    const wanted = argumentsOf(rest).slice(0, 2).join('')
    const isWanted = (path: string) =>
      wanted.endsWith('*') ? path.startsWith(wanted.slice(0, -1)) : path === wanted
    for (const [path, { use }] of folders)
      if (isWanted(path))
        raw(Buffer.from(`* LIST (\\HasNoChildren${use && ` ${use}`}) "/" "${path}"\r\n`, 'latin1'))
    ok()
  },
  STATUS({ folders }, { rest }, { line, ok, no }) {
    const [path = ''] = argumentsOf(rest)
    const folder = folders.get(path)
    if (folder === undefined) return no('[NONEXISTENT] No such folder')
    const said = { ...folder, ...folder.says, ...folder.statusSays }
    const items = [
      `MESSAGES ${folder.says.exists ?? folder.mails.length}`,
      ...(said.uidNext === null ? [] : [`UIDNEXT ${said.uidNext}`]),
      ...(said.uidValidity === null ? [] : [`UIDVALIDITY ${said.uidValidity}`]),
    ]
    line(`* STATUS "${path}" (${items.join(' ')})`)
    ok()
  },
  SELECT: select,
  EXAMINE: select,
  CREATE({ folders }, { rest }, { ok }) {
    folders.set(argumentsOf(rest)[0] ?? '', scriptedFolder())
    ok()
  },
  APPEND({ folders }, { rest, literal }, { ok, no }) {
    const folder = folders.get(argumentsOf(rest)[0] ?? '')
    if (folder === undefined) return no('[TRYCREATE] No such folder')
    add(folder, { uid: folder.uidNext, raw: literal, flags: new Set() })
    ok()
  },
  IDLE(session, { tag }, { line }) {
    session.idling = tag
    line('+ idling')
  },
  'UID SEARCH'({ selected }, { rest }, { line, ok }) {
    const mails = selected?.mails ?? []
    const id = /HEADER MESSAGE-ID "?<([^>]*)>/i.exec(rest)?.[1]
    const set = /UID ([\d:,*]+)/.exec(rest)?.[1]
    const found = mails.filter(
      (mail) =>
        (id === undefined || mail.raw.includes(`<${id}>`)) && (set === undefined || isIn(set, mail, mails)),
    )
    line(`* SEARCH ${found.map(({ uid }) => uid).join(' ')}`.trim())
    ok()
  },
  'UID FETCH'({ selected }, { rest }, { raw, ok }) {
    const mails = selected?.mails ?? []
    const [set = ''] = rest.split(' ')
    for (const [at, mail] of mails.entries())
      if (isIn(set, mail, mails))
        raw(
          `* ${at + 1} FETCH (UID ${mail.uid} FLAGS (${[...mail.flags].join(' ')}) ${itemsOf(mail, rest)})\r\n`,
        )
    ok()
  },
  'UID STORE'({ selected }, { rest }, { ok }) {
    const mails = selected?.mails ?? []
    const [, set = '', sign = '', flags = ''] = /^(\S+) ([+-])FLAGS\S* \(([^)]*)\)/i.exec(rest) ?? []
    for (const mail of mails.filter((each) => isIn(set, each, mails)))
      for (const flag of flags.split(' ')) {
        if (sign === '-') mail.flags.delete(flag)
        else mail.flags.add(flag)
      }
    ok()
  },
}

function select(session: Session, { rest, literal }: ImapCommand, { line, ok, no }: ImapReply): void {
  const path = /^\{\d+\}$/.test(rest) ? literal : argumentsOf(rest)[0]
  const folder = session.folders.get(path ?? '')
  session.selected = null
  if (folder === undefined) return no('[NONEXISTENT] No such folder')
  if (folder.refuses !== null) return no(folder.refuses)
  session.selected = folder
  const said = { ...folder, ...folder.says }
  line('* FLAGS (\\Seen \\Deleted)')
  line(`* ${folder.says.exists ?? folder.mails.length} EXISTS`)
  if (said.uidValidity !== null) line(`* OK [UIDVALIDITY ${said.uidValidity}] valid`)
  if (said.uidNext !== null) line(`* OK [UIDNEXT ${said.uidNext}] next`)
  ok()
}

function itemsOf({ raw }: ScriptedMail, asked: string): string {
  const facts = `INTERNALDATE "01-Jan-2026 10:00:00 +0000" RFC822.SIZE ${raw.length}`
  const [subject, id] = [/Subject: (.*)/.exec(raw)?.[1] ?? '', /Message-ID: (<.*>)/i.exec(raw)?.[1]]
  const nobody = 'NIL NIL NIL NIL NIL NIL'
  const date = /^Date: (.*)\r/m.exec(raw)?.[1]
  const quoted = (value: string | undefined) => (value === undefined ? 'NIL' : JSON.stringify(value))
  if (asked.includes('ENVELOPE'))
    return `${facts} ENVELOPE (${quoted(date)} "${subject}" ${nobody} NIL ${quoted(id)})`
  const length = /BODY\.PEEK\[\]<0\.(\d+)>/.exec(asked)?.[1]
  if (length === undefined) return facts
  const bytes = raw.slice(0, Number(length))
  return `${facts} BODY[]<0> {${bytes.length}}\r\n${bytes}`
}

function add(folder: ScriptedFolder, mail: ScriptedMail): ScriptedMail {
  folder.mails.push(mail)
  folder.uidNext = Math.max(folder.uidNext, mail.uid + 1)
  return mail
}

/** Whether a mail is in a UID set: "1:3,7,9:*". */
function isIn(set: string, { uid }: ScriptedMail, mails: readonly ScriptedMail[]): boolean {
  const last = mails.at(-1)?.uid ?? 0
  return set.split(',').some((part) => {
    const [from = 0, to = from] = part.split(':').map((end) => (end === '*' ? last : Number(end)))
    return Math.min(from, to) <= uid && uid <= Math.max(from, to)
  })
}

/** The words of a command, without their quotes. */
function argumentsOf(rest: string): string[] {
  return [...rest.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
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
