import { Trash2 } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import type { Meeting } from '#contract/crm/meetings.ts'
import { clockTime } from '#web/platform/dates/mail-age.ts'
import { cx } from '#web/platform/ui/cx.ts'
import { TYPE_LABELS } from './meeting-text.ts'
import { TypeIcon } from './TypeIcon.tsx'

/** A cell has room for this many meetings; if there are more, its last line counts them. */
const ROOM = 3
const DOTS = 3

export type CellActions = {
  onEdit: (meeting: Meeting) => void
  onDelete: (meeting: Meeting) => void
  /** Opens the day with all its meetings. */
  onDay: (day: string) => void
  /** Called for a press on the cell beside its meetings. */
  onPress: (day: string) => void
}

type MonthCellProps = CellActions & {
  day: string
  meetings: readonly Meeting[]
  timeZone: string
  now: Date
  isToday: boolean
  /** True for days of the previous or next month. */
  isOther: boolean
  /** True for the only cell that Tab reaches; its contents are reached from there. */
  isCurrent: boolean
  /** True if there is room for text; otherwise meetings are shown as dots. */
  isWide: boolean
  onKeyDown: (event: KeyboardEvent) => void
}

/** One day of the month. */
export function MonthCell(props: MonthCellProps) {
  const { day, meetings, isToday, isOther, isCurrent, isWide } = props
  const shown = meetings.length > ROOM ? meetings.slice(0, ROOM - 1) : meetings
  const more = meetings.length - shown.length
  const tabIndex = isCurrent ? 0 : -1
  return (
    <td
      data-day={day}
      tabIndex={tabIndex}
      aria-current={isToday ? 'date' : undefined}
      aria-selected={isCurrent}
      onKeyDown={props.onKeyDown}
      onClick={() => props.onPress(day)}
      className={cx(
        'relative border-t border-l border-line p-0 align-top outline-offset-[-2px] first:border-l-0',
        isWide ? 'h-29' : 'h-13',
        !isWide && isCurrent ? 'bg-accent-soft' : isOther ? 'bg-sunken/50' : 'hover:bg-sunken/40',
      )}
    >
      <div className={cx('flex flex-col', isWide ? 'gap-0.5 p-1' : 'items-center gap-1 p-1')}>
        <span
          className={cx(
            'grid size-6 place-items-center rounded-full text-sm tabular-nums',
            isToday ? 'bg-accent font-semibold text-on-accent' : isOther ? 'text-ink-2' : 'font-medium',
          )}
        >
          {Number(day.slice(8))}
        </span>
        {isWide ? (
          <ul className={cx('flex flex-col gap-0.5', meetings.length === 0 && 'hidden')}>
            {shown.map((meeting) => (
              <MonthEvent key={meeting.id} meeting={meeting} tabIndex={tabIndex} {...props} />
            ))}
            {more > 0 ? (
              <li>
                <button
                  type="button"
                  tabIndex={tabIndex}
                  onClick={(event) => {
                    event.stopPropagation()
                    props.onDay(day)
                  }}
                  className="w-full rounded-sm px-1 text-left text-xs text-ink-2 hover:bg-sunken hover:text-ink"
                >
                  +{more} more
                </button>
              </li>
            ) : null}
          </ul>
        ) : (
          <Dots count={meetings.length} />
        )}
      </div>
    </td>
  )
}

function Dots({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <>
      <span className="sr-only">{count === 1 ? ', 1 meeting' : `, ${count} meetings`}</span>
      <span aria-hidden className="flex gap-0.5">
        {Array.from({ length: Math.min(count, DOTS) }, (_, at) => (
          <span key={at} className="size-1.5 rounded-full bg-accent" />
        ))}
      </span>
    </>
  )
}

type MonthEventProps = Pick<MonthCellProps, 'timeZone' | 'now' | 'day' | 'onEdit' | 'onDelete'> & {
  meeting: Meeting
  tabIndex: number
}

function MonthEvent({ meeting, tabIndex, timeZone, now, onEdit, onDelete }: MonthEventProps) {
  const { title, type, status, start_time: start, end_time: end } = meeting
  const isPale = status !== 'scheduled' || new Date(end) < now
  return (
    <li
      className={cx(
        'group/event relative flex items-center rounded-sm text-xs',
        isPale ? 'bg-sunken text-ink-2' : 'bg-accent-soft',
      )}
    >
      <button
        type="button"
        tabIndex={tabIndex}
        onClick={(event) => {
          event.stopPropagation()
          onEdit(meeting)
        }}
        className="flex min-w-0 grow items-center gap-1 rounded-sm px-1 py-0.5 text-left"
      >
        <span className="sr-only">Edit</span>
        <TypeIcon type={type} className={cx('size-3', !isPale && 'text-accent')} />
        <span className={cx('min-w-0 grow truncate font-medium', status === 'cancelled' && 'line-through')}>
          {title}
        </span>
        <span className="shrink-0 text-ink-2 tabular-nums group-focus-within/event:opacity-0 group-hover/event:opacity-0 pointer-coarse:mr-6 pointer-coarse:opacity-100!">
          {clockTime(new Date(start), timeZone)}
        </span>
        <span className="sr-only">
          {TYPE_LABELS[type]}
          {status === 'scheduled' ? '' : `, ${status}`}
        </span>
      </button>
      <button
        type="button"
        tabIndex={tabIndex}
        aria-label={`Delete ${title}`}
        data-tip={`Delete ${title}`}
        onClick={(event) => {
          event.stopPropagation()
          onDelete(meeting)
        }}
        className="absolute inset-y-0 right-0.5 my-auto grid size-5 place-items-center rounded-sm text-ink-2 opacity-0 group-focus-within/event:opacity-100 group-hover/event:opacity-100 hover:bg-surface hover:text-danger focus-visible:opacity-100 pointer-coarse:opacity-100"
      >
        <Trash2 aria-hidden className="size-3" />
      </button>
    </li>
  )
}
