import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { invalidInput, presentError, Refusal } from '../errors.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** Status codes for what Node's parser refuses; anything else is 400. */
const STATUS_OF: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Answers what cannot be read as a request: a head that is too long, broken HTTP, a head that never arrives. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const statusCode = STATUS_OF[error.code ?? ''] ?? 400
  const body = JSON.stringify(presentError({ statusCode }).body)
  if (socket.writable) {
    socket.write(
      `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode] ?? ''}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
        `Content-Type: ${JSON_TYPE}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
    )
  }
  socket.destroy(error)
}

/** Answers an unknown `Expect` (RFC 9110 10.1.1). */
export function answerExpectation(_: IncomingMessage, response: ServerResponse): void {
  const body = JSON.stringify(presentError({ statusCode: 417 }).body)
  const headers = { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store', Connection: 'close' }
  response.writeHead(417, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body)
}

/** Answers a request whose path cannot be decoded. */
export function answerRoutingError(
  error: Error,
  _: FastifyRequest,
  reply: Pick<FastifyReply, 'code' | 'type' | 'header' | 'send'>,
): void {
  const { status, body } = presentError(error)
  void reply.code(status).header('Cache-Control', 'no-store').type(JSON_TYPE).send(JSON.stringify(body))
}

/**
 * Refuses what no call accepts.
 *
 * @throws Refusal 400 without Host (RFC 9112 3.2); 415 for a compressed body (RFC 9110 8.4): no browser sends one,
 *   and its real size is known too late
 */
export async function refuseOddRequests(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { host, 'content-encoding': encoding = 'identity' } = request.headers
  if (host === undefined && request.raw.httpVersion === '1.1')
    throw invalidInput('This request does not say which host it is for.')
  if (encoding.toLowerCase() !== 'identity') {
    void reply.header('Accept-Encoding', 'identity')
    throw new Refusal(415, 'Please send this without compressing it.', 'UNSUPPORTED_TYPE')
  }
}
