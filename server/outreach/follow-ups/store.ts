import { type Selectable, sql } from 'kysely'
import type { LeftOutReason } from '#contract/outreach/follow-ups.ts'
import { insertRows } from '../../platform/database/insert-rows.ts'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { didChange, execute, idsOf, numberOf, rowOf, rowsOf } from '../../platform/database/rows.ts'
import { daysLater } from '../automatic-mail/automatic-mail.ts'
import { FOLLOW_UPS_MAX, SILENT_DAYS, startOf } from './days.ts'
import type { FollowUpDaysTable, FollowUpMailsTable, FollowUpPlansTable } from './tables.ts'

export type PlanRow = Selectable<FollowUpPlansTable>
export type DayRow = Selectable<FollowUpDaysTable>

/** Users whose plan is to be looked at, but for these: it is due, or their settings have changed. */
export async function usersToPlan(db: Queryable, now: Date, but: readonly number[], limit: number) {
  const isOther = sql`user_id <> ALL(${[...but]}::bigint[])`
  return idsOf(db)`
    (SELECT user_id AS id FROM follow_up_plans WHERE is_stale AND ${isOther} LIMIT ${limit})
    UNION
    (SELECT user_id FROM follow_up_plans
     WHERE next_run_at <= ${now} AND ${isOther} AND NOT mail_is_paused(user_id) ORDER BY next_run_at LIMIT ${limit})`
}

/** Takes a user's plan until the transaction ends; undefined if another worker has it. */
export const takePlan = (tx: Tx, userId: number) =>
  rowOf<PlanRow>(tx)`SELECT * FROM follow_up_plans WHERE user_id = ${userId} FOR UPDATE SKIP LOCKED`

export const findPlan = (db: Queryable, userId: number) =>
  rowOf<PlanRow>(db)`SELECT * FROM follow_up_plans WHERE user_id = ${userId}`

export async function savePlan(
  tx: Tx,
  userId: number,
  plan: { next_run_at: Date | null; last_day?: string },
) {
  await tx
    .updateTable('follow_up_plans')
    .set({ ...plan, is_stale: false })
    .where('user_id', '=', userId)
    .execute()
}

/** Begins a user's day; false if it has begun before. */
export async function beginDay(tx: Tx, userId: number, day: string, now: Date): Promise<boolean> {
  // Groups of mails are named by one sequence, whoever makes them.
  return didChange(tx)`
    INSERT INTO follow_up_days (user_id, day, group_id, started_at)
    VALUES (${userId}, ${day}, nextval(pg_get_serial_sequence('outreach_batches', 'id')), ${now})
    ON CONFLICT (user_id, day) DO NOTHING`
}

/** One user's day. */
export type DayKey = Pick<DayRow, 'user_id' | 'day'>

/** Before the first of all days. */
const FIRST_DAY: DayKey = { user_id: 0, day: '' }

/** Takes the next days after one whose mails are still to be written, and that no living worker has; in their order. */
export async function takeOpenDays(
  db: Queryable,
  workerId: string,
  after: DayKey = FIRST_DAY,
  limit: number,
) {
  const rows = await rowsOf<DayRow>(db)`
    UPDATE follow_up_days SET driver_id = ${workerId}
    WHERE (user_id, day) IN (
      SELECT user_id, day FROM follow_up_days
      WHERE finished_at IS NULL AND NOT mail_is_paused(user_id)
        AND (driver_id IS NULL OR driver_id NOT IN (SELECT id FROM workers))
        AND (user_id, day) > (${after.user_id}, ${after.day})
      ORDER BY user_id, day LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING *`
  return rows.toSorted((one, other) => one.user_id - other.user_id || (one.day < other.day ? -1 : 1))
}

/** Lets another worker go on with a day. */
export const leaveDay = (db: Queryable, { user_id, day }: DayRow, workerId: string) => execute(db)`
  UPDATE follow_up_days SET driver_id = NULL
  WHERE user_id = ${user_id} AND day = ${day} AND driver_id = ${workerId}`

export const findDay = (db: Queryable, userId: number, day: string) =>
  rowOf<DayRow>(db)`SELECT * FROM follow_up_days WHERE user_id = ${userId} AND day = ${day}`

export const lockDay = (tx: Tx, { user_id, day }: DayKey) => rowOf<DayRow>(tx)`
  SELECT * FROM follow_up_days WHERE user_id = ${user_id} AND day = ${day} FOR UPDATE`

export async function changeDay(
  db: Queryable,
  { user_id, day }: DayRow,
  changes: Partial<Omit<DayRow, 'user_id' | 'day' | 'skipped'>> & { skipped?: Record<string, number> },
): Promise<void> {
  const { skipped, ...others } = changes
  await db
    .updateTable('follow_up_days')
    .set({
      ...others,
      ...(skipped === undefined ? {} : { skipped: sql`${JSON.stringify(skipped)}::jsonb` }),
    })
    .where('user_id', '=', user_id)
    .where('day', '=', day)
    .execute()
}

