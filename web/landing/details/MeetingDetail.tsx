import { useState } from 'react'
import { cx } from '#web/platform/ui/cx.ts'
import { Detail } from './Detail.tsx'

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']
const hours = ['9:00', '10:00', '11:00', '14:00']
/** Hours that the calendar has taken, as "day index-hour index". */
const taken = new Set(['0-0', '0-1', '1-2', '2-0', '2-1', '2-3', '3-0', '4-1', '4-2', '4-3'])

export function MeetingDetail({ className }: { className?: string }) {
  const [picked, setPicked] = useState('3-1')
  const [day = 0, hour = 0] = picked.split('-').map(Number)
  return (
    <Detail
      title="Meeting scheduling"
      text="Synced with your calendar, so that only free hours are offered. Reminders included."
      {...(className ? { className } : {})}
    >
      <div className="grid grid-cols-5 gap-1.5">
        {days.map((name) => (
          <span key={name} className="text-center text-xs text-ink-2">
            {name.slice(0, 3)}
          </span>
        ))}
        {hours.map((time, row) =>
          days.map((name, column) => {
            const slot = `${column}-${row}`
            return (
              <button
                key={slot}
                type="button"
                disabled={taken.has(slot)}
                aria-pressed={slot === picked}
                aria-label={`${name} ${time}`}
                onClick={() => setPicked(slot)}
                className={cx(slotClass)}
              >
                {time}
              </button>
            )
          }),
        )}
      </div>
      <p aria-live="polite" className="mt-4">
        <span className="font-medium">
          {days[day]} {hours[hour]}
        </span>{' '}
        <span className="text-ink-2">Call with Inès Moreau</span>
      </p>
    </Detail>
  )
}

const slotClass =
  'h-9 rounded-md border border-line text-sm tabular-nums transition-colors hover:border-control pointer-coarse:h-11 ' +
  'disabled:border-transparent disabled:bg-sunken disabled:text-ink-2/0 ' +
  'aria-pressed:border-accent aria-pressed:bg-accent aria-pressed:text-on-accent'
