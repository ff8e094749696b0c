import { Suspense, useRef, useState, type ReactNode } from 'react'
import { cx } from './cx.ts'
import type { MenuEntry } from './menu-props.ts'
import { lazyPart } from './lazy-part.ts'

type MenuProps = {
  /** The button's accessible name, e.g. "More actions". */
  label: string
  /** The content of the button. */
  trigger: ReactNode
  entries: ReadonlyArray<MenuEntry>
  align?: 'start' | 'end'
  /** The button's classes, e.g. `buttonClass('plain')`. */
  className?: string
  disabled?: boolean
}

const load = () => import('./MenuPopup.tsx')
/** Loads the code of menus early. Opening a menu reports a failure. */
const warm = () => load().catch(() => undefined)
const MenuPopup = lazyPart(load, 'MenuPopup')

/** A button that opens a menu. The code of menus is loaded when the button is first hovered or focused. */
export function Menu({ label, trigger, entries, align = 'end', className, disabled }: MenuProps) {
  const [open, setOpen] = useState(false)
  const [wanted, setWanted] = useState(false)
  const [isComing, setIsComing] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const toggle = () => {
    if (!wanted) {
      setIsComing(true)
      void warm().finally(() => setIsComing(false))
    }
    setWanted(true)
    setOpen(!open)
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-busy={isComing || undefined}
        disabled={disabled}
        onClick={toggle}
        onPointerEnter={() => void warm()}
        onFocus={() => void warm()}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          toggle()
        }}
        className={cx('aria-busy:cursor-progress', className)}
      >
        {trigger}
      </button>
      {wanted ? (
        <Suspense fallback={null}>
          <MenuPopup
            anchor={button}
            open={open}
            onOpenChange={setOpen}
            label={label}
            entries={entries}
            align={align}
          />
        </Suspense>
      ) : null}
    </>
  )
}
