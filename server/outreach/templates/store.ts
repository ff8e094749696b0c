import { type Selectable, sql } from 'kysely'
import type { Queryable } from '../../platform/database/handles.ts'
import type { TemplatesTable } from './tables.ts'

export type TemplateRow = Selectable<TemplatesTable>
export type TemplateFields = Pick<TemplateRow, 'name' | 'subject' | 'body'>

/** The user's templates, by name. */
export async function listTemplates(db: Queryable, userId: number): Promise<TemplateRow[]> {
  return db
    .selectFrom('templates')
    .selectAll()
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute()
}

/** One template of the user; undefined if there is none, or it was deleted. */
export async function findTemplate(
  db: Queryable,
  userId: number,
  id: number,
): Promise<TemplateRow | undefined> {
  return db
    .selectFrom('templates')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

export async function insertTemplate(
  db: Queryable,
  userId: number,
  fields: TemplateFields,
  now: Date,
): Promise<TemplateRow> {
  return db
    .insertInto('templates')
    .values({ ...fields, user_id: userId, created_at: now, updated_at: now, deleted_at: null })
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
): Promise<TemplateRow | undefined> {
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
export async function hideTemplate(db: Queryable, userId: number, id: number, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('templates')
    .set({ deleted_at: now })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Brings back a template that was deleted after `since`; undefined if there is none. One that is there stays as it is. */
export async function showTemplate(
  db: Queryable,
  userId: number,
  id: number,
  since: Date,
): Promise<TemplateRow | undefined> {
  return db
    .updateTable('templates')
    .set({ deleted_at: null })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where((row) => row.or([row('deleted_at', 'is', null), row('deleted_at', '>', since)]))
    .returningAll()
    .executeTakeFirst()
}

/** Removes templates for good that were deleted before an instant. */
export async function forgetDeleted(db: Queryable, userId: number, before: Date): Promise<void> {
  await db.deleteFrom('templates').where('user_id', '=', userId).where('deleted_at', '<=', before).execute()
}

/** How many templates the user has. Others that add one at the same time wait until the transaction ends. */
export async function countForAdding(db: Queryable, userId: number): Promise<number> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('templates ' || ${userId}::text, 0))`.execute(db)
  const { total } = await db
    .selectFrom('templates')
    .select((row) => row.fn.countAll<number>().as('total'))
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return total
}
