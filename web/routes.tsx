import { Suspense, useEffect, type ComponentType, type LazyExoticComponent, type ReactNode } from 'react'
import { Navigate, Route, Routes, useLocation } from 'react-router'
import { useLive } from '#web/platform/api/live.ts'
import { useSession } from '#web/accounts/auth/session.tsx'
import { WolfyButton } from './assistant/WolfyButton.tsx'
import { navEntries, paths } from './platform/paths.ts'
import { AppShell } from './shell/AppShell.tsx'
import { ErrorBoundary } from './shell/ErrorBoundary.tsx'
import { PageSpinner } from './shell/PageSpinner.tsx'
import { PublicShell } from './shell/PublicShell.tsx'
import { RequireSession } from './shell/RequireSession.tsx'
import { SearchButton } from './shell/SearchButton.tsx'
import { afterFirstView, firstViewIsShown } from './platform/ui/first-view.ts'
import { lazyPart } from './platform/ui/lazy-part.ts'

type Page = {
  path: string
  page: LazyExoticComponent<ComponentType>
  /** `link`: public, and without the app's own frame. */
  access: 'public' | 'user' | 'link'
  /** The page fills the window and scrolls inside itself. */
  fill?: boolean
  /**
   * The page itself reports when its first view is shown (`first-view.ts`); other pages count as shown once they are
   * rendered.
   */
  tellsFirstView?: boolean
}

// Background work is loaded after the page.
const RunWork = lazyPart(async () => {
  await afterFirstView()
  return import('./outreach/runs/RunWork.tsx')
}, 'RunWork')
const MeetingAlerts = lazyPart(async () => {
  await afterFirstView()
  return import('./crm/meetings/MeetingAlerts.tsx')
}, 'MeetingAlerts')
const MailPause = lazyPart(async () => {
  await afterFirstView()
  return import('./operations/leaving/MailPause.tsx')
}, 'MailPause')
const AdminArea = lazyPart(() => import('./operations/admin/AdminArea.tsx'), 'AdminArea')
const AssistantPage = lazyPart(() => import('./assistant/wolfy.ts'), 'AssistantPage')

const pageOf =
  (access: Page['access']) =>
  (path: string, page: Page['page'], more: Pick<Page, 'fill' | 'tellsFirstView'> = {}): Page => ({
    path,
    page,
    access,
    ...more,
  })
const user = pageOf('user')
const visitor = pageOf('public')
const link = pageOf('link')

const pages: ReadonlyArray<Page> = [
  user(
    paths.dashboard,
    lazyPart(() => import('./overview/dashboard/DashboardPage.tsx'), 'DashboardPage'),
  ),
  user(
    paths.contacts,
    lazyPart(() => import('./overview/contacts/ContactsPage.tsx'), 'ContactsPage'),
  ),
  user(
    paths.contact,
    lazyPart(() => import('./overview/contacts/ContactPage.tsx'), 'ContactPage'),
  ),
  user(
    paths.emails,
    lazyPart(() => import('./mail/emails/EmailsPage.tsx'), 'EmailsPage'),
    { fill: true, tellsFirstView: true },
  ),
  user(
    paths.meetings,
    lazyPart(() => import('./crm/meetings/MeetingsPage.tsx'), 'MeetingsPage'),
  ),
  user(
    paths.invoices,
    lazyPart(() => import('./invoicing/invoices/InvoicesPage.tsx'), 'InvoicesPage'),
  ),
  user(
    paths.invoiceList,
    lazyPart(() => import('./invoicing/invoices/list/InvoiceListPage.tsx'), 'InvoiceListPage'),
  ),
  user(
    paths.recurringInvoices,
    lazyPart(() => import('./invoicing/invoices/recurring/RecurringPage.tsx'), 'RecurringPage'),
  ),
  user(
    paths.invoiceSettings,
    lazyPart(() => import('./invoicing/invoices/settings/InvoiceSettingsPage.tsx'), 'InvoiceSettingsPage'),
  ),
  user(
    paths.paymentReminders,
    lazyPart(() => import('./invoicing/invoices/reminders/RemindersPage.tsx'), 'RemindersPage'),
  ),
  user(
    paths.invoice,
    lazyPart(() => import('./invoicing/invoices/page/InvoicePage.tsx'), 'InvoicePage'),
  ),
  user(
    `${paths.outreach}/*`,
    lazyPart(() => import('./outreach/runs/OutreachPage.tsx'), 'OutreachPage'),
  ),
  user(paths.assistant, AssistantPage, { fill: true }),
  user(paths.assistantByName, AssistantPage, { fill: true }),
  user(
    paths.profile,
    lazyPart(() => import('./overview/profile/ProfilePage.tsx'), 'ProfilePage'),
  ),
  user(
    paths.deleteAccount,
    lazyPart(() => import('./operations/leaving/DeleteAccountPage.tsx'), 'DeleteAccountPage'),
  ),
  user(
    paths.connectMailbox,
    lazyPart(() => import('./mail/connect-mailbox/ConnectMailboxPage.tsx'), 'ConnectMailboxPage'),
  ),
  visitor(
    paths.login,
    lazyPart(() => import('./accounts/auth/LoginPage.tsx'), 'LoginPage'),
  ),
  visitor(
    paths.resetPassword,
    lazyPart(() => import('./accounts/auth/reset/ResetPasswordPage.tsx'), 'ResetPasswordPage'),
  ),
  visitor(
    paths.unsubscribe,
    lazyPart(() => import('./mail/unsubscribe/UnsubscribePage.tsx'), 'UnsubscribePage'),
  ),
  link(
    paths.sharedInvoice,
    lazyPart(() => import('./invoicing/shared-invoice/SharedInvoicePage.tsx'), 'SharedInvoicePage'),
  ),
  visitor(
    paths.pricing,
    lazyPart(() => import('./accounts/pricing/PricingPage.tsx'), 'PricingPage'),
  ),
  visitor(
    paths.confirmEmail,
    lazyPart(() => import('./accounts/confirm-email/ConfirmEmailPage.tsx'), 'ConfirmEmailPage'),
  ),
  visitor(
    paths.terms,
    lazyPart(() => import('./legal/TermsPage.tsx'), 'TermsPage'),
  ),
  visitor(
    paths.privacy,
    lazyPart(() => import('./legal/PrivacyPage.tsx'), 'PrivacyPage'),
  ),
  visitor(
    paths.returns,
    lazyPart(() => import('./legal/ReturnsPage.tsx'), 'ReturnsPage'),
  ),
  ...[
    paths.adminLogin,
    paths.secureAdminLogin,
    paths.admin,
    paths.adminFeedback,
    paths.adminSystem,
    paths.secureAdmin,
    paths.claim,
  ].map((path) => link(path, AdminArea)),
]

