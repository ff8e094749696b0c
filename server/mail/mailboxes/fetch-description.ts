import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
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
  const secure = url.protocol === 'https:'
  const port = Number(url.port) || (secure ? 443 : 80)
  const target = await guard.resolve(url.hostname, port)
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const request = (secure ? requestHttps : requestHttp)({
      host: target.address,
      family: target.family,
      ...(target.servername === undefined ? {} : { servername: target.servername }),
      port,
      path: url.pathname + url.search,
      headers: { Host: url.host, Accept: 'text/xml, application/xml' },
      agent: false,
      signal,
    })
    request.on('error', reject)
    request.on('response', (response) => {
      response.on('error', reject)
      const { statusCode = 0, headers } = response
      if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
        request.destroy()
        resolve({ location: headers.location })
        return
      }
      if (statusCode !== 200) {
        request.destroy()
        resolve(null)
        return
      }
      const pieces: Buffer[] = []
      let size = 0
      response.on('data', (piece: Buffer) => {
        size += piece.length
        pieces.push(piece)
        if (size <= MAX_DESCRIPTION_BYTES) return
        request.destroy()
        resolve(null)
      })
      response.on('end', () => resolve(Buffer.concat(pieces).toString('utf8')))
      response.on('close', () => resolve(null))
    })
    request.end()
  })
}
