import { lazy, Suspense, useState } from 'react'

const load = () => import('#web/accounts/auth/SignUpWizard.tsx')
const SignUpWizard = lazy(() => load().then((m) => ({ default: m.SignUpWizard })))

/** Fetches the wizard before it is asked for. */
export const warmWizard = () => {
  load().catch(() => undefined)
}

/** The sign-up wizard, fetched when it first opens. */
export function LazyWizard({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [wanted, setWanted] = useState(open)
  if (open && !wanted) setWanted(true)
  if (!wanted) return null
  return (
    <Suspense fallback={null}>
      <SignUpWizard open={open} onClose={onClose} />
    </Suspense>
  )
}
