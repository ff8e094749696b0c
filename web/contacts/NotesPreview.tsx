import { useState } from 'react'
import { cx } from '#web/ui/cx.ts'
import { notesPreview } from './contact-words.ts'

/** The first words of a contact's notes, and all of them on request. */
export function NotesPreview({ notes }: { notes: string }) {
  const [isOpen, setOpen] = useState(false)
  if (notes === '') return null
  const { text, isCut } = notesPreview(notes)
  return (
    <p className="max-w-prose text-sm text-ink-2">
      <span className={cx('wrap-anywhere', isOpen && 'whitespace-pre-line')}>{isOpen ? notes : text}</span>{' '}
      {isCut ? (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="rounded-sm text-moon hover:underline pointer-coarse:py-2"
        >
          {isOpen ? 'Read Less' : 'Read More'}
        </button>
      ) : null}
    </p>
  )
}
