import { type RefObject } from 'react'
import type { DayGroup } from '../../dates/day-groups.ts'
import type { Email } from '#contract/emails.ts'
import type { RowContext } from './MailRow.tsx'
import type { Selection } from '../page/use-selection.ts'

export type MailRowsProps = {
  groups: readonly DayGroup<Email>[]
  context: RowContext
  /** How many mails the page has. */
  count: number
  openId: number | null
  selection: Selection
  isNew: (id: number) => boolean
  /** What scrolls around the rows. */
  scroller: RefObject<HTMLElement | null>
  /** Receives the way to bring a row into view. */
  revealer: RefObject<(id: number) => void>
}

/** A day with the number of its mails; it stays at the top while they are read. */
export function DayHeading({ label, count }: { label: string; count: number }) {
  return (
    <h2 className="sticky top-0 z-10 flex h-7.5 items-center justify-between border-b border-line bg-paper px-4 text-sm font-medium text-ink-2">
      {label}
      <span className="font-normal tabular-nums">
        {count} <span className="sr-only">{count === 1 ? 'email' : 'emails'}</span>
      </span>
    </h2>
  )
}
