import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { CustomFetch } from 'openid-client'
import { makeDialGuard } from '#server/platform/security/addresses.ts'

/** Descriptions, keys and tokens have some kilobytes. */
const MAX_ANSWER_BYTES = 512 * 1024

/** The answer is longer than anything an OAuth server has to say. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong'
}

/** Statuses whose answers have no body. */
const WITHOUT_BODY = new Set([204, 205, 304])

/**
 * A `fetch` for one issuer. The operator named its host, so it may be inside the network. Other hosts are named by the
 * issuer's answers: they must be public, and exactly the checked address is dialled. Redirects are not followed.
 */
export function fetchForIssuer(issuer: string): CustomFetch {
  const named = new URL(issuer).host
  return async (address, { method, headers, body, signal }) => {
    const url = new URL(address)
    const secure = url.protocol === 'https:'
    const port = Number(url.port) || (secure ? 443 : 80)
    const guard = makeDialGuard({ allowPrivate: url.host === named, ports: new Set([port]) })
    const target = await guard.resolve(url.hostname, port)
    signal?.throwIfAborted()
    return new Promise((resolve, reject) => {
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
      request.on('error', reject)
      request.on('response', (response) => {
        const pieces: Buffer[] = []
        let size = 0
        response.on('error', reject)
        response.on('data', (piece: Buffer) => {
          size += piece.length
          pieces.push(piece)
          if (size <= MAX_ANSWER_BYTES) return
          request.destroy()
          reject(new AnswerTooLong('The answer was far too long'))
        })
        response.on('end', () => {
          const status = response.statusCode ?? 502
          const type = response.headers['content-type']
          const answer = WITHOUT_BODY.has(status) ? null : Buffer.concat(pieces)
          resolve(
            new Response(answer, { status, headers: type === undefined ? {} : { 'content-type': type } }),
          )
        })
        response.on('close', () => reject(new Error('Connection closed')))
      })
      request.end(textOf(body))
    })
  }
}

/** The library sends forms only. */
function textOf(body: unknown): string | undefined {
  if (body instanceof URLSearchParams) return body.toString()
  return typeof body === 'string' ? body : undefined
}
