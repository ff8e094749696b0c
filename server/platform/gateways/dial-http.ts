import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { DialGuard } from '#server/platform/security/addresses.ts'

/** Statuses whose answers have no body. */
const WITHOUT_BODY = new Set([204, 205, 304])

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

/** All that comes, nothing without a body; null if it is more than `max` bytes, of which no more are read. */
export async function readUpTo(
  bytes: AsyncIterable<Uint8Array> | null,
  max: number,
): Promise<Buffer<ArrayBuffer> | null> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of bytes ?? []) {
    size += piece.length
    // Leaving the loop cancels the rest.
    if (size > max) return null
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** What is read of the headers of an answer. */
const KEPT_HEADERS = /^(?:content-type|retry-after|x-ratelimit-[\w-]+)$/

/** An answer as `fetch` gives it, with its status, its type and when to ask again alone, and a body that comes from `read`. */
export async function asResponse(
  answer: IncomingMessage,
  read: (answer: IncomingMessage) => BodyInit | Promise<BodyInit>,
): Promise<Response> {
  const { statusCode: status = 502, headers } = answer
  const hasBody = !WITHOUT_BODY.has(status)
  if (!hasBody) answer.resume()
  return new Response(hasBody ? await read(answer) : null, {
    status,
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      KEPT_HEADERS.test(name) && typeof value === 'string' ? [[name, value]] : [],
    ),
  })
}
