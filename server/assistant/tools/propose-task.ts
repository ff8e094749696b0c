import * as z from 'zod/mini'
import { PRIORITIES, type Priority, TODO_DESCRIPTION_MAX, TODO_TITLE_MAX } from '#contract/crm/todos.ts'
import { isDay } from '#contract/platform/typed-instant.ts'
import { id, requiredLine, text } from '#contract/platform/values.ts'
import { getContact } from '../../crm/contacts/contacts.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { addTodo, findTodo, updateTodo } from '../../crm/todos/todos.ts'
import { inOneTransaction } from './in-one-transaction.ts'
import { fullDay, shownWords } from './shown-words.ts'
import { contactWords } from './stored-contact.ts'
import { type Asking, proposingTool } from './tool.ts'

const PRIORITY_WORDS: Record<Priority, string> = { low: 'Low', medium: 'Medium', high: 'High' }

type Added = {
  title: string
  description: string
  due_date: string | null
  priority: Priority
  contact_id: number | null
  contact_name: string
}
type Completed = { task_id: number; title: string }

export const addTaskTool = proposingTool({
  name: 'add_task',
  topics: ['tasks'],
  summary: 'Add a task; due_date is like 2026-11-27',
  input: z.object({
    title: requiredLine(TODO_TITLE_MAX, 'Please enter a title'),
    description: z.optional(text(TODO_DESCRIPTION_MAX)),
    due_date: z.optional(z.nullable(z.string().check(z.refine(isDay, 'This is not a date')))),
    priority: z.optional(z.enum(PRIORITIES)),
    contact_id: z.optional(z.nullable(id)),
  }),
  editable: ['title', 'description', 'due_date', 'priority'],
  async prepare({ context, user }: Asking, input): Promise<Added> {
    const contact = input.contact_id == null ? null : await getContact(context, user.id, input.contact_id)
    return {
      title: input.title,
      description: input.description ?? '',
      due_date: input.due_date ?? null,
      priority: input.priority ?? 'medium',
      contact_id: contact?.id ?? null,
      contact_name: contact === null ? '' : contactWords(contact),
    }
  },
  summarise: ({ title }: Added) => `Add the task “${shownWords(title, 80)}”`,
  lines: (content: Added) => [
    { label: 'Title', text: content.title },
    ...(content.description === '' ? [] : [{ label: 'Description', text: content.description }]),
    { label: 'Due', text: content.due_date === null ? 'No due date' : fullDay(content.due_date) },
    { label: 'Priority', text: PRIORITY_WORDS[content.priority] },
    ...(content.contact_id === null ? [] : [{ label: 'Contact', text: content.contact_name }]),
  ],
  async perform(asking, content, settlement) {
    const { contact_name: _, ...fields } = content
    await inOneTransaction(asking, settlement, async ({ context, user }) => {
      const task = await addTodo(context, user.id, fields)
      return { label: task.title, path: '/dashboard' }
    })
  },
})

export const completeTaskTool = proposingTool({
  name: 'complete_task',
  topics: ['tasks'],
  summary: 'Mark a task as completed',
  input: z.object({ task_id: id }),
  editable: [],
  async prepare({ context, user }: Asking, input): Promise<Completed> {
    const task = await findTodo(context.db, user.id, input.task_id)
    if (task === undefined) throw notFound('This task does not exist.')
    return { task_id: task.id, title: task.title }
  },
  summarise: ({ title }: Completed) => `Complete the task “${shownWords(title, 80)}”`,
  lines: ({ title }: Completed) => [{ label: 'Task', text: title }],
  async perform(asking, content, settlement) {
    await inOneTransaction(asking, settlement, async ({ context, user }) => {
      const task = await findTodo(context.db, user.id, content.task_id)
      if (task === undefined) throw notFound('This task does not exist.')
      if (task.title !== content.title) throw conflict('This task has been changed since. Please ask again.')
      await updateTodo(context, user.id, content.task_id, { completed: true })
      return { label: content.title, path: '/dashboard' }
    })
  },
})
