import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** `refuse` answers NO without asking the server, `swallow` lets the server do it and cuts the connection before its answer. */
export type Meddling = 'pass' | 'swallow' | { refuse: string }

export type MeddlingProxy = {
  host: string
  port: number
  /** Commands as they came, without their tags. */
  commands: string[]
  setMeddling(meddle: (command: string) => Meddling): void
  stop(): Promise<void>
}

/** A proxy in front of a real server that hides some capabilities and answers some commands itself. */
export async function startMeddlingProxy(options: {
  target: { host: string; port: number }
  /** Capabilities that the client never hears of; without UIDPLUS no COPYUID either. */
  hide?: readonly string[]
}): Promise<MeddlingProxy> {
  const hide = options.hide ?? []
  const commands: string[] = []
  const open = new Set<Socket>()
  let meddle: (command: string) => Meddling = () => 'pass'

  const server = createServer((client) => {
    const target = connect(options.target.port, options.target.host)
    let silent = false
    for (const socket of [client, target]) {
      open.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.once('close', () => open.delete(socket))
    }
    client.once('close', () => target.destroy())
    target.once('close', () => client.end())
    byLine(client, (line) => {
      const [, tag = '', command = ''] = /^(\S+) (.*)\r\n$/.exec(line) ?? []
      commands.push(command)
      const what = meddle(command)
      if (what === 'pass') target.write(line, 'latin1')
      else if (what === 'swallow') {
        silent = true
        target.write(line, 'latin1')
      } else client.write(`${tag} NO ${what.refuse}\r\n`)
    })
    byLine(target, (line) => {
      if (!silent) client.write(without(line, hide), 'latin1')
      // The server has done it: now cut the connection.
      else if (/^\S+ (OK|NO|BAD)/.test(line) && !line.startsWith('*')) client.resetAndDestroy()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    commands,
    setMeddling(next) {
      meddle = next
    },
    async stop() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

function byLine(socket: Socket, hear: (line: string) => void): void {
  let rest = ''
  socket.on('data', (piece: Buffer) => {
    const lines = (rest + piece.toString('latin1')).split(/(?<=\n)/)
    rest = lines.at(-1)?.endsWith('\n') === true ? '' : (lines.pop() ?? '')
    for (const line of lines) hear(line)
  })
}

function without(line: string, hide: readonly string[]): string {
  let seen = line
  if (line.includes('CAPABILITY'))
    for (const name of hide) seen = seen.replaceAll(new RegExp(` ${name}(?=[ \\]\\r])`, 'g'), '')
  if (hide.includes('UIDPLUS')) seen = seen.replaceAll(/\[(COPYUID|APPENDUID)[^\]]*\] ?/g, '')
  if (hide.includes('CONDSTORE'))
    seen = seen.replaceAll(/ ?\(?MODSEQ \(\d+\)|\* OK \[HIGHESTMODSEQ[^\]]*\][^\r]*\r\n/g, '')
  return seen
}
