import type { FastifyRequest } from 'fastify'
import { clientAddress, placeOf } from './client-address.ts'
import { zoneOf } from './time-zone.ts'

/** Where a call comes from. */
export type Origin = {
  /** The address of whoever calls. */
  ip: string
  /** What of the address counts for limits, see `placeOf`. */
  place: string
  userAgent: string
  /** The screen's, null where it is not told. */
  timeZone: string | null
  requestId: string
}

/** Where a call comes from, as the list of sessions and the log tell it. */
export function origin(request: FastifyRequest): Origin {
  return {
    ip: clientAddress(request),
    place: placeOf(request),
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
    timeZone: zoneOf(request),
    requestId: request.id,
  }
}
