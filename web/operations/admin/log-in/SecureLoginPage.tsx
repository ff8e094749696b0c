import { Link, useLocation, useNavigate } from 'react-router'
import { paths } from '#web/platform/paths.ts'
import { CredentialsForm } from './CredentialsForm.tsx'
import { LogInCard } from './LogInCard.tsx'
import { logInAdministrator } from './log-in-administrator.ts'

const UNREACHABLE = 'Network error. Please try again.'

/** The log-in by e-mail and password alone. Leads back to the page that asked for it, else to the dashboard. */
export function SecureLoginPage() {
  const navigate = useNavigate()
  const { state } = useLocation() as { state: { from?: string } | null }
  return (
    <LogInCard
      title="Secure Admin Login"
      lead="Your admin email and password."
      below={
        <Link to={paths.adminLogin} className="text-link">
          Log in with an access code
        </Link>
      }
    >
      <CredentialsForm
        logIn={(email, password, totp) => logInAdministrator({ email, password }, totp, UNREACHABLE)}
        onDone={() => void navigate(state?.from ?? paths.admin, { replace: true })}
      />
    </LogInCard>
  )
}
