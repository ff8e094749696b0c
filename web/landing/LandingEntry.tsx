import { lazy, Suspense, useState } from 'react'
import { LandingPage } from './LandingPage.tsx'

const load = () => import('./AfterStart.tsx')
const AfterStart = lazy(() => load().then((m) => ({ default: m.AfterStart })))

const warm = () => {
  load()
    .then((m) => m.warmWizard())
    .catch(() => undefined)
}

/**
 * The landing page on its own, without router and cache, so that it starts fast. Get Started fetches the whole app and
 * lets it stand beside the page (which keeps its place and its focus) until the wizard leads on to another address.
 */
export function LandingEntry() {
  const [started, setStarted] = useState(false)
  const [open, setOpen] = useState(false)
  const [away, setAway] = useState(false)
  const start = () => {
    setStarted(true)
    setOpen(true)
  }
  return (
    <>
      {away ? null : <LandingPage onStart={start} onWarm={warm} />}
      {started ? (
        <Suspense fallback={null}>
          <AfterStart open={open} onClose={() => setOpen(false)} onAway={setAway} />
        </Suspense>
      ) : null}
    </>
  )
}
