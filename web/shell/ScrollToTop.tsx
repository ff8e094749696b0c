import { useLayoutEffect, useRef } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'

/** A new page starts at its top; on Back the browser restores the position. */
export function ScrollToTop() {
  const { pathname } = useLocation()
  const kind = useNavigationType()
  const before = useRef(pathname)
  useLayoutEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    if (kind !== NavigationType.Pop) window.scrollTo(0, 0)
  }, [pathname, kind])
  return null
}
