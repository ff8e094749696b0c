import type { Selectable } from 'kysely'
import type { Queryable } from '../../platform/database/handles.ts'
import { didChange, execute, numberOf, rowOf, rowsOf } from '../../platform/database/rows.ts'
import type { TemplatesTable } from './tables.ts'

export type TemplateRow = Selectable<TemplatesTable>
export type TemplateFields = Pick<TemplateRow, 'name' | 'subject' | 'body'>

/** The user's templates, by name. */
export const listTemplates = (db: Queryable, userId: number) => rowsOf<TemplateRow>(db)`
  SELECT * FROM templates WHERE user_id = ${userId} AND deleted_at IS NULL ORDER BY lower(name), id`

/** One template of the user; undefined if there is none, or it was deleted. */
export const findTemplate = (db: Queryable, userId: number, id: number) => rowOf<TemplateRow>(db)`
  SELECT * FROM templates WHERE user_id = ${userId} AND id = ${id} AND deleted_at IS NULL`

export async function insertTemplate(db: Queryable, userId: number, fields: TemplateFields, now: Date) {
  return db
    .insertInto('templates')
    .values({ ...fields, user_id: userId, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Changes the given fields; undefined if there is no such template. */
export async function changeTemplate(
  db: Queryable,
  userId: number,
  id: number,
  fields: Partial<TemplateFields>,
  now: Date,
) {
  return db
    .updateTable('templates')
    .set({ ...fields, updated_at: now })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Marks a template as deleted; false if there is none. */
export const hideTemplate = (db: Queryable, userId: number, id: number, now: Date) => didChange(db)`
  UPDATE templates SET deleted_at = ${now} WHERE user_id = ${userId} AND id = ${id} AND deleted_at IS NULL`

/** Brings back a template that was deleted after `since`; undefined if there is none. One that is there stays as it is. */
export const showTemplate = (db: Queryable, userId: number, id: number, since: Date) => rowOf<TemplateRow>(
  db,
)`
  UPDATE templates SET deleted_at = NULL
  WHERE user_id = ${userId} AND id = ${id} AND (deleted_at IS NULL OR deleted_at > ${since}) RETURNING *`

/** Removes templates for good that were deleted before an instant. */
export const forgetDeleted = (db: Queryable, userId: number, before: Date) =>
  execute(db)`DELETE FROM templates WHERE user_id = ${userId} AND deleted_at <= ${before}`

/** How many templates the user has. Others that add one at the same time wait until the transaction ends. */
export async function countForAdding(db: Queryable, userId: number): Promise<number> {
  await execute(db)`SELECT pg_advisory_xact_lock(hashtextextended('templates ' || ${userId}::text, 0))`
  return numberOf(db)`
    SELECT count(*)::int AS templates FROM templates WHERE user_id = ${userId} AND deleted_at IS NULL`
}
