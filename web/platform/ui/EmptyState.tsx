import type { ReactNode } from 'react'
import { cx } from './cx.ts'

type EmptyStateProps = {
  title: string
  children?: ReactNode
  /** The next step. */
  action?: ReactNode
  art?: ReactNode
  className?: string
}

/** Shown in place of an empty list: why it is empty, and what to do next. */
export function EmptyState({ title, children, action, art, className }: EmptyStateProps) {
  return (
    <div
      className={cx('flex flex-col items-center justify-center gap-1.5 px-6 py-10 text-center', className)}
    >
      {art ? <div className="mb-2 text-ink-2">{art}</div> : null}
      <p className="text-md font-medium">{title}</p>
      {children ? <div className="max-w-sm text-ink-2">{children}</div> : null}
      {action ? <div className="mt-3">{action}</div> : null}
    </div>
  )
}
