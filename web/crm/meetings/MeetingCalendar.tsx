import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { type Meeting, meetings } from '#contract/crm/meetings.ts'
import { useAddressQuery } from '#web/platform/address.ts'
import { sentenceOf } from '#web/platform/api/errors.ts'
import { usePage } from '#web/platform/api/queries.ts'
import { zonedDay } from '#web/platform/dates/zoned-day.ts'
import { useWide } from '#web/platform/ui/use-wide.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { LoadFailed } from '#web/platform/ui/Loaded.tsx'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { DayAgenda } from './DayAgenda.tsx'
import { DayDialog } from './DayDialog.tsx'
import { monthText } from './meeting-text.ts'
import { REFETCH_MS } from './MeetingList.tsx'
import { addDays, addMonths, meetingsByDay, monthOf, weeksOf } from './month.ts'
import { MonthGrid } from './MonthGrid.tsx'
import { startOfDay } from './wall-time.ts'

type MeetingCalendarProps = {
  timeZone: string
  now: Date
  onAdd: (day: string) => void
  onEdit: (meeting: Meeting) => void
  onDelete: (meeting: Meeting) => void
}

const NOTHING = 'No meetings this month.'

/** A month of meetings; on a phone, the selected day's meetings are listed below. */
export function MeetingCalendar({ timeZone, now, onAdd, onEdit, onDelete }: MeetingCalendarProps) {
  const today = zonedDay(now, timeZone)
  const { month, cursor, moveTo } = useShownMonth(today)
  const [day, setDay] = useState<{ day: string; isOpen: boolean } | null>(null)
  const isWide = useWide()
  const weeks = weeksOf(month)
  const first = weeks[0]?.[0] ?? today
  const last = weeks.at(-1)?.at(-1) ?? today
  const page = usePage(meetings.list, {
    query: {
      from: startOfDay(first, timeZone).toISOString(),
      to: startOfDay(addDays(last, 1), timeZone).toISOString(),
    },
    refetchInterval: REFETCH_MS,
  })
  const rows = page.data?.rows ?? []
  const byDay = meetingsByDay(rows, weeks, timeZone)
  const actions = { onEdit, onDelete, timeZone }
  const openDay = (chosen: string) => (isWide ? setDay({ day: chosen, isOpen: true }) : moveTo(chosen))
  return (
    <div className="flex flex-col gap-4">
      <Card flush>
        <div className="flex items-center gap-1 px-2 py-2 sm:px-3">
          <div className="flex min-w-0 grow flex-wrap items-baseline gap-x-3 px-1">
            <h2 aria-live="polite" className="text-md font-semibold">
              {monthText(month)}
            </h2>
            {page.data !== undefined && !page.isPlaceholderData && rows.length === 0 ? (
              <p className="text-sm text-ink-2">
                {isWide ? `${NOTHING} Choose a day to schedule one.` : NOTHING}
              </p>
            ) : null}
          </div>
          <Button size="s" disabled={month === monthOf(today)} onClick={() => moveTo(today)}>
            Today
          </Button>
          <IconButton
            label="Previous month"
            icon={<ChevronLeft aria-hidden />}
            onClick={() => moveTo(addMonths(`${month}-01`, -1))}
          />
          <IconButton
            label="Next month"
            icon={<ChevronRight aria-hidden />}
            onClick={() => moveTo(addMonths(`${month}-01`, 1))}
          />
        </div>
        {page.data === undefined && page.error !== null ? (
          <LoadFailed query={page} message={sentenceOf(page.error, 'Failed to load meetings')} />
        ) : (
          <MonthGrid
            month={month}
            meetings={rows}
            busy={page.data === undefined || page.isPlaceholderData}
            now={now}
            today={today}
            cursor={cursor}
            onCursor={moveTo}
            isWide={isWide}
            onDay={openDay}
            onPress={isWide ? onAdd : moveTo}
            {...actions}
          />
        )}
      </Card>
      {isWide ? null : (
        <DayAgenda day={cursor} meetings={byDay.get(cursor) ?? []} onAdd={onAdd} {...actions} />
      )}
      {day === null ? null : (
        <DayDialog
          open={day.isOpen}
          onClose={() => setDay({ ...day, isOpen: false })}
          day={day.day}
          meetings={byDay.get(day.day) ?? []}
          timeZone={timeZone}
          onAdd={(chosen) => {
            setDay({ ...day, isOpen: false })
            onAdd(chosen)
          }}
          onEdit={(meeting) => {
            setDay({ ...day, isOpen: false })
            onEdit(meeting)
          }}
          onDelete={onDelete}
        />
      )}
    </div>
  )
}

const MONTH = /^(19[7-9]|20\d|21\d)\d-(0[1-9]|1[0-2])$/

/**
 * The day that the arrow keys move from; it also determines the month shown. The address keeps the month for a reload.
 */
function useShownMonth(today: string) {
  const [address, setAddress] = useAddressQuery()
  const [cursor, setCursor] = useState(() => {
    const asked = address.get('month') ?? ''
    return MONTH.test(asked) && asked !== monthOf(today) ? `${asked}-01` : today
  })
  const moveTo = (day: string) => {
    setCursor(day)
    setAddress(
      (before) => {
        if (monthOf(day) === monthOf(today)) before.delete('month')
        else before.set('month', monthOf(day))
        return before
      },
      { replace: true },
    )
  }
  return { month: monthOf(cursor), cursor, moveTo }
}
