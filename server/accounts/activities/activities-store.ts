import { type Insertable, sql } from 'kysely'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import type { ActivitiesTable } from './tables.ts'

/** A user's latest rows that are looked through for places. */
const PLACES_LOOKED_AT = 200

/**
 * The next row's id, and what came before: how many of the types `failures` there were since then from the address or on
 * the account, and the addresses that the account was used from lately.
 */
export async function nextActivity(
  db: Queryable,
  asked: {
    user: number | null
    ip: string | null
    failures: readonly string[]
    since: Date
    max: number
    places: boolean
  },
): Promise<{ id: number; failures: number; ips: string[] }> {
  const { user, ip, failures, since, max, places } = asked
  const isFailure = sql`created_at > ${since} AND activity_type = ANY(${[...failures]}::text[])`
  const { rows } = await sql<{ id: number; failures: number; ips: string[] }>`
    SELECT nextval(pg_get_serial_sequence('activities', 'id')) AS id,
      ${
        failures.length === 0
          ? sql`0`
          : sql`(SELECT count(*) FROM (
              (SELECT id FROM activities WHERE ip_address = ${ip} AND ${isFailure} ORDER BY created_at DESC LIMIT ${max})
              UNION
              (SELECT id FROM activities WHERE user_id = ${user} AND ${isFailure} ORDER BY created_at DESC LIMIT ${max})
              LIMIT ${max}) f)::int`
      } AS failures,
      ${
        places
          ? sql`ARRAY(SELECT DISTINCT ip_address FROM (
              SELECT ip_address, activity_type FROM activities WHERE user_id = ${user}
              ORDER BY created_at DESC, id DESC LIMIT ${PLACES_LOOKED_AT}) a
            WHERE ip_address IS NOT NULL AND activity_type IN ('log_in', 'admin_log_in', 'account_opened'))`
          : sql`'{}'::text[]`
      } AS ips`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('The database gave no id')
  return row
}

export async function addActivity(db: Queryable, row: Insertable<ActivitiesTable>): Promise<void> {
  await db.insertInto('activities').values(row).execute()
}

/** A row whose personal part can be erased. */
export type Personal = { id: number; person_digest: Buffer }

/** The next rows of a user, locked. */
export async function personalRows(tx: Tx, userId: number, limit: number): Promise<Personal[]> {
  return tx
    .selectFrom('activities')
    .select(['id', 'person_digest'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute()
}

/** Erases who, from where and what of rows; each comes with the signature that allows it. */
export async function erasePersons(tx: Tx, rows: readonly { id: number; erasure: Buffer }[], erasedAt: Date) {
  const ids = rows.map(({ id }) => id)
  const erasures = rows.map(({ erasure }) => erasure)
  await sql`
    UPDATE activities a SET user_id = NULL, ip_address = NULL, description = '', salt = NULL,
      erased_at = ${erasedAt}, erasure = e.erasure
    FROM unnest(${ids}::bigint[], ${erasures}::bytea[]) AS e (id, erasure) WHERE a.id = e.id`.execute(tx)
}
