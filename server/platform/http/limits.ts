import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/platform/endpoint.ts'

/** Limits how often a caller may call; both methods throw TooManyRequests. */
export type Limits = {
  /** Counts a call by its user, or without one by its address. */
  call(endpoint: Endpoint, request: FastifyRequest): Promise<void>
  /** Counts a call by a client that has not proved who it is. */
  refusal(request: FastifyRequest): Promise<void>
}
