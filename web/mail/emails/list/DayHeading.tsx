import { type RefObject } from 'react'
import type { DayGroup } from '../../../platform/dates/day-groups.ts'
import type { Email } from '#contract/mail/emails.ts'
import type { RowContext } from './MailRow.tsx'
import type { Selection } from '../page/use-selection.ts'

export type MailRowsProps = {
  groups: readonly DayGroup<Email>[]
  context: RowContext
  /** How many of the page's mails are under this heading. */
  count: number
  openId: number | null
  selection: Selection
  isNew: (id: number) => boolean
  /** The element that scrolls the rows. */
  scroller: RefObject<HTMLElement | null>
  /** Receives the function that scrolls a row into view. */
  revealer: RefObject<(id: number) => void>
}

/** The heading of a day with its number of mails; it sticks to the top while its rows scroll. */
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
