import { type Selectable, sql } from 'kysely'
import { anyUser } from '../../platform/database/any-user.ts'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { execute, hasRows, idsOf, numberOf, onlyRowOf, rowOf, rowsOf } from '../../platform/database/rows.ts'
import type { DeliveryState } from '../../mail/emails/emails.ts'
import { type Figures, RECIPIENT_DOMAINS_MIN } from './figures.ts'
import type { AutomaticMailsTable, AutomaticMailStopsTable, SendingRulesTable } from './tables.ts'

export type Source = AutomaticMailsTable['source']

/** All that decides when an account of a user may send automatic mail; `mails` is null of one that never had to stop. */
export type AccountRow = {
  timeZone: string | null
  isPaused: boolean
  days: number[] | null
  fromHour: number
  untilHour: number
  address: string
  hourlyLimit: number | null
  isPractice: boolean
  warmUpFrom: Date | null
  mails: number | null
} & Omit<Selectable<AutomaticMailStopsTable>, 'user_id' | 'mailbox_id' | 'mails'>

export const findAccount = (db: Queryable, userId: number, mailboxId: number) => rowOf<AccountRow>(db)`
  SELECT u.time_zone AS "timeZone", mail_is_paused(u.id) AS "isPaused", r.days, r.from_hour AS "fromHour",
    r.until_hour AS "untilHour", m.address, m.hourly_limit AS "hourlyLimit", m.is_practice AS "isPractice",
    m.warm_up_from AS "warmUpFrom", s.stopped_at, s.mails, s.bounces, s.complaints, s.counted_from,
    s.counted_day::text AS counted_day, s.counted_mails
  FROM users u JOIN mailboxes m ON m.user_id = u.id
  LEFT JOIN sending_rules r ON r.user_id = u.id
  LEFT JOIN automatic_mail_stops s ON s.user_id = u.id AND s.mailbox_id = m.id
  WHERE u.id = ${userId} AND m.id = ${mailboxId}`

/** How many mails an account has reserved: today, from a day on, and on how many days since its warm-up began. */
export type DayCounts = { today: number; since: number; daysSent: number }

export const countDays = (
  db: Queryable,
  userId: number,
  mailboxId: number,
  { today, since, warmUpDay }: { today: string; since: string; warmUpDay: string | null },
) => onlyRowOf<DayCounts>(db)`
  SELECT coalesce(sum(mails) FILTER (WHERE local_day = ${today}::date), 0)::int AS today,
    coalesce(sum(mails) FILTER (WHERE local_day >= ${since}::date), 0)::int AS since,
    (count(*) FILTER (WHERE local_day >= ${warmUpDay}::date AND local_day < ${today}::date AND mails > 0))::int AS "daysSent"
  FROM automatic_mail_days WHERE user_id = ${userId} AND mailbox_id = ${mailboxId}`

/** Locks the account's day until the transaction ends, so that no two reservations share what is left of its ceiling. */
export const lockDay = (tx: Tx, userId: number, mailboxId: number, day: string) => execute(tx)`
  INSERT INTO automatic_mail_days AS d (user_id, mailbox_id, local_day, mails)
  VALUES (${userId}, ${mailboxId}, ${day}::date, 0)
  ON CONFLICT (user_id, mailbox_id, local_day) DO UPDATE SET mails = d.mails`

/** Those of these addresses that have had a mail on a day, or are to get one. A mail that was refused for good is none. */
export async function mailedOn(db: Queryable, userId: number, day: string, keys: readonly string[]) {
  if (keys.length === 0) return new Set<string>()
  const rows = await rowsOf<{ key: string }>(db)`
    SELECT a.address_key AS key FROM automatic_mails a
    WHERE a.user_id = ${anyUser(userId)} AND a.address_key = ANY(${[...keys]}::text[]) AND a.local_day = ${day}::date
      AND NOT EXISTS (SELECT FROM deliveries d WHERE d.user_id = a.user_id AND d.email_id = a.email_id AND d.state = 'failed')`
  return new Set(rows.map(({ key }) => key))
}

export type NewReservation = { contactId: number; key: string }

