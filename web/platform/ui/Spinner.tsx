import { cx } from './cx.ts'

/** A spinner. With a label it is announced; without one it is decoration inside an element that announces its state. */
export function Spinner({ label, className }: { label?: string; className?: string }) {
  const ring = (
    <svg viewBox="0 0 16 16" aria-hidden="true" className={cx('size-4 animate-spin', className)}>
      <circle cx="8" cy="8" r="6.5" fill="none" stroke="currentColor" strokeWidth="2" opacity="0.2" />
      <path
        d="M14.5 8A6.5 6.5 0 0 0 8 1.5"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
      />
    </svg>
  )
  if (!label) return ring
  return (
    <output aria-live="polite" className="inline-flex items-center gap-2 text-ink-2">
      {ring}
      {label}
    </output>
  )
}
