import { type PointerEvent, useState } from 'react'
import type { ActivityDay } from '#contract/dashboard.ts'
import { cx } from '#web/ui/cx.ts'
import { barHeight, dayText, SERIES, shortDay, totalOf } from './activity-text.ts'

/** The height of a band in drawing units; a day is one unit wide. */
const BAND = 40
const GAP = 0.4

/**
 * Days from left to right, with one band for each count, each on its own scale. A finger, the mouse or the arrow keys
 * choose a day, whose counts are shown below: the drawing lies under a range input.
 */
export function ActivityChart({ days }: { days: readonly ActivityDay[] }) {
  const [chosen, setChosen] = useState<number | null>(null)
  const at = chosen === null ? null : Math.min(chosen, days.length - 1)
  const day = at === null ? undefined : days[at]
  const follow = (event: PointerEvent<HTMLInputElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const place = Math.floor(((event.clientX - left) / width) * days.length)
    setChosen(Math.min(days.length - 1, Math.max(0, place)))
  }
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 sm:gap-x-6">
      <dl className="flex flex-col">
        {SERIES.map(({ key, label }) => (
          <div key={key} className="flex h-14 flex-col justify-end border-b border-transparent">
            <dt className="text-sm text-ink-2">{label}</dt>
            <dd className="font-display text-lg leading-tight font-medium tabular-nums">
              {totalOf(days, key).toLocaleString('en')}
            </dd>
          </div>
        ))}
      </dl>
      <div className="relative rounded-sm has-focus-visible:outline-2 has-focus-visible:outline-offset-4 has-focus-visible:outline-accent">
        {SERIES.map((series) => (
          <Band key={series.key} days={days} series={series} chosen={at} />
        ))}
        <input
          type="range"
          aria-label="Day"
          min={0}
          max={days.length - 1}
          value={at ?? days.length - 1}
          aria-valuetext={dayText(days[at ?? days.length - 1] ?? NO_DAY)}
          onChange={(event) => setChosen(Number(event.target.value))}
          onFocus={() => setChosen(at ?? days.length - 1)}
          onBlur={() => setChosen(null)}
          onPointerMove={follow}
          onPointerDown={follow}
          onPointerLeave={() => setChosen(null)}
          className="absolute inset-0 h-full w-full cursor-crosshair touch-pan-y appearance-none opacity-0"
        />
      </div>
      <p className="col-start-2 flex justify-between gap-3 pt-1.5 text-sm text-ink-2 tabular-nums">
        {day === undefined ? (
          <>
            <span>{shortDay(days[0]?.day ?? '')}</span>
            <span>Today</span>
          </>
        ) : (
          <span className="text-ink">{dayText(day)}</span>
        )}
      </p>
    </div>
  )
}

const NO_DAY: ActivityDay = { day: '1970-01-01', sent: 0, replies: 0, meetings: 0 }

type BandProps = { days: readonly ActivityDay[]; series: (typeof SERIES)[number]; chosen: number | null }

function Band({ days, series: { key, label, bar }, chosen }: BandProps) {
  const most = Math.max(...days.map((day) => day[key]))
  return (
    <div className="relative h-14 border-b border-line pt-2">
      <svg
        role="img"
        aria-label={`${label}: ${totalOf(days, key).toLocaleString('en')} in ${days.length} days, at most ${most.toLocaleString('en')} in one day`}
        viewBox={`0 0 ${days.length} ${BAND}`}
        preserveAspectRatio="none"
        className="block h-full w-full overflow-visible"
      >
        {days.map((day, at) => {
          const height = barHeight(day[key], most) * BAND
          return (
            <g key={day.day}>
              {at === chosen ? (
                <rect x={at} y={-8} width={1} height={BAND + 8} className="fill-sunken" />
              ) : null}
              <rect
                x={at + GAP / 2}
                y={BAND - height}
                width={1 - GAP}
                height={height}
                className={cx(bar, chosen !== null && at !== chosen && 'opacity-45')}
              />
            </g>
          )
        })}
      </svg>
    </div>
  )
}
