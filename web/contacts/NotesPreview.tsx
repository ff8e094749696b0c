import { useState } from 'react'
import { cx } from '#web/ui/cx.ts'
import { notesPreview } from './contact-words.ts'

/** The first words of a contact's notes, and all of them on request. */
export function NotesPreview({ notes }: { notes: string }) {
  const [isOpen, setOpen] = useState(false)
  if (notes === '') return null
  const { text, isCut } = notesPreview(notes)
  return (
    <p className={cx('max-w-prose text-sm text-ink-2', !isOpen && 'flex items-baseline gap-1.5')}>
      <span className={isOpen ? 'wrap-anywhere whitespace-pre-line' : 'truncate'}>
        {isOpen ? notes : text}
      </span>{' '}
      {isCut ? (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="shrink-0 rounded-sm text-moon hover:underline pointer-coarse:py-2"
        >
          {isOpen ? 'Read Less' : 'Read More'}
        </button>
      ) : null}
    </p>
  )
}
