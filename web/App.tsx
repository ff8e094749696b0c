import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { BrowserRouter } from 'react-router'
import { retryOnce } from '#web/platform/api/queries.ts'
import { SessionProvider } from '#web/accounts/auth/session.tsx'
import { AppRoutes } from './routes.tsx'
import { ScrollToTop } from './shell/ScrollToTop.tsx'
import { Toaster } from './platform/ui/Toaster.tsx'

/** The app with its providers. `home` is shown at `/` to signed-out visitors; `watch` is rendered inside the router. */
export function App({ home, watch }: { home: ReactNode; watch?: ReactNode }) {
  return (
    <Providers>
      <ScrollToTop />
      {watch}
      <AppRoutes home={home} />
    </Providers>
  )
}

/** What every page and panel needs above it: the cache of answers, the router, the session; and the toasts. */
export function Providers({ children }: { children: ReactNode }) {
  const [queries] = useState(
    () => new QueryClient({ defaultOptions: { queries: { staleTime: 10_000, retry: retryOnce } } }),
  )
  return (
    <QueryClientProvider client={queries}>
      <BrowserRouter>
        <SessionProvider>
          {children}
          <Toaster />
        </SessionProvider>
      </BrowserRouter>
    </QueryClientProvider>
  )
}
