import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'

/** What the server does: answers with its records, says nothing, or sends bytes that are no answer. */
export type DnsMood = 'answers' | 'hangs' | 'babbles'

export type DnsServer = {
  /** As in DNS_SERVERS. */
  address: string
  /** TXT records by name, in lower case. */
  records: Map<string, string[]>
  /** Every name that was asked for. */
  asked: string[]
  mood: DnsMood
  stop(): Promise<void>
}

const HEAD_BYTES = 12
const TXT = 16
const NO_SUCH_NAME = 3

/** A name server (RFC 1035) on a free loopback port that knows TXT records only, and misbehaves on demand. */
export async function startDnsServer(): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const server: DnsServer = {
    address: '',
    records: new Map(),
    asked: [],
    mood: 'answers',
    stop: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
  socket.on('message', (question: Buffer, from: RemoteInfo) => {
    const { name, end } = nameIn(question)
    server.asked.push(name)
    if (server.mood === 'hangs') return
    const answer =
      server.mood === 'babbles' ? Buffer.alloc(40, 0xff) : answerTo(question, end, server.records.get(name))
    socket.send(answer, from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  server.address = `127.0.0.1:${socket.address().port}`
  return server
}

/** The name that is asked for, and where its question ends. */
function nameIn(question: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = HEAD_BYTES
  for (let size = question[at] ?? 0; size > 0; size = question[at] ?? 0) {
    labels.push(question.subarray(at + 1, at + 1 + size).toString('latin1'))
    at += 1 + size
  }
  // After the name: its end, type and class.
  return { name: labels.join('.').toLowerCase(), end: at + 5 }
}

function answerTo(question: Buffer, end: number, texts: readonly string[] | undefined): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  question.copy(head, 0, 0, 2)
  head.writeUInt16BE(0x81_80 | (texts === undefined ? NO_SUCH_NAME : 0), 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(texts?.length ?? 0, 6)
  return Buffer.concat([
    head,
    question.subarray(HEAD_BYTES, end),
    ...(texts ?? []).map((text) => txtRecord(text)),
  ])
}

function txtRecord(text: string): Buffer {
  const pieces = text.match(/.{1,255}/gs) ?? ['']
  const value = Buffer.concat(
    pieces.map((piece) => Buffer.concat([Buffer.from([piece.length]), Buffer.from(piece)])),
  )
  const head = Buffer.alloc(12)
  // The name is that of the question, at the end of its head.
  head.writeUInt16BE(0xc0_00 | HEAD_BYTES, 0)
  head.writeUInt16BE(TXT, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(60, 6)
  head.writeUInt16BE(value.length, 10)
  return Buffer.concat([head, value])
}
