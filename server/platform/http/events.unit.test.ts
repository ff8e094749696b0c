import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type LiveHub, makeLiveHub } from './events.ts'

let hub: LiveHub
let server: Server
const clients: Socket[] = []

beforeEach(async () => {
  hub = makeLiveHub(() => {})
  server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => {
  hub.close()
  for (const client of clients.splice(0)) client.destroy()
  server.closeAllConnections()
  server.close()
})

const tell = (topic: string) => hub.receive(JSON.stringify({ userId: 1, event: { topic } }))

/** The server's side of a connection. */
async function connected(): Promise<{ client: Socket; response: ServerResponse }> {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  clients.push(client)
  client.pause()
  client.write('GET / HTTP/1.1\r\nHost: howl\r\n\r\n')
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
  return { client, response }
}

test('nothing is written to an ended stream whose tab does not read', async () => {
  const { response } = await connected()
  const errors: Error[] = []
  response.on('error', (error) => errors.push(error))
  response.write(Buffer.alloc(16_000_000))
  hub.open(1, response)
  tell('emails')
  tell('session')
  tell('contacts')
  await pause(400)
  expect(errors).toEqual([])
})

test('a tab that stopped reading is cut off before it fills memory', async () => {
  const { response } = await connected()
  hub.open(1, response)
  response.write(Buffer.alloc(16_000_000))
  tell('emails')
  await expect.poll(() => response.destroyed).toBe(true)
})

test('a tab that is gone before its stream opens is not kept', async () => {
  const { client, response } = await connected()
  client.destroy()
  await once(response, 'close')
  let heard = 0
  response.write = () => (heard += 1) > 0
  hub.open(1, response)
  tell('emails')
  await pause(400)
  expect(heard).toBe(0)
})

test('with too many tabs, the oldest streams end, each once', async () => {
  const all: ServerResponse[] = []
  for (let count = 0; count < 25; count++) {
    const { response } = await connected()
    response.write(Buffer.alloc(8_000_000))
    hub.open(1, response)
    all.push(response)
  }
  expect(all.filter((response) => response.writableEnded)).toHaveLength(5)
})
