import {
  lazy,
  Suspense,
  useEffect,
  type ComponentType,
  type LazyExoticComponent,
  type ReactNode,
} from 'react'
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

/** Picks one export of a lazily loaded module: `React.lazy` expects a default export, and this project has none. */
const part = <Name extends string>(load: () => Promise<Record<Name, ComponentType>>, name: Name) =>
  lazy(() => load().then((module) => ({ default: module[name] })))

// Background work is loaded after the page.
const RunWork = part(async () => {
  await afterFirstView()
  return import('./outreach/runs/RunWork.tsx')
}, 'RunWork')
const MeetingAlerts = part(async () => {
  await afterFirstView()
  return import('./crm/meetings/MeetingAlerts.tsx')
}, 'MeetingAlerts')
const MailPause = part(async () => {
  await afterFirstView()
  return import('./operations/leaving/MailPause.tsx')
}, 'MailPause')
const AdminArea = part(() => import('./operations/admin/AdminArea.tsx'), 'AdminArea')
const AssistantPage = part(() => import('./assistant/wolfy.ts'), 'AssistantPage')

const pages: ReadonlyArray<Page> = [
  {
    path: paths.dashboard,
    access: 'user',
    page: part(() => import('./overview/dashboard/DashboardPage.tsx'), 'DashboardPage'),
  },
  {
    path: paths.contacts,
    access: 'user',
    page: part(() => import('./overview/contacts/ContactsPage.tsx'), 'ContactsPage'),
  },
  {
    path: paths.contact,
    access: 'user',
    page: part(() => import('./overview/contacts/ContactPage.tsx'), 'ContactPage'),
  },
  {
    path: paths.emails,
    access: 'user',
    fill: true,
    tellsFirstView: true,
    page: part(() => import('./mail/emails/EmailsPage.tsx'), 'EmailsPage'),
  },
  {
    path: paths.meetings,
    access: 'user',
    page: part(() => import('./crm/meetings/MeetingsPage.tsx'), 'MeetingsPage'),
  },
  {
    path: paths.invoices,
    access: 'user',
    page: part(() => import('./invoicing/invoices/InvoicesPage.tsx'), 'InvoicesPage'),
  },
  {
    path: paths.invoiceList,
    access: 'user',
    page: part(() => import('./invoicing/invoices/list/InvoiceListPage.tsx'), 'InvoiceListPage'),
  },
  {
    path: paths.recurringInvoices,
    access: 'user',
    page: part(() => import('./invoicing/invoices/recurring/RecurringPage.tsx'), 'RecurringPage'),
  },
  {
    path: paths.invoiceSettings,
    access: 'user',
    page: part(() => import('./invoicing/invoices/settings/InvoiceSettingsPage.tsx'), 'InvoiceSettingsPage'),
  },
  {
    path: paths.paymentReminders,
    access: 'user',
    page: part(() => import('./invoicing/invoices/reminders/RemindersPage.tsx'), 'RemindersPage'),
  },
  {
    path: paths.invoice,
    access: 'user',
    page: part(() => import('./invoicing/invoices/page/InvoicePage.tsx'), 'InvoicePage'),
  },
  {
    path: `${paths.outreach}/*`,
    access: 'user',
    page: part(() => import('./outreach/runs/OutreachPage.tsx'), 'OutreachPage'),
  },
  {
    path: paths.assistant,
    access: 'user',
    fill: true,
    page: AssistantPage,
  },
  { path: paths.assistantByName, access: 'user', fill: true, page: AssistantPage },
  {
    path: paths.profile,
    access: 'user',
    page: part(() => import('./overview/profile/ProfilePage.tsx'), 'ProfilePage'),
  },
  {
    path: paths.deleteAccount,
    access: 'user',
    page: part(() => import('./operations/leaving/DeleteAccountPage.tsx'), 'DeleteAccountPage'),
  },
  {
    path: paths.connectMailbox,
    access: 'user',
    page: part(() => import('./mail/connect-mailbox/ConnectMailboxPage.tsx'), 'ConnectMailboxPage'),
  },
  {
    path: paths.login,
    access: 'public',
    page: part(() => import('./accounts/auth/LoginPage.tsx'), 'LoginPage'),
  },
  {
    path: paths.resetPassword,
    access: 'public',
    page: part(() => import('./accounts/auth/reset/ResetPasswordPage.tsx'), 'ResetPasswordPage'),
  },
  {
    path: paths.unsubscribe,
    access: 'public',
    page: part(() => import('./mail/unsubscribe/UnsubscribePage.tsx'), 'UnsubscribePage'),
  },
  {
    path: paths.sharedInvoice,
    access: 'link',
    page: part(() => import('./invoicing/shared-invoice/SharedInvoicePage.tsx'), 'SharedInvoicePage'),
  },
  {
    path: paths.pricing,
    access: 'public',
    page: part(() => import('./accounts/pricing/PricingPage.tsx'), 'PricingPage'),
  },
  {
    path: paths.confirmEmail,
    access: 'public',
    page: part(() => import('./accounts/confirm-email/ConfirmEmailPage.tsx'), 'ConfirmEmailPage'),
  },
  { path: paths.terms, access: 'public', page: part(() => import('./legal/TermsPage.tsx'), 'TermsPage') },
  {
    path: paths.privacy,
    access: 'public',
    page: part(() => import('./legal/PrivacyPage.tsx'), 'PrivacyPage'),
  },
  {
    path: paths.returns,
    access: 'public',
    page: part(() => import('./legal/ReturnsPage.tsx'), 'ReturnsPage'),
  },
  ...[
    paths.adminLogin,
    paths.secureAdminLogin,
    paths.admin,
    paths.adminFeedback,
    paths.adminSystem,
    paths.secureAdmin,
    paths.claim,
  ].map((path) => ({ path, access: 'link' as const, page: AdminArea })),
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
