import { ShieldX } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { adminAuth } from '#contract/accounts/admin-auth.ts'
import { call } from '#web/platform/api/call.ts'
import { paths } from '#web/platform/paths.ts'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { useDocumentTitle } from '#web/platform/ui/document-title.ts'
import { Spinner } from '#web/platform/ui/Spinner.tsx'
import { AdminFrame } from './AdminFrame.tsx'
import { LogOutButton } from './LogOutButton.tsx'
import { clearAdminSession, readAdminToken, useAdminToken } from './admin-session.ts'

/** Lets administrators through, after the server has said that this session is one of theirs. */
export function AdminGuard({ children }: { children: ReactNode }) {
  const token = useAdminToken()
  const [verified, setVerified] = useState<{ token: string | null; isAdmin: boolean } | null>(null)
  useEffect(() => {
    let isLeft = false
    const settle = (isAdmin: boolean) => {
      if (isLeft || readAdminToken() !== token) return
      setVerified({ token, isAdmin })
      if (!isAdmin && token !== null) clearAdminSession()
    }
    // Without a token too: the server writes down who tried.
    call(adminAuth.me, token === null ? {} : { token }).then(
      (user) => settle(token !== null && user.is_admin),
      () => settle(false),
    )
    return () => void (isLeft = true)
  }, [token])

  const isDenied = verified !== null && !verified.isAdmin
  if (token !== null && verified?.token === token && verified.isAdmin)
    return <AdminFrame actions={<LogOutButton />}>{children}</AdminFrame>
  return <AdminFrame>{isDenied ? <AccessDenied /> : <Verifying />}</AdminFrame>
}

function Verifying() {
  useDocumentTitle('Admin')
  return (
    <div className="grid place-items-center gap-3 py-20">
      <Spinner />
      <output>Verifying admin access...</output>
    </div>
  )
}

function AccessDenied() {
  useDocumentTitle('Access Denied')
  return (
    <div className="mx-auto w-full max-w-120 pt-4 sm:pt-12">
      <Card>
        <div role="alert" className="flex flex-col items-center gap-3 px-2 py-6 text-center">
          <ShieldX aria-hidden className="size-7 text-danger" />
          <h1 className="font-display text-xl font-medium">Access Denied</h1>
          <p>You do not have administrator privileges to access this area.</p>
          <p className="text-sm text-ink-2">This attempt has been logged.</p>
          <Link to={paths.adminLogin} className={`${buttonClass('primary')} mt-2`}>
            Go to Admin Login
          </Link>
        </div>
      </Card>
    </div>
  )
}
