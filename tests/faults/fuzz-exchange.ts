import { type Agent, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import type { FuzzRequest } from './fuzz-requests.ts'

/** How long a request may take. The longest call of the contract answers within 25 s. */
export const HANG_MS = 30_000

/** The answer. Status 0: the connection was closed without one. */
export type Exchange = { status: number; text: string; milliseconds: number }

/** Sends one request and reads its answer, over a connection that is reused if the framing is intact. */
export async function exchange(
  url: URL,
  agent: Agent,
  request: FuzzRequest,
  random: () => number,
): Promise<Exchange> {
  const begun = performance.now()
  const { status, text } = await (request.wellFramed
    ? overAgent(url, agent, request)
    : overSocket(url, request, random))
  return { status, text, milliseconds: performance.now() - begun }
}

type Answer = { status: number; text: string }

function overAgent(url: URL, agent: Agent, request: FuzzRequest): Promise<Answer> {
  const { method, path: target, head, body } = request
  return new Promise((resolve) => {
    const headers = head.map((line): [string, string] => {
      const [name = '', value = ''] = line.split(/: (.*)/s)
      return [name, value]
    })
    const sent = httpRequest(
      {
        host: url.hostname,
        port: url.port,
        agent,
        method,
        path: target,
        headers: Object.fromEntries([...headers, ['Content-Length', String(body.length)]]),
        timeout: HANG_MS,
      },
      (response) => {
        const chunks: Buffer[] = []
        const done = () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() })
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', done)
        response.on('error', done)
      },
    )
    sent.on('timeout', () => sent.destroy())
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // An idle connection may be closed just as it is used again: a client then retries (RFC 9112 9.3.1).
      if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(overAgent(url, agent, request))
      else resolve({ status: 0, text: '' })
    })
    sent.end(body)
  })
}

/** A separate connection for incomplete HTTP; half of the clients that are cut off only fall silent. */
function overSocket(url: URL, request: FuzzRequest, random: () => number): Promise<Answer> {
  const lines = [
    `${request.method} ${request.path} HTTP/1.1`,
    `Host: ${url.host}`,
    'Connection: close',
    ...request.head,
  ]
  const length = request.kind === 'frame' ? [] : [`Content-Length: ${request.body.length}`]
  const bytes = Buffer.concat([Buffer.from([...lines, ...length, '', ''].join('\r\n')), request.body])
  const goesAway = request.cutAt !== null && random() < 0.5
  return new Promise((resolve) => {
    const socket = connect({ host: url.hostname, port: Number(url.port) })
    const chunks: Buffer[] = []
    socket.setTimeout(HANG_MS, () => socket.destroy())
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', () => {})
    socket.on('close', () => {
      const [head = '', ...rest] = Buffer.concat(chunks).toString().split('\r\n\r\n')
      resolve({
        status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
        text: unchunked(head, rest.join('\r\n\r\n')),
      })
    })
    socket.on('connect', () => {
      const said = request.cutAt === null ? bytes : bytes.subarray(0, request.cutAt)
      socket.write(said, () => (goesAway ? socket.destroy() : socket.end()))
    })
  })
}

function unchunked(head: string, body: string): string {
  return /^transfer-encoding: chunked/im.test(head) ? body.replaceAll(/(?:^|\r\n)[\da-f]+\r\n/gi, '') : body
}
