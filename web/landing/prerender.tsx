import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { LandingEntry } from './LandingEntry.tsx'

/** The landing page as HTML, for `scripts/build-web.ts`. The same tree as in `main.tsx`, so that it can be taken over. */
export const renderLanding = () =>
  renderToString(
    <StrictMode>
      <LandingEntry />
    </StrictMode>,
  )
