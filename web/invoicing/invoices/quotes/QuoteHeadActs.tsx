import { CircleCheck, FilePlus, FileText } from 'lucide-react'
import { Link } from 'react-router'
import type { Invoice } from '#contract/invoicing/saved-invoices.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { invoicePath, isUnanswered } from '../list/invoice-text.ts'
import type { InvoiceActs } from '../list/invoice-acts.ts'

/** What is most likely done next with an issued quote: note the answer, make the invoice. */
export function QuoteHeadActs({ quote, acts }: { quote: Invoice; acts: InvoiceActs }) {
  const { invoice, sent_at, status } = quote
  if (invoice !== null)
    return (
      <Link to={invoicePath(invoice.id)} className={buttonClass('quiet')}>
        <FileText aria-hidden className="size-4" />
        Show invoice
      </Link>
    )
  if (status === 'accepted')
    return (
      <Button
        variant="primary"
        icon={<FilePlus aria-hidden className="size-4" />}
        onClick={() => acts.makeInvoice(quote)}
      >
        Create invoice
      </Button>
    )
  if (!isUnanswered(quote)) return null
  // Nobody has seen a new one yet: sending it comes first.
  const isNew = status === 'issued' && sent_at === null
  return (
    <Button
      variant={isNew ? 'quiet' : 'primary'}
      icon={<CircleCheck aria-hidden className="size-4" />}
      onClick={() => acts.accept(quote)}
    >
      Mark as accepted
    </Button>
  )
}
