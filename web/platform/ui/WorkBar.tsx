import { Button } from '#web/platform/ui/Button.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { ProgressBar } from '#web/platform/ui/ProgressBar.tsx'

export type WorkItem = {
  id: string
  /** "Sending to 200 contacts". */
  label: string
  /** "120 of 200, about 3 minutes left". */
  note?: string
  /** Without a max the end is unknown; without a value no bar is shown (a failing sync). */
  progress?: { value?: number; max?: number }
  tone?: 'calm' | 'problem'
  actions?: ReadonlyArray<{ label: string; onAction: () => void }>
}

/** Background work, below the navigation: its name, its progress, and a way to stop it. */
export function WorkBar({ items }: { items: ReadonlyArray<WorkItem> }) {
  if (items.length === 0) return null
  return (
    <section aria-label="Background work" className="border-t border-line">
      {items.map((item) => (
        <div key={item.id} className={cx('relative', item.tone === 'problem' && 'bg-amber-soft')}>
          <div className="flex min-h-9 items-center gap-x-3 px-4 py-1 text-sm md:px-6">
            <p className="flex min-w-0 flex-1 flex-wrap gap-x-3">
              <span className="font-medium">{item.label}</span>
              {item.note ? <span className="text-ink-2 tabular-nums wrap-anywhere">{item.note}</span> : null}
            </p>
            <span className="flex shrink-0 gap-1">
              {item.actions?.map(({ label, onAction }) => (
                <Button key={label} size="s" variant="plain" onClick={onAction}>
                  {label}
                </Button>
              ))}
            </span>
          </div>
          {item.progress ? (
            <ProgressBar
              label={item.label}
              value={item.progress.value}
              {...(item.progress.max === undefined ? {} : { max: item.progress.max })}
              className="absolute inset-x-0 -bottom-px h-0.5! rounded-none!"
            />
          ) : null}
        </div>
      ))}
    </section>
  )
}
