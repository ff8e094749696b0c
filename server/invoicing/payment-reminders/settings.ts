import type { BodyOf } from '#contract/platform/endpoint.ts'
import {
  DEFAULT_REMINDERS,
  type paymentReminders,
  type ReminderSettings,
} from '#contract/invoicing/payment-reminders.ts'
import type { Cleared } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import type { Tx } from '../../platform/database/handles.ts'
import type { Reader } from '../invoices/invoices.ts'
import { findSettings, keepSettings, planAllOpen, type SettingsRow } from './store.ts'
import { changing } from '../../platform/changing.ts'

/** When customers are reminded, and in which words. */
export async function readSettings(context: Context, user: Reader): Promise<ReminderSettings> {
  return presentSettings(await findSettings(context.db, user.id))
}

/** Changes the settings. All open invoices are planned anew; changed words are shown for a day before they leave. */
export async function saveSettings(
  context: Context,
  user: Reader,
  changes: BodyOf<typeof paymentReminders.saveSettings>,
): Promise<ReminderSettings> {
  return changing(context, user.id, 'invoices', async (tx) => {
    const row = await findSettings(tx, user.id, { isLocked: true })
    const before = presentSettings(row)
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
    const { on, ...after }: ReminderSettings = { ...before, ...given }
    const isReworded =
      row === undefined ||
      (['subject', 'text_before', 'text_after'] as const).some((name) => after[name] !== before[name])
    await keepSettings(tx, {
      ...after,
      user_id: user.id,
      is_on: on,
      days_before: after.days_before.toSorted((one, other) => other - one),
      days_after: after.days_after.toSorted((one, other) => one - other),
      time_zone: user.timeZone,
      words_changed_at: isReworded ? context.clock.now() : row.words_changed_at,
    })
    await planAllOpen(tx, user.id)
    return presentSettings(await findSettings(tx, user.id))
  })
}

/** Reminders may have been set up by a stranger: no customer gets one until the owner switches them on. */
export async function switchOffReminders(context: Context, tx: Tx, userId: number): Promise<Cleared> {
  const row = await findSettings(tx, userId, { isLocked: true })
  if (row === undefined || !row.is_on) return { told: [] }
  await keepSettings(tx, { ...row, is_on: false })
  await planAllOpen(tx, userId)
  await context.live.publish(tx, userId, { topic: 'invoices' })
  return { told: ['Payment reminders are off.'] }
}

function presentSettings(row: SettingsRow | undefined): ReminderSettings {
  if (row === undefined) return DEFAULT_REMINDERS
  const { is_on: on, days_before, days_after, hour, subject, text_before, text_after } = row
  return { on, days_before, days_after, hour, subject, text_before, text_after }
}
