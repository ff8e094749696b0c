import { type ReactNode, Suspense } from 'react'
import type { Reminder } from '#contract/invoicing/payment-reminders.ts'
import { useOpened } from '#web/platform/ui/use-opened.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const ReminderDialog = lazyPart(() => import('./ReminderDialog.tsx'), 'ReminderDialog')

/** Opens the words of a reminder. The dialog shows what the reminder has become meanwhile. */
export function useReminderDialog(reminders: readonly Reminder[]): {
  show: (reminder: Reminder) => void
  dialog: ReactNode
} {
  const { what: opened, turn, show, props } = useOpened<Reminder>()
  const current = reminders.find(({ id }) => id === opened?.id) ?? opened
  return {
    show,
    dialog: (
      <Suspense fallback={null}>
        {current === null ? null : <ReminderDialog key={turn} {...props} reminder={current} />}
      </Suspense>
    ),
  }
}
