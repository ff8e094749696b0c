import { lazy, type ReactNode, Suspense, useState } from 'react'

const EmailConfigurationDialog = lazy(() =>
  import('#web/outreach/EmailConfigurationDialog.tsx').then((part) => ({
    default: part.EmailConfigurationDialog,
  })),
)

/** Explains the missing settings of the mailbox in the place of what is written, which stays as it is meanwhile. */
export function useNeededSettings(): { areNeeded: boolean; explain: () => void; dialog: ReactNode } {
  // Null until they are needed for the first time.
  const [open, setOpen] = useState<boolean | null>(null)
  return {
    areNeeded: open === true,
    explain: () => setOpen(true),
    dialog:
      open === null ? null : (
        <Suspense fallback={null}>
          <EmailConfigurationDialog open={open} onClose={() => setOpen(false)} />
        </Suspense>
      ),
  }
}
