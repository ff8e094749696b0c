import { lazy, Suspense } from 'react'
import { Navigate, NavLink, Route, Routes, useLocation } from 'react-router'
import { AccountsToday } from '#web/outreach/automatic-mail/AccountsToday.tsx'
import { PageHeader } from '#web/platform/ui/PageHeader.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { OUTREACH_TABS } from './outreach-tabs.ts'

const SequencesTab = lazy(() =>
  import('../sequences/SequencesTab.tsx').then((part) => ({ default: part.SequencesTab })),
)
const TemplatesTab = lazy(() =>
  import('../templates/TemplatesTab.tsx').then((part) => ({ default: part.TemplatesTab })),
)
const FollowUpsTab = lazy(() =>
  import('../follow-ups/FollowUpsTab.tsx').then((part) => ({ default: part.FollowUpsTab })),
)

const AboutYouTab = lazy(() =>
  import('../about-you/AboutYouTab.tsx').then((part) => ({ default: part.AboutYouTab })),
)

/** The frame of outreach: one tab for each of its pages, each with code of its own. */
export function OutreachPage() {
  const { pathname } = useLocation()
  return (
    <>
      <PageHeader title="Outreach" />
      <nav
        aria-label="Outreach"
        className="mb-5 flex gap-6 overflow-x-auto overflow-y-hidden shadow-[inset_0_-1px_var(--line)] max-sm:gap-4"
      >
        {OUTREACH_TABS.map(({ label, to }) => (
          <NavLink
            key={to}
            to={to}
            className="inline-flex min-h-11 shrink-0 items-center whitespace-nowrap max-sm:text-sm border-b-2 border-transparent font-medium text-ink-2 transition-colors hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink"
          >
            {label}
          </NavLink>
        ))}
      </nav>
      {/* The pages below a tab are about one thing; a sequence says itself if its account stands still. */}
      {OUTREACH_TABS.some(({ to }) => to === pathname) ? <AccountsToday /> : null}
      <Suspense fallback={<Skeleton className="h-64" />}>
        <Routes>
          <Route path="sequences/*" element={<SequencesTab />} />
          <Route path="templates/*" element={<TemplatesTab />} />
          <Route path="follow-ups" element={<FollowUpsTab />} />
          <Route path="about-you" element={<AboutYouTab />} />
          <Route path="*" element={<Navigate to={OUTREACH_TABS[0].to} replace />} />
        </Routes>
      </Suspense>
    </>
  )
}
