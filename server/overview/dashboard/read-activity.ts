import type { ActivityDay } from '#contract/overview/dashboard.ts'
import type { Context } from '../../platform/context.ts'
import { mailActivity } from '../../mail/emails/emails.ts'
import { meetingsBetween } from '../../crm/meetings/meetings.ts'
import { lastDays } from './last-days.ts'

/** What happened on each of the last days of a time zone, oldest first; empty days are included with zeros. */
export async function readActivity(
  { db, clock }: Context,
  userId: number,
  { timeZone, count }: { timeZone: string; count: number },
): Promise<ActivityDay[]> {
  const { days, bounds } = lastDays(clock.now(), timeZone, count)
  const [mails, meetings] = await Promise.all([
    mailActivity(db, userId, bounds),
    meetingsBetween(db, userId, bounds),
  ])
  const meetingsOf = new Map(meetings.map((row) => [row.place, row.meetings]))
  return days.map((day, at) => ({
    day,
    sent: mails[at]?.sent ?? 0,
    replies: mails[at]?.replies ?? 0,
    meetings: meetingsOf.get(at + 1) ?? 0,
  }))
}
