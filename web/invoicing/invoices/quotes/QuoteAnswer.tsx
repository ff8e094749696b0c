import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Invoice } from '#contract/invoicing/saved-invoices.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { zonedDay } from '#web/platform/dates/zoned-day.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { documentName, invoicePath, shortDay } from '../list/invoice-text.ts'
import { useToday } from '../list/use-today.ts'
import type { QuoteActs } from './quote-acts.ts'

/** What the customer said to a quote, and what came of it. */
export function QuoteAnswer({ quote, acts }: { quote: Invoice; acts: QuoteActs }) {
  const { accepted_at, declined_at, invoice, status } = quote
  const isAnswered = accepted_at !== null || declined_at !== null
  return (
    <Card title="Answer">
      <div className="flex flex-col items-start gap-2">
        <Answer quote={quote} />
        {invoice === null ? null : (
          <p>
            {'Invoice: '}
            <Link to={invoicePath(invoice.id)} className="rounded-sm font-medium text-accent hover:underline">
              <bdi>{documentName({ kind: 'invoice', ...invoice })}</bdi>
            </Link>
          </p>
        )}
        {isAnswered && status !== 'invoiced' ? (
          <Button size="s" onClick={() => acts.openAgain(quote)} className="mt-1">
            Open again
          </Button>
        ) : null}
      </div>
    </Card>
  )
}

function Answer({ quote }: { quote: Invoice }) {
  const zone = useTimeZone()
  const today = useToday()
  const { accepted_at, accepted_by, declined_at, declined_reason, due_date, status } = quote
  const dayOf = (instant: string) => shortDay(zonedDay(new Date(instant), zone))
  if (accepted_at !== null)
    return (
      <Said by={quote.answered_by_customer}>
        Accepted by <bdi className="font-medium">{accepted_by}</bdi> on {dayOf(accepted_at)}.
      </Said>
    )
  if (declined_at !== null)
    return (
      <>
        <Said by={quote.answered_by_customer}>Declined on {dayOf(declined_at)}.</Said>
        {declined_reason === '' ? null : (
          <p dir="auto" className="w-full border-l-2 border-line pl-3 wrap-anywhere text-ink-2">
            {declined_reason}
          </p>
        )}
      </>
    )
  if (status === 'invoiced') return null
  if (status === 'expired') return <p>No answer came until {shortDay(due_date)}.</p>
  return (
    <p className="text-ink-2">
      {due_date === today
        ? 'Today is the last day to answer.'
        : `Waiting for an answer until ${shortDay(due_date)}.`}
    </p>
  )
}

function Said({ by: isCustomer, children }: { by: boolean; children: ReactNode }) {
  return (
    <div>
      <p className="wrap-anywhere">{children}</p>
      <p className="text-sm text-ink-2">
        {isCustomer ? 'The customer answered on their page.' : 'You noted this answer.'}
      </p>
    </div>
  )
}
