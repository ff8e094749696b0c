import { type automaticMail, type SendingHours, WORKING_HOURS } from '#contract/outreach/automatic-mail.ts'
import type { BodyOf } from '#contract/platform/endpoint.ts'
import { tryNow } from '../../mail/emails/emails.ts'
import type { Context } from '../../platform/context.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { findRules, setRules } from './store.ts'

type Caller = { id: number; timeZone: string }

/** When the user's automatic mail may leave; without rules of theirs the usual working hours are proposed. */
export async function readHours(context: Context, user: Caller): Promise<SendingHours> {
  const rules = await findRules(context.db, user.id)
  if (rules === undefined) return { limited: false, ...WORKING_HOURS, time_zone: user.timeZone }
  const { days, from_hour, until_hour } = rules
  return { limited: true, days, from_hour, until_hour, time_zone: user.timeZone }
}

/** Changes the hours. Mails that wait for them are tried again at once. */
export async function saveHours(
  context: Context,
  user: Caller,
  { limited, days, from_hour, until_hour }: BodyOf<typeof automaticMail.saveHours>,
): Promise<SendingHours> {
  const sorted = days.toSorted((one, other) => one - other)
  await inTransaction(context.db, async (tx) => {
    await setRules(tx, user.id, limited ? { days: sorted, from_hour, until_hour } : null)
    await tryNow(tx, user.id, null, context.clock.now())
    await context.live.publish(tx, user.id, { topic: 'outreach' })
  })
  return readHours(context, user)
}
