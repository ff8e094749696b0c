import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'

/** What keeps callers from calling too often; both methods throw TooManyRequests. */
export type Limits = {
  /** Counts a call by its user, or where there is none by its address. */
  call(endpoint: Endpoint, request: FastifyRequest): Promise<void>
  /** Counts a call by somebody who has not proved who he is. */
  refusal(request: FastifyRequest): Promise<void>
}
