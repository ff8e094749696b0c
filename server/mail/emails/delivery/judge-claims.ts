import type { Context } from '../../../platform/context.ts'
import { inTransaction } from '../../../platform/database/transaction.ts'
import type { Settlement } from '../../../platform/jobs/delivery.ts'
import { addressKey } from '../../../formats/mail-text/addresses.ts'
import { returnTokens, takeTokens, tokensNow } from '../../mailboxes/mailboxes.ts'
import { adoptKeptSuppressions } from '../suppressions/kept-suppressions.ts'
import { stopsMail } from '../suppressions/stops-mail.ts'
import { suppressedAmong } from '../suppressions/suppressions-store.ts'
import { type Claim, claimDue, overtakenAmong, releaseClaims, takenBackAmong } from './claims-store.ts'
import { overtakenSettlement, suppressedSettlement, takenBackSettlement } from './classify-outcome.ts'
import { putOffClaims } from './groups-store.ts'

/** Mails that could not be judged wait this long. */
const JUDGE_AGAIN_MS = 60_000

/** Mails of runs, follow-ups and sequences are in groups; what the user writes is in none. */
export const isAutomatic = ({ groupId }: Claim): boolean => groupId !== null

/** What one mailbox is sending right now in this process. */
export type MailboxRun = {
  userId: number
  mailboxId: number
  /** Ids of emails that are claimed or being sent. */
  inHand: Set<number>
  /** When it is worth looking again; null: as soon as something is due. */
  nextAt: Date | null
}

/** Claims due emails, but no more than the account's hourly limit allows. */
export async function claimWithinRate(context: Context, run: MailboxRun, limit: number): Promise<Claim[]> {
  const { userId, mailboxId } = run
  const now = context.clock.now()
  return inTransaction(context.db, async (tx) => {
    // The user is locked before the mailbox, so the tokens are only looked at here.
    const likely = await tokensNow(tx, userId, mailboxId, limit, now)
    const by = { workerId: context.workerId, userId, mailboxId, now, limit: Math.max(likely, 1) }
    const claims = await claimDue(tx, by)
    if (claims.length === 0) return claims
    const { granted, nextAt } = await takeTokens(tx, userId, mailboxId, claims.length, now)
    if (granted < claims.length) {
      run.nextAt = nextAt
      await releaseClaims(tx, context.workerId, claims.slice(granted))
    }
    return claims.slice(0, granted)
  })
}

/**
 * Those of these claims that may leave. The others fail, as their recipient has been suppressed since they were queued or they
 * were taken back, or may have left before and are overtaken; or the domain that queued them takes them back or puts them off.
 */
export async function whichMayLeave(
  context: Context,
  { userId, mailboxId }: MailboxRun,
  claims: readonly Claim[],
): Promise<readonly Claim[]> {
  if (claims.length === 0) return claims
  const allowed = await failRefused(context, userId, claims)
  // What a person sends again was judged when they said so.
  const automatic = allowed.filter((each) => isAutomatic(each) && each.priority > 0)
  if (automatic.length === 0) return allowed
  const gone = await judge(context, { userId, mailboxId }, automatic)
  if (gone.size === 0) return allowed
  await returnTokens(context.db, userId, mailboxId, gone.size)
  return allowed.filter(({ emailId }) => !gone.has(emailId))
}

/** Asks the domain that queued these mails. If that fails they wait, and the user's own mail leaves all the same. */
async function judge(
  context: Context,
  account: { userId: number; mailboxId: number },
  claims: readonly Claim[],
): Promise<ReadonlySet<number>> {
  const ids = claims.map(({ emailId }) => emailId)
  try {
    return await context.delivery.groupMail.judge(account, ids)
  } catch (error) {
    context.log.error({ err: error, ...account }, 'automatic mail could not be judged; it is tried again')
    const until = new Date(context.clock.now().getTime() + JUDGE_AGAIN_MS)
    await putOffClaims(context, context.db, account.userId, ids, until)
    return new Set(ids)
  }
}

async function failRefused(
  context: Context,
  userId: number,
  claims: readonly Claim[],
): Promise<readonly Claim[]> {
  const keys = claims.flatMap((each) => each.recipients.map(addressKey))
  await adoptKeptSuppressions(context, context.db, userId, keys)
  const suppressed = await suppressedAmong(context.db, userId, keys)
  const takenBack = await takenBackAmong(context.db, userId, claims)
  // What a person sends again leaves.
  const overtaken = await overtakenAmong(
    context.db,
    userId,
    claims.filter(({ priority }) => priority > 0),
  )
  if (suppressed.size + takenBack.size + overtaken.size === 0) return claims
  const now = context.clock.now()
  const refused = new Map<Claim, Settlement>()
  for (const claim of claims) {
    const why = claim.recipients
      .map((address) => suppressed.get(addressKey(address)))
      .find((reason) => reason !== undefined && stopsMail(reason, claim.purpose, isAutomatic(claim)))
    if (why !== undefined) refused.set(claim, suppressedSettlement(claim, why, now))
    else if (takenBack.has(claim.emailId)) refused.set(claim, takenBackSettlement(claim, now))
    else if (overtaken.has(claim.emailId)) refused.set(claim, overtakenSettlement(claim, now))
  }
  if (refused.size === 0) return claims
  await Promise.all([...refused.values()].map((each) => context.delivery.settlementWriter.settle(each)))
  await context.live.publish(context.db, userId, { topic: 'emails' })
  return claims.filter((each) => !refused.has(each))
}
