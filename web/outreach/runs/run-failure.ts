import { ApiError } from '#web/platform/api/errors.ts'

/** The message of a failed run, and what follows: a link to the settings, or signing out. */
export type RunFailure = { sentence: string; next: 'nothing' | 'configure' | 'leave' }

const LOG_IN_AGAIN: RunFailure = { sentence: 'Authentication failed. Please log in again.', next: 'leave' }

/** Why the check before a run failed; `host` is the address of the Howl server as far as the page knows. */
export function healthFailureOf(error: unknown, host: string): RunFailure {
  if (error instanceof ApiError && error.status === 401) return LOG_IN_AGAIN
  const sentence = `Cannot connect to backend server. Please ensure the backend is running on ${host}`
  return { sentence, next: 'nothing' }
}

/** Why a run could not be started, in the wording of the error catalogue. */
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
  // The account has gone, or practice has begun: the settings are not to blame.
  const ofAccount = error.fields?.['mailbox_id']
  if (ofAccount !== undefined) return plain(ofAccount)
  if (error.status === 400) return badRequest(error.detail)
  // A limit (429) explains itself; a server error (500) does not.
  const explained = error.status !== null && error.status < 500 && !error.isUnsaid && error.detail !== ''
  return plain(explained ? error.detail : 'Failed to generate/send emails')
}

function badRequest(detail: string): RunFailure {
  if (/smtp|email|configuration/i.test(detail)) {
    const sentence =
      'Email server configuration is missing or invalid. Please configure your email settings in Profile.'
    return { sentence, next: 'configure' }
  }
  // "Invalid request" is the placeholder for an answer without a message.
  const given = detail !== '' && detail !== 'Invalid request'
  return { sentence: given ? detail : 'Invalid request - please check your configuration', next: 'nothing' }
}
