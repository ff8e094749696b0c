import { useLocation } from 'react-router'
import { paths } from '#web/platform/paths.ts'
import { AdminDashboard } from './AdminDashboard.tsx'
import { AdminGuard } from './AdminGuard.tsx'
import { FeedbackPage } from './feedback/FeedbackPage.tsx'
import { SimplePanel } from './SimplePanel.tsx'
import { AdminLoginPage } from './log-in/AdminLoginPage.tsx'
import { ClaimPage } from './log-in/ClaimPage.tsx'
import { SecureLoginPage } from './log-in/SecureLoginPage.tsx'
import { SystemPage } from './system/SystemPage.tsx'

/** Every page of the administrator area: one module, so that other pages load nothing of it. */
export function AdminArea() {
  const { pathname } = useLocation()
  switch (pathname.replace(/\/+$/, '')) {
    case paths.adminLogin:
      return <AdminLoginPage />
    case paths.secureAdminLogin:
      return <SecureLoginPage />
    case paths.claim:
      return <ClaimPage />
    case paths.secureAdmin:
      return <SimplePanel />
    case paths.adminFeedback:
      return (
        <AdminGuard>
          <FeedbackPage />
        </AdminGuard>
      )
    case paths.adminSystem:
      return (
        <AdminGuard>
          <SystemPage />
        </AdminGuard>
      )
    default:
      return (
        <AdminGuard>
          <AdminDashboard />
        </AdminGuard>
      )
  }
}
