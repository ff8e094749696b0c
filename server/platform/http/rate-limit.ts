import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { logSecurity } from '../security/security-log.ts'
import { placeOf } from './client-address.ts'
import { TooManyRequests } from '../errors.ts'
import { countCall } from './limits-store.ts'
import type { Limits, Server } from './server.ts'
import { origin } from './origin.ts'

/** Calls per minute for any caller, in each process. The contract's limits on single calls hold across processes. */
const CALLS_A_MINUTE = 1200
/** Calls per minute without a live session from one address, in each process. */
const REFUSALS_A_MINUTE = 300
const MINUTE_MS = 60_000
/** Callers known to be over a limit, at most; a forgotten one is counted again. */
const HELD_MAX = 10_000

type Who = { kind: 'address'; place: string } | { kind: 'user'; id: number }

const NO_LIMITS: Limits = { call: async () => {}, refusal: async () => {} }

type Window = { isOver: boolean; endsInMs: number }

/** The limits of this process's server; none where RATE_LIMITS is off. */
export function makeLimits(app: Server, context: Context): Limits {
  if (!context.config.rateLimits) return NO_LIMITS
  const held = new Map<string, number>()
  const nowMs = () => context.clock.now().getTime()
  const inProcess = (max: number, keyOf: (request: FastifyRequest) => string) => {
    const count = app.createRateLimit({ max, timeWindow: MINUTE_MS, keyGenerator: keyOf })
    return async (request: FastifyRequest): Promise<Window> => {
      const counted = await count(request)
      return counted.isAllowed
        ? { isOver: false, endsInMs: 0 }
        : { isOver: counted.isExceeded, endsInMs: counted.ttl }
    }
  }
  const all = inProcess(CALLS_A_MINUTE, (request) => keyOf(whoCalls(request)))
  const refusals = inProcess(REFUSALS_A_MINUTE, placeOf)

  const hold = async (key: string, who: Who, request: FastifyRequest, count: () => Promise<Window>) => {
    const until = held.get(key) ?? 0
    if (until > nowMs()) throw new TooManyRequests(until - nowMs())
    const { isOver, endsInMs } = await count()
    if (!isOver) return
    if (held.size >= HELD_MAX) held.clear()
    held.set(key, nowMs() + endsInMs)
    // Once per window: a refused caller must not be able to fill the log.
    const call = `${request.method} ${request.routeOptions.url ?? ''}`
    const event = { event: 'limit_reached', limit: who.kind, call } as const
    logSecurity(context.log, event, request.caller?.id ?? null, origin(request))
    throw new TooManyRequests(endsInMs)
  }

  return {
    call: async (endpoint, request) => {
      const who = whoCalls(request)
      const { limit, method, path } = endpoint
      if (limit === undefined) return hold(keyOf(who), who, request, () => all(request))
      const key = `${method} ${path} ${keyOf(who)}`
      return hold(key, who, request, async () => {
        const now = context.clock.now()
        const { calls, endsAt } = await countCall(context.db, key, now, limit.seconds)
        return { isOver: calls > limit.max, endsInMs: endsAt.getTime() - now.getTime() }
      })
    },
    refusal: async (request) => {
      const place = placeOf(request)
      await hold(`refused ${place}`, { kind: 'address', place }, request, () => refusals(request))
    },
  }
}

// Headers do not make a caller a user; only a session that was looked up does. An office behind one address does not
// share one limit, and password guesses count by address.
function whoCalls(request: FastifyRequest): Who {
  const { caller } = request
  return caller === null ? { kind: 'address', place: placeOf(request) } : { kind: 'user', id: caller.id }
}

function keyOf(who: Who): string {
  return who.kind === 'user' ? `user ${who.id}` : who.place
}
