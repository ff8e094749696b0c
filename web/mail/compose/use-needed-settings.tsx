import { type ReactNode, Suspense, useState } from 'react'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const EmailConfigurationDialog = lazyPart(
  () => import('#web/mail/mailboxes/EmailConfigurationDialog.tsx'),
  'EmailConfigurationDialog',
)

/** Explains the missing mailbox settings in place of the draft, which is kept meanwhile. */
export function useNeededSettings(): { areNeeded: boolean; explain: () => void; dialog: ReactNode } {
  // Null until it is first needed.
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
