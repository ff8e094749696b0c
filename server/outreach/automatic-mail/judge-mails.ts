import type { Context } from '../../platform/context.ts'
import type { Account } from '../../platform/jobs/delivery.ts'

/**
 * Judges claimed mails of one source, and takes back or puts off those that must not leave now. Mails of other sources are among
 * them and none of its business.
 *
 * @returns those that do not leave now
 */
export type Judge = (
  context: Context,
  account: Account,
  emailIds: readonly number[],
) => Promise<readonly number[]>

/** Asks each source about claimed mails. @returns those that do not leave now */
export async function judgeMails(
  context: Context,
  judges: readonly Judge[],
  account: Account,
  emailIds: readonly number[],
): Promise<Set<number>> {
  const gone = new Set<number>()
  for (const judge of judges) for (const id of await judge(context, account, emailIds)) gone.add(id)
  return gone
}
