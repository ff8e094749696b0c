import type { Email, Intent } from '#contract/emails.ts'
import type { DeliveryStatus } from '#web/email-text/delivery-status.ts'
import { Badge, type BadgeTone } from '#web/ui/Badge.tsx'
import { statusWord } from '#web/ui/StatusBadge.tsx'

const INTENT_TONES: Partial<Record<Intent, BadgeTone>> = {
  interested: 'green',
  meeting_request: 'green',
  question: 'blue',
}

/** What an answer means. */
export function IntentBadge({ intent }: { intent: Intent | null }) {
  if (intent === null || intent === 'other') return null
  return <Badge tone={INTENT_TONES[intent] ?? 'gray'}>{statusWord(intent)}</Badge>
}

/** That a mail among others of its conversation has not left. */
export function UnsentBadge({ status }: Pick<Email, 'status'>) {
  if (status === 'draft') return <Badge tone="amber">Draft</Badge>
  return status === 'scheduled' ? <Badge tone="blue">Scheduled</Badge> : null
}

const DELIVERY_TONES: Record<DeliveryStatus['tone'], BadgeTone> = {
  calm: 'gray',
  waiting: 'amber',
  problem: 'red',
}

/** Where a mail stands that has not left yet. */
export function DeliveryBadge({ status }: { status: DeliveryStatus | null }) {
  return status === null ? null : <Badge tone={DELIVERY_TONES[status.tone]}>{status.word}</Badge>
}
