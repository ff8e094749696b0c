import type { BodyOf } from '#contract/platform/endpoint.ts'
import type { todos } from '#contract/crm/todos.ts'
import type { Context } from '../../platform/context.ts'
import { violatedForeignKey } from '../../platform/database/transaction.ts'
import { notFound } from '../../platform/errors.ts'
import {
  changeTodo,
  deleteTodo,
  findTodo,
  insertTodo,
  type TodoFields,
  type TodoRow,
  turnTodo,
} from './store.ts'
import type { Tx } from '../../platform/database/handles.ts'
import { changing } from '../../platform/changing.ts'

type Added = BodyOf<typeof todos.add>
type Changed = BodyOf<typeof todos.update>

/**
 * @throws Refusal 404 when its contact or mail does not exist
 */
export async function addTodo(context: Context, userId: number, input: Added): Promise<TodoRow> {
  const fields: TodoFields = {
    title: input.title,
    description: input.description ?? '',
    due_date: input.due_date || null,
    priority: input.priority,
    completed: false,
    contact_id: input.contact_id ?? null,
    email_id: input.email_id ?? null,
  }
  return save(context, userId, (tx) => insertTodo(tx, userId, fields, context.clock.now()))
}

/** Changes the fields given in `input` and keeps the rest. @throws Refusal 404 */
export async function updateTodo(
  context: Context,
  userId: number,
  id: number,
  input: Changed,
): Promise<TodoRow> {
  const { description, due_date: due, ...others } = input
  const fields = {
    ...others,
    ...(description === undefined ? {} : { description: description ?? '' }),
    ...(due === undefined ? {} : { due_date: due || null }),
  } as Partial<TodoFields>
  return save(context, userId, (tx) => changeTodo(tx, userId, id, fields, context.clock.now()))
}

/** @throws Refusal 404 */
export async function toggleTodo(context: Context, userId: number, id: number): Promise<TodoRow> {
  return save(context, userId, (tx) => turnTodo(tx, userId, id, context.clock.now()))
}

/** @throws Refusal 404 */
export async function removeTodo(context: Context, userId: number, id: number): Promise<void> {
  await changing(context, userId, 'todos', async (tx) => {
    if (!(await deleteTodo(tx, userId, id))) throw noTodo()
  })
}

const noTodo = () => notFound('This task does not exist.')

async function save(
  context: Context,
  userId: number,
  write: (tx: Tx) => Promise<{ id: number } | undefined>,
): Promise<TodoRow> {
  try {
    return await changing(context, userId, 'todos', async (tx) => {
      const written = await write(tx)
      const row = written && (await findTodo(tx, userId, written.id))
      if (row === undefined) throw noTodo()
      return row
    })
  } catch (error) {
    const key = violatedForeignKey(error)
    if (key === null) throw error
    throw notFound(key.includes('contact') ? 'This contact does not exist.' : 'Email not found')
  }
}
