import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useSession } from '#web/accounts/auth/session.tsx'
import { paths } from '#web/platform/paths.ts'
import { PageSpinner } from './PageSpinner.tsx'

/** Lets signed-in users through. Others go to the landing page, which remembers the page they wanted (`state.from`). */
export function RequireSession({ children }: { children: ReactNode }) {
  const { state } = useSession()
  const { pathname, search } = useLocation()
  if (state === 'checking') return <PageSpinner />
  if (state === 'signed-out') return <Navigate to={paths.home} replace state={{ from: pathname + search }} />
  return children
}
