import { ApiError, NETWORK_ERROR, SERVER_ERROR } from '#web/platform/api/errors.ts'

/** What the log-in page says of a failure. */
export function logInSentence(error: unknown): string {
  if (error instanceof ApiError && error.status === 401) return 'Wrong username or email or password'
  return accountSentence(error, 'Login failed. Please try again.')
}

/** What the sign-up wizard says of a failure. */
export function registrationSentence(error: unknown): string {
  if (error instanceof ApiError && error.status === 400 && error.detail.includes('already exists')) {
    return 'Email already exists. Please use a different email.'
  }
  return accountSentence(error, 'Registration failed. Please try again.')
}

// No answer although a request was made is the network's fault; anything else without an answer is not known.
function accountSentence(error: unknown, otherwise: string): string {
  if (!(error instanceof ApiError)) return otherwise
  if (error.status === null) return NETWORK_ERROR
  if (error.status >= 500) return SERVER_ERROR
  return error.detail === '' ? 'Invalid request' : error.detail
}
