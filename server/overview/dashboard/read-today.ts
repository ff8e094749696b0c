import type { Today } from '#contract/overview/dashboard.ts'
import type { Context } from '../../platform/context.ts'
import { countUnreadReplies } from '../../mail/emails/emails.ts'
import { totalsOf } from '../../invoicing/invoices/invoices.ts'
import { meetingsOn } from '../../crm/meetings/meetings.ts'
import { countDue } from '../../crm/todos/todos.ts'
import { lastDays } from './last-days.ts'

/** What is waiting for the user on this day of a time zone. */
export async function readToday({ db, clock }: Context, userId: number, timeZone: string): Promise<Today> {
  const now = clock.now()
  const { days, bounds } = lastDays(now, timeZone, 1)
  const [today = '', from = now, to = now] = [days[0], bounds[0], bounds[1]]
  const [due, meetings, replies, invoices] = await Promise.all([
    countDue(db, userId, today),
    meetingsOn(db, userId, { from, to }, now),
    countUnreadReplies(db, userId),
    totalsOf(db, userId, today),
  ])
  return {
    overdue_tasks: due.overdue,
    tasks_today: due.today,
    meetings_today: meetings.all,
    meetings_to_come: meetings.toCome,
    unread_replies: replies,
    overdue_invoices: invoices.counts.overdue,
    overdue_amounts: invoices.currencies
      .filter(({ overdue }) => overdue > 0)
      .map(({ currency, overdue }) => ({ currency, amount: overdue })),
  }
}
