import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import { Refusal } from './errors.ts'
import type { Server } from './server.ts'

/** What any one caller may do in a minute; single calls have tighter limits in the contract. */
const CALLS_A_MINUTE = 1200

/** The options of @fastify/rate-limit for one call; false where RATE_LIMITS is off. */
export function limitFor(
  app: Server,
  call: Endpoint,
):
  | false
  | {
      max: number
      timeWindow: number
      keyGenerator: (request: FastifyRequest) => string
      errorResponseBuilder: () => Error
    } {
  if (!app.howl.context.config.rateLimits) return false
  return {
    max: call.limit?.max ?? CALLS_A_MINUTE,
    timeWindow: (call.limit?.seconds ?? 60) * 1000,
    keyGenerator: (request) =>
      `${call.limit === undefined ? '' : call.path} ${call.access === 'public' ? request.ip : caller(request)}`,
    errorResponseBuilder: () =>
      new Refusal(429, 'Too many requests. Please wait a moment and try again.', 'TOO_MANY_REQUESTS'),
  }
}

// A signed-in caller counts by token, so that an office behind one address does not share one limit. A public call
// counts by address: whoever tries passwords may write into that header what he likes.
function caller(request: FastifyRequest): string {
  return request.headers.authorization?.slice(-43) ?? request.ip
}