export const addDayTokens = (tx: Tx, { user_id, day }: DayRow, tokens: number) => execute(tx)`
  UPDATE follow_up_days SET tokens_used = tokens_used + ${tokens}
  WHERE user_id = ${user_id} AND day = ${day}`

/** The next days after one whose mails are queued and have not all ended. */
export const unsettledDays = (db: Queryable, after: DayKey = FIRST_DAY, limit: number) => rowsOf<DayRow>(db)`
    SELECT * FROM follow_up_days
    WHERE settled_at IS NULL AND finished_at IS NOT NULL AND (user_id, day) > (${after.user_id}, ${after.day})
    ORDER BY user_id, day LIMIT ${limit}`

/** The groups of the user's days of which mails may still leave; the days are locked until the transaction ends. */
export const lockOpenGroups = (tx: Tx, userId: number) => idsOf(tx)`
  SELECT group_id AS id FROM follow_up_days WHERE user_id = ${userId} AND settled_at IS NULL ORDER BY day FOR UPDATE`

/** True if no later day has begun. */
export async function isNewestDay(db: Queryable, { user_id, day }: DayRow): Promise<boolean> {
  return (
    (await rowOf(db)`SELECT FROM follow_up_days WHERE user_id = ${user_id} AND day > ${day}`) === undefined
  )
}

/** A page of a user's days, the newest first. */
export async function listDays(
  db: Queryable,
  userId: number,
  { limit, offset }: { limit: number; offset: number },
) {
  const [rows, total] = await Promise.all([
    rowsOf<DayRow>(db)`
      SELECT * FROM follow_up_days WHERE user_id = ${userId} ORDER BY day DESC LIMIT ${limit} OFFSET ${offset}`,
    numberOf(db)`SELECT count(*)::int AS days FROM follow_up_days WHERE user_id = ${userId}`,
  ])
  return { rows, total }
}

export async function addFollowUps(tx: Tx, rows: readonly Selectable<FollowUpMailsTable>[]): Promise<void> {
  await insertRows(tx, 'follow_up_mails', rows)
}

/** On which days these follow-ups were written. */
export const followUpsAmong = (tx: Tx, userId: number, emailIds: readonly number[]) => rowsOf<{
  emailId: number
  day: string
}>(tx)`
  SELECT email_id AS "emailId", day FROM follow_up_mails
  WHERE user_id = ${userId} AND email_id = ANY(${[...emailIds]}::bigint[])`

/** Follow-ups that have not left, of one contact or of all; but what a person sends again. */
export const waitingFollowUps = (db: Queryable, userId: number, contactId: number | null = null) => idsOf(db)`
  SELECT f.email_id AS id FROM follow_up_mails f JOIN deliveries d ON d.user_id = f.user_id AND d.email_id = f.email_id
  WHERE f.user_id = ${userId} AND f.day IN (SELECT day FROM follow_up_days WHERE user_id = ${userId} AND settled_at IS NULL)
    AND (${contactId}::bigint IS NULL OR f.contact_id = ${contactId})
    AND d.state IN ('queued', 'deferred', 'claimed') AND d.priority = 1 AND d.resends = 0`

/** Keeps what the user decided for a contact: no follow-up before a day; null: never; undefined: as usual. */
export async function saveChoice(
  tx: Tx,
  userId: number,
  contactId: number,
  untilDay: string | null | undefined,
  now: Date,
) {
  await execute(tx)`DELETE FROM follow_up_choices WHERE user_id = ${userId} AND contact_id = ${contactId}`
  if (untilDay === undefined) return
  // Another tab may have chosen at the same moment.
  await execute(tx)`
    INSERT INTO follow_up_choices (user_id, contact_id, until_day, chosen_at)
    VALUES (${userId}, ${contactId}, ${untilDay}, ${now})
    ON CONFLICT (user_id, contact_id) DO UPDATE SET until_day = excluded.until_day, chosen_at = excluded.chosen_at`
}

/** Why a contact got no follow-up that was written for it. */
export const CONTACT_CHANGED = 'The contact replied or changed in the meantime'

/** How things stand are judged by these. */
export type Terms = {
  userId: number
  zone: string
  /** The day of the run, or of the next one. */
  day: string
  maxDays: number
  inPractice: boolean
}

