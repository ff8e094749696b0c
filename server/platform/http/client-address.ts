import { isIP } from 'node:net'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'

/**
 * The address a request comes from: what a trusted proxy says (X-Forwarded-For, TRUSTED_PROXIES) if that is an
 * address, else the other end of the connection.
 */
export function clientAddress(request: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const address = withoutPort(request.ip)
  return isIP(address) === 0 ? (request.socket.remoteAddress ?? '') : address
}

/** Some proxies say the port too: `192.0.2.7:4711`, `[2001:db8::7]:4711` (RFC 7239 6). */
function withoutPort(said: string): string {
  const [, v4, v6] =
    /^(?:(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}|\[([\da-f:.]{2,45})\](?::\d{1,5})?)$/i.exec(said) ?? []
  return v4 ?? v6 ?? said
}

/** The place a client counts for: an IPv4 address, also in its IPv6 form, or the /64 that one IPv6 household has. */
export function placeOf(request: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  return normalizeIP(clientAddress(request))
}