/**
 * Reserves a day for each of these addresses, and counts them on the account's day.
 *
 * @returns the contacts for which it is reserved; the others' day is taken
 */
export async function addReservations(
  tx: Tx,
  of: { userId: number; mailboxId: number; source: Source; day: string; now: Date },
  entries: readonly NewReservation[],
): Promise<Set<number>> {
  if (entries.length === 0) return new Set()
  // In the order of the key: two transactions that reserve the same addresses wait for each other, never in a circle.
  const sorted = [...entries].sort((one, other) => (one.key < other.key ? -1 : 1))
  return new Set(
    await idsOf(tx)`
    WITH reserved AS (
      INSERT INTO automatic_mails AS a (user_id, address_key, local_day, contact_id, mailbox_id, source, email_id, reserved_at)
      SELECT ${of.userId}, e.key, ${of.day}::date, e.contact_id, ${of.mailboxId}, ${of.source}, NULL, ${of.now}
      FROM unnest(${sorted.map(({ key }) => key)}::text[], ${sorted.map(({ contactId }) => contactId)}::bigint[])
        AS e(key, contact_id)
      ON CONFLICT (user_id, address_key, local_day) DO UPDATE
        SET contact_id = excluded.contact_id, mailbox_id = excluded.mailbox_id, source = excluded.source,
          email_id = NULL, reserved_at = excluded.reserved_at
        WHERE EXISTS (SELECT FROM deliveries d
          WHERE d.user_id = a.user_id AND d.email_id = a.email_id AND d.state = 'failed')
      RETURNING a.contact_id
    ), counted AS (
      UPDATE automatic_mail_days SET mails = mails + (SELECT count(*) FROM reserved)
      WHERE user_id = ${of.userId} AND mailbox_id = ${of.mailboxId} AND local_day = ${of.day}::date
    )
    SELECT contact_id AS id FROM reserved`,
  )
}

/** Writes the mails of reservations beside them. */
export async function setEmails(
  tx: Tx,
  userId: number,
  source: Source,
  entries: readonly { contactId: number; emailId: number }[],
): Promise<void> {
  if (entries.length === 0) return
  const emailOf = JSON.stringify(Object.fromEntries(entries.map((entry) => [entry.contactId, entry.emailId])))
  // No join: for rows that statistics know nothing of yet, the planner would compare each with each.
  await execute(tx)`
    UPDATE automatic_mails SET email_id = (${emailOf}::jsonb ->> contact_id::text)::bigint
    WHERE user_id = ${anyUser(userId)} AND contact_id = ANY(${entries.map(({ contactId }) => contactId)}::bigint[])
      AND email_id IS NULL AND source = ${source}`
}

/** An automatic mail that is about to leave. */
export type ClaimedMail = {
  emailId: number
  source: Source
  groupId: number
  contactId: number
  /** The address that it goes to. */
  key: string
  /** Its day in the ledger. */
  day: string
  /** A far server has put it off before. */
  wasPutOff: boolean
  /** Howl does not know whether it has left before. */
  mayHaveLeft: boolean
}

/** Those of these claimed mails that are automatic. */
export const claimedAmong = (
  db: Queryable,
  userId: number,
  emailIds: readonly number[],
) => rowsOf<ClaimedMail>(db)`
  SELECT a.email_id AS "emailId", a.source, d.group_id AS "groupId", a.contact_id AS "contactId", a.address_key AS key,
    a.local_day::text AS day, d.reason IS NOT NULL AS "wasPutOff", d.resends > 0 AS "mayHaveLeft"
  -- Looked up one by one: without statistics the planner joins every row with every other.
  FROM unnest(${[...emailIds]}::bigint[]) AS asked(id)
  CROSS JOIN LATERAL (SELECT * FROM automatic_mails WHERE user_id = ${userId} AND email_id = asked.id OFFSET 0) a
  CROSS JOIN LATERAL (SELECT * FROM deliveries WHERE user_id = ${userId} AND email_id = asked.id OFFSET 0) d
  WHERE d.group_id IS NOT NULL ORDER BY a.email_id`

/**
 * Lets mails that have waited over midnight count on the day on which they leave.
 *
 * @returns those whose address has another mail that day: they must not leave on it
 */
