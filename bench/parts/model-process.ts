import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { barePage } from '../bare/stream-page.ts'
import { clockSkew } from './clock.ts'

// A language model in its own process that knows only words to count: to "Say k7" it says "k7x0 k7x1 k7x2 …", and notes
// when it wrote each. At its own address it serves the page of the bare side, which reads the same stream.

/** Milliseconds before the first word, and between two; `words` of one answer. */
export type ModelOrder = { thinksMs: number; gapMs: number; words: number }
/** When each word was written, on the clock that all processes of the machine share, and how often each was asked for. */
export type Written = { at: Record<string, number>; asked: Record<string, number> }

const order = JSON.parse(process.argv[2] ?? '{}') as ModelOrder
let written: Written = { at: {}, asked: {} }
let skew = 0

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const pieces: Buffer[] = []
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece)
  const { messages } = JSON.parse(Buffer.concat(pieces).toString()) as {
    messages: { role: string; content: string }[]
  }
  const said = messages.findLast(({ role }) => role === 'user')?.content ?? ''
  const key = /k\d+/.exec(said)?.[0] ?? 'nothing'
  written.asked[key] = (written.asked[key] ?? 0) + 1
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' })
  response.flushHeaders()
  const event = (delta: object, finish: string | null = null) =>
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`)
  // Not always the same, so that no timer of the other side keeps step with it.
  await pause(order.thinksMs * (0.5 + Math.random()))
  for (let word = 0; word < order.words && !response.destroyed; word += 1) {
    if (word > 0) await pause(order.gapMs * (0.5 + Math.random()))
    const name = `${key}x${word}`
    written.at[name] = performance.timeOrigin + performance.now() + skew
    event({ content: word === 0 ? name : ` ${name}` })
  }
  event({}, 'stop')
  response.end('data: [DONE]\n\n')
}

const server = createServer((request, response) => {
  if (request.method === 'GET')
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(barePage)
  else void answer(request, response)
})

process.on('message', () => {
  process.send?.(written)
  written = { at: {}, asked: {} }
  skew = clockSkew()
})
process.once('disconnect', () => process.exit(0))

skew = clockSkew()
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
