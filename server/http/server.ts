import type { FastifyInstance, RawServerDefault } from 'fastify'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Access } from '#contract/endpoint.ts'
import type { Context } from '../context.ts'
import type { Limits } from './limits.ts'
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
