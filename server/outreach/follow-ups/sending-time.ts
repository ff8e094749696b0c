import { ANY_TIME, findRules, nextSendingTime, type SendingRules } from '../automatic-mail/automatic-mail.ts'
import type { Queryable } from '../../platform/database/handles.ts'

/** The hours in which the user lets automatic mail leave. */
export async function rulesOf(db: Queryable, userId: number): Promise<SendingRules> {
  const found = await findRules(db, userId)
  if (found === undefined) return ANY_TIME
  return { days: found.days, fromHour: found.from_hour, untilHour: found.until_hour }
}

/** When follow-ups that are due at an instant may leave by those hours. */
export async function sendingTime(
  db: Queryable,
  { user, zone }: { user: { id: number }; zone: string },
  at: Date,
): Promise<Date> {
  return nextSendingTime(await rulesOf(db, user.id), zone, at)
}
