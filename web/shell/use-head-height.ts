import { type RefObject, useLayoutEffect } from 'react'

/**
 * Tells the styles how high the sticky head of the page is (`--head-height`), for what sticks below it: the bar of
 * background work makes it higher, and its text may wrap.
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
