import { useState } from 'react'
import { cx } from '#web/platform/ui/cx.ts'
import { notesPreview } from './contact-text.ts'

/** The beginning of a contact's notes, and all of them on request; with `oneLine` the beginning is cut to one line. */
export function NotesPreview({ notes, oneLine = false }: { notes: string; oneLine?: boolean }) {
  const [isOpen, setOpen] = useState(false)
  if (notes === '') return null
  const { text, isCut } = notesPreview(notes)
  return (
    <p
      className={cx(
        'max-w-prose text-ink-2',
        !oneLine && 'text-sm',
        oneLine && (isOpen ? 'text-sm' : 'flex gap-1.5 text-xs leading-4'),
      )}
    >
      <span
        className={oneLine && !isOpen ? 'truncate' : cx('wrap-anywhere', isOpen && 'whitespace-pre-line')}
      >
        {isOpen ? notes : text}
      </span>{' '}
      {isCut ? (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className={cx(
            'shrink-0 rounded-sm text-accent hover:underline pointer-coarse:py-2',
            oneLine && 'pointer-coarse:-my-2',
          )}
        >
          {isOpen ? 'Read Less' : 'Read More'}
        </button>
      ) : null}
    </p>
  )
}
