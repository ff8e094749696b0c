import { useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useDocumentTitle } from '#web/platform/ui/document-title.ts'
import { firstViewIsShown } from '#web/platform/ui/first-view.ts'
import { LandingPage } from './LandingPage.tsx'
import { LazyWizard, warmWizard } from './LazyWizard.tsx'
import type { LinkLike } from './link.tsx'

/** The landing page inside the app: after a log-out, or when a page asked for a session. */
export function LandingRoute() {
  // The log-in page leads those without an account straight to the wizard.
  const { state } = useLocation() as { state: { start?: boolean } | null }
  const [open, setOpen] = useState(state?.start === true)
  useDocumentTitle('Call out. Hear back.')
  useEffect(firstViewIsShown, [])
  return (
    <>
      <LandingPage link={RememberingLink} onStart={() => setOpen(true)} onWarm={warmWizard} />
      <LazyWizard open={open} onClose={() => setOpen(false)} />
    </>
  )
}

/** Hands on where the visitor wanted to go (`state.from`), for the log-in page to return there. */
const RememberingLink: LinkLike = ({ href, ...rest }) => (
  <Link to={href} state={useLocation().state} {...rest} />
)
