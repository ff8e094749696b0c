import './platform/ui/base.css'
import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { PageSpinner } from './shell/PageSpinner.tsx'
import { prefetchOverlays } from './platform/ui/overlays.ts'

const LandingRoute = lazy(() =>
  import('./landing/LandingRoute.tsx').then((m) => ({ default: m.LandingRoute })),
)

const home = (
  <Suspense fallback={<PageSpinner />}>
    <LandingRoute />
  </Suspense>
)

const root = document.querySelector('#root')
if (!root) throw new Error('app.html has no #root')
createRoot(root).render(
  <StrictMode>
    <App home={home} />
  </StrictMode>,
)
prefetchOverlays()
