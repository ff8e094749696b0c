import { useId, type ReactNode } from 'react'
import { cx } from './cx.ts'

export type CardProps = {
  /** Makes the card a region named by this heading. */
  title?: ReactNode
  /** Shown to the right of the title. */
  actions?: ReactNode
  /** No padding, for tables and lists that reach the edges. */
  flush?: boolean
  className?: string
  children: ReactNode
}

/** A surface with a thin border. */
export function Card({ title, actions, flush = false, className, children }: CardProps) {
  const headingId = useId()
  const frame = cx('flex min-w-0 flex-col rounded-lg border border-line bg-surface', className)
  const body = (
    <div className={cx('min-h-0 min-w-0 flex-1', !flush && 'px-4 pb-4', !flush && !title && 'pt-4')}>
      {children}
    </div>
  )
  if (!title) return <div className={frame}>{body}</div>
  return (
    <section aria-labelledby={headingId} className={frame}>
      <div className="flex min-h-12 flex-wrap items-center justify-between gap-2 px-4 py-2">
        <h2 id={headingId} className="text-md font-semibold">
          {title}
        </h2>
        {actions ? <div className="flex items-center gap-1.5">{actions}</div> : null}
      </div>
      {body}
    </section>
  )
}
