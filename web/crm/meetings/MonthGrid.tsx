/* oxlint-disable jsx-a11y/no-noninteractive-element-to-interactive-role -- the grid of the ARIA Authoring Practices' calendar, on a table */
import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { Meeting } from '#contract/crm/meetings.ts'
import { cx } from '#web/platform/ui/cx.ts'
import { monthText } from './meeting-text.ts'
import { type CellActions, MonthCell } from './MonthCell.tsx'
import { dayAfterKey, meetingsByDay, monthOf, WEEKDAYS, weeksOf } from './month.ts'

type MonthGridProps = CellActions & {
  month: string
  meetings: readonly Meeting[]
  busy: boolean
  timeZone: string
  now: Date
  today: string
  /** The day that the arrow keys move from. */
  cursor: string
  onCursor: (day: string) => void
  isWide: boolean
}

/**
 * A month as six weeks of days. The arrow keys, Home, End, Page Up and Page Down move between days; Enter opens one.
 */
export function MonthGrid(props: MonthGridProps) {
  const { month, meetings, timeZone, today, cursor, onCursor, ...actions } = props
  const weeks = weeksOf(month)
  const byDay = meetingsByDay(meetings, weeks, timeZone)
  const table = useRef<HTMLTableElement>(null)
  const moved = useRef(false)
  useEffect(() => {
    if (!moved.current) return
    moved.current = false
    table.current?.querySelector<HTMLElement>(`[data-day="${cursor}"]`)?.focus()
  }, [cursor])
  const onKeyDown = (day: string) => (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return onKeyInside(event)
    if (event.key === 'Enter' || event.key === ' ') {
      if (byDay.has(day)) actions.onDay(day)
      else actions.onPress(day)
    } else {
      const next = event.altKey || event.ctrlKey || event.metaKey ? null : dayAfterKey(day, event.key)
      if (next === null) return
      moved.current = next !== cursor
      onCursor(next)
    }
    event.preventDefault()
  }
  return (
    <table
      ref={table}
      role="grid"
      aria-label={monthText(month)}
      aria-busy={props.busy}
      className="w-full table-fixed border-collapse"
    >
      <thead>
        <tr>
          {WEEKDAYS.map((name) => (
            <th
              key={name}
              scope="col"
              abbr={name}
              className={cx('h-8 px-2.5 text-xs font-medium text-ink-2', actions.isWide && 'text-left')}
            >
              <span aria-hidden>{actions.isWide ? name.slice(0, 3) : name.slice(0, 1)}</span>
              <span className="sr-only">{name}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <MonthCell
                key={day}
                {...actions}
                day={day}
                meetings={byDay.get(day) ?? []}
                timeZone={timeZone}
                isToday={day === today}
                isOther={monthOf(day) !== month}
                isCurrent={day === cursor}
                onKeyDown={onKeyDown(day)}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Escape moves the focus from a cell's contents to the cell. */
function onKeyInside(event: KeyboardEvent): void {
  if (event.key !== 'Escape') return
  event.preventDefault()
  if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus()
}