/** A contact, and why it gets no follow-up; else when it does. */
export type Standing = {
  contactId: number
  name: string
  email: string
  key: string
  number: number
  firstSentAt: Date | null
  lastSentAt: Date | null
  dueDay: string | null
  /** The next follow-up was put off by the user. */
  putOff: boolean
  why: LeftOutReason | null
  /** The mail that it follows. */
  parent: {
    id: number
    message_id: string
    in_reply_to: string | null
    reference_ids: string[]
    thread_id: number
    mailbox_id: number
    subject: string
  } | null
}

/**
 * How contacts stand: one place for the run and for the page. The mail that is followed is the newest that has left; an invoice
 * or an answer is not followed. A subquery with LIMIT is asked for each contact: as EXISTS the planner would read all mails of the
 * user once. The follow-ups `own` count as not written yet.
 */
const standings = ({ userId, zone, day, maxDays, inPractice }: Terms, own: readonly number[] = []) => sql`
  SELECT c.id AS "contactId", c.name, c.email, c.email_key AS key, coalesce(k.follow_ups, 0) + 1 AS number,
    k.first_sent_at AS "firstSentAt", k.last_sent_at AS "lastSentAt", due.day::text AS "dueDay",
    coalesce(x.until_day::date = due.day AND x.until_day > ${day}, false) AS "putOff",
    CASE WHEN m.id IS NOT NULL THEN jsonb_build_object('id', m.id, 'message_id', m.message_id, 'in_reply_to', m.in_reply_to,
      'reference_ids', m.reference_ids, 'thread_id', m.thread_id, 'mailbox_id', m.mailbox_id, 'subject', m.subject) END AS parent,
    CASE
      WHEN s.reason IS NOT NULL THEN s.reason
      WHEN k.first_sent_at IS NULL THEN 'never_mailed'
      WHEN k.bounced_at IS NOT NULL THEN 'bounced'
      WHEN k.replied_at IS NOT NULL THEN 'replied'
      WHEN (SELECT true FROM meeting_attendees a JOIN meetings t ON t.user_id = a.user_id AND t.id = a.meeting_id
        WHERE a.user_id = c.user_id AND a.address_key = c.email_key AND t.status <> 'cancelled'
          AND t.end_time >= k.first_sent_at LIMIT 1) THEN 'meeting'
      WHEN x.contact_id IS NOT NULL AND x.until_day IS NULL THEN 'never'
      -- What a sequence has written is followed by the sequence, or not at all.
      WHEN (SELECT true FROM contacts_in_sequences q WHERE q.user_id = c.user_id AND q.contact_id = c.id LIMIT 1)
        OR (SELECT true FROM automatic_mails a WHERE a.user_id = c.user_id AND a.address_key = c.email_key
          AND a.source = 'sequence' AND a.email_id = m.id LIMIT 1) THEN 'sequence'
      WHEN k.follow_ups >= ${FOLLOW_UPS_MAX} THEN 'done'
      WHEN due.day > (k.first_sent_at AT TIME ZONE ${zone}::text)::date + ${maxDays}::int THEN 'too_old'
      WHEN (SELECT true FROM emails e JOIN deliveries d ON d.user_id = e.user_id AND d.email_id = e.id
        WHERE e.user_id = c.user_id AND e.correspondent_key = c.email_key AND e.direction = 'out'
          AND d.state NOT IN ('sent', 'failed') AND e.id <> ALL(${[...own]}::bigint[]) LIMIT 1) THEN 'on_its_way'
      WHEN m.id IS NULL OR NOT m.is_followed THEN 'other_mail'
      WHEN b.id IS NULL THEN 'account'
    END AS why
  FROM contacts c LEFT JOIN correspondents k ON k.user_id = c.user_id AND k.address_key = c.email_key
  LEFT JOIN suppressions s ON s.user_id = c.user_id AND s.address_key = c.email_key
  LEFT JOIN follow_up_choices x ON x.user_id = c.user_id AND x.contact_id = c.id
  LEFT JOIN LATERAL (SELECT max(f.day) AS day FROM follow_up_mails f
    WHERE f.user_id = c.user_id AND f.address_key = c.email_key AND f.email_id <> ALL(${[...own]}::bigint[])) f ON k.replied_at IS NULL
  LEFT JOIN LATERAL (SELECT greatest((k.last_sent_at AT TIME ZONE ${zone}::text)::date + ${SILENT_DAYS}::int,
    f.day::date + ${SILENT_DAYS}::int, x.until_day::date, ${day}::date) AS day) due ON true
  LEFT JOIN LATERAL (SELECT e.id, e.message_id, e.in_reply_to, e.reference_ids, e.thread_id, e.mailbox_id, e.subject,
      coalesce(e.purpose IN ('compose', 'outreach', 'follow_up'), e.in_reply_to IS NULL) AS is_followed
    FROM emails e WHERE e.user_id = c.user_id AND e.correspondent_key = c.email_key AND e.direction = 'out'
      AND e.folder NOT IN ('drafts', 'scheduled', 'deleted')
      AND NOT EXISTS (SELECT FROM deliveries d WHERE d.user_id = e.user_id AND d.email_id = e.id AND d.state <> 'sent')
    ORDER BY e.occurred_at DESC LIMIT 1) m ON k.replied_at IS NULL AND k.bounced_at IS NULL AND k.first_sent_at IS NOT NULL
  LEFT JOIN mailboxes b ON b.user_id = c.user_id AND b.id = m.mailbox_id AND b.disconnected_at IS NULL
    AND b.is_practice = ${inPractice}
  WHERE c.user_id = ${userId}`

