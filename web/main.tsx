import './platform/ui/base.css'
import { StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { PageSpinner } from './shell/PageSpinner.tsx'
import { prefetchOverlays } from './platform/ui/overlays.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const LandingRoute = lazyPart(() => import('./landing/LandingRoute.tsx'), 'LandingRoute')

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
