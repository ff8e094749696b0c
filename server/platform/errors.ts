import type { ErrorBody, ErrorCode } from '#contract/platform/errors.ts'
import { violatedForeignKey } from './database/transaction.ts'

/** An error that the user may read. Only its sentence, status and stable code leave the server. */
export class Refusal extends Error {
  readonly status: number
  readonly code: ErrorCode | undefined
  readonly fields: Record<string, string> | undefined
  /** What the answer says besides, see `errorBody`. */
  readonly more: Omit<ErrorBody, 'detail' | 'code' | 'fields'>

  constructor(
    status: number,
    detail: string,
    code?: ErrorCode,
    fields?: Record<string, string>,
    more: Omit<ErrorBody, 'detail' | 'code' | 'fields'> = {},
  ) {
    super(detail)
    this.name = 'Refusal'
    this.status = status
    this.code = code
    this.fields = fields
    this.more = more
  }
}

/** 400: a field is wrong; `fields` says which and why. */
export function invalidInput(detail: string, fields?: Record<string, string>): Refusal {
  return new Refusal(400, detail, 'INVALID_INPUT', fields)
}

/** 401: no session, or one that has ended. */
export function unauthenticated(detail = 'Please log in again.'): Refusal {
  return new Refusal(401, detail, 'UNAUTHENTICATED')
}

/** 403: signed in, but not allowed. */
export function forbidden(detail: string): Refusal {
  return new Refusal(403, detail, 'FORBIDDEN')
}

/** 404: it does not exist or belongs to somebody else; the two look the same. */
export function notFound(detail: string): Refusal {
  return new Refusal(404, detail, 'NOT_FOUND')
}

/** 409: the request does not fit the current state. */
export function conflict(detail: string): Refusal {
  return new Refusal(409, detail, 'CONFLICT')
}

/** 429: too many calls. `Retry-After` says when to try again. */
export class TooManyRequests extends Refusal {
  readonly retryAfterSeconds: number

  constructor(waitMs: number, detail = 'Too many requests. Please wait a moment and try again.') {
    super(429, detail, 'TOO_MANY_REQUESTS')
    this.retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000))
  }
}

/** The status and body of an error answer: the one place that decides what a caller learns. */
export function presentError(error: unknown): { status: number; body: ErrorBody } {
  if (error instanceof Refusal) {
    return {
      status: error.status,
      body: {
        detail: error.message,
        ...(error.code === undefined ? {} : { code: error.code }),
        ...(error.fields === undefined ? {} : { fields: error.fields }),
        ...error.more,
      },
    }
  }
  const { statusCode, code = '' } = error as { statusCode?: number; code?: string }
  if (NO_ROOM.has(code)) return { status: 503, body: { detail: NO_ROOM_LEFT, code: 'UNAVAILABLE' } }
  // Another call has deleted what this one had found, such as the contact that it is about.
  if (violatedForeignKey(error) !== null) return presentError(conflict(JUST_DELETED))
  return presentFrameworkError(isDatabaseAway(error) ? 503 : (statusCode ?? 500))
}

/** After how many seconds a call that failed is worth another try (`Retry-After`); undefined where nobody knows. */
export function retryAfterOf(error: unknown): number | undefined {
  if (error instanceof TooManyRequests) return error.retryAfterSeconds
  return isDatabaseAway(error) ? DATABASE_AWAY_SECONDS : undefined
}

/** A restart of PostgreSQL takes a few seconds. */
const DATABASE_AWAY_SECONDS = 5

/** SQLSTATEs of a server that stops, has crashed or starts (class 57), has no connection left (53300), or lost one (class 08). */
const AWAY_STATES = /^(?:57P0[123]|53300|08[0-9A-Z]{3})$/
/** What the driver says in words alone, of a connection that was cut or did not come about. */
const AWAY_WORDS =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error)/

/** True where the database is down, restarting or full of connections. */
function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof Refusal) return false
  const { code = '', syscall } = error as NodeJS.ErrnoException
  if (AWAY_STATES.test(code)) return true
  // A socket file that is not there, or that nobody listens on.
  if (code === 'ECONNREFUSED' || code === 'ENOENT')
    return syscall === 'connect' || error instanceof AggregateError
  return AWAY_WORDS.test(error.message)
}

/** ENOSPC and EDQUOT of files; disk_full and io_error of PostgreSQL (SQLSTATE classes 53 and 58). */
const NO_ROOM: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', '53100', '58030'])
const NO_ROOM_LEFT =
  'There is no room left on the server, so this could not be kept. Please tell whoever runs Howl.'

const JUST_DELETED = 'What this belongs to has just been deleted. Please load the page again.'

const FRAMEWORK_SENTENCES: Record<number, ErrorBody> = {
  400: { detail: 'This request cannot be read. Please check what was sent.', code: 'INVALID_INPUT' },
  404: { detail: 'There is nothing here.', code: 'NOT_FOUND' },
  408: { detail: 'This request came too slowly. Please try again.' },
  413: { detail: 'This is too large.', code: 'TOO_LARGE' },
  414: { detail: 'This address is too long.', code: 'TOO_LARGE' },
  415: { detail: 'This type of content is not understood here. Please send JSON.', code: 'UNSUPPORTED_TYPE' },
  429: { detail: 'Too many requests. Please wait a moment and try again.', code: 'TOO_MANY_REQUESTS' },
  431: { detail: 'The head of this request is too large.', code: 'TOO_LARGE' },
  503: { detail: 'Howl is busy or restarting. Please try again in a moment.', code: 'UNAVAILABLE' },
}

function presentFrameworkError(status: number): { status: number; body: ErrorBody } {
  const known = FRAMEWORK_SENTENCES[status]
  if (known !== undefined) return { status, body: known }
  if (status >= 400 && status < 500)
    return { status, body: { detail: FRAMEWORK_SENTENCES[400]?.detail ?? '', code: 'INVALID_INPUT' } }
  return {
    status: 500,
    body: { detail: 'Something went wrong on our side. Please try again.', code: 'INTERNAL' },
  }
}
