import { useNavigate } from 'react-router'
import { adminAuth } from '#contract/accounts/admin-auth.ts'
import { call } from '#web/platform/api/call.ts'
import { paths } from '#web/platform/paths.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { clearAdminSession, readAdminToken, readAdminUser } from './admin-session.ts'

/** Forgets the administrator's session here, and ends it on the server if that can be reached. */
export function endAdminSession(): void {
  const token = readAdminToken()
  if (token !== null) call(adminAuth.logout, { token }).catch(() => {})
  clearAdminSession()
}

/** Who is signed in as an administrator, and the way out. */
export function LogOutButton() {
  const navigate = useNavigate()
  const user = readAdminUser()
  return (
    <div className="flex min-w-0 items-center gap-3">
      {user === null ? null : <span className="truncate text-sm text-ink-2 max-sm:hidden">{user.email}</span>}
      <Button
        onClick={() => {
          void navigate(paths.adminLogin)
          endAdminSession()
        }}
      >
        Logout
      </Button>
    </div>
  )
}