export async function moveReservations(
  tx: Tx,
  userId: number,
  emailIds: readonly number[],
  day: string,
): Promise<number[]> {
  if (emailIds.length === 0) return []
  const isEarlier = sql`a.user_id = ${userId} AND a.email_id = ANY(${[...emailIds]}::bigint[]) AND a.local_day < ${day}::date`
  const free = sql`
    SELECT DISTINCT ON (a.address_key) a.address_key, a.local_day, a.mailbox_id FROM automatic_mails a
    WHERE ${isEarlier} AND NOT EXISTS (SELECT FROM automatic_mails o
      WHERE o.user_id = a.user_id AND o.address_key = a.address_key AND o.local_day = ${day}::date)
    ORDER BY a.address_key, a.local_day DESC`
  const accounts = await sql<{ id: number }>`
    SELECT DISTINCT mailbox_id AS id FROM (${free}) free ORDER BY 1`.execute(tx)
  // Reserving mails locks the day before the mails, too.
  for (const { id } of accounts.rows) await lockDay(tx, userId, id, day)
  await execute(tx)`
    WITH free AS (${free}), moved AS (
      UPDATE automatic_mails a SET local_day = ${day}::date FROM free f
      WHERE a.user_id = ${userId} AND a.address_key = f.address_key AND a.local_day = f.local_day
      RETURNING f.mailbox_id, f.local_day
    ), left_days AS (
      UPDATE automatic_mail_days d SET mails = d.mails - m.mails
      FROM (SELECT mailbox_id, local_day, count(*) AS mails FROM moved GROUP BY 1, 2) m
      WHERE d.user_id = ${userId} AND d.mailbox_id = m.mailbox_id AND d.local_day = m.local_day
    )
    INSERT INTO automatic_mail_days AS d (user_id, mailbox_id, local_day, mails)
    SELECT ${userId}, mailbox_id, ${day}::date, count(*) FROM moved GROUP BY mailbox_id
    ON CONFLICT (user_id, mailbox_id, local_day) DO UPDATE SET mails = d.mails + excluded.mails`
  return idsOf(tx)`SELECT a.email_id AS id FROM automatic_mails a WHERE ${isEarlier} ORDER BY 1`
}

/** How many mails of a group wait to leave and count on a day before this one. */
export const countOfEarlierDays = (db: Queryable, userId: number, groupId: number, day: string) => numberOf(
  db,
)`
  SELECT count(*)::int AS mails FROM deliveries d JOIN automatic_mails a ON a.user_id = d.user_id AND a.email_id = d.email_id
  WHERE d.user_id = ${userId} AND d.group_id = ${groupId} AND d.state IN ('queued', 'deferred') AND a.local_day < ${day}::date`

/** An automatic mail that failed or was put off, and its recipient today. */
export type MailToResend = {
  mailboxId: number
  source: Source
  key: string
  /** The contact with this address; null: there is none any more. */
  contactId: number | null
  /** True if they have replied since and a reply stops this mail. */
  hasReplied: boolean
}

export const mailToResend = (db: Queryable, userId: number, emailId: number) => rowOf<MailToResend>(db)`
  SELECT e.mailbox_id AS "mailboxId", e.correspondent_key AS key, c.id AS "contactId",
    CASE WHEN s.id IS NOT NULL THEN 'sequence' WHEN e.purpose = 'follow_up' THEN 'follow_up' ELSE 'run' END AS source,
    coalesce(s.stops_at_reply, true) AND k.replied_at IS NOT NULL
      AND (e.purpose = 'follow_up' OR greatest(k.replied_at, k.last_received_at) >= e.created_at) AS "hasReplied"
  FROM emails e
  LEFT JOIN sequence_mails w ON w.user_id = e.user_id AND w.email_id = e.id
  LEFT JOIN sequence_members m ON m.user_id = w.user_id AND m.id = w.member_id
  LEFT JOIN sequences s ON s.user_id = m.user_id AND s.id = m.sequence_id
  LEFT JOIN contacts c ON c.user_id = e.user_id AND c.email_key = e.correspondent_key
  LEFT JOIN correspondents k ON k.user_id = e.user_id AND k.address_key = e.correspondent_key
  WHERE e.user_id = ${userId} AND e.id = ${emailId} AND e.mailbox_id IS NOT NULL`

