import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { DialGuard } from '#server/platform/security/addresses.ts'

type HttpCall = {
  method?: string | undefined
  headers: Record<string, string>
  body?: string | undefined
  signal?: AbortSignal | undefined
  /** How long the server may take to accept the connection. */
  connectMs?: number
}

/**
 * Calls a web server at exactly the address that the guard has checked, so a name that answers differently the second
 * time gains nothing. Redirects are not followed. Returns when the answer begins.
 */
export async function dialHttp(url: URL, guard: DialGuard, call: HttpCall): Promise<IncomingMessage> {
  const { method = 'GET', headers, body, signal, connectMs } = call
  const secure = url.protocol === 'https:'
  const port = Number(url.port) || (secure ? 443 : 80)
  const target = await guard.resolve(url.hostname, port)
  signal?.throwIfAborted()
  const answer = Promise.withResolvers<IncomingMessage>()
  const request = (secure ? requestHttps : requestHttp)({
    host: target.address,
    family: target.family,
    ...(target.servername === undefined ? {} : { servername: target.servername }),
    port,
    method,
    path: url.pathname + url.search,
    headers: { ...headers, host: url.host },
    agent: false,
    ...(signal === undefined ? {} : { signal }),
  })
  if (connectMs !== undefined) {
    const late = () => request.destroy(Object.assign(new Error('No connection'), { code: 'ETIMEDOUT' }))
    const timer = setTimeout(late, connectMs)
    const event = secure ? 'secureConnect' : 'connect'
    request.once('socket', (socket) => socket.once(event, () => clearTimeout(timer)))
    request.once('close', () => clearTimeout(timer))
  }
  request.once('response', answer.resolve)
  // It is listened to until the end: an error after the answer has begun is the body's own.
  request.on('error', answer.reject)
  request.end(body)
  return answer.promise
}

/** The body of an answer; null if it has more than `max` bytes, of which no more are read. */
export async function readBody(response: IncomingMessage, max: number): Promise<Buffer<ArrayBuffer> | null> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of response as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > max) return null
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
