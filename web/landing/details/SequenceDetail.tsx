import { useState } from 'react'
import { Badge } from '#web/platform/ui/Badge.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { Switch } from '#web/platform/ui/Switch.tsx'
import { Detail } from './Detail.tsx'

const steps = [
  { day: 'Day 0', what: 'First mail' },
  { day: 'Day 3', what: 'Follow-up, if it is still quiet' },
  { day: 'Day 6', what: 'Another, shorter' },
  { day: 'Day 9', what: 'The last one' },
]
/** The reply of the example comes after this many steps. */
const BEFORE_REPLY = 2

export function SequenceDetail({ className }: { className?: string }) {
  const [replied, setReplied] = useState(false)
  return (
    <Detail
      title="Workflow automation"
      text="Follow-up sequences run by themselves, and triggers stop them: a reply, a bounce, a meeting, an unsubscribe."
      {...(className ? { className } : {})}
    >
      <Switch
        label="They reply on day 4"
        checked={replied}
        onChange={(event) => setReplied(event.target.checked)}
        className="self-start"
      />
      <ol className="mt-4">
        {steps.map(({ day, what }, index) => {
          const stopped = replied && index >= BEFORE_REPLY
          return (
            <li
              key={day}
              className="relative flex h-14 items-center gap-3 not-last:before:absolute not-last:before:top-9 not-last:before:left-[4.5px] not-last:before:h-10 not-last:before:w-px not-last:before:bg-line"
            >
              <span
                className={cx(
                  'size-2.5 shrink-0 rounded-full transition-colors',
                  stopped ? 'border border-control' : 'bg-accent',
                )}
              />
              <span className="w-12 text-sm text-ink-2 tabular-nums">{day}</span>
              <span className={cx('flex-1', stopped && 'text-ink-2 line-through')}>{what}</span>
              {stopped ? <Badge>Stopped</Badge> : null}
            </li>
          )
        })}
      </ol>
    </Detail>
  )
}
