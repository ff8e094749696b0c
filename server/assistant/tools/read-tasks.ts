import * as z from 'zod/mini'
import { line } from '#contract/platform/values.ts'
import { listTodos, type TodoRow } from '../../crm/todos/todos.ts'
import { taskSource } from './sources.ts'
import { dayOf, dayWords, shownWords } from './shown-words.ts'
import { type Asking, type Fact, type Found, readingTool, ROWS_MAX, ROWS_USUAL } from './tool.ts'

/** Pending tasks that are looked through for a due date. */
const LOOKED_AT = 1000

export const listTasks = readingTool({
  name: 'list_tasks',
  topics: ['tasks'],
  summary: 'Tasks; due "by_today" means overdue or due today; gives their ids',
  input: z.object({
    search: z.optional(line(200)),
    due: z.optional(z.enum(['any', 'by_today', 'overdue'])),
    completed: z.optional(z.boolean()),
    limit: z.optional(z.number().check(z.int(), z.gte(1), z.lte(ROWS_MAX))),
  }),
  run: async (asking, given) =>
    taskFacts(asking, {
      search: given.search ?? '',
      due: given.due ?? 'any',
      completed: given.completed ?? false,
      limit: given.limit ?? ROWS_USUAL,
    }),
})

type Asked = {
  search: string
  due: 'any' | 'by_today' | 'overdue' | { from: string; to: string }
  completed: boolean
  limit: number
}

/** Tasks as facts, those due first at the top. */
export async function taskFacts(asking: Asking, asked: Asked): Promise<Found> {
  const rows = await taskRows(asking, asked)
  return { facts: rows.slice(0, asked.limit).map((row) => taskFact(asking, row)), total: rows.length }
}

export async function taskRows({ context, user }: Asking, asked: Asked): Promise<TodoRow[]> {
  const { rows } = await listTodos(
    context.db,
    user.id,
    { search: asked.search, priority: null, completed: asked.completed, contactId: null, emailId: null },
    { sort: 'due_date', limit: LOOKED_AT, offset: 0 },
  )
  const today = dayOf(context.clock.now(), user.timeZone)
  const { due } = asked
  return rows.filter(({ due_date: day }) => {
    if (due === 'any') return true
    if (day === null) return false
    if (due === 'by_today') return day <= today
    if (due === 'overdue') return day < today
    return day >= due.from && day <= due.to
  })
}

export function taskFact({ context, user }: Asking, task: TodoRow): Fact {
  const now = context.clock.now()
  const today = dayOf(now, user.timeZone)
  const due =
    task.due_date === null
      ? 'no due date'
      : task.due_date < today
        ? `overdue since ${dayWords(task.due_date, now, user.timeZone)}`
        : task.due_date === today
          ? 'due today'
          : `due ${dayWords(task.due_date, now, user.timeZone)}`
  return {
    text: `**${shownWords(task.title)}**, ${task.completed ? 'completed' : due}${task.priority === 'high' ? ', high priority' : ''}`,
    source: taskSource(task),
  }
}
