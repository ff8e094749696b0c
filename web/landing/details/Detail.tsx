import { useId, type ReactNode } from 'react'
import { cx } from '#web/platform/ui/cx.ts'

/** One of the six: what it is in a line or two, and the thing itself, working. */
export function Detail(props: { title: string; text: string; className?: string; children: ReactNode }) {
  const headingId = useId()
  return (
    <section
      aria-labelledby={headingId}
      className={cx('flex min-w-0 flex-col rounded-xl border border-line bg-surface', props.className)}
    >
      <div className="px-5 pt-5 sm:px-6 sm:pt-6">
        <h3 id={headingId} className="font-display text-lg font-medium">
          {props.title}
        </h3>
        <p className="mt-1 max-w-prose text-md text-ink-2">{props.text}</p>
      </div>
      <div className="flex flex-1 flex-col px-5 pt-5 pb-5 sm:px-6 sm:pb-6">{props.children}</div>
    </section>
  )
}
