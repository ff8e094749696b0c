import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Refusal } from '../errors.ts'

/** How long a client may take, in milliseconds. Streams of live events are answers and not affected. */
export type Patience = {
  /** The whole head of a request, counted from the start of the connection. */
  head: number
  /** The whole request with its body. */
  request: number
  /** How long a connection may stay idle after an answer. */
  idle: number
  /** In each interval of this length a body must bring {@link bodyBytes}. */
  body: number
  bodyBytes: number
  /** How often all this is checked. */
  check: number
}

/** The longest upload: enough for 25 MB at 60 kbit/s or 200 MB at 470. */
export const UPLOAD_MAX_MS = 60 * 60_000
/** Connections of all clients together; each tab holds one for its live events. */
export const CONNECTIONS_MAX = 8000

export const PATIENCE: Patience = {
  head: 20_000,
  request: UPLOAD_MAX_MS,
  idle: 72_000,
  // A phone at the edge of its network has more than 4 kbit/s, and comes out of a tunnel within a minute.
  body: 60_000,
  bodyBytes: 30_000,
  check: 5000,
}

type Watched = { response: ServerResponse; bytes: number; since: number; isTold: boolean }

/**
 * Ends requests whose body trickles in: connections held that way are missing for everybody else. Time in which we do
 * not read the body does not count against the client.
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

/** Whoever reads the body answers 408 (RFC 9110 15.5.9), and the connection ends with it; otherwise it is cut. */
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
