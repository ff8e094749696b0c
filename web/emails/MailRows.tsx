import { lazy, type RefObject, Suspense } from 'react'
import type { DayGroup } from '#web/email-text/day-groups.ts'
import type { Email } from '#contract/emails.ts'
import { MailRow, type RowDesk } from './MailRow.tsx'
import type { Selection } from './use-selection.ts'

/** Longer pages draw only the rows that can be seen; shorter ones are cheaper to draw whole. */
const LONG_PAGE = 20

const LongMailRows = lazy(() => import('./LongMailRows.tsx').then((part) => ({ default: part.LongMailRows })))

export type MailRowsProps = {
  groups: readonly DayGroup<Email>[]
  desk: RowDesk
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

/** The mails by day. */
export function MailRows(props: MailRowsProps) {
  const whole = <AllMailRows {...props} />
  if (props.count <= LONG_PAGE) return whole
  return (
    <Suspense fallback={whole}>
      <LongMailRows {...props} />
    </Suspense>
  )
}

function AllMailRows({ groups, desk, openId, selection, isNew }: MailRowsProps) {
  return groups.map(({ label, rows }) => (
    <section key={label} aria-label={label}>
      <DayHeading label={label} count={rows.length} />
      <ul aria-label={label}>
        {rows.map((mail) => (
          <MailRow
            key={mail.id}
            mail={mail}
            desk={desk}
            isNew={isNew(mail.id)}
            isOpen={mail.id === openId}
            isChosen={selection.has(mail.id)}
          />
        ))}
      </ul>
    </section>
  ))
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
