import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export type BadgeTone = 'gray' | 'purple' | 'amber' | 'orange' | 'blue' | 'green' | 'red' | 'moon'

const TONES: Record<BadgeTone, string> = {
  gray: 'bg-gray-soft text-gray',
  purple: 'bg-purple-soft text-purple',
  amber: 'bg-amber-soft text-amber',
  orange: 'bg-orange-soft text-orange',
  blue: 'bg-blue-soft text-blue',
  green: 'bg-green-soft text-green',
  red: 'bg-danger-soft text-danger',
  moon: 'bg-accent-soft text-accent',
}

/** A short label with a colour. The label must be clear without the colour. */
export function Badge({
  tone = 'gray',
  className,
  children,
}: {
  tone?: BadgeTone
  className?: string
  children: ReactNode
}) {
  return (
    <span
      className={cx(
        'inline-flex h-5.5 items-center rounded-full px-2 text-xs font-medium whitespace-nowrap',
        TONES[tone],
        className,
      )}
    >
      {children}
    </span>
  )
}
