import { useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useLocation } from 'react-router'
import { clearToken } from '#web/platform/api/token.ts'
import { tellZone } from '#web/platform/api/request.ts'
import { paths } from '#web/platform/paths.ts'
import { toast } from '#web/platform/ui/toast.ts'
import { forgetWhereFrom, rememberWhereFrom } from './came-from.ts'
import { type Known, makeSessionStore, type SessionStore } from './session-store.ts'
import { currentTimeZone } from './time-zone.ts'

// Times that the server writes (in a reply, in a proposal) are those of the screen.
tellZone(currentTimeZone)

export type Session = Known &
  Pick<SessionStore, 'logIn' | 'logOut' | 'refreshUser'> & {
    /** Forgets the session without asking the server, which has ended it. */
    leave: () => void
  }

const SessionContext = createContext<Session | null>(null)

/** Who is signed in, and the ways in and out. */
export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('useSession needs a SessionProvider above')
  return session
}

/** Gives the session to everything below; needs the router and the cache of answers above. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient()
  const [store] = useState(() => makeSessionStore({ onLeave: () => queries.clear(), onProblem: toast.error }))
  useEffect(() => store.start(), [store])
  const known = useSyncExternalStore(store.watch, store.read)
  const noteLeaving = useWhereFrom(known.state)
  const session = useMemo<Session>(() => {
    const { logIn, refreshUser } = store
    const logOut = () => {
      noteLeaving()
      return store.logOut()
    }
    const leave = () => {
      noteLeaving()
      clearToken()
    }
    return { ...known, logIn, refreshUser, logOut, leave }
  }, [known, store, noteLeaving])
  return <SessionContext value={session}>{children}</SessionContext>
}

/** Remembers which page a guard has turned the visitor away from, until they are there; not after leaving on purpose. */
function useWhereFrom(session: Known['state']): () => void {
  const { pathname, state } = useLocation() as { pathname: string; state: { from?: unknown } | null }
  const left = useRef(false)
  useEffect(() => {
    if (session === 'signed-in') {
      left.current = false
      if (pathname !== paths.login) forgetWhereFrom()
    } else if (!left.current) {
      rememberWhereFrom(state?.from)
    }
  }, [session, pathname, state])
  return useCallback(() => {
    left.current = true
    forgetWhereFrom()
  }, [])
}
