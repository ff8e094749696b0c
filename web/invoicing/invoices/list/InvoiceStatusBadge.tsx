import type { InvoiceRow, InvoiceStatus } from '#contract/invoicing/saved-invoices.ts'
import { Badge, type BadgeTone } from '#web/platform/ui/Badge.tsx'
import { statusText } from './invoice-text.ts'

const TONES: Record<InvoiceStatus, BadgeTone> = {
  draft: 'gray',
  issued: 'blue',
  sent: 'blue',
  viewed: 'purple',
  part_paid: 'amber',
  paid: 'green',
  overdue: 'red',
  credited: 'gray',
  expired: 'amber',
  declined: 'red',
  accepted: 'green',
  invoiced: 'gray',
}

/** What became of a document, as a coloured word. */
export function InvoiceStatusBadge({ document }: { document: Pick<InvoiceRow, 'kind' | 'status'> }) {
  return <Badge tone={TONES[document.status]}>{statusText(document)}</Badge>
}
