import { type Todo, todos } from '#contract/crm/todos.ts'
import type { Given } from '#contract/platform/endpoint.ts'
import { done, serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { addTodo, removeTodo, toggleTodo, updateTodo } from './save-todo.ts'
import { listTodos, type TodoRow } from './store.ts'

const LIST_MAX = 1000

export function todoRoutes(app: Server): void {
  serve(app, todos.list, async ({ context, user, query }) => {
    const { page, page_size: size, limit, search = '', priority = 'all', status = 'all' } = query
    const pageSize = size ?? limit ?? LIST_MAX
    const filter = {
      search,
      priority: priority === 'all' ? null : priority,
      completed: status === 'all' ? null : status === 'completed',
      contactId: query.contact_id ?? null,
      emailId: query.email_id ?? null,
    }
    const { rows, total } = await listTodos(context.db, user.id, filter, {
      sort: query.sort ?? 'created',
      limit: pageSize,
      offset: (page - 1) * pageSize,
    })
    return { rows: rows.map(present), total, page, pageSize }
  })
  serve(app, todos.add, async ({ context, user, body }) => present(await addTodo(context, user.id, body)))
  serve(app, todos.update, async ({ context, user, params, body }) =>
    present(await updateTodo(context, user.id, params.id, body)),
  )
  serve(app, todos.toggle, async ({ context, user, params }) =>
    present(await toggleTodo(context, user.id, params.id)),
  )
  serve(app, todos.remove, ({ context, user, params }) => done(removeTodo(context, user.id, params.id)))
}

function present(todo: TodoRow): Given<Todo> {
  const { contact_id, contact_name, email_id, email_subject: subject, email_folder: folder } = todo
  return {
    ...todo,
    contact: contact_id === null || contact_name === null ? null : { id: contact_id, name: contact_name },
    email:
      email_id === null || subject === null || folder === null ? null : { id: email_id, subject, folder },
  }
}