/** How far a day's run has looked. */
export type Place = { firstAt: Date; key: string }

/**
 * The next contacts of a day's run, by their first mail. Only `looked` of those who are silent within the window are looked at,
 * however many there are; `next` is the last one of them, or of the `most` that are given back; null: there are no more.
 */
export async function contactsToFollow(
  db: Queryable,
  terms: Terms,
  window: { firstFrom: Date; silentBefore: Date; after: Place | null; looked: number; most: number },
): Promise<{ people: Standing[]; next: Place | null }> {
  const { after } = window
  const { rows: silent } = await sql<Place>`
    SELECT first_sent_at AS "firstAt", address_key AS key FROM correspondents
    WHERE user_id = ${terms.userId} AND replied_at IS NULL AND bounced_at IS NULL AND first_sent_at IS NOT NULL
      AND first_sent_at >= ${window.firstFrom} AND last_sent_at < ${window.silentBefore}
      AND follow_ups < ${FOLLOW_UPS_MAX}
      AND (first_sent_at, address_key) > (${after?.firstAt ?? new Date(0)}::timestamptz, ${after?.key ?? ''})
    ORDER BY first_sent_at, address_key LIMIT ${window.looked}`.execute(db)
  const last = silent.at(-1)
  if (last === undefined) return { people: [], next: null }
  const rows = await rowsOf<Standing>(db)`
    SELECT * FROM (${standings(terms)} AND c.email_key = ANY(${silent.map(({ key }) => key)}::text[])) each_one
    WHERE why IS NULL AND "dueDay" <= ${terms.day}
    ORDER BY "firstSentAt", key LIMIT ${window.most + 1}`
  const people = rows.slice(0, window.most)
  const cut = people.at(-1)
  const isCut = rows.length > window.most && cut !== undefined && cut.firstSentAt !== null
  return { people, next: isCut ? { firstAt: cut.firstSentAt ?? last.firstAt, key: cut.key } : last }
}

/** How these contacts stand now; as if the follow-ups `own` were not written. */
export async function standingsOf(
  db: Queryable,
  terms: Terms,
  contactIds: readonly number[],
  own: readonly number[] = [],
) {
  const rows = await rowsOf<Standing>(db)`
    ${standings(terms, own)} AND c.id = ANY(${[...contactIds]}::bigint[])`
  return new Map(rows.map((row) => [row.contactId, row]))
}

/** Whether a contact gets a follow-up by a day. */
export const isDue = (standing: Standing | undefined, day: string): boolean =>
  standing?.why === null && standing.dueDay !== null && standing.dueDay <= day

export type StandingCount = { why: LeftOutReason | null; contacts: number }

/** How many contacts get a follow-up (null), and how many do not, by reason. */
export const countStandings = (db: Queryable, terms: Terms) => rowsOf<StandingCount>(db)`
  SELECT why, count(*) AS contacts FROM (${standings(terms)}) each_one GROUP BY why`

/** Without these nobody gets one; an index knows who fulfils them, so that the others need not be looked at. */
const couldGetOne = ({ zone, day, maxDays }: Terms) => sql`
  AND k.replied_at IS NULL AND k.bounced_at IS NULL AND k.first_sent_at IS NOT NULL AND k.follow_ups < ${FOLLOW_UPS_MAX}
  AND k.first_sent_at >= ${startOf(daysLater(day, -maxDays), zone)}`

/** A page of those who get a follow-up (null), the next first, or of those who do not for a reason, by name. */
export async function listStandings(
  db: Queryable,
  terms: Terms,
  why: LeftOutReason | null,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: Standing[]; total: number }> {
  const rows = await rowsOf<Standing & { total: number }>(db)`
    SELECT *, count(*) OVER () AS total FROM (${standings(terms)} ${why === null ? couldGetOne(terms) : sql``}) each_one
    WHERE why IS NOT DISTINCT FROM ${why}::text
    ORDER BY "dueDay", lower(name), key LIMIT ${limit} OFFSET ${offset}`
  return { rows, total: rows[0]?.total ?? 0 }
}
