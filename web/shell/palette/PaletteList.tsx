// oxlint-disable jsx-a11y/prefer-tag-over-role -- the native list of options cannot be placed below a field
import { cx } from '#web/platform/ui/cx.ts'
import type { Group, Item } from './findings.ts'

type PaletteListProps = {
  id: string
  groups: readonly Group[]
  current: Item | undefined
  /** True while answers are still missing. */
  busy: boolean
  onPoint: (item: Item) => void
  onChoose: (item: Item) => void
}

/** The lines of the palette, grouped by kind; the focus stays in the field. */
export function PaletteList({ id, groups, current, busy, onPoint, onChoose }: PaletteListProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Results"
      aria-busy={busy || undefined}
      className="relative min-h-0 overflow-y-auto overscroll-contain px-2 pb-2"
    >
      {groups.map((group) => (
        <div key={group.name} role="group" aria-label={group.name}>
          <p aria-hidden className="px-2 pt-3 pb-1 text-xs font-medium text-ink-2">
            {group.name}
          </p>
          {group.items.map((item) => (
            <button
              key={item.id}
              id={`${id}-${item.id}`}
              type="button"
              role="option"
              tabIndex={-1}
              aria-selected={item.id === current?.id}
              // Keeps the focus in the field.
              onPointerDown={(event) => event.preventDefault()}
              onPointerMove={() => item.id === current?.id || onPoint(item)}
              onClick={() => onChoose(item)}
              className={cx(
                'flex min-h-10 w-full text-left cursor-pointer items-center gap-3 rounded-md px-2 py-1.5 pointer-coarse:min-h-12 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-2',
                item.id === current?.id && 'bg-accent-soft [&_svg]:text-accent',
              )}
            >
              {item.icon}
              <span className="min-w-0 flex-1 truncate">
                {item.title}
                {item.note ? <span className="text-ink-2"> · {item.note}</span> : null}
              </span>
              {item.when ? (
                <span className="shrink-0 text-sm text-ink-2 tabular-nums">{item.when}</span>
              ) : null}
            </button>
          ))}
        </div>
      ))}
    </div>
  )
}
