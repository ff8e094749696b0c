import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'

type Tip = { text: string; x: number; y: number; below: boolean }

const WAIT_MS = 450
/** The room that a tooltip needs above its owner; with less it is shown below. */
const ROOM_PX = 44

/**
 * One tooltip for the whole page. It shows the `data-tip` of any element (every IconButton has one) after a short
 * hover, or at once on keyboard focus. It only repeats the accessible name, so it is hidden from screen readers. A
 * single layer, because lists have hundreds of icon buttons.
 */
export function TooltipLayer() {
  const [tip, setTip] = useState<Tip | null>(null)
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    const hide = () => {
      clearTimeout(waiting.current)
      setTip(null)
    }
    const showFor = (target: EventTarget | null, wait: number) => {
      const owner = target instanceof Element ? target.closest<HTMLElement>('[data-tip]') : null
      hide()
      if (!owner) return
      waiting.current = setTimeout(() => setTip(place(owner)), wait)
    }
    const onPointer = (event: PointerEvent) => event.pointerType === 'mouse' && showFor(event.target, WAIT_MS)
    const onFocus = (event: FocusEvent) =>
      event.target instanceof Element && event.target.matches(':focus-visible') && showFor(event.target, 0)
    const listen = { passive: true, capture: true }
    document.addEventListener('pointerover', onPointer, listen)
    document.addEventListener('focusin', onFocus, listen)
    const ends = ['pointerdown', 'keydown', 'focusout', 'scroll'] as const
    for (const name of ends) document.addEventListener(name, hide, listen)
    return () => {
      hide()
      document.removeEventListener('pointerover', onPointer, listen)
      document.removeEventListener('focusin', onFocus, listen)
      for (const name of ends) document.removeEventListener(name, hide, listen)
    }
  }, [])

  if (!tip) return null
  // In the body, above dialogs.
  return createPortal(
    <div
      aria-hidden
      className={`pointer-events-none fixed z-70 -translate-x-1/2 rounded-md bg-ink px-2 py-1 text-xs whitespace-nowrap text-paper ${tip.below ? '' : '-translate-y-full'}`}
      style={{ left: tip.x, top: tip.y }}
    >
      {tip.text}
    </div>,
    document.body,
  )
}

function place(owner: HTMLElement): Tip | null {
  const text = owner.dataset['tip']
  if (!text || !owner.isConnected) return null
  const box = owner.getBoundingClientRect()
  const below = box.top < ROOM_PX
  // Half the width of a long tooltip, so that it stays inside the window.
  const half = Math.min(120, text.length * 4)
  const x = Math.min(Math.max(box.left + box.width / 2, half), window.innerWidth - half)
  return { text, x, y: below ? box.bottom + 6 : box.top - 6, below }
}
