import { Link, useLocation } from 'react-router'
import { paths } from '#web/platform/paths.ts'
import { buttonClass } from '#web/platform/ui/button-class.ts'

/** The ways on from the pricing page: to the dashboard, or in. The log-in leads back here. */
export function PricingHeaderLinks({ isSignedIn }: { isSignedIn: boolean }) {
  const { pathname, search } = useLocation()
  if (isSignedIn) {
    return (
      <Link to={paths.dashboard} className={buttonClass()}>
        Dashboard
      </Link>
    )
  }
  const from = pathname + search
  return (
    <>
      <Link to={paths.login} state={{ from }} className={buttonClass()}>
        Sign In
      </Link>
      <Link to={paths.home} state={{ from, start: true }} className={buttonClass('primary')}>
        Get Started
      </Link>
    </>
  )
}
