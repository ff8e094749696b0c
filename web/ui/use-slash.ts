import { type RefObject, useEffect } from 'react'

const TYPING = 'input, textarea, select, [contenteditable], [role=dialog]'

/** The key "/" moves the focus into a search box, unless somebody is typing or a dialog is open. */
export function useSlash(box: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const stop = new AbortController()
    window.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented)
          return
        if (event.target instanceof Element && event.target.closest(TYPING) !== null) return
        event.preventDefault()
        box.current?.select()
        box.current?.focus()
      },
      { signal: stop.signal },
    )
    return () => stop.abort()
  }, [box])
}
