import type { FollowUpDay, LeftOutReason } from '#contract/outreach/follow-ups.ts'
import { dateFormat } from '#web/platform/dates/date-formats.ts'

/** Why contacts get no follow-up, as a heading above their names. */
export const REASONS: Readonly<Record<LeftOutReason, string>> = {
  never_mailed: 'You have not written to them yet',
  replied: 'They have replied',
  meeting: 'You have a meeting with them',
  unsubscribed: 'They have unsubscribed',
  bounced: 'Your mail came back',
  asked: 'They may have unsubscribed',
  complaint: 'They have reported your mail as spam',
  manual: 'On your do-not-mail list',
  declined: 'They said no',
  never: 'You chose never to follow up',
  sequence: 'A sequence writes to them',
  done: 'They have had all three',
  too_old: 'Too long ago since your first email',
  on_its_way: 'An email to them has not left yet',
  other_mail: 'Your last email to them was an answer or an invoice',
  account: 'The email account that you wrote from is not connected',
}

/** "09:41:07". */
export function timeText(at: string, timeZone: string): string {
  const format = dateFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit', timeZone })
  return format.format(new Date(at))
}

/** "12 Jan". */
export function dateText(at: string, timeZone: string): string {
  return dateFormat('en-GB', { day: 'numeric', month: 'short', timeZone }).format(new Date(at))
}

/** "Thu, 15 Jan 2026", of a day without a zone. */
export function dayText(day: string): string {
  const format = dateFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return format.format(new Date(`${day}T12:00:00Z`))
}

/** "1 contact", "12 contacts". */
export function contactsText(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'contact' : 'contacts'}`
}

/** What became of a day: "12 sent, 1 on its way, 2 left out". */
export function resultText({ sent, waiting, failed, skipped }: FollowUpDay): string {
  const leftOut = skipped.reduce((sum, each) => sum + each.contacts, 0)
  const parts = [
    sent > 0 ? `${sent} sent` : '',
    waiting > 0 ? `${waiting} on ${waiting === 1 ? 'its' : 'their'} way` : '',
    failed > 0 ? `${failed} failed` : '',
    leftOut > 0 ? `${leftOut} left out` : '',
  ].filter((part) => part !== '')
  return parts.length === 0 ? 'Nobody was due' : parts.join(', ')
}
