import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Refusal } from '../errors.ts'

/** How long a client may take, in milliseconds. Streams of live events are answers: none of these ends them. */
export type Patience = {
  /** The whole head of a request; counts from the connection on. */
  head: number
  /** The whole request with its body. */
  request: number
  /** A connection may stay unused after an answer. */
  idle: number
  /** In each such stretch of time a body brings {@link bodyBytes}. */
  body: number
  bodyBytes: number
  /** How often all this is looked at. */
  check: number
}

/** No upload takes longer: 25 MB are there in time at 60 kbit/s, 200 MB at 470. */
export const UPLOAD_MAX_MS = 60 * 60_000
/** Connections of all clients together; each tab holds one for its live events. */
export const CONNECTIONS_MAX = 8000

export const PATIENCE: Patience = {
  head: 20_000,
  request: UPLOAD_MAX_MS,
  idle: 72_000,
  // A phone on the edge of its network has more than 4 kbit/s, and a tunnel is behind it after a minute.
  body: 60_000,
  bodyBytes: 30_000,
  check: 5000,
}

type Watched = { response: ServerResponse; bytes: number; since: number; isTold: boolean }

/**
 * Ends requests whose body comes drop by drop: who holds connections that way holds them from everybody. What we are not
 * reading at the moment is not the client's fault and does not count.
 */
export function endSlowBodies(server: Server, patience: Patience): void {
  const open = new Map<IncomingMessage, Watched>()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return
    open.set(request, {
      response,
      bytes: request.socket.bytesRead,
      since: performance.now(),
      isTold: false,
    })
    request.once('close', () => open.delete(request))
  })
  const timer = setInterval(() => {
    for (const [request, watched] of open) {
      if (request.complete) open.delete(request)
      else look(request, watched, patience)
    }
  }, patience.check)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function look(request: IncomingMessage, watched: Watched, patience: Patience): void {
  const { bytesRead } = request.socket
  const now = performance.now()
  const isRead = request.readableFlowing === true
  if (!isRead || bytesRead - watched.bytes >= patience.bodyBytes) {
    watched.bytes = bytesRead
    watched.since = now
  } else if (now - watched.since > patience.body) {
    watched.since = now
    giveUp(request, watched)
  }
}

/** Whoever reads the body answers 408 (RFC 9110 15.5.9), and the connection ends with it; else it is cut. */
function giveUp(request: IncomingMessage, watched: Watched): void {
  const { response, isTold } = watched
  if (isTold || response.headersSent || request.listenerCount('error') === 0) {
    request.destroy()
    return
  }
  watched.isTold = true
  response.shouldKeepAlive = false
  request.emit(
    'error',
    new Refusal(408, 'This came too slowly and was given up. Please try again with a better connection.'),
  )
}
