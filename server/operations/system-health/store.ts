import { sql } from 'kysely'
import type { Queryable } from '../../platform/database/handles.ts'
import { numberOf, rowsOf } from '../../platform/database/rows.ts'

async function first<Row>(query: Promise<{ rows: Row[] }>): Promise<Row> {
  const { rows } = await query
  const row = rows[0]
  if (row === undefined) throw new Error('A count had no row')
  return row
}

/** The server's own figures. Its transactions are measured by its own clock: nobody else knows when they began. */
export async function databaseFigures(db: Queryable) {
  return first(
    sql<{
      version: string
      bytes: number
      connections: number
      connections_max: number
      oldest_transaction: number | null
      now: Date
    }>`
      SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS bytes,
        count(*) FILTER (WHERE backend_type = 'client backend')::int AS connections,
        current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS connections_max,
        max(extract(epoch FROM clock_timestamp() - xact_start)) FILTER (
          WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
        )::float8 AS oldest_transaction,
        clock_timestamp() AS now
      FROM pg_stat_activity`.execute(db),
  )
}

export type WorkerRow = {
  id: string
  heartbeat_at: Date
  is_worker: boolean
  round_at: Date | null
  failing_loops: string[]
}

export async function workers(db: Queryable): Promise<WorkerRow[]> {
  return db
    .selectFrom('workers')
    .select(['id', 'heartbeat_at', 'is_worker', 'round_at', 'failing_loops'])
    .orderBy('started_at')
    .limit(100)
    .execute()
}

/** Mails that wait to be sent; those of mailboxes that nothing holds back are `due`. */
export async function outgoingMail(db: Queryable, now: Date) {
  return first(
    sql<{ waiting: number; due: number; oldest: Date | null; unsure: number }>`
      SELECT count(*) FILTER (WHERE d.queue = 'due')::int AS waiting,
        count(*) FILTER (WHERE d.queue = 'due' AND d.next_try_at <= ${now} AND is_free)::int AS due,
        min(d.next_try_at) FILTER (WHERE d.queue = 'due' AND d.next_try_at <= ${now} AND is_free) AS oldest,
        count(*) FILTER (WHERE d.queue = 'unsure')::int AS unsure
      FROM deliveries d
      JOIN (
        SELECT m.user_id, m.id, (m.send_pause_until IS NULL OR m.send_pause_until <= ${now})
          AND m.hourly_limit IS NULL AND m.disconnected_at IS NULL AND u.is_active AND u.deleted_at IS NULL
          AND u.mail_paused_at IS NULL AS is_free
        FROM mailboxes m JOIN users u ON u.id = m.user_id
      ) box ON box.user_id = d.user_id AND box.id = d.mailbox_id
      WHERE d.queue IN ('due', 'unsure')`.execute(db),
  )
}

export type MailboxTrouble = {
  mailboxes: number
  sending: number
  reading: number
  /** The oldest mail that a mailbox in trouble still has to send. */
  since: Date | null
  unread_since: Date | null
}

/** Mailboxes of live users, and how many of them can neither send nor be read. Nothing of their content is looked at. */
export async function mailboxTrouble(db: Queryable, now: Date): Promise<MailboxTrouble> {
  return first(
    sql<MailboxTrouble>`
      WITH boxes AS (
        SELECT m.user_id, m.id, m.send_pause_until > ${now} AND m.last_error IS NOT NULL AS no_sending,
          m.imap_host <> '' AND m.read_failures >= 3 AS no_reading
        FROM mailboxes m JOIN users u ON u.id = m.user_id
        WHERE NOT m.is_practice AND NOT m.is_system AND m.disconnected_at IS NULL AND u.deleted_at IS NULL AND u.is_active
      )
      SELECT count(*)::int AS mailboxes, count(*) FILTER (WHERE no_sending)::int AS sending,
        count(*) FILTER (WHERE no_reading)::int AS reading,
        (SELECT min(e.created_at) FROM boxes b JOIN deliveries d ON d.user_id = b.user_id AND d.mailbox_id = b.id
          JOIN emails e ON e.user_id = d.user_id AND e.id = d.email_id
          WHERE b.no_sending AND d.queue = 'due') AS since,
        (SELECT min(last) FROM (SELECT max(f.last_read_at) AS last FROM boxes b
          JOIN mailbox_folders f ON f.user_id = b.user_id AND f.mailbox_id = b.id
          WHERE b.no_reading GROUP BY b.user_id, b.id) reads) AS unread_since
      FROM boxes`.execute(db),
  )
}

