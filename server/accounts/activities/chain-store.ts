import { type Selectable, sql } from 'kysely'
import type { Database, Queryable, Tx } from '../../platform/database/handles.ts'
import type { AcceptedGapsTable, ActivitiesTable, ActivityChainTable } from './tables.ts'
import { numberOf, rowOf, rowsOf } from '../../platform/database/rows.ts'

export type ChainRow = Selectable<ActivityChainTable>
export type ActivityRow = Omit<Selectable<ActivitiesTable>, 'words'> & { words_fit: boolean }

/** One transaction at a time changes the chain. Whoever only adds rows does not wait. */
const CHAIN_LOCK = sql`hashtext('howl activity chain')`

/** Where the chain begins and ends, for the transaction that changes it. */
export async function lockChain(tx: Tx): Promise<ChainRow | undefined> {
  await sql`SELECT pg_advisory_xact_lock(${CHAIN_LOCK})`.execute(tx)
  return findChain(tx)
}

/** True if this transaction may change the chain; false while another does. */
export async function tryLockChain(tx: Tx): Promise<boolean> {
  const row = await rowOf<{ mine: boolean }>(tx)`
    SELECT pg_try_advisory_xact_lock(${CHAIN_LOCK}) AS mine`
  return row?.mine === true
}

export async function findChain(db: Queryable): Promise<ChainRow | undefined> {
  return db.selectFrom('activity_chain').selectAll().executeTakeFirst()
}

export async function saveChain(tx: Tx, row: Omit<ChainRow, 'id'>): Promise<void> {
  await tx
    .insertInto('activity_chain')
    .values({ id: 1, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

/** The last position that a row has; 0 without any. */
export async function lastPosition(db: Queryable) {
  return numberOf(db)`SELECT max(position) AS last FROM activities`
}

/** Rows that wait for their link, in the order in which they get it. */
export async function unlinked(db: Queryable, limit: number): Promise<{ id: number; seal: Buffer }[]> {
  return db
    .selectFrom('activities')
    .select(['id', 'seal'])
    .where('position', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()
}

export type Link = { id: number; position: number; link: Buffer }

export async function saveLinks(tx: Tx, links: readonly Link[]): Promise<void> {
  await sql`
    UPDATE activities a SET position = l.position, link = l.link
    FROM unnest(${links.map(({ id }) => id)}::bigint[], ${links.map(({ position }) => position)}::bigint[],
      ${links.map(({ link }) => link)}::bytea[]) AS l (id, position, link)
    WHERE a.id = l.id AND a.position IS NULL`.execute(tx)
}

/** The next rows of the chain that are the oldest and from before a time, up to `limit`. */
export async function oldRows(
  tx: Tx,
  after: number,
  before: Date,
  limit: number,
): Promise<{ position: number; link: Buffer }[]> {
  const { rows } = await sql<{ position: number; link: Buffer; is_old: boolean }>`
    SELECT position, link, created_at < ${before} AS is_old FROM activities
    WHERE position > ${after} ORDER BY position LIMIT ${limit}`.execute(tx)
  const firstToStay = rows.findIndex(({ is_old }) => !is_old)
  return firstToStay === -1 ? rows : rows.slice(0, firstToStay)
}

/** Removes the rows up to a position that the chain says are cleared. */
export async function removeCleared(tx: Tx, upTo: number): Promise<void> {
  await tx.deleteFrom('activities').where('position', '<=', upTo).execute()
}

/** Everything about a row that the check compares. */
const COMPARED = sql`id, user_id, activity_type, description, risk_score, ip_address, created_at, salt, person_digest, seal,
  erased_at, erasure, position, link, words IS NOT DISTINCT FROM activity_words(description, ip_address) AS words_fit`

/** A piece of the chain after a position, together with where the chain ends at that same moment. */
export async function pieceOfChain(
  db: Database,
  after: number,
  limit: number,
): Promise<{ chain: ChainRow | undefined; rows: ActivityRow[] }> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const chain = await findChain(tx)
      const { rows } = await sql<ActivityRow>`
        SELECT ${COMPARED} FROM activities WHERE position > ${after} ORDER BY position LIMIT ${limit}`.execute(
        tx,
      )
      return { chain, rows }
    })
}

/** Rows that have no link yet, after an id. */
export async function pieceOfUnlinked(db: Queryable, after: number, limit: number) {
  return rowsOf<ActivityRow>(db)`
    SELECT ${COMPARED} FROM activities WHERE position IS NULL AND id > ${after} ORDER BY id LIMIT ${limit}`
}

/** A row at or before a position that was cleared: it should not be there. */
export async function uncleared(db: Queryable, upTo: number) {
  return rowOf<{ id: number; position: number }>(db)`
    SELECT id, position FROM activities WHERE position <= ${upTo} ORDER BY position LIMIT 1`
}

export async function linkAt(db: Queryable, position: number): Promise<Buffer | null> {
  const row = await db
    .selectFrom('activities')
    .select('link')
    .where('position', '=', position)
    .executeTakeFirst()
  return row?.link ?? null
}

/** How the last check of the chain ended; undefined before the first. */
export async function lastCheck(db: Queryable) {
  return db.selectFrom('activity_checks').select(['checked_at', 'is_whole', 'checked']).executeTakeFirst()
}

export async function saveCheck(
  db: Queryable,
  row: { checked_at: Date; is_whole: boolean; checked: number },
): Promise<void> {
  await db
    .insertInto('activity_checks')
    .values({ id: 1, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

export type AcceptedGap = Selectable<AcceptedGapsTable>

/** All gaps that were accepted, the first one first. There is one for each restore. */
export async function acceptedGaps(db: Queryable): Promise<AcceptedGap[]> {
  return db.selectFrom('accepted_gaps').selectAll().orderBy('first_position').execute()
}

export async function addAcceptedGap(db: Queryable, gap: AcceptedGap): Promise<void> {
  await db
    .insertInto('accepted_gaps')
    .values(gap)
    .onConflict((known) => known.column('first_position').doUpdateSet(gap))
    .execute()
}
