import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type * as z from 'zod/mini'
import { PRIORITIES, type Todo, todos } from '#contract/crm/todos.ts'
import { changedFields } from '#web/platform/api/changed-fields.ts'
import { formResolver, showFieldErrors } from '#web/platform/api/form.ts'
import { useCommand } from '#web/platform/api/queries.ts'
import { Dialog } from '#web/platform/ui/Dialog.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { TextArea } from '#web/platform/ui/TextArea.tsx'
import { TextInput } from '#web/platform/ui/TextInput.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { AboutLine } from './TodoAbout.tsx'
import { aboutOf } from './todo-links.ts'
import { PRIORITY_LABELS } from './todo-text.ts'

type Body = NonNullable<typeof todos.add.body>
const FIELDS = ['title', 'description', 'due_date', 'priority'] as const
const PRIORITY_OPTIONS = PRIORITIES.map((value) => ({ value, label: PRIORITY_LABELS[value] }))

type TodoDialogProps = {
  open: boolean
  onClose: () => void
  /** The task to edit; null to add one. */
  todo: Todo | null
  /** The initial values of a new task. */
  start?: TodoStart
}

/** The initial values of a new task: its title, and its contact or mail. */
export type TodoStart = { title: string } & Pick<Todo, 'contact' | 'email'>

/** The form that adds or edits a task. */
export function TodoDialog({ open, onClose, todo, start }: TodoDialogProps) {
  const [fault, setFault] = useState<string | null>(null)
  const [unlinked, setUnlinked] = useState(false)
  const subject = unlinked ? null : (todo ?? start ?? null)
  const about = subject === null ? null : aboutOf(subject)
  const [begun] = useState({
    title: todo?.title ?? start?.title ?? '',
    description: todo?.description ?? '',
    due_date: todo?.due_date ?? '',
    priority: todo?.priority ?? 'medium',
  })
  const form = useForm<z.input<Body>, unknown, z.output<Body>>({
    resolver: formResolver(todos.add.body),
    defaultValues: begun,
  })
  const { errors } = form.formState
  const reactions = {
    refreshes: [todos.list],
    onSuccess: () => {
      toast.success(todo === null ? 'Todo added' : 'Todo updated')
      onClose()
    },
    onError: (error: unknown) =>
      setFault(showFieldErrors(form, error, FIELDS, `Failed to ${todo === null ? 'add' : 'update'} todo`)),
  }
  const add = useCommand(todos.add, reactions)
  const update = useCommand(todos.update, reactions)
  const busy = add.isPending || update.isPending
  const send = form.handleSubmit((body) => {
    setFault(null)
    if (todo !== null) {
      const links = unlinked ? { contact_id: null, email_id: null } : {}
      // What was changed elsewhere meanwhile, and not here, stays.
      const changes = { ...changedFields(body, begun), ...links }
      return Object.keys(changes).length === 0
        ? onClose()
        : update.mutate({ params: { id: todo.id }, body: changes })
    }
    const { description, due_date: due, ...rest } = body
    // Empty fields are not sent.
    const filled = { ...(description ? { description } : {}), ...(due ? { due_date: due } : {}) }
    const links = {
      ...(subject?.contact ? { contact_id: subject.contact.id } : {}),
      ...(subject?.email ? { email_id: subject.email.id } : {}),
    }
    add.mutate({ body: { ...rest, ...filled, ...links } })
  })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={todo === null ? 'Add New Task' : 'Edit Task'}
      onSubmit={(event) => void send(event)}
      busy={busy}
      error={fault}
      submit={todo === null ? 'Add Task' : 'Save Changes'}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        {about === null ? null : (
          <div className="sm:col-span-2">
            <AboutLine about={about} onUnlink={() => setUnlinked(true)} />
          </div>
        )}
        <Field label="Title" error={errors.title?.message} required className="sm:col-span-2">
          <TextInput {...form.register('title')} autoComplete="off" />
        </Field>
        <Field label="Description" error={errors.description?.message} className="sm:col-span-2">
          <TextArea {...form.register('description')} />
        </Field>
        <Field label="Due date" error={errors.due_date?.message}>
          <TextInput {...form.register('due_date')} type="date" />
        </Field>
        <Field label="Priority" error={errors.priority?.message}>
          <Select {...form.register('priority')} options={PRIORITY_OPTIONS} />
        </Field>
      </div>
    </Dialog>
  )
}
