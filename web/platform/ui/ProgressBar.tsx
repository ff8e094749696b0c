import { cx } from './cx.ts'

type ProgressBarProps = {
  /** The accessible name: the work that is in progress. */
  label: string
  /** How much is done; without it the end is unknown. */
  value?: number | undefined
  max?: number
  className?: string
}

/** A thin bar. It is a native element, because our content security policy forbids inline styles in served HTML. */
export function ProgressBar({ label, value, max = 100, className }: ProgressBarProps) {
  return <progress aria-label={label} value={value} max={max} className={cx('progress-bar', className)} />
}
