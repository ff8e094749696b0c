import { type PointerEvent, useState } from 'react'
import { barHeight } from './bar-height.ts'
import { cx } from './cx.ts'

/** The height of a band in drawing units; a period is one unit wide. */
const BAND = 40
const GAP = 0.4

export type Band = {
  key: string
  label: string
  /** The figure beside the band. */
  figure: string
  /** What the drawing shows, in words. */
  described: string
  /** The colour of its bars: a `fill-…` class. */
  bar: string
  /** One for each period; null where nothing is known. */
  values: readonly (number | null)[]
}

type BandChartProps = {
  bands: readonly Band[]
  /** What a period is: "Day". */
  period: string
  /** What happened in a period, in words. */
  spoken: (at: number) => string
  /** The first period and the last one, below the drawing. */
  ends: readonly [first: string, last: string]
}

/**
 * Periods from left to right, with one band for each count, each on its own scale. A finger, the mouse or the arrow keys
 * choose a period, whose counts are shown below: the drawing lies under a range input.
 */
export function BandChart({ bands, period, spoken, ends }: BandChartProps) {
  const [chosen, setChosen] = useState<number | null>(null)
  const count = bands[0]?.values.length ?? 0
  const last = Math.max(0, count - 1)
  const at = chosen === null ? null : Math.min(chosen, last)
  const follow = (event: PointerEvent<HTMLInputElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const place = Math.floor(((event.clientX - left) / width) * count)
    setChosen(Math.min(last, Math.max(0, place)))
  }
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 sm:gap-x-6">
      <dl className="flex flex-col">
        {bands.map(({ key, label, figure }) => (
          <div key={key} className="flex h-14 flex-col justify-end border-b border-transparent">
            <dt className="text-sm text-ink-2">{label}</dt>
            <dd className="font-display text-lg leading-tight font-medium tabular-nums">{figure}</dd>
          </div>
        ))}
      </dl>
      <div className="relative rounded-sm has-focus-visible:outline-2 has-focus-visible:outline-offset-4 has-focus-visible:outline-accent">
        {bands.map((band) => (
          <Bars key={band.key} band={band} chosen={at} />
        ))}
        <input
          type="range"
          aria-label={period}
          min={0}
          max={last}
          value={at ?? last}
          aria-valuetext={spoken(at ?? last)}
          onChange={(event) => setChosen(Number(event.target.value))}
          onFocus={() => setChosen(at ?? last)}
          onBlur={() => setChosen(null)}
          onPointerMove={follow}
          onPointerDown={follow}
          onPointerLeave={() => setChosen(null)}
          className="absolute inset-0 h-full w-full cursor-crosshair touch-pan-y appearance-none opacity-0"
        />
      </div>
      <p className="col-start-2 flex justify-between gap-3 pt-1.5 text-sm text-ink-2 tabular-nums">
        {at === null ? (
          <>
            <span>{ends[0]}</span>
            <span>{ends[1]}</span>
          </>
        ) : (
          <span className="text-ink">{spoken(at)}</span>
        )}
      </p>
    </div>
  )
}

function Bars({ band: { described, bar, values }, chosen }: { band: Band; chosen: number | null }) {
  const most = Math.max(0, ...values.map((value) => value ?? 0))
  return (
    <div className="relative h-14 border-b border-line pt-2">
      <svg
        role="img"
        aria-label={described}
        viewBox={`0 0 ${values.length} ${BAND}`}
        preserveAspectRatio="none"
        className="block h-full w-full overflow-visible"
      >
        {values.map((value, at) => {
          const height = barHeight(value ?? 0, most) * BAND
          return (
            // oxlint-disable-next-line react/no-array-index-key -- a period is known by its place
            <g key={at}>
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
