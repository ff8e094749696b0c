import { Plus } from 'lucide-react'
import { useState } from 'react'
import { PRIORITIES, type Todo, todos } from '#contract/crm/todos.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { useCommand, usePage } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { zonedDay } from '#web/platform/dates/zoned-day.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { ConfirmDialog } from '#web/platform/ui/ConfirmDialog.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { Loaded } from '#web/platform/ui/Loaded.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { SearchInput } from '#web/platform/ui/SearchInput.tsx'
import { Select } from '#web/platform/ui/Select.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { useSettled } from '#web/platform/ui/use-settled.ts'
import { TodoDialog } from './TodoDialog.tsx'
import { TodoRow } from './TodoRow.tsx'
import { PRIORITY_LABELS } from './todo-text.ts'
import { useOpened } from '#web/platform/ui/use-opened.ts'

const SHOWN = 200
const PRIORITY_FILTERS = [
  { value: 'all', label: 'All priorities' },
  ...PRIORITIES.map((value) => ({ value, label: PRIORITY_LABELS[value] })),
]
const STATUS_FILTERS = [
  { value: 'all', label: 'All statuses' },
  { value: 'pending', label: 'Pending' },
  { value: 'completed', label: 'Completed' },
]
const SORTS = [
  { value: 'created', label: 'Newest first' },
  { value: 'due_date', label: 'Due date' },
  { value: 'priority', label: 'Priority' },
  { value: 'title', label: 'Title' },
]

type Query = {
  priority: 'all' | Todo['priority']
  status: 'all' | 'pending' | 'completed'
  sort: 'created' | 'due_date' | 'priority' | 'title'
}

const STARTS: Record<'all' | 'due', Query> = {
  all: { priority: 'all', status: 'all', sort: 'created' },
  due: { priority: 'all', status: 'pending', sort: 'due_date' },
}

export type TodosPanelProps = {
  now: Date
  /** What is shown first: all tasks, or those that are due. */
  startsWith?: 'all' | 'due'
  /** The task to open at once. */
  opens?: Todo | null
}

/** The user's tasks: search, filter, sort, add, edit, tick off. */
export function TodosPanel({ now, startsWith = 'all', opens = null }: TodosPanelProps) {
  const [search, setSearch] = useState('')
  const [query, setQuery] = useState<Query>(STARTS[startsWith])
  const dialog = useOpened<{ todo: Todo | null }>(opens && { todo: opens })
  const leaving = useOpened<Todo>()
  const today = zonedDay(now, useTimeZone())
  const settled = useSettled(search)
  const page = usePage(todos.list, { query: { ...query, search: settled, page_size: SHOWN } })
  const isNarrowed = settled !== '' || query.priority !== 'all' || query.status !== 'all'
  const toggle = useCommand(todos.toggle, {
    refreshes: [todos.list],
    onError: (error) => toast.error(sentenceOf(error, 'Failed to toggle todo')),
  })
  const edit = (todo: Todo | null) => dialog.show({ todo })
  const set = (part: Partial<Query>) => setQuery({ ...query, ...part })
  return (
    <Card
      title="My Tasks"
      flush
      className="h-full"
      actions={
        <Button size="s" icon={<Plus aria-hidden className="size-3.5" />} onClick={() => edit(null)}>
          Add Task
        </Button>
      }
    >
      <div className="flex h-full flex-col">
        <QueryFields search={search} onSearch={setSearch} query={query} onQuery={set} />
        <div
          className={cx(
            'border-t border-line lg:flex-1',
            (page.data?.rows.length !== 0 || isNarrowed) &&
              'relative h-80 overflow-y-auto lg:h-auto lg:min-h-80 lg:basis-0',
          )}
        >
          <Loaded
            query={page}
            failed={(error) => sentenceOf(error, 'Failed to load todos')}
            waiting={<LoadingRows />}
          >
            {({ rows, total }) =>
              rows.length === 0 ? (
                <EmptyState title="No tasks found" className="h-full">
                  {isNarrowed
                    ? 'Nothing matches this search and these filters.'
                    : 'Your tasks will show up here.'}
                </EmptyState>
              ) : (
                <ul aria-label="My Tasks" className="divide-y divide-line">
                  {rows.map((todo) => (
                    <TodoRow
                      key={todo.id}
                      todo={todo}
                      today={today}
                      onToggle={() => toggle.mutate({ params: { id: todo.id } })}
                      onEdit={() => edit(todo)}
                      onDelete={() => leaving.show(todo)}
                    />
                  ))}
                  {total > SHOWN ? (
                    <li className="px-4 py-2.5 text-sm text-ink-2">
                      {(total - SHOWN).toLocaleString('en')} more: search or filter to see them.
                    </li>
                  ) : null}
                </ul>
              )
            }
          </Loaded>
        </div>
      </div>
      {dialog.what === null ? null : <TodoDialog key={dialog.turn} {...dialog.props} {...dialog.what} />}
      {leaving.what === null ? null : (
        <DeleteTodo key={leaving.turn} {...leaving.props} todo={leaving.what} />
      )}
    </Card>
  )
}

type QueryFieldsProps = {
  search: string
  onSearch: (search: string) => void
  query: Query
  onQuery: (part: Partial<Query>) => void
}

function QueryFields({ search, onSearch, query, onQuery }: QueryFieldsProps) {
  return (
    <div className="grid grid-cols-2 gap-2 px-4 pb-3 sm:grid-cols-3">
      <Field label="Search tasks" hideLabel className="col-span-2 sm:col-span-3">
        <SearchInput
          value={search}
          placeholder="Search tasks..."
          onChange={(event) => onSearch(event.target.value)}
        />
      </Field>
      <Field label="Filter by priority" hideLabel>
        <Select
          value={query.priority}
          onChange={(event) => onQuery({ priority: event.target.value as Query['priority'] })}
          options={PRIORITY_FILTERS}
        />
      </Field>
      <Field label="Filter by status" hideLabel>
        <Select
          value={query.status}
          onChange={(event) => onQuery({ status: event.target.value as Query['status'] })}
          options={STATUS_FILTERS}
        />
      </Field>
      <Field label="Sort tasks" hideLabel className="max-sm:col-span-2">
        <Select
          value={query.sort}
          onChange={(event) => onQuery({ sort: event.target.value as Query['sort'] })}
          options={SORTS}
        />
      </Field>
    </div>
  )
}

function DeleteTodo({ open, onClose, todo }: { open: boolean; onClose: () => void; todo: Todo }) {
  const remove = useCommand(todos.remove, {
    refreshes: [todos.list],
    onSuccess: () => {
      toast.success('Todo deleted')
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Delete “${todo.title}”?`}
      action="Delete"
      danger
      busy={remove.isPending}
      error={remove.error === null ? null : sentenceOf(remove.error, 'Failed to delete todo')}
      onConfirm={() => remove.mutate({ params: { id: todo.id } })}
    >
      The task and its description will be deleted.
    </ConfirmDialog>
  )
}

function LoadingRows() {
  return (
    <div aria-busy="true" className="divide-y divide-line">
      {['w-1/2', 'w-2/5', 'w-3/5', 'w-1/3'].map((width) => (
        <div key={width} className="flex h-16 items-center gap-3 px-4">
          <Skeleton className="size-4.5" />
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className={`h-3 ${width}`} />
            <Skeleton className="h-3 w-1/4" />
          </div>
        </div>
      ))}
    </div>
  )
}
