import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { type NavigateOptions, useLocation, useNavigate } from 'react-router'

type Change = (edit: (now: URLSearchParams) => URLSearchParams, options?: NavigateOptions) => void

/**
 * Returns a function that changes the query of the page's address. `edit` gets the current query of the window: the
 * router shows a new address only after a transition, so an edit of the shown query would undo changes made meanwhile.
 * Nothing changes once the user is on the way to another page.
 */
export function useAddressChange(): Change {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  return useCallback(
    (edit, options) => {
      const now = queryAt(pathname)
      if (now === null) return
      void navigate(`?${edit(new URLSearchParams(now)).toString()}`, options)
      for (const listener of listeners) listener()
    },
    [navigate, pathname],
  )
}

/**
 * The query of the page's address, up to date as soon as it changes, and a function that changes it. For controls that
 * show a part of the query.
 */
export function useAddressQuery(): [query: URLSearchParams, change: Change] {
  const { pathname, search: shown } = useLocation()
  const now = useSyncExternalStore(subscribe, () => queryAt(pathname) ?? shown)
  const query = useMemo(() => new URLSearchParams(now), [now])
  return [query, useAddressChange()]
}

/** The query of the window's address; null if the window is already at another page. */
const queryAt = (pathname: string) => (location.pathname === pathname ? location.search : null)

const listeners = new Set<() => void>()
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
