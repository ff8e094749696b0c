import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import {
  type BodyOf,
  type Endpoint,
  type GivenReply,
  type ParamsOf,
  pathOf,
  type QueryOf,
} from '#contract/platform/endpoint.ts'
import { errorBody } from '#contract/platform/errors.ts'
import type { Context } from '../context.ts'
import { guarded } from '../database/transaction.ts'
import { callKey, once } from './idempotency.ts'
import { jsonSchemaOf } from './json-schema.ts'
import type { Caller } from './caller.ts'
import type { Server } from './server.ts'
import { admit, admitAfterBody } from './session.ts'
import { zoneOf } from './origin.ts'
import { readInput } from './validate.ts'

/** What a route's handler receives: everything read, validated and typed. */
export type Call<E extends Endpoint> = {
  context: Context
  /** The signed-in caller; a public call has none. */
  user: E['access'] extends 'public' ? null : Caller
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  request: FastifyRequest
  reply: FastifyReply
}

/** One page of a longer list; the total goes into X-Total-Count, the next page into Link. */
export type Listed<T> = {
  rows: T[]
  total: number
  pageSize: number
  page: number
  /** Query parameters for the next page besides its number: where it continues. */
  next?: Record<string, string | number>
}

type Answer<R> = R extends readonly (infer T)[] ? R | Listed<T> : R

/** Turns an endpoint of the contract into a route: session, input, limits, idempotency, reply schema. */
export function serve<E extends Endpoint>(
  app: Server,
  call: E,
  handle: (call: Call<E>) => Promise<Answer<GivenReply<E>> | undefined>,
): void {
  app.route({
    method: call.method,
    url: call.root === true ? call.path : pathOfPattern(call),
    schema: schemaOf(call),
    ...(call.bodyMax === undefined ? {} : { bodyLimit: call.bodyMax }),
    config: { access: call.access, forOtherSites: call.forOtherSites === true },
    onRequest: (request) => admit(app, call, request),
    // An uploaded file is read by the handler, which asks again at its end.
    ...(call.upload === undefined ? { preHandler: admitAfterBody } : {}),
    handler: async (request, reply) => {
      const { caller } = request
      const { context } = app.howl
      const input = {
        context: changesOwn(call) && caller !== null ? whileSignedIn(app, caller) : context,
        // Times in an answer, and in a mail it sends, are in the time zone of the browser that asked.
        user: caller && { ...caller, timeZone: zoneOf(request) ?? caller.timeZone },
        params: readInput(call.params, request.params),
        query: readInput(call.query, request.query),
        body: call.upload === undefined ? readInput(call.body, request.body) : undefined,
        request,
        reply,
      } as Call<E>
      const key = request.headers['idempotency-key']
      if (call.idempotent !== true || caller === null || typeof key !== 'string' || key === '') {
        return answer(request, reply, await handle(input))
      }
      const asked = callKey(caller.id, call.path, key, [input.params, input.query, input.body])
      const stored = await once(context, asked, async () => ({
        status: 200,
        body: serialized(reply, await handle(input)),
      }))
      return reply
        .code(stored.status)
        .type('application/json; charset=utf-8')
        .serializer(String)
        .send(stored.body)
    },
  })
}

/** The answer of a call that says only that something was done. */
export async function done(work: Promise<unknown>): Promise<{ ok: true }> {
  await work
  return { ok: true }
}

/** Whether a call may change what a user has. */
const changesOwn = ({ access, method }: Endpoint) => access === 'user' && method !== 'GET'

/**
 * What a call of a user may do: nothing once a new password has ended its session, even if it was let in before. Otherwise it
 * could set up again what the new password has just cleared.
 */
function whileSignedIn({ howl }: Pick<Server, 'howl'>, caller: Caller): Context {
  const { context, holdSession } = howl
  return { ...context, db: guarded(context.db, (tx) => holdSession(tx, caller)) }
}

function serialized(reply: FastifyReply, result: unknown): string {
  return reply.getSerializationFunction('200')?.(result as Record<string, unknown>) ?? JSON.stringify(result)
}

function pathOfPattern(call: Endpoint): string {
  return pathOf({ ...call, path: call.path.replaceAll(/:(\w+)/g, '__$1__') }).replaceAll(/__(\w+?)__/g, ':$1')
}

function answer(request: FastifyRequest, reply: FastifyReply, result: unknown): unknown {
  if (reply.sent || result === undefined) return reply
  if (typeof result !== 'object' || result === null || !('rows' in result) || !('total' in result))
    return result
  const list = result as Listed<unknown>
  void reply.header('X-Total-Count', list.total)
  if (list.page * list.pageSize < list.total) {
    const next = new URL(request.url, 'http://howl')
    next.searchParams.set('page', String(list.page + 1))
    for (const [name, value] of Object.entries(list.next ?? {})) next.searchParams.set(name, String(value))
    void reply.header('Link', `<${next.pathname}${next.search}>; rel="next"`)
  }
  return list.rows
}

function schemaOf(call: Endpoint): FastifySchema {
  const error = jsonSchemaOf(errorBody, 'output')
  return {
    summary: call.summary,
    tags: [call.path.split('/')[1] ?? ''],
    ...(call.access === 'public' ? {} : { security: [{ bearer: [] }] }),
    ...(call.params === undefined ? {} : { params: jsonSchemaOf(call.params, 'input') }),
    ...(call.query === undefined ? {} : { querystring: jsonSchemaOf(call.query, 'input') }),
    ...(call.body === undefined ? {} : { body: jsonSchemaOf(call.body, 'input') }),
    response: {
      ...(call.reply === undefined ? {} : { 200: jsonSchemaOf(call.reply, 'output') }),
      '4xx': error,
      '5xx': error,
    },
  }
}
