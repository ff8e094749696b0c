import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { answerFindings } from './answer-findings.ts'
import { lookAtAccounts, lookAtFriends, lookAtInvitations } from './look-at-accounts.ts'
import { lookAtCalls, lookAtDoors } from './look-at-log.ts'
import { lookAtMail } from './look-at-mail.ts'
import { lookedUntil, setLookedUntil, tryLockRound } from './patterns-store.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A row of the activity log that was written before may be committed so much later. */
const OVERLAP_MS = 10 * 60_000

/**
 * Looks at what is new since the last round: the log, mail and what became of it, and every hour also accounts, friends and
 * invitations. Then it warns, tells administrators or bans. What it costs depends on what has happened, not on how many users
 * there are. One process does it at a time; killed anywhere, the next round goes on.
 */
export async function lookForAbuse(context: Context): Promise<void> {
  const { db, clock } = context
  await inTransaction(db, async (lock) => {
    if (!(await tryLockRound(lock))) return
    const now = clock.now()
    const before = await lookedUntil(db)
    const news = new Date(before === null ? now.getTime() - DAY_MS : before.getTime() - OVERLAP_MS)
    await lookAtDoors(context, now, news)
    await lookAtCalls(context, now, news)
    if (before === null || hourOf(before) !== hourOf(now)) {
      await lookAtAccounts(context, now)
      await lookAtFriends(context, now)
      await lookAtInvitations(context, now)
    }
    await setLookedUntil(db, now)
    await lookAtMail(context, now)
    await answerFindings(context)
  })
}

const hourOf = (at: Date) => Math.floor(at.getTime() / HOUR_MS)
