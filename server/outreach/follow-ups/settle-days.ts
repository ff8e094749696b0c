import type { Cleared } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { countGroup, withdrawGroup } from '../../mail/emails/emails.ts'
import { changeFollowUps, followUpSettings, stopFollowUps } from '../../mail/mailboxes/mailboxes.ts'
import { changeDay, type DayRow, isNewestDay, lockOpenGroups, unsettledDays } from './store.ts'

/** Follow-ups may have been set up by a stranger: they are off, and those that wait are gone as if never written. */
export async function withdrawFollowUps(context: Context, tx: Tx, userId: number): Promise<Cleared> {
  for (const group of await lockOpenGroups(tx, userId)) await withdrawGroup(tx, userId, group)
  const { enabled } = await followUpSettings(tx, userId)
  if (enabled) await stopFollowUps(tx, userId, 'own')
  for (const topic of ['outreach', 'mailboxes'] as const) await context.live.publish(tx, userId, { topic })
  return { told: enabled ? ['Automatic follow-ups are off.'] : [] }
}

const AT_ONCE = 200

/** Counts what has become of the mails of the last days, until all have ended. One user's fault keeps nobody else waiting. */
export async function settleDays(context: Context): Promise<void> {
  let days: readonly DayRow[] = []
  do {
    days = await unsettledDays(context.db, days.at(-1), AT_ONCE)
    for (const day of days) {
      if (context.stopping.aborted) return
      await settle(context, day).catch((error: unknown) =>
        context.log.warn({ err: error, ...day }, 'follow-ups could not be counted; it is tried again'),
      )
    }
  } while (days.length === AT_ONCE)
}

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
