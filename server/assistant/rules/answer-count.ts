import { Temporal } from 'temporal-polyfill'
import type { ComputedStatus } from '#contract/crm/contacts.ts'
import { countContacts, countMailed } from '../../crm/contacts/contacts.ts'
import { mailActivity } from '../../mail/emails/emails.ts'
import { meetingRows, startOf } from '../tools/read-calendar.ts'
import { contactFacts } from '../tools/read-contacts.ts'
import { figuresOf } from '../tools/read-figures.ts'
import { invoiceFacts } from '../tools/read-invoices.ts'
import { taskRows } from '../tools/read-tasks.ts'
import { countWords } from '../tools/shown-words.ts'
import { pageSource } from '../tools/sources.ts'
import { state } from './answer.ts'
import { answerPartly } from './answer-talk.ts'
import { figureIn } from './read-question.ts'
import { type SaidPeriod, saidPeriod } from './said-time.ts'
import type { RuleCall } from './rule-call.ts'

/** Days are counted this far back. */
const COUNTED_DAYS = 90
/** Mails that came in are not counted, only replies and unread ones. */
const COMING_IN = /\b(?:get|got|gotten|received?|came)\b/i

/** A number that was asked for. */
export async function answerCount(call: RuleCall): Promise<void> {
  const { asking, answer, question } = call
  const { text } = question
  const figure = figureIn(text)
  const period = saidPeriod(text, asking.context.clock.now(), asking.user.timeZone)
  if (period !== null && (figure === 'replies' || (figure === 'sent' && !COMING_IN.test(text))))
    return countMails(call, figure, period)
  if (period !== null && figure === 'meetings') return countMeetings(call, period)
  if (figure === 'tasks' && (period !== null || /overdue/i.test(text))) return countTasks(call, period)
  const status = statusIn(text)
  if (
    status !== null &&
    period === null &&
    (figure === 'contacts' || figure === null || (figure === 'replies' && /contact|people/i.test(text)))
  )
    return countContactsThat(call, status)
  // A figure of something else, or of another span of days, would read like the answer.
  if (figure === null) return answerPartly(call, [text])
  const [comingIn] = COMING_IN.exec(text) ?? []
  if (figure === 'sent' && comingIn !== undefined) return answerPartly(call, [comingIn])
  if (period !== null) return answerPartly(call, [period.words])
  if (figure === 'invoices' && /\bdrafts?\b|\bpaid\b/i.test(text)) return countInvoices(call)
  const found = await figuresOf(asking, [figure])
  for (const fact of found.facts) state(answer, fact)
}

const UNPAID = /\bunpaid\b|\bnot (?:been |yet )?paid\b|n't (?:been )?paid\b/i

async function countInvoices({ asking, answer, question }: RuleCall): Promise<void> {
  const status = UNPAID.test(question.text) ? 'open' : /\bdrafts?\b/i.test(question.text) ? 'draft' : 'paid'
  const { total } = await invoiceFacts(asking, { search: '', status, limit: 1 })
  state(answer, {
    text: `${countWords(total, 'invoice')} ${total === 1 ? 'is' : 'are'} ${status === 'draft' ? 'in draft' : status}.`,
    source: pageSource('Invoices', '/invoices/all'),
  })
}

async function countMails(
  { asking, answer }: RuleCall,
  figure: 'sent' | 'replies',
  period: SaidPeriod,
): Promise<void> {
  const { context, user } = asking
  const now = context.clock.now()
  const [from, to] = boundsOf(period, user.timeZone)
  if (now.getTime() - from.getTime() > COUNTED_DAYS * 86_400_000)
    return void answer.lines.push(`I can count single days for the last ${COUNTED_DAYS} days only.`)
  const [counted] = await mailActivity(context.db, user.id, [from, to])
  const text =
    figure === 'sent'
      ? `You have sent ${countWords(counted?.sent ?? 0, 'email')} ${period.words}.`
      : `You have got ${countWords(counted?.replies ?? 0, 'reply', 'replies')} ${period.words}.`
  state(answer, { text, source: pageSource('Dashboard', '/dashboard') })
}

async function countMeetings({ asking, answer }: RuleCall, period: SaidPeriod): Promise<void> {
  const [from, to] = boundsOf(period, asking.user.timeZone)
  const { total } = await meetingRows(asking, { from, to, search: '', limit: 1 })
  state(answer, {
    text: `You have ${countWords(total, 'meeting')} ${period.words}.`,
    source: pageSource('Meetings', '/meetings'),
  })
}

async function countTasks({ asking, answer, question }: RuleCall, period: SaidPeriod | null): Promise<void> {
  const isOverdue = /overdue/i.test(question.text)
  const due = isOverdue || period === null ? 'overdue' : { from: period.from, to: period.to }
  const rows = await taskRows(asking, { search: '', due, completed: false, limit: 1 })
  state(answer, {
    text: isOverdue
      ? `${countWords(rows.length, 'task')} ${rows.length === 1 ? 'is' : 'are'} overdue.`
      : `${countWords(rows.length, 'pending task')} ${rows.length === 1 ? 'is' : 'are'} due ${period?.words ?? ''}.`,
    source: pageSource('Tasks', '/dashboard'),
  })
}

const STATUSES: readonly [ComputedStatus, RegExp, string][] = [
  ['interested', /\binterested\b/i, 'interested'],
  [
    'new',
    /\b(?:not|never|n't|yet to)\b.{0,15}\b(?:mailed|emailed|written|contacted)\b|\bnew contacts?\b/i,
    'not mailed yet',
  ],
  ['meeting_scheduled', /\bwith (?:a |an upcoming )?meetings?\b|\bhave (?:a )?meeting/i, 'with a meeting'],
]
const statusIn = (text: string) => STATUSES.find(([, words]) => words.test(text)) ?? null

async function countContactsThat({ asking, answer }: RuleCall, [status, , words]: (typeof STATUSES)[number]) {
  const { db } = asking.context
  // The many who were not mailed are counted already; the others are few.
  const total =
    status === 'new'
      ? (await countContacts(db, asking.user.id)) - (await countMailed(db, asking.user.id)).mailed
      : (await contactFacts(asking, { search: '', status, limit: 1 })).total
  state(answer, {
    text: `${countWords(total, 'contact')} ${total === 1 ? 'is' : 'are'} ${words}.`,
    source: pageSource('Contacts', `/contacts?status=${status}`),
  })
}

/** The instants at which a span of days begins and ends. */
export function boundsOf({ from, to }: SaidPeriod, zone: string): [from: Date, to: Date] {
  return [startOf(from, zone), startOf(Temporal.PlainDate.from(to).add({ days: 1 }).toString(), zone)]
}
