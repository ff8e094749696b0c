import type { FastifyRequest } from 'fastify'
import { forbidden } from '../errors.ts'

/**
 * Refuses what a page of another site has sent, before it is counted: its visitor knows nothing of it and may not be locked out
 * for it. Such a page cannot hide: browsers send Sec-Fetch-Site (to https and to this machine) or Origin (with every POST).
 * Programs send neither. A site next to ours, at another subdomain or port, is another one: our own pages only call the address that they were loaded from.
 *
 * @throws Refusal 403, except for calls that are meant for other sites
 */
export async function refuseForeignPage(request: FastifyRequest): Promise<void> {
  if (isFromForeignPage(request))
    throw forbidden('This request came from another website. Open Howl directly.')
}

/** Whether a call is refused because of the page that sent it. Pages and their files are no calls. */
export function isFromForeignPage(request: FastifyRequest): boolean {
  const { access, forOtherSites } = request.routeOptions.config
  if (access === undefined || forOtherSites === true) return false
  const { origin, 'sec-fetch-site': site } = request.headers
  if (site === 'cross-site' || site === 'same-site') return !isLink(request)
  return site === undefined && origin !== undefined && !isOwn(request, origin)
}

/** Somebody has followed a link, and sees what comes. */
function isLink({ method, headers }: FastifyRequest): boolean {
  return (
    method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  )
}

/** A proxy may pass on another host than the one that the browser asked. */
function isOwn({ headers, server }: FastifyRequest, origin: string): boolean {
  if (!/^https?:/.test(origin) || !URL.canParse(origin)) return false
  const { host, protocol } = new URL(origin)
  const hosts = [
    headers.host,
    headers['x-forwarded-host'],
    new URL(server.howl.context.config.publicUrl).host,
  ].filter((each) => each !== undefined)
  return hosts.some((each) => {
    const address = `${protocol}//${String(each).split(',')[0]?.trim()}`
    // Without the port that the protocol has anyway.
    return URL.canParse(address) && new URL(address).host === host
  })
}
