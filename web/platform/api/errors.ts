import { errorBody, type ErrorBody, type ErrorCode } from '#contract/platform/errors.ts'

/** Where a failure comes from: the server's answer, the network, or a timeout. */
type FailureKind = 'answer' | 'network' | 'timeout'

/**
 * Any failed call. `status` is null if there was no answer; `detail` is a sentence for the user; `fields` says which
 * fields of the body are wrong and why.
 */
export class ApiError extends Error {
  readonly kind: FailureKind
  readonly status: number | null
  readonly detail: string
  readonly code: ErrorCode | undefined
  readonly fields: Record<string, string> | undefined
  readonly ban: ErrorBody['ban']
  readonly appealToken: string | undefined
  /** True if the server gave no message and `detail` is our own. */
  readonly isUnsaid: boolean

  constructor(
    kind: FailureKind,
    status: number | null,
    detail: string,
    more: {
      code?: ErrorCode | undefined
      fields?: Record<string, string> | undefined
      ban?: ErrorBody['ban']
      appeal_token?: string | undefined
      isUnsaid?: boolean
    } = {},
  ) {
    super(detail)
    this.name = 'ApiError'
    this.kind = kind
    this.status = status
    this.detail = detail
    this.code = more.code
    this.fields = more.fields
    this.ban = more.ban
    this.appealToken = more.appeal_token
    this.isUnsaid = more.isUnsaid ?? false
  }
}

export const NETWORK_ERROR = 'Network error. Please check your connection.'
const TIMED_OUT = 'Request timed out. Please try again.'
export const SERVER_ERROR = 'Server error. Please try again later.'
const UNREADABLE = 'Howl could not read the server’s answer. Please try again.'
const INVALID_REQUEST = 'Invalid request'

export const networkError = () => new ApiError('network', null, NETWORK_ERROR)
export const timeoutError = () => new ApiError('timeout', null, TIMED_OUT)
/** A 200 whose body is not what the contract promises, such as a proxy's login page. */
export const unreadableError = (status: number) =>
  new ApiError('answer', status, UNREADABLE, { isUnsaid: true })

/** The error for an answer of 400 or above; `text` is its body, which may come from a proxy. */
export function answerError(status: number, text: string): ApiError {
  const body = errorBody.safeParse(readJson(text))
  if (body.success) return new ApiError('answer', status, body.data.detail, body.data)
  const detail = status >= 500 ? SERVER_ERROR : INVALID_REQUEST
  return new ApiError('answer', status, detail, { isUnsaid: true })
}

/** The parsed JSON, or undefined if the text is not JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** True if the server understood the request and refused it (any answer below 500): asking again changes nothing. */
export function isRefusal(error: unknown): error is ApiError & { status: number } {
  return error instanceof ApiError && error.status !== null && error.status < 500
}

/** The message of an error for the user; `fallback` if the server gave none. */
export function sentenceOf(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError) || error.kind !== 'answer') return fallback
  return error.isUnsaid || error.detail === '' ? fallback : error.detail
}
