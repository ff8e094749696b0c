import type { Selectable } from 'kysely'
import type { Queryable, Tx } from '../../platform/database/handles.ts'
import { execute, rowOf, rowsOf } from '../../platform/database/rows.ts'
import type { BriefsTable } from './tables.ts'

export type BriefRow = Selectable<BriefsTable>

/** The version in use. */
export async function newestBrief(db: Queryable, userId: number): Promise<BriefRow | undefined> {
  return (await newestBriefs(db, userId, 1))[0]
}

/** The newest versions, the one in use first. */
export const newestBriefs = (db: Queryable, userId: number, limit: number) => rowsOf<BriefRow>(db)`
  SELECT * FROM briefs WHERE user_id = ${userId} ORDER BY version DESC LIMIT ${limit}`

export const findBrief = (db: Queryable, userId: number, version: number) =>
  rowOf<BriefRow>(db)`SELECT * FROM briefs WHERE user_id = ${userId} AND version = ${version}`

/** One change at a time: the next one sees this version. */
export const lockBriefs = (tx: Tx, userId: number) =>
  execute(tx)`SELECT FROM users WHERE id = ${userId} FOR NO KEY UPDATE`

export async function addBrief(
  tx: Tx,
  brief: { user_id: number; version: number; fields: BriefRow['fields']; made_at: Date },
) {
  return tx
    .insertInto('briefs')
    .values({ ...brief, fields: JSON.stringify(brief.fields) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Removes the versions up to this one. */
export const dropBriefsUpTo = (tx: Tx, userId: number, version: number) =>
  execute(tx)`DELETE FROM briefs WHERE user_id = ${userId} AND version <= ${version}`
