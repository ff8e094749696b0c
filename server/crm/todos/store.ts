import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { TodosTable, TodoSubjectsView } from './tables.ts'
import type { Queryable } from '../../platform/database/handles.ts'
import { onlyRowOf, removeRow, rowOf, rowsOf } from '../../platform/database/rows.ts'

type StoredTodo = Selectable<TodosTable>
/** A task with the details of its contact and its mail. */
export type TodoRow = StoredTodo & Omit<TodoSubjectsView, 'user_id' | 'todo_id'>
export type TodoFields = Pick<
  StoredTodo,
  'title' | 'description' | 'due_date' | 'priority' | 'completed' | 'contact_id' | 'email_id'
>

export type TodoFilter = {
  search: string
  priority: TodoRow['priority'] | null
  completed: boolean | null
  contactId: number | null
  emailId: number | null
}
export type TodoSort = 'created' | 'due_date' | 'priority' | 'title'

const ORDER: Record<TodoSort, RawBuilder<unknown>> = {
  created: sql`id DESC`,
  due_date: sql`due_date ASC NULLS LAST, id DESC`,
  priority: sql`CASE priority WHEN 'high' THEN 1 WHEN 'medium' THEN 2 ELSE 3 END, id DESC`,
  title: sql`lower(title), id`,
}

const SUBJECT_COLUMNS = sql`s.contact_name, s.email_subject, s.email_folder`
const WITH_SUBJECTS = sql`LEFT JOIN todo_subjects s ON s.user_id = t.user_id AND s.todo_id = t.id`

/** A page of the user's tasks, and the total. */
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
  if (filter.emailId !== null) conditions.push(sql`email_id = ${filter.emailId}`)
  const where = sql.join(conditions, sql` AND `)
  const [{ rows }, counted] = await Promise.all([
    sql<TodoRow>`
      WITH page AS MATERIALIZED (
        SELECT * FROM todos WHERE ${where} ORDER BY ${ORDER[page.sort]} LIMIT ${page.limit} OFFSET ${page.offset}
      )
      SELECT t.*, ${SUBJECT_COLUMNS} FROM (SELECT *, row_number() OVER () AS place FROM page) t
      ${WITH_SUBJECTS} ORDER BY t.place`.execute(db),
    sql<{ total: number }>`SELECT count(*) AS total FROM todos WHERE ${where}`.execute(db),
  ])
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

/** How many pending tasks are due before a calendar day, and on it. */
export async function countDue(db: Queryable, userId: number, today: string) {
  return onlyRowOf<{ overdue: number; today: number }>(db)`
    SELECT count(*) FILTER (WHERE due_date < ${today}) AS overdue, count(*) FILTER (WHERE due_date = ${today}) AS today
    FROM todos WHERE user_id = ${userId} AND NOT completed AND due_date <= ${today}`
}

/** One task; undefined when it does not exist. */
export async function findTodo(db: Queryable, userId: number, id: number) {
  return rowOf<TodoRow>(db)`
    SELECT t.*, ${SUBJECT_COLUMNS} FROM todos t ${WITH_SUBJECTS} WHERE t.user_id = ${userId} AND t.id = ${id}`
}

/** Returns its id. @throws a foreign key violation when the contact or the mail is not the user's */
export async function insertTodo(db: Queryable, userId: number, fields: TodoFields, now: Date) {
  return db
    .insertInto('todos')
    .values({ ...fields, user_id: userId, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
}

/** Changes the given fields and returns the task's id; undefined when there is no such task. @throws as `insertTodo` */
export async function changeTodo(
  db: Queryable,
  userId: number,
  id: number,
  fields: Partial<TodoFields>,
  now: Date,
): Promise<{ id: number } | undefined> {
  return db
    .updateTable('todos')
    .set({ ...fields, updated_at: now })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
}

/** Switches a task between pending and completed in one step: two simultaneous clicks switch it twice. */
export async function turnTodo(db: Queryable, userId: number, id: number, now: Date) {
  return db
    .updateTable('todos')
    .set({ completed: sql`NOT completed`, updated_at: now })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
}

export const deleteTodo = (db: Queryable, userId: number, id: number) => removeRow(db, 'todos', userId, id)

/** Adds tasks about contacts, in one statement; those whose contact is gone are left out. */
export async function addContactTodos(
  db: Queryable,
  userId: number,
  tasks: readonly { title: string; dueDate: string; contactId: number }[],
  now: Date,
): Promise<void> {
  if (tasks.length === 0) return
  await sql`
    INSERT INTO todos (user_id, title, due_date, contact_id, created_at, updated_at)
    SELECT c.user_id, t.title, t.due_date, c.id, ${now}, ${now}
    FROM unnest(${tasks.map(({ title }) => title)}::text[], ${tasks.map(({ dueDate }) => dueDate)}::text[],
      ${tasks.map(({ contactId }) => contactId)}::bigint[]) AS t(title, due_date, contact_id)
    JOIN contacts c ON c.user_id = ${userId} AND c.id = t.contact_id`.execute(db)
}

/** Tasks about a contact that were created before an instant and id, newest first. */
export async function todosAbout(
  db: Queryable,
  userId: number,
  contactId: number,
  before: { at: Date; id: number },
  limit: number,
) {
  return rowsOf<TodoRow>(db)`
    SELECT * FROM todos
    WHERE user_id = ${userId} AND contact_id = ${contactId} AND (created_at, id) < (${before.at}, ${before.id})
    ORDER BY created_at DESC, id DESC LIMIT ${limit}`
}
