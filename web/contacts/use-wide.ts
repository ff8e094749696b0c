import { useSyncExternalStore } from 'react'

const wide = () => window.matchMedia('(min-width: 48rem)')

/** True where a table has room; phones get a list of cards instead. */
export function useWide(): boolean {
  return useSyncExternalStore(
    (changed) => {
      const query = wide()
      query.addEventListener('change', changed)
      return () => query.removeEventListener('change', changed)
    },
    () => wide().matches,
  )
}
