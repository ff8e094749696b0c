import { type Selectable, sql } from 'kysely'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import type { BriefsTable } from './tables.ts'

export type BriefRow = Selectable<BriefsTable>

/** The version in use. */
export async function newestBrief(db: Queryable, userId: number): Promise<BriefRow | undefined> {
  return (await newestBriefs(db, userId, 1))[0]
}

/** The newest versions, the one in use first. */
export async function newestBriefs(db: Queryable, userId: number, limit: number): Promise<BriefRow[]> {
  return db
    .selectFrom('briefs')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('version', 'desc')
    .limit(limit)
    .execute()
}

export async function findBrief(
  db: Queryable,
  userId: number,
  version: number,
): Promise<BriefRow | undefined> {
  return db
    .selectFrom('briefs')
    .selectAll()
    .where('user_id', '=', userId)
    .where('version', '=', version)
    .executeTakeFirst()
}

/** One change at a time: the next one sees this version. */
export async function lockBriefs(tx: Tx, userId: number): Promise<void> {
  await sql`SELECT FROM users WHERE id = ${userId} FOR NO KEY UPDATE`.execute(tx)
}

export async function addBrief(
  tx: Tx,
  brief: { user_id: number; version: number; fields: BriefRow['fields']; made_at: Date },
): Promise<BriefRow> {
  return tx
    .insertInto('briefs')
    .values({ ...brief, fields: JSON.stringify(brief.fields) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Removes the versions up to this one. */
export async function dropBriefsUpTo(tx: Tx, userId: number, version: number): Promise<void> {
  await tx.deleteFrom('briefs').where('user_id', '=', userId).where('version', '<=', version).execute()
}
