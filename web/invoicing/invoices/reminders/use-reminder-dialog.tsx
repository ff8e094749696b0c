import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Reminder } from '#contract/invoicing/payment-reminders.ts'

const ReminderDialog = lazy(() =>
  import('./ReminderDialog.tsx').then((part) => ({ default: part.ReminderDialog })),
)

/** Opens the words of a reminder. The dialog shows what the reminder has become meanwhile. */
export function useReminderDialog(reminders: readonly Reminder[]): {
  show: (reminder: Reminder) => void
  dialog: ReactNode
} {
  const [opened, setOpened] = useState<{ reminder: Reminder; isOpen: boolean; turn: number } | null>(null)
  const current = reminders.find(({ id }) => id === opened?.reminder.id) ?? opened?.reminder
  return {
    show: (reminder) => setOpened({ reminder, isOpen: true, turn: (opened?.turn ?? 0) + 1 }),
    dialog: (
      <Suspense fallback={null}>
        {opened === null || current === undefined ? null : (
          <ReminderDialog
            key={opened.turn}
            open={opened.isOpen}
            onClose={() => setOpened({ ...opened, isOpen: false })}
            reminder={current}
          />
        )}
      </Suspense>
    ),
  }
}
