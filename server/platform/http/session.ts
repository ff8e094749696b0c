import type { FastifyRequest } from 'fastify'
import { NOT_AN_ADMINISTRATOR } from '#contract/accounts/admin-auth.ts'
import type { Access, Endpoint } from '#contract/platform/endpoint.ts'
import { forbidden, unauthenticated } from '../errors.ts'
import type { Caller } from './caller.ts'
import type { Server } from './server.ts'

/** RFC 6750 2.1: the scheme, one space, the token (b64token), nothing else. The scheme's letter case does not count (RFC 9110 11.1). */
const BEARER = /^bearer ([\w.~+/-]+=*)$/i

/**
 * Finds the caller before the request's body is read, and counts the call for that user: sets `request.caller`, or
 * null on a public call.
 *
 * @throws Refusal 401 without a live session, 403 for an administrator's call by somebody else, 429 over a limit
 */
export async function admit(app: Server, call: Endpoint, request: FastifyRequest): Promise<void> {
  const { limits } = app.howl
  if (call.access !== 'public') {
    const { caller, isAdmin } = await callerOf(app, request, call.access).catch(async (error: unknown) => {
      await limits.refusal(request)
      throw error
    })
    request.caller = caller
    if (call.access === 'admin' && !isAdmin) throw forbidden(NOT_AN_ADMINISTRATOR)
  }
  await limits.call(call, request)
}

/**
 * Asks for the session again once a body has been read: that may have taken minutes, and an ended session must not act.
 *
 * @throws Refusal 401 where it has ended, 403 for somebody who is no administrator any more
 */
export async function admitAfterBody(request: FastifyRequest): Promise<void> {
  const { access } = request.routeOptions.config
  if (access === undefined || access === 'public' || !bringsBody(request)) return
  const { isAdmin } = await callerOf(request.server, request, access, { fresh: true })
  if (access === 'admin' && !isAdmin) throw forbidden(NOT_AN_ADMINISTRATOR)
}

function bringsBody({ headers, method }: FastifyRequest): boolean {
  const isEmpty = headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
  return method !== 'GET' && !isEmpty
}

/** Who makes a public call, where it carries the token of a live session. */
export async function callerIfAny(
  app: Pick<Server, 'howl'>,
  request: FastifyRequest,
): Promise<Caller | null> {
  const token = BEARER.exec(request.headers.authorization ?? '')?.[1]
  return token === undefined ? null : app.howl.findCaller(app.howl.context, token)
}

async function callerOf(
  app: Pick<Server, 'howl'>,
  request: FastifyRequest,
  access: Access,
  options?: { fresh: boolean },
): Promise<{ caller: Caller; isAdmin: boolean }> {
  const { authorization } = request.headers
  if (authorization === undefined) throw unauthenticated()
  const token = BEARER.exec(authorization)?.[1]
  if (token === undefined)
    throw unauthenticated('The Authorization header must be “Bearer”, one space and the token.')
  const { context, findAdministrator, findCaller } = app.howl
  if (access === 'admin') {
    const found = await findAdministrator(context, token)
    if (found === null) throw unauthenticated()
    return found
  }
  const caller = await findCaller(context, token, options)
  if (caller === null) throw unauthenticated()
  return { caller, isAdmin: false }
}
