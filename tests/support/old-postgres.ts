import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'

/** The start-up is the only message whose length comes first; it has no letter. */
const OK = message('R', int32(0))
const READY = message('Z', Buffer.from('I'))

/**
 * A server that speaks PostgreSQL's protocol as far as a start needs it, and answers each question with one row. There is
 * no package of a PostgreSQL as old.
 */
export async function startOldPostgres(
  row: Record<string, string>,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    let isIn = false
    socket.on('data', (bytes) => {
      if (!isIn) {
        isIn = true
        socket.write(Buffer.concat([OK, message('K', Buffer.concat([int32(7), int32(7)])), READY]))
      } else if (bytes[0] === 'Q'.charCodeAt(0)) socket.write(answer(row))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    url: `postgres://howl@127.0.0.1:${port}/howl`,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function answer(row: Record<string, string>): Buffer {
  const text = (value: string) => Buffer.from(`${value}\0`)
  // Table, column, type `text`, its size, its modifier, in text form.
  const column = Buffer.concat([int32(0), int16(0), int32(25), int16(-1), int32(-1), int16(0)])
  const names = Object.keys(row).flatMap((name) => [text(name), column])
  const values = Object.values(row).flatMap((value) => [int32(Buffer.byteLength(value)), Buffer.from(value)])
  const count = int16(Object.keys(row).length)
  return Buffer.concat([
    message('T', Buffer.concat([count, ...names])),
    message('D', Buffer.concat([count, ...values])),
    message('C', text('SELECT 1')),
    READY,
  ])
}

function message(letter: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(letter), int32(body.length + 4), body])
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
