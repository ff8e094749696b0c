import type * as z from 'zod/mini'

/** The common prefix of every call's path. */
export const BASE_PATH = '/api/v1'

type Schema = z.ZodMiniType
type Out<S> = S extends Schema ? z.output<S> : undefined
type In<S> = S extends Schema ? z.input<S> : undefined

/** Who may call: anybody, a signed-in user, an administrator. */
export type Access = 'public' | 'user' | 'admin'

/** The largest JSON body in bytes, where a call names no other. */
export const BODY_MAX = 100 * 1024

/** How many calls one address (public) or one user may make in a window of seconds. */
export type CallLimit = { max: number; seconds: number }

/**
 * One call between browser and server, by a signed-in user unless `access` names others.
 *
 * `path` is below `BASE_PATH` unless `root` is set; `:name` marks a parameter. `reply` is the body of a 200; a list
 * endpoint also sends `X-Total-Count` and `Link`. `idempotent` calls honour the Idempotency-Key header. `upload`
 * takes multipart/form-data with one field `file`; `download` does not answer JSON and has no `reply` schema. `bodyMax`
 * is the largest JSON body in bytes: a call names it if the limits of its own fields let more than `BODY_MAX` through. Calls by
 * pages of other sites are refused, except of a call that is `forOtherSites`.
 */
type Definition<
  P extends Schema | undefined = Schema | undefined,
  Q extends Schema | undefined = Schema | undefined,
  B extends Schema | undefined = Schema | undefined,
  R extends Schema | undefined = Schema | undefined,
> = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly access?: Access
  readonly summary: string
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly reply?: R
  readonly limit?: CallLimit
  readonly root?: boolean
  readonly idempotent?: boolean
  readonly upload?: { maxBytes: number }
  readonly bodyMax?: number
  readonly forOtherSites?: boolean
  readonly download?: string
}

export type Endpoint<
  P extends Schema | undefined = Schema | undefined,
  Q extends Schema | undefined = Schema | undefined,
  B extends Schema | undefined = Schema | undefined,
  R extends Schema | undefined = Schema | undefined,
> = Definition<P, Q, B, R> & { readonly access: Access }

export type ParamsOf<E> = E extends Endpoint<infer P, infer _Q, infer _B, infer _R> ? Out<P> : never
export type QueryOf<E> = E extends Endpoint<infer _P, infer Q, infer _B, infer _R> ? Out<Q> : never
export type BodyOf<E> = E extends Endpoint<infer _P, infer _Q, infer B, infer _R> ? Out<B> : never
export type ReplyOf<E> = E extends Endpoint<infer _P, infer _Q, infer _B, infer R> ? Out<R> : never

/**
 * What the server may give as a reply: a Date where the contract has an instant, and more fields than the contract names. The
 * serializer writes the one as ISO 8601 and leaves the others out.
 */
export type GivenReply<E> = Given<ReplyOf<E>>
export type Given<T> = T extends string
  ? 'isInstant' extends keyof T
    ? T | Date
    : T
  : T extends readonly (infer Each)[]
    ? Given<Each>[]
    : T extends object
      ? { [Name in keyof T]: Given<T[Name]> }
      : T

/** The input as a caller writes it: fields with defaults may be absent. */
export type QueryInput<E> = E extends Endpoint<infer _P, infer Q, infer _B, infer _R> ? In<Q> : never
export type BodyInput<E> = E extends Endpoint<infer _P, infer _Q, infer B, infer _R> ? In<B> : never

/** Defines one endpoint. */
export function endpoint<
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
  R extends Schema | undefined = undefined,
>(definition: Definition<P, Q, B, R>): Endpoint<P, Q, B, R> {
  return { access: 'user', ...definition }
}

/** The full path of an endpoint, with its parameters filled in. */
export function pathOf(call: Endpoint, params: Record<string, string | number> = {}): string {
  const path = call.path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name] ?? '')),
  )
  return call.root === true ? path : BASE_PATH + path
}
