import { Link } from 'react-router'
import { money } from '#contract/invoicing/money.ts'
import type { Invoice } from '#contract/invoicing/saved-invoices.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { documentName, invoicePath } from '../list/invoice-text.ts'

/** The credit notes that take the invoice back, or a part of it. */
export function CreditNotes({ invoice: { credit_notes: notes, currency } }: { invoice: Invoice }) {
  return (
    <Card title="Credit notes">
      <ul aria-label="Credit notes" className="-my-1">
        {notes.map((note) => (
          <li
            key={note.id}
            className="flex items-center justify-between gap-2 border-b border-line py-2 last:border-0"
          >
            <Link
              to={invoicePath(note.id)}
              className="min-w-0 truncate rounded-sm font-medium hover:text-accent hover:underline"
            >
              {documentName({ kind: 'credit_note', number: note.number, status: note.status })}
            </Link>
            <span className="text-ink-2 tabular-nums">{money(-note.total, currency)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
