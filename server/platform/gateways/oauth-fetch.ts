import type { CustomFetch } from 'openid-client'
import { makeDialGuard } from '#server/platform/security/addresses.ts'
import { asResponse, dialHttp, readUpTo } from './dial-http.ts'

/** Descriptions, keys and tokens have some kilobytes. */
const MAX_ANSWER_BYTES = 512 * 1024

/** The answer is longer than anything an OAuth server has to say. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong'
}

/**
 * A `fetch` for one issuer. The operator named its host, so it may be inside the network. Other hosts are named by the
 * issuer's answers: they must be public, and exactly the checked address is dialled. Redirects are not followed.
 */
export function fetchForIssuer(issuer: string): CustomFetch {
  const named = new URL(issuer).host
  return async (address, { method, headers, body, signal }) => {
    const url = new URL(address)
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
    const guard = makeDialGuard({ allowPrivate: url.host === named, ports: new Set([port]) })
    const response = await dialHttp(url, guard, { method, headers, body: textOf(body), signal })
    return asResponse(response, async (answer) => {
      const bytes = await readUpTo(answer, MAX_ANSWER_BYTES)
      if (bytes === null) throw new AnswerTooLong('The answer was far too long')
      return bytes
    })
  }
}

/** The library sends forms only. */
function textOf(body: unknown): string | undefined {
  if (body instanceof URLSearchParams) return body.toString()
  return typeof body === 'string' ? body : undefined
}
