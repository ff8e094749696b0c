import type { Cleared } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { countGroup, withdrawGroup, withdrawHeld } from '../../mail/emails/emails.ts'
import { workThrough } from '../../platform/work-through.ts'
import { changeFollowUps, followUpSettings, stopFollowUps } from '../../mail/mailboxes/mailboxes.ts'
import {
  type Account,
  accountsToSendBy,
  changeDay,
  type DayRow,
  forgetWithdrawal,
  holdAccount,
  isNewestDay,
  lockDay,
  lockOpenGroups,
  unsettledDays,
  usersWithWithdrawn,
  type Withdrawn,
  withdrawnMails,
} from './store.ts'
import { heldBackBy } from '../automatic-mail/automatic-mail.ts'

const LATE = {
  hours: 'Your sending hours were over',
  stopped: 'Automatic emails from the address stood still',
  paused: 'All your mail was paused',
}

/** Clears away follow-ups that were held back before they left, as if they had never been written. */
export const clearWithdrawn = (context: Context): Promise<void> =>
  workThrough(
    context,
    (after: { userId: number } | undefined, limit) =>
      usersWithWithdrawn(context.db, after?.userId ?? 0, limit),
    ({ userId }) => clearUser(context, userId),
    'follow-ups could not be cleared away',
  )

/** Follow-ups may have been set up by a stranger: they are off, and those that wait are gone as if never written. */
export async function withdrawFollowUps(context: Context, tx: Tx, userId: number): Promise<Cleared> {
  for (const group of await lockOpenGroups(tx, userId)) await withdrawGroup(tx, userId, group)
  const { enabled } = await followUpSettings(tx, userId)
  if (enabled) await stopFollowUps(tx, userId, 'own')
  for (const topic of ['outreach', 'mailboxes'] as const) await context.live.publish(tx, userId, { topic })
  return { told: enabled ? ['Automatic follow-ups are off.'] : [] }
}

async function clearUser(context: Context, userId: number): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const withdrawn = await withdrawnMails(tx, userId)
    const late = Map.groupBy(
      withdrawn.filter(({ heldFor }) => heldFor !== null),
      ({ day }) => day,
    )
    // A run that writes a day's mails locks the day first, too.
    const days: DayRow[] = []
    for (const day of [...late.keys()].toSorted()) {
      const row = await lockDay(tx, { user_id: userId, day })
      if (row !== undefined) days.push(row)
    }
    const ids = withdrawn.map(({ id }) => id)
    const gone = new Set(await withdrawHeld(tx, userId, ids))
    for (const day of days) {
      const lost = (late.get(day.day) ?? []).filter(({ id }) => gone.has(id))
      await changeDay(tx, day, { skipped: withLate(day.skipped, lost) })
    }
    // Any of these that are left have been let go meanwhile; one that was held back since then is cleared next time.
    await forgetWithdrawal(tx, userId, ids)
    for (const topic of ['outreach', 'emails'] as const) await context.live.publish(tx, userId, { topic })
  })
}

/** What a day says of contacts whose follow-up was taken back before it left. */
function withLate(skipped: DayRow['skipped'], lost: readonly Withdrawn[]): Record<string, number> {
  const told = { ...skipped }
  for (const { heldFor } of lost) {
    if (heldFor === null) continue
    const why = LATE[heldFor]
    told[why] = (told[why] ?? 0) + 1
  }
  return told
}

/** Counts what has become of the mails of the last days, until all have ended. */
export const settleDays = (context: Context): Promise<void> =>
  workThrough(
    context,
    (after: DayRow | undefined, limit) => unsettledDays(context.db, after, limit),
    (day) => settle(context, day),
    'follow-ups could not be counted',
  )

async function settle(context: Context, day: DayRow): Promise<void> {
  const { user_id: userId } = day
  const now = context.clock.now()
  const counts = await countGroup(context.db, userId, day.group_id, now)
  const count = (isMeant: (state: string) => boolean) =>
    counts.filter(({ state }) => isMeant(state)).reduce((sum, each) => sum + each.count, 0)
  const sent = count((state) => state === 'sent')
  const failed = count((state) => state === 'failed')
  const open = count((state) => state !== 'sent' && state !== 'failed')
  if (open > 0 && sent === day.sent && failed === day.failed) return
  await inTransaction(context.db, async (tx) => {
    await changeDay(tx, day, { sent, failed, settled_at: open === 0 ? now : null })
    if (await isNewestDay(tx, day)) await changeFollowUps(tx, userId, { last_sent_count: sent })
    for (const topic of ['outreach', 'mailboxes'] as const) await context.live.publish(tx, userId, { topic })
  })
}

/**
 * Takes follow-ups back that are queued and have not left although the user's hours are over, their account is stopped or all
 * mail is paused: a mailbox may be slow, or its server may ask to come again later. Contacts are chosen again on the next day, so
 * nothing is lost.
 */
export async function holdLateFollowUps(context: Context): Promise<void> {
  let held = 0
  const hold = async (account: Account) => {
    const why = await heldBackBy(context, context.db, account)
    if (why !== null) held += await inTransaction(context.db, (tx) => holdAccount(tx, account, why))
  }
  const next = (after: Account | undefined, limit: number) => accountsToSendBy(context.db, after, limit)
  await workThrough(context, next, hold, 'late follow-ups could not be held back')
  if (held > 0) await clearWithdrawn(context)
}
