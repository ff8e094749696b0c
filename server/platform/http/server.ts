import type { FastifyInstance, FastifyRequest, RawServerDefault } from 'fastify'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Access, Endpoint } from '#contract/platform/endpoint.ts'
import type { Context } from '../context.ts'
import type { Tx } from '../database/handles.ts'
import type { Caller } from './caller.ts'

export type Server = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse>

/** Finds the caller behind a bearer token; null when it has no live session. `fresh`: whatever is remembered. */
export type FindCaller = (
  context: Context,
  token: string,
  options?: { fresh?: boolean },
) => Promise<Caller | null>

export type Finders = {
  findCaller: FindCaller
  /** … who makes a call of administrators, and whether they are one. */
  findAdministrator: (context: Context, token: string) => Promise<{ caller: Caller; isAdmin: boolean } | null>
  /** Lets a call write in the transaction. Throws a 401 where its session has ended. */
  holdSession: (tx: Tx, caller: Caller) => Promise<void>
}

declare module 'fastify' {
  interface FastifyInstance {
    howl: { context: Context; limits: Limits } & Finders
  }
  interface FastifyContextConfig {
    access?: Access
    forOtherSites?: boolean
  }
  interface FastifyRequest {
    /** The calling user, once known; null on a public call. */
    caller: Caller | null
  }
}

/** Limits how often a caller may call; both methods throw TooManyRequests. */
export type Limits = {
  /** Counts a call by its user, or without one by its address. */
  call(endpoint: Endpoint, request: FastifyRequest): Promise<void>
  /** Counts a call by a client that has not proved who it is. */
  refusal(request: FastifyRequest): Promise<void>
}
