import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Queryable } from '../database/connect.ts'
import type { TodosTable } from './tables.ts'

export type TodoRow = Selectable<TodosTable>
export type TodoFields = Pick<
  TodoRow,
  'title' | 'description' | 'due_date' | 'priority' | 'completed' | 'contact_id' | 'email_id'
>

export type TodoFilter = {
  search: string
  priority: TodoRow['priority'] | null
  completed: boolean | null
  contactId: number | null
}
export type TodoSort = 'created' | 'due_date' | 'priority' | 'title'

const ORDER: Record<TodoSort, RawBuilder<unknown>> = {
  created: sql`id DESC`,
  due_date: sql`due_date ASC NULLS LAST, id DESC`,
  priority: sql`CASE priority WHEN 'high' THEN 1 WHEN 'medium' THEN 2 ELSE 3 END, id DESC`,
  title: sql`lower(title), id`,
}

/** A page of the user's tasks, and how many there are in all. */
export async function listTodos(
  db: Queryable,
  userId: number,
  filter: TodoFilter,
  page: { sort: TodoSort; limit: number; offset: number },
): Promise<{ rows: TodoRow[]; total: number }> {
  const conditions = [sql`user_id = ${userId}`]
  if (filter.search !== '') {
    const like = `%${filter.search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    conditions.push(sql`(title ILIKE ${like} OR description ILIKE ${like})`)
  }
  if (filter.priority !== null) conditions.push(sql`priority = ${filter.priority}`)
  if (filter.completed !== null) conditions.push(sql`completed = ${filter.completed}`)
  if (filter.contactId !== null) conditions.push(sql`contact_id = ${filter.contactId}`)
  const where = sql.join(conditions, sql` AND `)
  const [{ rows }, counted] = await Promise.all([
    sql<TodoRow>`
      SELECT * FROM todos WHERE ${where} ORDER BY ${ORDER[page.sort]} LIMIT ${page.limit} OFFSET ${page.offset}`.execute(
      db,
    ),
    sql<{ total: number }>`SELECT count(*) AS total FROM todos WHERE ${where}`.execute(db),
  ])
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

/** @throws a foreign key violation when the contact or the mail is not the user's. */
export async function insertTodo(
  db: Queryable,
  userId: number,
  fields: TodoFields,
  now: Date,
): Promise<TodoRow> {
  return db
    .insertInto('todos')
    .values({ ...fields, user_id: userId, created_at: now, updated_at: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Changes the given fields; undefined when there is no such task. @throws as `insertTodo`. */
export async function changeTodo(
  db: Queryable,
  userId: number,
  id: number,
  fields: Partial<TodoFields>,
  now: Date,
): Promise<TodoRow | undefined> {
  return db
    .updateTable('todos')
    .set({ ...fields, updated_at: now })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Turns a task from pending to completed and back, in one step: two clicks at once are two turns. */
export async function turnTodo(
  db: Queryable,
  userId: number,
  id: number,
  now: Date,
): Promise<TodoRow | undefined> {
  return db
    .updateTable('todos')
    .set({ completed: sql`NOT completed`, updated_at: now })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteTodo(db: Queryable, userId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('todos')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
