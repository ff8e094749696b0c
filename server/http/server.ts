import type { FastifyInstance, FastifyRequest, RawServerDefault } from 'fastify'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Access } from '#contract/endpoint.ts'
import type { Context } from '../context.ts'
import { clientAddress, placeOf } from './client-address.ts'
import type { Limits } from './rate-limit.ts'
import { zoneOf } from './time-zone.ts'

export type Server = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse>

/** Who calls: the user behind a live session. */
export type Caller = {
  id: number
  sessionId: string
  email: string
  name: string
  timeZone: string
  isAdmin: boolean
}

/** Finds the caller of a bearer token; null when there is no live session behind it. */
export type FindCaller = (context: Context, token: string) => Promise<Caller | null>

declare module 'fastify' {
  interface FastifyInstance {
    howl: { context: Context; findCaller: FindCaller; limits: Limits }
  }
  interface FastifyContextConfig {
    access?: Access
  }
  interface FastifyRequest {
    /** Who calls, once that is known; null on a public call. */
    caller: Caller | null
  }
}

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
