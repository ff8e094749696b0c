import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * What the service does: JSON (as soon as `when` is settled), a text that is none, an HTTP error, silence, an answer
 * without end, or hanging up.
 */
export type RatesAnswer =
  | { json: unknown; when?: Promise<unknown> }
  | { text: string }
  | { status: number }
  | 'hang'
  | 'flood'
  | 'drop'
  | 'redirect'

export type RatesService = {
  url: string
  /** How often it was asked. */
  readonly asked: number
  answer(next: RatesAnswer): void
  stop(): Promise<void>
}

/** An answer in the shape of open.er-api.com. */
export const goodRates = (at: Date, rates: Record<string, unknown> = {}) => ({
  json: {
    result: 'success',
    time_last_update_unix: Math.floor(at.getTime() / 1000),
    base_code: 'USD',
    rates: { USD: 1, EUR: 0.92, GBP: 0.79, INR: 83.125, AED: 3.6725, JPY: 151.2, XYZ: 7, ...rates },
  },
})

/** A service of exchange rates on a free loopback port. */
export async function startRatesService(): Promise<RatesService> {
  let next: RatesAnswer = { status: 503 }
  let asked = 0
  const server = createServer((_request, response) => {
    asked += 1
    if (next === 'hang') return
    if (next === 'drop') return void response.destroy()
    if (next === 'redirect') return void response.writeHead(302, { location: '/elsewhere' }).end()
    if (next === 'flood') {
      response.writeHead(200, { 'content-type': 'application/json' })
      const piece = `${' '.repeat(65_535)}\n`
      const pour = () => {
        while (!response.destroyed && response.write(piece));
      }
      response.on('drain', pour)
      return pour()
    }
    if ('status' in next) return void response.writeHead(next.status).end('sorry')
    response.writeHead(200, { 'content-type': 'application/json' })
    const { json, when } = next as { json: unknown; when?: Promise<unknown> }
    if ('text' in next) response.end(next.text)
    else void Promise.resolve(when).then(() => response.end(JSON.stringify(json)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v6/latest/USD`,
    get asked() {
      return asked
    },
    answer: (answer) => void (next = answer),
    stop: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