/** Removes the reservations of a mail on other days than this one. */
export const releaseOtherDays = (tx: Tx, userId: number, emailId: number, day: string) => execute(tx)`
  WITH released AS (
    DELETE FROM automatic_mails WHERE user_id = ${userId} AND email_id = ${emailId} AND local_day <> ${day}::date
    RETURNING mailbox_id, local_day
  )
  UPDATE automatic_mail_days d SET mails = d.mails - 1 FROM released r
  WHERE d.user_id = ${userId} AND d.mailbox_id = r.mailbox_id AND d.local_day = r.local_day`

export const hasReservation = (tx: Tx, userId: number, emailId: number, day: string) => hasRows(tx)`
  SELECT FROM automatic_mails WHERE user_id = ${userId} AND email_id = ${emailId} AND local_day = ${day}::date`

/**
 * Automatic mails of an account since an instant that came back or were reported as spam. Recipients can say so of themselves
 * without proof: of such reports only bounces count, and only if they are about several domains.
 */
export async function countFailures(db: Queryable, userId: number, mailboxId: number, since: Date) {
  return (
    (await rowOf<Pick<Figures, 'bounces' | 'complaints'>>(db)`
    SELECT (count(*) FILTER (WHERE f.kind <> 'complaint' AND f.is_certain)
        + CASE WHEN count(DISTINCT owner_domain(f.address_key)) FILTER (WHERE f.kind <> 'complaint') >= ${RECIPIENT_DOMAINS_MIN}
            THEN count(*) FILTER (WHERE f.kind <> 'complaint' AND NOT f.is_certain) ELSE 0 END)::int AS bounces,
      (count(*) FILTER (WHERE f.kind = 'complaint' AND f.is_certain))::int AS complaints
    FROM failed_addresses f
    WHERE f.user_id = ${userId} AND f.at >= ${since} AND EXISTS (
      SELECT FROM automatic_mails a WHERE a.user_id = f.user_id AND a.address_key = f.address_key
        AND a.mailbox_id = ${mailboxId} AND a.reserved_at >= ${since} AND a.reserved_at <= f.at)`) ?? {
      bounces: 0,
      complaints: 0,
    }
  )
}

/** Mails of follow-ups and sequences of a user that are written and have not left, the next first. */
export const queuedMails = (db: Queryable, userId: number, limit: number) => rowsOf<{
  emailId: number
  source: Exclude<Source, 'run'>
  mailboxId: number
  contact_id: number | null
  name: string
  email: string
  due: Date
  isHeld: boolean
}>(db)`
  SELECT d.email_id AS "emailId", a.source, d.mailbox_id AS "mailboxId", c.id AS contact_id, coalesce(c.name, '') AS name,
    coalesce(c.email, a.address_key) AS email, d.next_try_at AS due, d.state = 'held' AS "isHeld"
  FROM deliveries d JOIN automatic_mails a ON a.user_id = d.user_id AND a.email_id = d.email_id
  LEFT JOIN contacts c ON c.user_id = a.user_id AND c.id = a.contact_id
  WHERE d.user_id = ${userId} AND d.queue IN ('due', 'held') AND d.state <> 'sent' AND a.source <> 'run'
  ORDER BY "isHeld", due, d.email_id LIMIT ${limit}`

/** Automatic mails of an account that have not left. */
export const countUnsent = (db: Queryable, userId: number, mailboxId: number) => numberOf(db)`
  SELECT count(*)::int AS unsent FROM deliveries d JOIN automatic_mails a ON a.user_id = d.user_id AND a.email_id = d.email_id
  WHERE d.user_id = ${anyUser(userId)} AND d.mailbox_id = ${mailboxId} AND d.queue IN ('due', 'held')`

