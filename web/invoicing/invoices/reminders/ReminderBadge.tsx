import type { Reminder } from '#contract/invoicing/payment-reminders.ts'
import { Badge, type BadgeTone } from '#web/platform/ui/Badge.tsx'
import { STATE_WORDS } from './reminder-text.ts'

const TONES: Record<Reminder['state'], BadgeTone> = {
  upcoming: 'blue',
  waiting: 'amber',
  sent: 'green',
  skipped: 'gray',
  passed: 'gray',
  stopped: 'gray',
}

/** What became of a reminder, as a coloured word. */
export function ReminderBadge({ state }: { state: Reminder['state'] }) {
  return <Badge tone={TONES[state]}>{STATE_WORDS[state]}</Badge>
}
