import { useId, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'

export type Tab<Value extends string> = { value: Value; label: string }
type TabsProps<Value extends string> = {
  /** Names the list of tabs for screen readers. */
  label: string
  tabs: readonly Tab<Value>[]
  value: Value
  onChange: (value: Value) => void
  /** What the chosen tab shows. */
  children: ReactNode
}

/** Tabs above their panel. Arrow keys, Home and End choose; only the chosen tab is in the Tab order (ARIA APG). */
export function Tabs<Value extends string>({ label, tabs, value, onChange, children }: TabsProps<Value>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  // On a phone the chosen tab may stand beyond the edge. Only the list itself scrolls, never the page.
  useLayoutEffect(() => {
    const chosen = document.getElementById(`${id}-${value}`)
    if (list.current === null || chosen == null) return
    const { offsetLeft, offsetWidth } = chosen
    list.current.scrollLeft =
      offsetLeft - list.current.offsetLeft - (list.current.clientWidth - offsetWidth) / 2
  }, [id, value])
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.value === value)
    const target = targetOf(event.key, at, tabs.length)
    const next = target === null ? undefined : tabs[target]
    if (next === undefined) return
    event.preventDefault()
    onChange(next.value)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[target ?? 0]?.focus()
  }
  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        className="flex gap-6 overflow-x-auto border-b border-line max-sm:gap-5"
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChange(tab.value)}
            onKeyDown={move}
            className="-mb-px min-h-11 shrink-0 border-b-2 border-transparent font-medium whitespace-nowrap text-ink-2 transition-colors hover:text-ink focus-visible:-outline-offset-2 aria-selected:border-accent aria-selected:text-ink"
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`} className="pt-6">
        {children}
      </div>
    </>
  )
}

function targetOf(key: string, at: number, count: number): number | null {
  if (key === 'ArrowRight') return (at + 1) % count
  if (key === 'ArrowLeft') return (at - 1 + count) % count
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}
