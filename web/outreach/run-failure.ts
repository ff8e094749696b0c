import { ApiError } from '#web/api/errors.ts'

/** What a failed run says, and what follows: the way to the settings, or out. */
export type RunFailure = { sentence: string; next: 'nothing' | 'configure' | 'leave' }

const LOG_IN_AGAIN: RunFailure = { sentence: 'Authentication failed. Please log in again.', next: 'leave' }

/** Why the check before a run failed; `host` is where the page believes its server to be. */
export function healthFailureOf(error: unknown, host: string): RunFailure {
  if (error instanceof ApiError && error.status === 401) return LOG_IN_AGAIN
  const sentence = `Cannot connect to backend server. Please ensure the backend is running on ${host}`
  return { sentence, next: 'nothing' }
}

/** Why a run could not be begun, in the words of the error catalogue. */
export function runFailureOf(error: unknown, host: string): RunFailure {
  const plain = (sentence: string): RunFailure => ({ sentence, next: 'nothing' })
  if (!(error instanceof ApiError)) return plain('Failed to generate/send emails')
  if (error.kind === 'network') {
    return plain(`Network error - please check if the backend server is running on ${host}`)
  }
  if (error.kind === 'timeout') return plain('Request timed out - the backend may be slow or unreachable')
  if (error.status === 401) return LOG_IN_AGAIN
  if (error.code === 'SMTP_NOT_CONFIGURED') {
    return { sentence: 'Please configure your email settings before generating emails.', next: 'configure' }
  }
  if (error.status === 400) return badRequest(error.detail)
  // A limit (429) explains itself; what the server could not do (500) does not.
  const explained = error.status !== null && error.status < 500 && !error.isUnsaid && error.detail !== ''
  return plain(explained ? error.detail : 'Failed to generate/send emails')
}

function badRequest(detail: string): RunFailure {
  if (/smtp|email|configuration/i.test(detail)) {
    const sentence =
      'Email server configuration is missing or invalid. Please configure your email settings in Profile.'
    return { sentence, next: 'configure' }
  }
  // "Invalid request" stands in for an answer that gave no sentence of its own.
  const given = detail !== '' && detail !== 'Invalid request'
  return { sentence: given ? detail : 'Invalid request - please check your configuration', next: 'nothing' }
}
