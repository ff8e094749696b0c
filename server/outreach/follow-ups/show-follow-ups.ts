import type { QueryOf } from '#contract/platform/endpoint.ts'
import type {
  FollowUpCounts,
  FollowUpDay,
  FollowUpOverview,
  followUps,
  LeftOutContact,
  UpcomingFollowUp,
} from '#contract/outreach/follow-ups.ts'
import { MAIL_PAUSED } from '#contract/operations/leaving.ts'
import {
  daysLater,
  localDay,
  nextSendingTime,
  type PlanSource,
  rulesOf,
  standingOf,
  waitsWithoutEnd,
} from '../automatic-mail/automatic-mail.ts'
import type { Context } from '../../platform/context.ts'
import { unauthenticated } from '../../platform/errors.ts'
import { isConfigured } from '../../mail/mailboxes/mailboxes.ts'
import { hourOf } from './days.ts'
import { type FollowUpState, followUpState, termsOn } from './follow-up-state.ts'
import { keptCounts } from './kept-counts.ts'
import { findPlan, listDays, listStandings, standingsOf } from './store.ts'

const LIST_MAX = 200

/** A page of a list, and how many rows there are in all. */
export type Listed<T> = { rows: T[]; total: number; page: number; pageSize: number }

type Now = {
  state: FollowUpState
  at: Date
  next: Date | null
  day: string
  /** When the follow-ups that are due on a day leave. */
  leavesAt: (dueDay: string | null) => Date
}

/** How things stand: the state, when follow-ups run next, and the day for which contacts are judged. */
async function readNow(context: Context, userId: number): Promise<Now> {
  const state = await followUpState(context.db, userId)
  if (state === undefined) throw unauthenticated()
  const { zone, hour } = state
  const now = context.clock.now()
  const plan = await findPlan(context.db, userId)
  const today = localDay(now, zone)
  const hasRun = plan?.last_day != null && plan.last_day >= today
  // A plan that is about to be made again is shown as it will be.
  const planned =
    plan !== undefined && !plan.is_stale && plan.next_run_at !== null && plan.next_run_at > now
      ? plan.next_run_at
      : hourOf(hasRun || hourOf(today, hour, zone) <= now ? daysLater(today, 1) : today, hour, zone)
  const rules = await rulesOf(context.db, userId)
  const at = nextSendingTime(rules, zone, planned)
  const next = state.isOn ? at : null
  const day = localDay(at, zone)
  const leavesAt = (dueDay: string | null) =>
    (dueDay === null || dueDay === day) && next !== null
      ? next
      : nextSendingTime(rules, zone, hourOf(dueDay ?? day, hour, zone))
  return { state, at, next, day, leavesAt }
}

/** Whether follow-ups are on, and when they run next. */
export async function readOverview(context: Context, userId: number): Promise<FollowUpOverview> {
  const { state, next } = await readNow(context, userId)
  const stopped = await stoppedBy(context, state)
  return {
    enabled: state.isOn,
    time_zone: state.zone,
    daily_hour: state.hour,
    max_days: state.maxDays,
    next_run_at: stopped === null ? (next?.toISOString() ?? null) : null,
    stopped,
  }
}

/** How many contacts follow-ups write to, and how many they do not and why. */
export async function readCounts(context: Context, userId: number): Promise<FollowUpCounts> {
  const { state, day } = await readNow(context, userId)
  const { counts, at } = await keptCounts(context, termsOn(state, day))
  return {
    upcoming: counts.find(({ why }) => why === null)?.contacts ?? 0,
    left_out: counts
      .flatMap(({ why, contacts }) => (why === null ? [] : [{ reason: why, contacts }]))
      .toSorted((one, other) => other.contacts - one.contacts),
    counted_at: at.toISOString(),
  }
}

/** Why nothing goes although follow-ups are on. */
async function stoppedBy(
  context: Context,
  { user, isOn, isPaused, mailbox }: FollowUpState,
): Promise<string | null> {
  if (!isOn) return null
  if (isPaused) return MAIL_PAUSED
  if (!isConfigured(mailbox)) return 'Connect your email account, so that they can be sent.'
  const standing = await standingOf(context, context.db, { userId: user.id, mailboxId: mailbox.id })
  return standing?.refused?.kind === 'stopped' ? standing.refused.reason : null
}

