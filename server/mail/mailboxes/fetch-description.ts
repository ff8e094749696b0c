import { dialHttp, readUpTo } from '../../platform/gateways/dial-http.ts'
import type { DialGuard } from '../../platform/security/addresses.ts'

/** A description of mail servers has 2 to 10 kB. */
const MAX_DESCRIPTION_BYTES = 64 * 1024
/** "autoconfig.example.com" often redirects once to the hoster's own host. */
const MAX_REDIRECTS = 2

/**
 * Fetches a small text from a web server named by a user's domain. The guard checks each host on the way, and exactly
 * the checked address is dialled. Null for everything but a 200 of acceptable size before `deadline`.
 */
export async function fetchDescription(
  url: string,
  guard: DialGuard,
  deadline: AbortSignal,
): Promise<string | null> {
  let next = new URL(url)
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const answer = await get(next, guard, deadline)
    if (answer === null || typeof answer === 'string') return answer
    if (!URL.canParse(answer.location, next)) return null
    const target = new URL(answer.location, next)
    // Whoever can alter plain-text traffic could name a server of their own.
    if (next.protocol === 'https:' && target.protocol !== 'https:') return null
    next = target
  }
  return null
}

async function get(
  url: URL,
  guard: DialGuard,
  signal: AbortSignal,
): Promise<string | { location: string } | null> {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  const headers = { Accept: 'text/xml, application/xml' }
  const response = await dialHttp(url, guard, { headers, signal })
  const { statusCode = 0, headers: answered } = response
  if (statusCode === 200) return (await readUpTo(response, MAX_DESCRIPTION_BYTES))?.toString('utf8') ?? null
  response.destroy()
  const isRedirect = statusCode >= 300 && statusCode < 400
  return isRedirect && answered.location !== undefined ? { location: answered.location } : null
}
