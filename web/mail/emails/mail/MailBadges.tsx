import type { Email, Intent } from '#contract/mail/emails.ts'
import type { DeliveryStatus } from '#web/mail/email-text/delivery-status.ts'
import { Badge, type BadgeTone } from '#web/platform/ui/Badge.tsx'
import { statusWord } from '#web/platform/ui/StatusBadge.tsx'

const INTENT_TONES: Partial<Record<Intent, BadgeTone>> = {
  interested: 'green',
  meeting_request: 'green',
  question: 'blue',
}

/** The intent of a reply. */
export function IntentBadge({ intent }: { intent: Intent | null }) {
  if (intent === null || intent === 'other') return null
  return <Badge tone={INTENT_TONES[intent] ?? 'gray'}>{statusWord(intent)}</Badge>
}

/** Marks a mail of a conversation that was not sent. */
export function UnsentBadge({ status }: Pick<Email, 'status'>) {
  if (status === 'draft') return <Badge tone="amber">Draft</Badge>
  return status === 'scheduled' ? <Badge tone="blue">Scheduled</Badge> : null
}

const DELIVERY_TONES: Record<DeliveryStatus['tone'], BadgeTone> = {
  calm: 'gray',
  waiting: 'amber',
  problem: 'red',
}

/** The delivery status of a mail that was not sent yet. */
export function DeliveryBadge({ status }: { status: DeliveryStatus | null }) {
  return status === null ? null : <Badge tone={DELIVERY_TONES[status.tone]}>{status.word}</Badge>
}
