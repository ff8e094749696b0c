import { Search } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { DialogComing } from '#web/platform/ui/DialogComing.tsx'
import type { NavEntry } from '#web/platform/paths.ts'
import { COMMAND_KEY } from '#web/platform/ui/key-press.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

// The code of the search is loaded when it is first used.
const loadPalette = () => import('./palette/PaletteHost.tsx')
const PaletteHost = lazyPart(loadPalette, 'PaletteHost')
const prefetch = () => void loadPalette().catch(() => undefined)

const shortcut = COMMAND_KEY === '⌘' ? '⌘K' : `${COMMAND_KEY} K`

/** `turn` counts how often it was opened; 0 means never. */
type Opening = { open: boolean; turn: number }
const toggled = ({ open, turn }: Opening): Opening => ({ open: !open, turn: open ? turn : turn + 1 })

/** Searches contacts, mails, meetings, tasks, pages and actions; Ctrl K or ⌘K opens it from anywhere. */
export function SearchButton({ entries }: { entries: ReadonlyArray<NavEntry> }) {
  const [{ open, turn }, setOpening] = useState<Opening>({ open: false, turn: 0 })
  const toggle = () => setOpening(toggled)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, target } = event
      if (key.toLowerCase() !== 'k' || ctrlKey === metaKey || event.altKey || event.shiftKey) return
      event.preventDefault()
      // An open dialog comes first.
      if (target instanceof Element && target.closest('[role=dialog]:not([data-palette])') !== null) return
      setOpening(toggled)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button
        type="button"
        aria-keyshortcuts="Control+K Meta+K"
        aria-haspopup="dialog"
        onClick={toggle}
        onPointerEnter={prefetch}
        onFocus={prefetch}
        className="flex h-9 items-center gap-2 rounded-md px-2.5 text-ink-2 transition-colors hover:text-ink lg:border lg:border-line lg:bg-paper pointer-coarse:h-11"
      >
        <Search aria-hidden className="size-4 max-lg:size-5" />
        <span className="max-lg:sr-only">
          Search<span className="sr-only"> everything</span>
        </span>
        <kbd aria-hidden className="ml-3 font-sans text-xs max-lg:hidden">
          {shortcut}
        </kbd>
      </button>
      <Suspense fallback={open ? <DialogComing onClose={() => setOpening({ open: false, turn })} /> : null}>
        {turn === 0 ? null : (
          <PaletteHost
            open={open}
            turn={turn}
            entries={entries}
            onClose={() => setOpening({ open: false, turn })}
          />
        )}
      </Suspense>
    </>
  )
}
