import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { isDay } from '../platform/typed-instant.ts'
import { atMost, byIdOf, id, instant, paging, requiredLine, text } from '../platform/values.ts'

export const PRIORITIES = ['high', 'medium', 'low'] as const
export const priority = z.enum(PRIORITIES)
export type Priority = z.infer<typeof priority>

export const TODO_TITLE_MAX = 300
export const TODO_DESCRIPTION_MAX = 20_000

const NO_DAY = 'This is not a date'

/** A calendar day, `2026-03-29`; of an instant, its date part as written. */
const day = z.string().check(
  z.trim(),
  atMost(40, NO_DAY),
  z.overwrite((typed) => typed.slice(0, 10)),
  z.refine(isDay, NO_DAY),
)

const fields = {
  title: requiredLine(TODO_TITLE_MAX, 'Please enter a title'),
  description: z._default(z.nullable(text(TODO_DESCRIPTION_MAX)), ''),
  due_date: z._default(z.nullable(z.union([z.literal(''), day], NO_DAY)), null),
  priority: z._default(priority, 'medium'),
  /** The contact or the mail that the task is about. */
  contact_id: z.optional(z.nullable(id)),
  email_id: z.optional(z.nullable(id)),
}

export const todo = z.object({
  id,
  title: z.string(),
  description: z.string(),
  /** A calendar day; null without one. */
  due_date: z.nullable(z.string()),
  priority,
  completed: z.boolean(),
  created_at: instant,
  contact_id: z.nullable(z.number()),
  email_id: z.nullable(z.number()),
  /** Its contact and mail, by name and subject; null when they no longer exist. */
  contact: z.nullable(z.object({ id, name: z.string() })),
  email: z.nullable(z.object({ id, subject: z.string(), folder: z.string() })),
})
export type Todo = z.infer<typeof todo>

const byId = byIdOf('Invalid todo ID')

export const todos = {
  list: endpoint({
    method: 'GET',
    path: '/todos/',
    summary: 'Tasks, newest first',
    query: z.object({
      search: z.optional(text(200)),
      priority: z.optional(z.enum(['all', ...PRIORITIES])),
      status: z.optional(z.enum(['all', 'pending', 'completed'])),
      sort: z.optional(z.enum(['created', 'due_date', 'priority', 'title'])),
      contact_id: z.optional(id),
      email_id: z.optional(id),
      ...paging,
    }),
    reply: z.array(todo),
  }),
  add: endpoint({
    method: 'POST',
    path: '/todos/',
    summary: 'Add a task',
    body: z.object(fields),
    reply: todo,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/todos/:id',
    summary: 'Change a task; an absent field is kept',
    params: byId,
    body: z.object({
      title: z.optional(fields.title),
      description: z.optional(z.nullable(text(TODO_DESCRIPTION_MAX))),
      due_date: z.optional(z.nullable(z.union([z.literal(''), day], NO_DAY))),
      priority: z.optional(priority),
      completed: z.optional(z.boolean()),
      contact_id: fields.contact_id,
      email_id: fields.email_id,
    }),
    reply: todo,
  }),
  toggle: endpoint({
    method: 'PATCH',
    path: '/todos/:id/toggle',
    summary: 'Complete a task, or take it up again',
    params: byId,
    reply: todo,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/todos/:id',
    summary: 'Delete a task',
    params: byId,
    reply: z.object({ ok: z.boolean() }),
  }),
}
