import { Flag, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Todo } from '#contract/crm/todos.ts'
import { cx } from '#web/platform/ui/cx.ts'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { AboutLink } from './TodoAbout.tsx'
import { aboutOf } from './todo-links.ts'
import { dayText, descriptionPreview, isOverdue, PRIORITY_LABELS } from './todo-text.ts'

type TodoRowProps = {
  todo: Todo
  /** Today in the user's zone, `2026-03-09`. */
  today: string
  onToggle: () => void
  onEdit: () => void
  onDelete: () => void
}

/** A task with its checkbox, title and due date. */
export function TodoRow({ todo, today, onToggle, onEdit, onDelete }: TodoRowProps) {
  const { title, completed, due_date: due, priority } = todo
  const late = !completed && isOverdue(due, today)
  const about = aboutOf(todo)
  return (
    <li className="group flex items-start gap-3 px-4 py-2.5">
      <input
        type="checkbox"
        checked={completed}
        onChange={onToggle}
        aria-label={completed ? `Mark pending: ${title}` : `Mark complete: ${title}`}
        className="mt-0.5 size-4.5 shrink-0 accent-accent pointer-coarse:size-6"
      />
      <div className="min-w-0 flex-1">
        <p className={cx('font-medium wrap-anywhere', completed && 'text-ink-2 line-through')}>{title}</p>
        <Description text={todo.description} />
        <p className="mt-0.5 flex flex-wrap items-center gap-x-3 text-sm text-ink-2">
          <span className={cx('inline-flex items-center gap-1', priority === 'high' && 'text-danger')}>
            <Flag aria-hidden className="size-3" />
            {PRIORITY_LABELS[priority]}
          </span>
          {due === null ? null : (
            <span className={cx('tabular-nums', late && 'text-danger')}>
              {dayText(due)}
              {late ? ' (Overdue)' : ''}
            </span>
          )}
          {about === null ? null : <AboutLink about={about} />}
        </p>
      </div>
      <div className="flex shrink-0 opacity-60 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
        <IconButton size="s" label={`Edit ${title}`} icon={<Pencil aria-hidden />} onClick={onEdit} />
        <IconButton
          size="s"
          danger
          label={`Delete ${title}`}
          icon={<Trash2 aria-hidden />}
          onClick={onDelete}
        />
      </div>
    </li>
  )
}

function Description({ text }: { text: string }) {
  const [open, setOpen] = useState(false)
  const preview = descriptionPreview(text)
  if (text === '') return null
  return (
    <p className="text-sm wrap-anywhere whitespace-pre-line text-ink-2">
      {preview === null || open ? text : preview}
      {preview === null ? null : (
        <>
          {' '}
          <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} className="text-link">
            {open ? 'Read Less' : 'Read More'}
          </button>
        </>
      )}
    </p>
  )
}
