import type { Email, Intent } from '#contract/emails.ts'
import type { DeliveryWords } from '#web/email-text/delivery-words.ts'
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

const DELIVERY_TONES: Record<DeliveryWords['tone'], BadgeTone> = {
  calm: 'gray',
  waiting: 'amber',
  problem: 'red',
}

/** Where a mail stands that has not left yet. */
export function DeliveryBadge({ words }: { words: DeliveryWords | null }) {
  return words === null ? null : <Badge tone={DELIVERY_TONES[words.tone]}>{words.word}</Badge>
}
