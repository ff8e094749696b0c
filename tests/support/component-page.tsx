import '#web/platform/ui/base.css'
import { lazy, type ReactNode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { onTestFinished } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { user } from '#contract/accounts/auth.ts'
import { App, Providers } from '#web/App.tsx'
import { storeAdminSession } from '#web/operations/admin/admin-session.ts'
import { RequireSession } from '#web/shell/RequireSession.tsx'
import { currentToasts, dismissToast } from '#web/platform/ui/toast.ts'
import { blank } from './blank-reply.ts'

const LandingRoute = lazy(() =>
  import('#web/landing/LandingRoute.tsx').then((part) => ({ default: part.LandingRoute })),
)
/** Any token of three parts: the fake server asks for none. */
const TOKEN = 'fake.token.here'

/** Opens an address of the whole app as a signed-in user, an administrator, or a visitor. Make a `fakeApi` first. */
export function openPage(address: string, as: Reader = {}): void {
  const home = (
    <Suspense>
      <LandingRoute />
    </Suspense>
  )
  render(<App home={home} />, address, as)
}

/** Shows a signed-in user one panel or dialog as the app does, without the frame and the page around it. Make a `fakeApi` first. */
export function show(part: ReactNode, { at = '/dashboard' } = {}): void {
  const app = (
    <Providers>
      <RequireSession>{part}</RequireSession>
    </Providers>
  )
  render(app, at, {})
}

type Reader = { visitor?: boolean; administrator?: boolean }

function render(app: ReactNode, address: string, { visitor = false, administrator = false }: Reader): void {
  const before = location.href
  if (administrator)
    storeAdminSession({ token: TOKEN, user: blank(user, { id: 1, name: 'Ada Muster', is_admin: true }) })
  else if (!visitor) localStorage.setItem('token', TOKEN)
  history.replaceState(null, '', address)
  const element = document.body.appendChild(document.createElement('div'))
  const root = createRoot(element)
  root.render(app)
  onTestFinished(() => {
    root.unmount()
    element.remove()
    for (const { id } of currentToasts()) dismissToast(id)
    localStorage.clear()
    sessionStorage.clear()
    history.replaceState(null, '', before)
  })
}

/** What Howl says in the corner. */
export const toast = (text: string | RegExp): Locator =>
  page.getByRole('status').or(page.getByRole('alert')).getByText(text, { exact: true })
