import type { RefusedKind } from '#contract/outreach/automatic-mail.ts'
import { MAIL_WAITS } from '#contract/operations/leaving.ts'
import { FALLBACK_ZONE } from '#contract/platform/values.ts'
import { findUser, isMailPaused } from '../../accounts/auth/auth.ts'
import type { Context } from '../../platform/context.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { areBad, type Figures, FIGURES_DAYS, sayFigures } from './figures.ts'
import {
  ANY_TIME,
  daysLater,
  localDay,
  nextDay,
  nextSendingTime,
  type SendingRules,
} from './sending-times.ts'
import {
  type AccountRow,
  addStop,
  countDays,
  countFailures,
  countUnsent,
  findAccount,
  findRules,
} from './store.ts'
import { warmUpCeiling } from './warm-up.ts'

/**
 * Why no automatic mail is sent: a sentence for the user, and when it may go; null: not by itself. Of the kinds,
 * `suppressed` and `once_a_day` are about one contact, the others about the whole account.
 */
export type Refused = { kind: RefusedKind; reason: string; until: Date | null }

/** What sends from an account. Only a run that is not spread over days keeps to no ceiling. */
export type Sending = { userId: number; mailboxId: number; spread?: boolean }

/** How an account of a user stands at a moment. */
export type Standing = {
  account: AccountRow
  zone: string
  rules: SendingRules
  today: string
  /** How many automatic mails it may send today; null: any number. */
  ceiling: number | null
  /** How many it has reserved today. */
  sentToday: number
  /** The figures that keep it still, and since when; null: it does not stand still. */
  stop: (Figures & { since: Date }) | null
  /** Why it sends none at the moment, the ceiling included; null: it does. */
  refused: Refused | null
}

const MS_A_DAY = 24 * 60 * 60_000

/**
 * How an account stands now: whether it may send automatic mail, and how much of it. An account whose figures have become
 * bad is stopped here, in the database too. Undefined if there is no such account.
 */
export async function standingOf(
  context: Context,
  db: Queryable,
  at: Sending,
): Promise<Standing | undefined> {
  const account = await findAccount(db, at.userId, at.mailboxId)
  if (account === undefined) return undefined
  const now = context.clock.now()
  const zone = account.timeZone ?? FALLBACK_ZONE
  const { days, fromHour, untilHour } = account
  const rules = days === null ? ANY_TIME : { days, fromHour, untilHour }
  const today = localDay(now, zone)
  const stop = await stopOf(context, db, at, { account, today, now })
  // Practice mail reaches nobody: there is no name to lose.
  const warmUp = account.isPractice || at.spread === false ? null : account.warmUpFrom
  const counts =
    warmUp === null
      ? { today: 0, daysSent: 0 }
      : await countDays(db, at.userId, at.mailboxId, {
          today,
          since: today,
          warmUpDay: localDay(warmUp, zone),
        })
  const ceiling = warmUp === null ? null : warmUpCeiling(counts.daysSent)
  const opens = nextSendingTime(rules, zone, now)
  const found = { account, zone, rules, today, ceiling, sentToday: counts.today, stop, refused: null }
  const refused: Refused | null = account.isPaused
    ? { kind: 'paused', reason: 'All your mail is paused.', until: null }
    : stop !== null
      ? { kind: 'stopped', reason: sayStop(stop), until: null }
      : opens > now
        ? { kind: 'hours', reason: sayHours(opens, now, zone), until: opens }
        : ceiling !== null && counts.today >= ceiling
          ? refuseBeyond(context, found)
          : null
  return { ...found, refused }
}

/**
 * What is said in place of a time while nobody knows when something goes on: all mail of the user is paused, or the account
 * that it needs (undefined: none) is stopped. Null: a time can be told.
 */
