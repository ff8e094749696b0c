/** Raised when the remote side took longer than allowed. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'
}

/**
 * Waits for `work`, at most `milliseconds`. After that it calls `giveUp` (which should close the connection, so that
 * the work ends as well) and throws {@link DeadlinePassed}.
 */
export async function withinDeadline<T>(
  milliseconds: number,
  work: Promise<T>,
  giveUp: () => void,
): Promise<T> {
  const expiry = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    giveUp()
    expiry.reject(new DeadlinePassed(`No answer within ${Math.ceil(milliseconds / 1000)} seconds`))
  }, milliseconds)
  try {
    return await Promise.race([work, expiry.promise])
  } finally {
    clearTimeout(timer)
    // After a deadline the work continues and fails when the connection closes; nobody awaits it any more.
    work.catch(() => {})
  }
}
