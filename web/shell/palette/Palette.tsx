import { Dialog } from '@base-ui/react/dialog'
import { Search, X } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import type { NavEntry } from '#web/platform/paths.ts'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { notSearchableText } from '#web/mail/email-text/not-searchable.ts'
import { useSettled } from '#web/platform/ui/use-settled.ts'
import { type Item, matching, stepFrom } from './findings.ts'
import { PaletteList } from './PaletteList.tsx'
import { STAYS_OPEN, useFound } from './use-found.tsx'
import { type Opens, useOffers } from './use-offers.tsx'

const SEARCH_MAX = 200

type PaletteProps = {
  open: boolean
  entries: ReadonlyArray<NavEntry>
  onClose: () => void
  onStart: (what: Opens) => void
}

/** The command palette: one field searches everything the user has, and all actions. */
export function Palette({ open, entries, onClose, onStart }: PaletteProps) {
  // The element that had the focus before the field gets it back.
  const [opener] = useState(() => document.activeElement)
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState<string | null>(null)
  // Enter was pressed before the answers arrived: the first of them will be opened.
  const inHaste = useRef(false)
  const keepsFocus = useRef(false)
  const box = useRef<HTMLInputElement>(null)
  const listId = useId()
  const text = typed.trim()
  const settled = useSettled(typed)
  const found = useFound(text === '' ? '' : settled)
  const fresh = text === settled && found.fresh
  const start = (what: Opens) => {
    // The opened dialog takes the focus instead.
    keepsFocus.current = true
    onStart(what)
  }
  const offers = useOffers(entries, start).map(({ name, items }) => ({ name, items: matching(items, text) }))
  const groups = [...offers, ...(text === '' ? [] : found.groups)].filter(({ items }) => items.length > 0)
  const items = groups.flatMap((group) => group.items)
  const current = items.find(({ id }) => id === active) ?? items[0]
  // The active line stays active when other answers arrive above it.
  if (active === null && current !== undefined && fresh) setActive(current.id)

  const choose = (item: Item | undefined) => {
    if (item === undefined) return
    if (!item.id.startsWith(STAYS_OPEN)) onClose()
    item.run()
  }
  const openFirst = useEffectEvent(() => {
    if (inHaste.current) choose(current)
    inHaste.current = false
  })
  useEffect(() => {
    if (fresh) openFirst()
  }, [fresh])

  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      const next = stepFrom(items, current?.id ?? null, key === 'ArrowDown' ? 1 : -1)
      if (next === undefined) return
      setActive(next.id)
      document.getElementById(`${listId}-${next.id}`)?.scrollIntoView({ block: 'nearest' })
    } else if (key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault()
      const isOffer = offers.some((group) => group.items.some(({ id }) => id === current?.id))
      if (fresh || isOffer || active !== null) choose(current)
      else inHaste.current = true
    }
  }
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-50 bg-veil transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Viewport className="fixed inset-0 z-50 flex items-start justify-center p-2 sm:p-6 sm:pt-[12vh]">
          <Dialog.Popup
            data-palette
            aria-label="Search everything"
            initialFocus={box}
            finalFocus={() =>
              keepsFocus.current ? false : opener instanceof HTMLElement && opener.isConnected ? opener : true
            }
            className={popupClass}
          >
            <SearchField
              box={box}
              listId={listId}
              activeId={current === undefined ? undefined : `${listId}-${current.id}`}
              expanded={items.length > 0}
              typed={typed}
              onType={(next) => {
                setTyped(next)
                setActive(null)
                inHaste.current = false
              }}
              onKeyDown={onKeyDown}
            />
            <Results text={text} fresh={fresh} count={items.length} notSearchable={found.notSearchable} />
            <PaletteList
              id={listId}
              groups={groups}
              current={current}
              busy={text !== '' && !fresh}
              onPoint={(item) => setActive(item.id)}
              onChoose={choose}
            />
            <KeyHints />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

type SearchFieldProps = {
  box: RefObject<HTMLInputElement | null>
  listId: string
  activeId: string | undefined
  expanded: boolean
  typed: string
  onType: (typed: string) => void
  onKeyDown: (event: KeyboardEvent) => void
}

function SearchField({ box, listId, activeId, expanded, typed, onType, onKeyDown }: SearchFieldProps) {
  return (
    <div className="relative shrink-0 border-b border-line">
      <Search aria-hidden className="absolute inset-y-0 left-4 my-auto size-4 text-ink-2" />
      <input
        ref={box}
        role="combobox"
        type="text"
        aria-label="Search everything"
        aria-expanded={expanded}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={activeId}
        placeholder="Search contacts, emails, meetings, invoices, tasks..."
        autoComplete="off"
        spellCheck={false}
        maxLength={SEARCH_MAX}
        value={typed}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-13 w-full bg-transparent pr-14 pl-11 text-md outline-none placeholder:text-ink-2"
      />
      <Dialog.Close
        render={
          <IconButton size="s" label="Close" icon={<X />} className="absolute inset-y-0 right-3 my-auto" />
        }
      />
    </div>
  )
}

type ResultsProps = {
  text: string
  fresh: boolean
  count: number
  notSearchable: Parameters<typeof notSearchableText>[0]
}

/** Says how much was found, and what is not searchable yet. */
function Results({ text, fresh, count, notSearchable }: ResultsProps) {
  const unsearched = text === '' ? null : notSearchableText(notSearchable)
  const nothing = text !== '' && fresh && count <= 1
  return (
    <>
      <output className="sr-only">
        {text === '' || !fresh ? '' : nothing ? 'Nothing found' : `${count} results`}
      </output>
      {nothing ? (
        <p className="px-4 pt-4 pb-1">
          <span className="font-medium">{unsearched === null ? 'Nothing found.' : 'Nothing found yet.'}</span>{' '}
          <span className="text-ink-2">Try fewer letters or another word.</span>
        </p>
      ) : null}
      {unsearched === null ? null : <p className="px-4 pt-3 text-sm text-ink-2">{unsearched}</p>}
    </>
  )
}

function KeyHints() {
  return (
    <p
      aria-hidden
      className="flex shrink-0 gap-4 border-t border-line px-4 py-2 text-xs text-ink-2 pointer-coarse:hidden"
    >
      <span>↑ ↓ to move</span>
      <span>Enter to open</span>
      <span>Esc to close</span>
    </p>
  )
}

const popupClass =
  'flex max-h-[min(36rem,76dvh)] w-full max-w-160 flex-col overflow-hidden rounded-xl bg-surface shadow-float outline-none ' +
  'transition duration-150 data-ending-style:-translate-y-1 data-ending-style:opacity-0 data-starting-style:-translate-y-1 data-starting-style:opacity-0'