/** Notes that an account stands still. */
export async function addStop(db: Queryable, userId: number, mailboxId: number, figures: Figures, now: Date) {
  const { mails, bounces, complaints } = figures
  await execute(db)`
    INSERT INTO automatic_mail_stops (user_id, mailbox_id, stopped_at, mails, bounces, complaints)
    VALUES (${userId}, ${mailboxId}, ${now}, ${mails}, ${bounces}, ${complaints})
    ON CONFLICT (user_id, mailbox_id) DO UPDATE SET stopped_at = excluded.stopped_at, mails = excluded.mails,
      bounces = excluded.bounces, complaints = excluded.complaints
    WHERE automatic_mail_stops.stopped_at IS NULL`
}

/**
 * Ends a stop; what is counted from now on begins at nothing. Mails that have waited count as if reserved now: what becomes
 * of them comes after it. False if the account did not stand still.
 */
export async function endStop(tx: Tx, userId: number, mailboxId: number, now: Date, today: string) {
  const rows = await rowsOf<unknown>(tx)`
    WITH ended AS (
      UPDATE automatic_mail_stops s SET stopped_at = NULL, counted_from = ${now}, counted_day = ${today}::date
      WHERE s.user_id = ${userId} AND s.mailbox_id = ${mailboxId} AND s.stopped_at IS NOT NULL
      RETURNING 1
    ), unsent AS (
      UPDATE automatic_mails a SET reserved_at = ${now} FROM deliveries d
      WHERE EXISTS (SELECT FROM ended) AND d.user_id = ${userId} AND d.mailbox_id = ${mailboxId}
        AND d.queue IN ('due', 'held') AND a.user_id = d.user_id AND a.email_id = d.email_id
    )
    SELECT FROM ended`
  if (rows.length === 0) return false
  await execute(tx)`
    UPDATE automatic_mail_stops s SET counted_mails = coalesce((SELECT mails FROM automatic_mail_days d
        WHERE d.user_id = s.user_id AND d.mailbox_id = s.mailbox_id AND d.local_day = ${today}::date), 0)
      - (SELECT count(*) FROM deliveries d JOIN automatic_mails a ON a.user_id = d.user_id AND a.email_id = d.email_id
        WHERE d.user_id = s.user_id AND d.mailbox_id = s.mailbox_id AND d.queue IN ('due', 'held')
          AND a.local_day = ${today}::date)
    WHERE s.user_id = ${userId} AND s.mailbox_id = ${mailboxId}`
  return true
}

export const findRules = (db: Queryable, userId: number) =>
  rowOf<Selectable<SendingRulesTable>>(db)`SELECT * FROM sending_rules WHERE user_id = ${userId}`

/** Saves the rules; null removes them. */
export async function setRules(
  db: Queryable,
  userId: number,
  rules: Omit<Selectable<SendingRulesTable>, 'user_id'> | null,
): Promise<void> {
  if (rules === null) {
    await execute(db)`DELETE FROM sending_rules WHERE user_id = ${userId}`
    return
  }
  await db
    .insertInto('sending_rules')
    .values({ ...rules, user_id: userId })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(rules))
    .execute()
}

/** Treats an account as new since an instant; null: it is not. What is on already stays as it began. */
export const setWarmUp = (db: Queryable, userId: number, mailboxId: number, from: Date | null) => execute(db)`
  UPDATE mailboxes SET warm_up_from = ${from}
  WHERE user_id = ${userId} AND id = ${mailboxId} AND (warm_up_from IS NULL) <> (${from}::timestamptz IS NULL)`

/** The last automatic mail to an address, and how its delivery stands; null where the mail itself is gone. */
export type LastReservation = {
  source: Source
  day: string
  at: Date
  emailId: number | null
  state: DeliveryState | null
}

export async function lastReservation(db: Queryable, userId: number, key: string) {
  const row = await rowOf<LastReservation>(db)`
    SELECT a.source, a.local_day::text AS day, coalesce(d.settled_at, a.reserved_at) AS at, e.id AS "emailId", d.state
    FROM automatic_mails a
    LEFT JOIN emails e ON e.user_id = a.user_id AND e.id = a.email_id AND e.folder <> 'deleted'
    LEFT JOIN deliveries d ON d.user_id = a.user_id AND d.email_id = a.email_id
    WHERE a.user_id = ${userId} AND a.address_key = ${key} ORDER BY a.local_day DESC LIMIT 1`
  return row ?? null
}
