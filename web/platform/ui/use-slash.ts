import { type RefObject, useEffect } from 'react'
import { isForPage } from './key-press.ts'

/** The key "/" focuses a search box, unless the user is typing or a dialog is open. */
export function useSlash(box: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const stop = new AbortController()
    window.addEventListener(
      'keydown',
      (event) => {
        if (event.key !== '/' || !isForPage(event)) return
        event.preventDefault()
        box.current?.select()
        box.current?.focus()
      },
      { signal: stop.signal },
    )
    return () => stop.abort()
  }, [box])
}
