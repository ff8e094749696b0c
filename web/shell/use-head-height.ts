import { type RefObject, useLayoutEffect } from 'react'

/**
 * Sets `--head-height` to the height of the page's sticky header, for elements that stick below it. The work bar makes
 * the header taller, and its text may wrap.
 */
export function useHeadHeight(head: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { current } = head
    if (current === null) return undefined
    const root = document.documentElement.style
    const tell = () => root.setProperty('--head-height', `${current.offsetHeight}px`)
    const observer = new ResizeObserver(tell)
    observer.observe(current)
    tell()
    return () => {
      observer.disconnect()
      root.removeProperty('--head-height')
    }
  }, [head])
}
