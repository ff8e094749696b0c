import type { FastifyRequest } from 'fastify'
import { clientAddress, placeOf } from './client-address.ts'
import { isTimeZone } from '#contract/platform/values.ts'

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

/** Zones seen before: asking Intl costs as much as a small call. There are about 600. */
const known = new Map<string, boolean>()
const KNOWN_MAX = 2000
const ZONE_MAX_CHARS = 64

/** The zone in which the caller's browser shows times (`X-User-Timezone`); null when it is missing or unknown. */
export function zoneOf(request: FastifyRequest): string | null {
  const zone = request.headers['x-user-timezone']
  if (typeof zone !== 'string' || zone === '' || zone.length > ZONE_MAX_CHARS) return null
  const before = known.get(zone)
  if (before !== undefined) return before ? zone : null
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(zone, isTimeZone(zone))
  return known.get(zone) === true ? zone : null
}
