import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import { forbidden, unauthenticated } from './errors.ts'
import type { Caller, Server } from './server.ts'

/**
 * The caller of a request to `call`; null for a public call.
 *
 * @throws Refusal 401 without a live session, 403 for an administrator's call by somebody else.
 */
export async function authorise(
  app: Server,
  call: Endpoint,
  request: FastifyRequest,
): Promise<Caller | null> {
  if (call.access === 'public') return null
  const [scheme, token] = (request.headers.authorization ?? '').split(' ')
  if (scheme?.toLowerCase() !== 'bearer' || token === undefined || token === '') throw unauthenticated()
  const caller = await app.howl.findCaller(app.howl.context, token)
  if (caller === null) throw unauthenticated()
  if (call.access === 'admin' && !caller.isAdmin) throw forbidden('Access denied. Admin privileges required.')
  return caller
}