export async function waitsWithoutEnd(
  context: Context,
  userId: number,
  mailboxId: number | undefined,
): Promise<string | null> {
  const { db } = context
  const user = await findUser(db, userId)
  if (user !== undefined && isMailPaused(user)) return MAIL_WAITS
  const standing = mailboxId === undefined ? undefined : await standingOf(context, db, { userId, mailboxId })
  return standing?.refused?.kind === 'stopped'
    ? `Waits until you let the automatic emails from ${standing.account.address} go on`
    : null
}

/** What a mail hears that the account's ceiling of today has no room for. */
export function refuseBeyond(context: Context, { ceiling, rules, zone }: Standing): Refused {
  const now = context.clock.now()
  const until = nextSendingTime(rules, zone, nextDay(now, zone))
  return { kind: 'warm_up', reason: sayWarmUp(ceiling ?? 0, until, now, zone), until }
}

/** The hours in which a user lets automatic mail leave. */
export async function rulesOf(db: Queryable, userId: number): Promise<SendingRules> {
  const found = await findRules(db, userId)
  if (found === undefined) return ANY_TIME
  return { days: found.days, fromHour: found.from_hour, untilHour: found.until_hour }
}

/** When automatic mail of a user that is due at an instant may leave by those hours. */
export async function sendingTime(db: Queryable, userId: number, zone: string, at: Date): Promise<Date> {
  return nextSendingTime(await rulesOf(db, userId), zone, at)
}

/** The figures that keep an account still, if any do. */
async function stopOf(
  context: Context,
  db: Queryable,
  { userId, mailboxId }: { userId: number; mailboxId: number },
  { account, today, now }: { account: AccountRow; today: string; now: Date },
): Promise<Standing['stop']> {
  const { bounces, complaints, stopped_at, counted_from } = account
  if (account.isPractice) return null
  if (stopped_at !== null) return { mails: account.mails ?? 0, bounces, complaints, since: stopped_at }
  const week = new Date(now.getTime() - FIGURES_DAYS * MS_A_DAY)
  const isNew = counted_from !== null && counted_from > week
  const failures = await countFailures(db, userId, mailboxId, isNew ? counted_from : week)
  // Most accounts have none: nothing else needs to be counted.
  if (failures.bounces === 0 && failures.complaints === 0) return null
  const since = isNew ? (account.counted_day ?? today) : daysLater(today, -FIGURES_DAYS)
  const counts = await countDays(db, userId, mailboxId, { today, since, warmUpDay: null })
  const unsent = await countUnsent(db, userId, mailboxId)
  const mails = counts.since - (isNew ? account.counted_mails : 0) - unsent
  const figures = { mails, ...failures }
  if (!areBad(figures)) return null
  await addStop(db, userId, mailboxId, figures, now)
  await context.live.publish(db, userId, { topic: 'outreach' })
  return { ...figures, since: now }
}

function sayStop(figures: Figures): string {
  return `${sayFigures(figures)} The others wait until you go on.`
}

function sayHours(opens: Date, now: Date, zone: string): string {
  return `It is outside your sending hours. It goes on ${dayAndTime(opens, now, zone)}.`
}

function sayWarmUp(ceiling: number, opens: Date, now: Date, zone: string): string {
  const isTomorrow = localDay(opens, zone) === daysLater(localDay(now, zone), 1)
  return `This address is new: ${ceiling} mails today. It goes on ${isTomorrow ? 'tomorrow' : dayAndTime(opens, now, zone)}.`
}

/** A time to come in the user's zone, as "tomorrow at 08:00" or "Monday 4 May at 08:00". */
export function dayAndTime(at: Date, now: Date, zone: string): string {
  const written = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone }).format(at)
  const time = written({ hour: '2-digit', minute: '2-digit' })
  const today = localDay(now, zone)
  const day = localDay(at, zone)
  if (day === today) return `today at ${time}`
  if (day === daysLater(today, 1)) return `tomorrow at ${time}`
  return `${written({ weekday: 'long', day: 'numeric', month: 'long' })} at ${time}`
}
