import { sql } from 'kysely'
import type { TodoRow } from './store.ts'
import type { Queryable } from '../../platform/database/handles.ts'

/** Tasks about a contact that were created before an instant and id, newest first. */
export async function todosAbout(
  db: Queryable,
  userId: number,
  contactId: number,
  before: { at: Date; id: number },
  limit: number,
): Promise<TodoRow[]> {
  const { rows } = await sql<TodoRow>`
    SELECT * FROM todos
    WHERE user_id = ${userId} AND contact_id = ${contactId} AND (created_at, id) < (${before.at}, ${before.id})
    ORDER BY created_at DESC, id DESC LIMIT ${limit}`.execute(db)
  return rows
}