// The navigation only shows entries whose page exists.
const built = new Set(pages.map(({ path }) => path))
const entries = navEntries.filter(({ path }) => built.has(path))

/** Every page of the app. `home` is shown to signed-out visitors at `/`. */
export function AppRoutes({ home }: { home: ReactNode }) {
  return (
    <Routes>
      <Route path={paths.home} element={<Home>{home}</Home>} />
      {pages.map(({ path, page: Page, access, fill = false, tellsFirstView = false }) => (
        <Route
          key={path}
          path={path}
          element={
            <Framed access={access} fill={fill}>
              <Page />
              {tellsFirstView ? null : <FirstView />}
            </Framed>
          }
        />
      ))}
      <Route path="*" element={<Navigate to={paths.home} replace />} />
    </Routes>
  )
}

/** Rendered after a page: everything rendered with it is on the screen by then. */
function FirstView() {
  useEffect(firstViewIsShown, [])
  return null
}

function Home({ children }: { children: ReactNode }) {
  const { state } = useSession()
  if (state === 'checking') return <PageSpinner />
  return state === 'signed-in' ? <Navigate to={paths.dashboard} replace /> : children
}

function Framed({ access, fill, children }: { access: Page['access']; fill: boolean; children: ReactNode }) {
  const { state } = useSession()
  const { pathname } = useLocation()
  const page = (
    <ErrorBoundary resetKey={pathname}>
      <Suspense fallback={<PageSpinner />}>{children}</Suspense>
    </ErrorBoundary>
  )
  if (access === 'link') return page
  const signedIn = <SignedIn fill={fill}>{page}</SignedIn>
  if (access === 'user') return <RequireSession>{signedIn}</RequireSession>
  return state === 'signed-in' ? signedIn : <PublicShell ask={<WolfyButton />}>{page}</PublicShell>
}

function SignedIn({ fill, children }: { fill: boolean; children: ReactNode }) {
  useLive()
  const { pathname } = useLocation()
  // His own page shows the same conversation.
  const isWolfy = pathname === paths.assistant || pathname === paths.assistantByName
  const work = (
    <Suspense fallback={null}>
      <MailPause />
      <RunWork />
      <MeetingAlerts />
    </Suspense>
  )
  return (
    <AppShell
      // He has two addresses, and his entry leads to the one that is open.
      entries={
        isWolfy
          ? entries.map((each) => (each.path === paths.assistant ? { ...each, path: pathname } : each))
          : entries
      }
      work={work}
      search={
        <>
          <SearchButton entries={entries} />
          {isWolfy ? null : <WolfyButton isSignedIn />}
        </>
      }
      fill={fill}
    >
      {children}
    </AppShell>
  )
}
