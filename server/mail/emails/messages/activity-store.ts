import { sql } from 'kysely'
import { anyUser } from '../../../platform/database/any-user.ts'
import type { Queryable, Tx } from '../../../platform/database/handles.ts'
import { numberOf } from '../../../platform/database/rows.ts'

/** The dashboard shows nothing older: importing years of old mail counts nothing. */
const COUNTED_MS = 100 * 24 * 3_600_000
/** The most unread mails that are searched for replies. */
const UNREAD_LOOKED_AT = 1000

/** A mail that the dashboard counts, and its time. */
export type ActivityEvent = { what: 'sent' | 'reply'; at: Date }

/** Counts mails read from an account: those sent by other programs, and replies. One statement per chunk. */
export async function noteActivity(
  tx: Tx,
  userId: number,
  events: readonly ActivityEvent[],
  now: Date,
): Promise<void> {
  const fresh = events.filter(({ at }) => at.getTime() > now.getTime() - COUNTED_MS)
  if (fresh.length === 0) return
  const of = (what: ActivityEvent['what']) =>
    sql`quarters_of(array_agg(h.at) FILTER (WHERE h.what = ${what}))`
  await sql`
    INSERT INTO mail_activity AS a (user_id, at, source, sent, replies)
    SELECT ${userId}::bigint, date_bin('1 hour', h.at, 'epoch'), 'read', ${of('sent')}, ${of('reply')}
    FROM unnest(${fresh.map(({ what }) => what)}::text[], ${fresh.map(({ at }) => at)}::timestamptz[]) AS h(what, at)
    GROUP BY 2 ORDER BY 2
    ON CONFLICT (user_id, at, source) DO UPDATE SET sent = plus_quarters(a.sent, excluded.sent),
      replies = plus_quarters(a.replies, excluded.replies)`.execute(tx)
}

/** Subtracts mails that were removed from the counts. */
export async function subtractActivity(
  tx: Tx,
  userId: number,
  source: 'left' | 'read',
  events: readonly ActivityEvent[],
): Promise<void> {
  if (events.length === 0) return
  const of = (what: ActivityEvent['what']) =>
    sql`quarters_of(array_agg(h.at) FILTER (WHERE h.what = ${what}))`
  await sql`
    UPDATE mail_activity a SET sent = minus_quarters(a.sent, g.sent), replies = minus_quarters(a.replies, g.replies)
    FROM (
      SELECT date_bin('1 hour', h.at, 'epoch') AS hour, ${of('sent')} AS sent, ${of('reply')} AS replies
      FROM unnest(${events.map(({ what }) => what)}::text[], ${events.map(({ at }) => at)}::timestamptz[]) AS h(what, at)
      GROUP BY 1
    ) g
    WHERE a.user_id = ${userId} AND a.source = ${source} AND a.at = g.hour`.execute(tx)
}

export type MailActivity = { sent: number; replies: number }

/** Sent mails and replies between each two consecutive bounds, which are multiples of a quarter of an hour. */
export async function mailActivity(
  db: Queryable,
  userId: number,
  bounds: readonly Date[],
): Promise<MailActivity[]> {
  const [first = new Date(0), last = first] = [bounds[0], bounds.at(-1)]
  const split = bounds.filter((bound) => bound.getTime() % HOUR_MS !== 0)
  const [{ rows: sums }, { rows: hours }] = await Promise.all([
    sql<MailActivity & { bucket: number }>`
      SELECT width_bucket(at, ${[...bounds]}::timestamptz[]) AS bucket, sum(sent[1] + sent[2] + sent[3] + sent[4]) AS sent,
        sum(replies[1] + replies[2] + replies[3] + replies[4]) AS replies
      FROM mail_activity WHERE user_id = ${anyUser(userId)} AND at >= ${hourOf(first)} AND at < ${last}
      GROUP BY 1`.execute(db),
    split.length === 0
      ? { rows: [] }
      : sql<Hour>`
          SELECT at, sent, replies FROM mail_activity
          WHERE user_id = ${anyUser(userId)} AND at = ANY(${split.map(hourOf)}::timestamptz[])`.execute(db),
  ])
  // Bucket 0 is before the first bound: what its hour counts after the bound is moved from there.
  const days = bounds.map(() => ({ sent: 0, replies: 0 }))
  for (const { bucket, sent, replies } of sums) days[bucket] = { sent, replies }
  return moveAcrossBounds(days, hours, split, bounds).slice(1)
}

const HOUR_MS = 3_600_000
const QUARTER_MS = HOUR_MS / 4
type Hour = { at: Date; sent: number[]; replies: number[] }

const hourOf = (at: Date) => new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS)

/** An hour that a bound splits was counted before the bound as a whole; its later quarters belong after it. */
function moveAcrossBounds(
  days: MailActivity[],
  hours: readonly Hour[],
  split: readonly Date[],
  bounds: readonly Date[],
): MailActivity[] {
  for (const bound of split) {
    const bucket = bounds.indexOf(bound)
    const hour = hourOf(bound).getTime()
    const quarter = (bound.getTime() - hour) / QUARTER_MS
    for (const { sent, replies } of hours.filter(({ at }) => at.getTime() === hour)) {
      const moved = { sent: sumOf(sent.slice(quarter)), replies: sumOf(replies.slice(quarter)) }
      for (const [day, sign] of [
        [days[bucket], -1],
        [days[bucket + 1], 1],
      ] as const) {
        if (day === undefined) continue
        day.sent += sign * moved.sent
        day.replies += sign * moved.replies
      }
    }
  }
  return days
}

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)

/** Counts the replies among the newest unread mails of the inbox. */
export async function countUnreadReplies(db: Queryable, userId: number): Promise<number> {
  return numberOf(db)`
    SELECT count(*) FILTER (WHERE intent <> 'out_of_office') AS replies FROM (
      SELECT intent FROM emails WHERE user_id = ${anyUser(userId)} AND folder = 'inbox' AND NOT is_read
      ORDER BY occurred_at DESC, id DESC LIMIT ${UNREAD_LOOKED_AT}) newest`
}
