import type { InvoiceStatus } from '#contract/saved-invoices.ts'
import { Badge, type BadgeTone } from '#web/ui/Badge.tsx'
import { STATUS_WORDS } from './invoice-text.ts'

const TONES: Record<InvoiceStatus, BadgeTone> = {
  draft: 'gray',
  issued: 'blue',
  sent: 'blue',
  viewed: 'purple',
  part_paid: 'amber',
  paid: 'green',
  overdue: 'red',
  credited: 'gray',
}

/** What became of an invoice, as a coloured word. */
export function InvoiceStatusBadge({ status }: { status: InvoiceStatus }) {
  return <Badge tone={TONES[status]}>{STATUS_WORDS[status]}</Badge>
}
