import { isIP } from 'node:net'
import { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'

/**
 * The address a request comes from: what a trusted proxy says (X-Forwarded-For, TRUSTED_PROXIES) if that is an
 * address, else the other end of the connection.
 */
export function clientAddress(request: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  return isIP(request.ip) === 0 ? (request.socket.remoteAddress ?? '') : request.ip
}

/** The place a client counts for: an IPv4 address, also in its IPv6 form, or the /64 that one IPv6 household has. */
export function placeOf(request: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  return normalizeIP(clientAddress(request))
}
