import '../platform/ui/base.css'
import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { LandingEntry } from './LandingEntry.tsx'
import { readReferralLink } from './referral-link.ts'

// Before anything is drawn: who leaves this page at once keeps the code all the same.
readReferralLink()

const root = document.querySelector('#root')
if (!root) throw new Error('index.html has no #root')
const page = (
  <StrictMode>
    <LandingEntry />
  </StrictMode>
)
// The build puts the rendered page into #root; the development server does not.
if (root.firstElementChild) hydrateRoot(root, page)
else createRoot(root).render(page)
