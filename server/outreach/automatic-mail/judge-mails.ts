import type { Context } from '../../platform/context.ts'
import type { Account } from '../../platform/jobs/delivery.ts'
import { putOffClaims } from '../../mail/emails/emails.ts'
import { type Refused, type Standing, standingOf } from './standing.ts'
import { type ClaimedMail, claimedAmong, type Source } from './store.ts'

/**
 * Judges claimed mails of one source as things stand now, and takes back or puts off those that must not leave.
 *
 * @returns those that do not leave now
 */
export type Judge = (
  context: Context,
  account: Account & { standing: Standing },
  mails: readonly ClaimedMail[],
) => Promise<readonly number[]>

/** Asks the source of each of these claimed mails of an account whether it may leave. @returns those that do not leave now */
export async function judgeMails(
  context: Context,
  judges: Readonly<Record<Source, Judge>>,
  account: Account,
  emailIds: readonly number[],
): Promise<Set<number>> {
  const gone = new Set<number>()
  const standing = await standingOf(context, context.db, account)
  // A pause of all mail has taken the claims away.
  if (standing === undefined || standing.refused?.kind === 'paused') return gone
  const all = await claimedAmong(context.db, account.userId, emailIds)
  const mails = all.filter(({ mayHaveLeft }) => !mayHaveLeft)
  for (const [source, own] of Map.groupBy(mails, (mail) => mail.source))
    for (const id of await judges[source](context, { ...account, standing }, own)) gone.add(id)
  // What may have left is taken back by nobody, and waits as well.
  const { refused } = standing
  const unsure = idsOfMails(all.filter(({ mayHaveLeft }) => mayHaveLeft))
  if (unsure.length > 0 && (refused?.kind === 'hours' || refused?.kind === 'stopped')) {
    await putOffClaims(context, context.db, account.userId, unsure, untilWhen(context, refused))
    for (const id of unsure) gone.add(id)
  }
  if (gone.size > 0)
    for (const topic of ['outreach', 'emails'] as const)
      await context.live.publish(context.db, account.userId, { topic })
  return gone
}

/** How long mail waits that only its user can let go on, should nothing wake it. */
const LOOK_AGAIN_MS = 24 * 60 * 60_000

/** Until when mail waits that is refused now. */
export const untilWhen = ({ clock }: Context, { until }: Refused): Date =>
  until ?? new Date(clock.now().getTime() + LOOK_AGAIN_MS)

export const idsOfMails = (mails: readonly ClaimedMail[]): number[] => mails.map(({ emailId }) => emailId)
