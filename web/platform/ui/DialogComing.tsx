import { useEffectEvent, useLayoutEffect } from 'react'
import { createPortal } from 'react-dom'
import { Spinner } from './Spinner.tsx'
import { forgetTyped, handOverTyped, keepTyped } from './typed-ahead.ts'

/**
 * Shown while a dialog's code is loading. The page behind ignores clicks and keys, typed text goes into the dialog's
 * first field, and Esc closes it. It is visible only if loading takes long enough to be noticed.
 */
export function DialogComing({ onClose }: { onClose: () => void }) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      forgetTyped()
      onClose()
    } else if (!keepTyped(event) && event.key !== 'Enter') return
    event.preventDefault()
    event.stopPropagation()
  })
  // A layout effect, so that no key falls between the dialog's appearance and its listener.
  useLayoutEffect(() => {
    const stop = new AbortController()
    window.addEventListener('keydown', (event) => onKey(event), { capture: true, signal: stop.signal })
    return () => {
      stop.abort()
      handOverTyped()
    }
  }, [])
  return createPortal(
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a dialog element has its own focus handling and styles
    <div role="dialog" aria-modal aria-busy aria-label="Loading..." className="fixed inset-0 z-50">
      <div className="grid h-full animate-[appear_150ms_200ms_both] place-items-center bg-veil">
        <span className="rounded-lg bg-surface px-4 py-3 shadow-float">
          <Spinner label="Loading..." />
        </span>
      </div>
    </div>,
    document.body,
  )
}