/** The servers that most mailboxes in trouble are at. */
export async function hostsInTrouble(db: Queryable, now: Date, limit: number) {
  return rowsOf<{ host: string; mailboxes: number; kind: string }>(db)`
    SELECT host, kind, count(*)::int AS mailboxes FROM (
      SELECT m.smtp_host AS host, 'send' AS kind FROM mailboxes m JOIN users u ON u.id = m.user_id
      WHERE m.send_pause_until > ${now} AND m.last_error IS NOT NULL AND NOT m.is_practice AND NOT m.is_system
        AND m.disconnected_at IS NULL AND u.deleted_at IS NULL AND u.is_active
      UNION ALL
      SELECT m.imap_host, 'read' FROM mailboxes m JOIN users u ON u.id = m.user_id
      WHERE m.read_failures >= 3 AND m.imap_host <> '' AND NOT m.is_practice AND NOT m.is_system
        AND m.disconnected_at IS NULL AND u.deleted_at IS NULL AND u.is_active
    ) each GROUP BY 1, 2 ORDER BY 3 DESC, 1 LIMIT ${limit}`
}

/** The outbox of mails from Howl itself. */
export async function systemMails(db: Queryable, since: Date) {
  return first(
    sql<{ waiting: number; oldest: Date | null; failed: number; reason: string | null }>`
      SELECT count(*) FILTER (WHERE state IN ('waiting', 'sending'))::int AS waiting,
        min(created_at) FILTER (WHERE state IN ('waiting', 'sending')) AS oldest,
        count(*) FILTER (WHERE state = 'failed' AND settled_at > ${since})::int AS failed,
        (array_agg(reason ORDER BY settled_at DESC) FILTER (WHERE state = 'failed' AND settled_at > ${since}))[1] AS reason
      FROM system_mails`.execute(db),
  )
}

/** The domains that most mailboxes send from. */
export async function sendingDomains(db: Queryable, limit: number) {
  return rowsOf<{ domain: string; mailboxes: number }>(db)`
    SELECT lower(split_part(m.address, '@', 2)) AS domain, count(*)::int AS mailboxes
    FROM mailboxes m JOIN users u ON u.id = m.user_id
    WHERE NOT m.is_practice AND m.disconnected_at IS NULL AND m.address LIKE '%@%' AND u.deleted_at IS NULL
      AND (u.is_active OR u.is_system) AND m.smtp_host <> ''
    GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${limit}`
}

/** The newest mails in inboxes that are looked through for one of a domain. */
const LOOKED_THROUGH = 500

/** Stored bytes of mails that came from a domain to people of the same domain: their signature names the selector. */
export async function mailsWithin(db: Queryable, domain: string, limit: number): Promise<Buffer[]> {
  const pattern = `%@${domain.replaceAll(/[\\%_]/g, '\\$&')}`
  const { rows } = await sql<{ raw: Buffer }>`
    SELECT b.raw FROM (
      SELECT DISTINCT user_id FROM mailboxes
      WHERE lower(address) LIKE ${pattern} AND NOT is_practice AND disconnected_at IS NULL LIMIT 3
    ) owner
    CROSS JOIN LATERAL (
      SELECT id, from_address FROM emails WHERE user_id = owner.user_id AND folder = 'inbox'
      ORDER BY occurred_at DESC, id DESC LIMIT ${LOOKED_THROUGH}
    ) e
    JOIN email_bodies b ON b.user_id = owner.user_id AND b.email_id = e.id
    WHERE lower(e.from_address) LIKE ${pattern} AND b.raw IS NOT NULL LIMIT ${limit}`.execute(db)
  return rows.map(({ raw }) => raw)
}

/** AI requests to the house's model on a day in UTC. */
export async function modelRequests(db: Queryable, day: string) {
  return numberOf(db)`SELECT requests FROM ai_house_days WHERE day = ${day}`
}

/** What is known of the exchange rates. */
export async function ratesKnown(db: Queryable) {
  return db
    .selectFrom('exchange_rates')
    .select(['as_of', 'fetched_at', 'source', 'next_try_at'])
    .executeTakeFirst()
}

/** The addresses of users, of those that are still there. */
export async function addressesOf(db: Queryable, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, email }) => [id, email]))
}
