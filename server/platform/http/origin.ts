import type { FastifyRequest } from 'fastify'
import { clientAddress, placeOf } from './client-address.ts'
import { zoneOf } from './time-zone.ts'

/** Where a call comes from. */
export type Origin = {
  /** The caller's IP address. */
  ip: string
  /** What the address counts as for limits, see `placeOf`. */
  place: string
  userAgent: string
  /** The browser's time zone; null when it is not sent. */
  timeZone: string | null
  requestId: string
}

/** The origin of a call, as the list of sessions and the log show it. */
export function origin(request: FastifyRequest): Origin {
  return {
    ip: clientAddress(request),
    place: placeOf(request),
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
    timeZone: zoneOf(request),
    requestId: request.id,
  }
}
