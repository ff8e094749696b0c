import { ArrowLeft } from 'lucide-react'
import { useMemo } from 'react'
import { Link, useParams } from 'react-router'
import { documentContent } from '#contract/invoicing/invoice-document/document-content.ts'
import { type Invoice, invoices } from '#contract/invoicing/saved-invoices.ts'
import { ApiError, sentenceOf } from '#web/platform/api/errors.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { paths } from '#web/platform/paths.ts'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { useDocumentTitle } from '#web/platform/ui/document-title.ts'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { ErrorState } from '#web/platform/ui/ErrorState.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { documentName } from '../list/invoice-text.ts'
import { useInvoiceActs } from '../list/use-invoice-acts.tsx'
import { SentMails } from '../sending/SentMails.tsx'
import { QuoteAnswer } from '../quotes/QuoteAnswer.tsx'
import { InvoiceReminders } from '../reminders/InvoiceReminders.tsx'
import { CreditNotes } from './CreditNotes.tsx'
import { EInvoiceCard } from './EInvoiceCard.tsx'
import { InvoiceDetails } from './InvoiceDetails.tsx'
import { InvoiceHead } from './InvoiceHead.tsx'
import { InvoicePayments } from './InvoicePayments.tsx'
import { InvoiceViews, TWO_COLUMNS } from './InvoiceViews.tsx'

/** One invoice, credit note or quote: its figures, its payments, and what can be done with it. */
export function InvoicePage() {
  const { id = '' } = useParams()
  const isId = /^\d{1,15}$/.test(id)
  const { data, error, refetch, isFetching } = useEndpoint(invoices.get, { params: { id }, enabled: isId })
  if (data !== undefined && error === null) return <WholeInvoice key={data.id} invoice={data} />
  if (!isId || (error instanceof ApiError && error.status === 404)) return <Missing />
  if (error !== null)
    return (
      <Card>
        <ErrorState
          message={sentenceOf(error, 'Failed to load the invoice')}
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      </Card>
    )
  return <Loading />
}

function WholeInvoice({ invoice }: { invoice: Invoice }) {
  useDocumentTitle(documentName(invoice))
  const { acts, dialogs } = useInvoiceActs()
  const content = useMemo(() => documentContent(invoice), [invoice])
  const isIssued = invoice.status !== 'draft'
  return (
    <>
      <BackLink />
      <InvoiceHead invoice={invoice} content={content} acts={acts} />
      <InvoiceViews
        invoice={invoice}
        content={content}
        story={
          <>
            {invoice.kind === 'quote' && isIssued ? <QuoteAnswer quote={invoice} acts={acts} /> : null}
            {invoice.kind === 'invoice' && isIssued ? <InvoicePayments invoice={invoice} /> : null}
            {invoice.credit_notes.length === 0 ? null : <CreditNotes invoice={invoice} />}
            {isIssued ? <SentMails invoice={invoice} onSend={() => acts.send(invoice)} /> : null}
          </>
        }
      >
        <InvoiceDetails invoice={invoice} />
        {invoice.kind === 'invoice' && isIssued ? <InvoiceReminders invoice={invoice} /> : null}
        <EInvoiceCard invoice={invoice} />
      </InvoiceViews>
      {dialogs}
    </>
  )
}

function BackLink() {
  return (
    <Link
      to={paths.invoiceList}
      className="inline-flex min-h-8 items-center gap-1.5 rounded-sm text-sm text-ink-2 hover:text-ink pointer-coarse:min-h-11"
    >
      <ArrowLeft aria-hidden className="size-4" />
      All invoices
    </Link>
  )
}

function Missing() {
  useDocumentTitle('Invoice')
  return (
    <>
      <h1 className="sr-only">Invoice</h1>
      <Card>
        <EmptyState
          title="This invoice does not exist."
          action={
            <Link to={paths.invoiceList} className={buttonClass('quiet')}>
              All invoices
            </Link>
          }
        >
          It may have been deleted.
        </EmptyState>
      </Card>
    </>
  )
}

function Loading() {
  return (
    <div aria-busy className="flex flex-col gap-5">
      <Skeleton className="h-8 w-64" />
      <Skeleton className="h-10" />
      <div className={TWO_COLUMNS}>
        <Skeleton className="h-72 rounded-lg" />
        <Skeleton className="h-72 rounded-lg" />
      </div>
    </div>
  )
}
