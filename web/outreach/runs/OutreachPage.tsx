import { Suspense } from 'react'
import { Navigate, Route, Routes, useLocation } from 'react-router'
import { AccountsToday } from '#web/outreach/automatic-mail/AccountsToday.tsx'
import { PageHeader } from '#web/platform/ui/PageHeader.tsx'
import { PageNav } from '#web/platform/ui/PageNav.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { OUTREACH_TABS } from './outreach-tabs.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const SequencesTab = lazyPart(() => import('../sequences/SequencesTab.tsx'), 'SequencesTab')
const TemplatesTab = lazyPart(() => import('../templates/TemplatesTab.tsx'), 'TemplatesTab')
const FollowUpsTab = lazyPart(() => import('../follow-ups/FollowUpsTab.tsx'), 'FollowUpsTab')
const UpcomingTab = lazyPart(() => import('../automatic-mail/UpcomingTab.tsx'), 'UpcomingTab')
const AboutYouTab = lazyPart(() => import('../about-you/AboutYouTab.tsx'), 'AboutYouTab')

/** The frame of outreach: one tab for each of its pages, each with code of its own. */
export function OutreachPage() {
  const { pathname } = useLocation()
  return (
    <>
      <PageHeader title="Outreach" />
      <PageNav
        label="Outreach"
        pages={OUTREACH_TABS}
        isHere={(to) => pathname === to || pathname.startsWith(`${to}/`)}
      />
      {/* The pages below a tab are about one thing; a sequence says itself if its account stands still. */}
      {OUTREACH_TABS.some(({ to }) => to === pathname) ? <AccountsToday /> : null}
      <Suspense fallback={<Skeleton className="h-64" />}>
        <Routes>
          <Route path="sequences/*" element={<SequencesTab />} />
          <Route path="templates/*" element={<TemplatesTab />} />
          <Route path="follow-ups" element={<FollowUpsTab />} />
          <Route path="upcoming" element={<UpcomingTab />} />
          <Route path="about-you" element={<AboutYouTab />} />
          <Route path="*" element={<Navigate to={OUTREACH_TABS[0].to} replace />} />
        </Routes>
      </Suspense>
    </>
  )
}
