/** Raised when the far side took longer than it was given. */
export class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed'
}

/**
 * Waits for `work`, `milliseconds` at most. When they have passed `giveUp` is called (it should close the connection,
 * so that the work ends as well) and {@link DeadlinePassed} is thrown.
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
    // The work goes on after a deadline and fails when the connection closes; nobody is there to hear it any more.
    work.catch(() => {})
  }
}
