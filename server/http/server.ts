import type { FastifyInstance, FastifyRequest, RawServerDefault } from 'fastify'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context } from '../context.ts'
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
    howl: { context: Context; findCaller: FindCaller }
  }
}

/** Where a call comes from, as the user reads it in the list of sessions. */
export function origin(request: FastifyRequest): { ip: string; userAgent: string; timeZone: string | null } {
  return {
    ip: request.ip,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 300),
    timeZone: zoneOf(request),
  }
}