type Page = { page: number; page_size?: number | undefined; limit?: number | undefined }

function pageOf({ page, page_size, limit }: Page) {
  const pageSize = Math.min(page_size ?? limit ?? LIST_MAX, LIST_MAX)
  return { page, pageSize, range: { limit: pageSize, offset: (page - 1) * pageSize } }
}

/** A page of who gets a follow-up, the next first. */
export async function pageOfUpcoming(
  context: Context,
  userId: number,
  query: QueryOf<typeof followUps.upcoming>,
): Promise<Listed<UpcomingFollowUp>> {
  const { page, pageSize, range } = pageOf(query)
  const { state, day, leavesAt } = await readNow(context, userId)
  const { rows, total } = await listStandings(context.db, termsOn(state, day), null, range)
  const waits = await waitsWithoutEnd(context, userId, state.mailbox?.id)
  const shown = rows.map((row) => ({
    contact_id: row.contactId,
    name: row.name,
    email: row.email,
    number: row.number,
    at: waits === null ? leavesAt(row.dueDay).toISOString() : null,
    waits,
    subject: row.parent?.subject ?? '',
    last_mail_at: (row.lastSentAt ?? new Date(0)).toISOString(),
    skipped: row.putOff,
  }))
  return { rows: shown, total, page, pageSize }
}

/** A page of the contacts who get none for one reason. */
export async function pageOfLeftOut(
  context: Context,
  userId: number,
  { reason, ...query }: QueryOf<typeof followUps.leftOut>,
): Promise<Listed<LeftOutContact>> {
  const { page, pageSize, range } = pageOf(query)
  const { state, day } = await readNow(context, userId)
  const { rows, total } = await listStandings(context.db, termsOn(state, day), reason, range)
  const shown = rows.map(({ contactId, name, email }) => ({ contact_id: contactId, name, email }))
  return { rows: shown, total, page, pageSize }
}

/** A page of the days on which follow-ups ran. */
export async function pageOfDays(
  context: Context,
  userId: number,
  query: QueryOf<typeof followUps.days>,
): Promise<Listed<FollowUpDay>> {
  const { page, pageSize, range } = pageOf(query)
  const { rows, total } = await listDays(context.db, userId, range)
  const shown = rows.map(({ day, started_at, settled_at, queued, sent, failed, skipped }) => ({
    day,
    started_at: started_at.toISOString(),
    done: settled_at !== null,
    sent,
    waiting: settled_at === null ? Math.max(0, queued - sent - failed) : 0,
    failed,
    skipped: Object.entries(skipped).map(([reason, contacts]) => ({ reason, contacts })),
  }))
  return { rows: shown, total, page, pageSize }
}

/** The day of the next run, by which contacts are judged. */
export async function nextRunDay(context: Context, userId: number): Promise<string> {
  return (await readNow(context, userId)).day
}

/** The follow-ups that are planned. */
export const plannedFollowUps: PlanSource = async (context, { userId, contactId, most }) => {
  const { state, day, leavesAt } = await readNow(context, userId)
  if (!state.isOn) return []
  const terms = termsOn(state, day)
  const standings =
    contactId === null
      ? (await listStandings(context.db, terms, null, { limit: most, offset: 0 })).rows
      : [...(await standingsOf(context.db, terms, [contactId])).values()]
  const waits = await waitsWithoutEnd(context, userId, state.mailbox?.id)
  return standings
    .filter(({ why, dueDay }) => why === null && dueDay !== null)
    .map(({ contactId: id, name, email, number, dueDay }) => ({
      id: `follow-up ${id}`,
      source: 'follow_up' as const,
      of: null,
      contact_id: id,
      name,
      email,
      sentence: `Follow-up ${number} of 3 goes out if they don’t answer.`,
      due: leavesAt(dueDay),
      waits,
    }))
}
