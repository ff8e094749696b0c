import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { type NavigateOptions, useLocation, useNavigate } from 'react-router'

type Change = (edit: (now: URLSearchParams) => URLSearchParams, options?: NavigateOptions) => void

/**
 * Changes the query of the page's address. `edit` gets the query of this moment: the router shows a new address in a
 * transition, a while after it was set, and who changes what is still shown brings back what was taken out meanwhile.
 * Once the user is on the way to another page nothing is changed.
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

/** The query of the page's address, shown as soon as it is changed, and how to change it. For controls that stand for it. */
export function useAddressQuery(): [query: URLSearchParams, change: Change] {
  const { pathname, search: shown } = useLocation()
  const now = useSyncExternalStore(subscribe, () => queryAt(pathname) ?? shown)
  const query = useMemo(() => new URLSearchParams(now), [now])
  return [query, useAddressChange()]
}

/** The query of the window's address; null where it is another page's already. */
const queryAt = (pathname: string) => (location.pathname === pathname ? location.search : null)

const listeners = new Set<() => void>()
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
