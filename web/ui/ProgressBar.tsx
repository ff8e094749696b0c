import { cx } from './cx.ts'

export type ProgressBarProps = {
  /** The accessible name: what is going on. */
  label: string
  /** Done so far; without it the end is not known. */
  value?: number | undefined
  max?: number
  className?: string
}

/** A thin bar. A native element, so that its width needs no inline style (which our policy forbids in served HTML). */
export function ProgressBar({ label, value, max = 100, className }: ProgressBarProps) {
  return <progress aria-label={label} value={value} max={max} className={cx('progress-bar', className)} />
}
