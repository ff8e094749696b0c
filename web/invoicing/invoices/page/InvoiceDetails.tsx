import type { ReactNode } from 'react'
import { KIND_WORDS } from '#contract/invoicing/invoice-kinds.ts'
import type { Invoice } from '#contract/invoicing/saved-invoices.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { dueText, isOpen, shortDay } from '../list/invoice-text.ts'
import { useToday } from '../list/use-today.ts'

/** The dates of the document, and what else is known of it. */
export function InvoiceDetails({ invoice }: { invoice: Invoice }) {
  const today = useToday()
  const { buyer, buyer_reference, delivery_date, due_date, issue_date, po_number } = invoice
  const { rate, convert, currency, rate_date } = invoice
  const due = isOpen(invoice) ? `${shortDay(due_date)} (${dueText(invoice, today)})` : shortDay(due_date)
  const address = lines(buyer.address, lines(buyer.post_code, buyer.city, ' '))
  return (
    <Card title="Details">
      <dl className="grid gap-2.5">
        <Fact name="Issue date">{shortDay(issue_date)}</Fact>
        {invoice.kind === 'credit_note' ? null : <Fact name={KIND_WORDS[invoice.kind].due}>{due}</Fact>}
        {delivery_date === '' ? null : <Fact name="Delivery date">{shortDay(delivery_date)}</Fact>}
        {po_number === '' ? null : <Fact name="PO number">{po_number}</Fact>}
        {buyer_reference === '' ? null : <Fact name="Customer’s reference">{buyer_reference}</Fact>}
        {buyer.email === '' ? null : <Fact name="Email">{buyer.email}</Fact>}
        {address === '' ? null : <Fact name="Address">{address}</Fact>}
        {convert && currency !== 'USD' ? (
          <Fact name="Exchange rate">
            {rate_date === null ? 'Unknown: amounts are not converted' : `1 USD = ${rate} ${currency}`}
          </Fact>
        ) : null}
      </dl>
    </Card>
  )
}

const lines = (first = '', second = '', between = '\n') =>
  [first, second].filter((line) => line !== '').join(between)

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-ink-2">{name}</dt>
      <dd dir="auto" className="wrap-anywhere whitespace-pre-line">
        {children}
      </dd>
    </div>
  )
}
