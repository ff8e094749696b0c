import { ApiError, sentenceOf } from '#web/platform/api/errors.ts'

/** What a toast says where an act on a user failed; `unreachable` where no answer came. */
export function saidOfFailure(error: unknown, unreachable: string): string {
  const isAnswer = error instanceof ApiError && error.kind === 'answer'
  return isAnswer ? `Error: ${sentenceOf(error, 'Something went wrong on the server.')}` : unreachable
}
