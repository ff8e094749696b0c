import { ArrowLeft } from 'lucide-react'
import { Suspense, useMemo } from 'react'
import { Link } from 'react-router'
import { documentContent } from '#contract/invoicing/invoice-document/document-content.ts'
import { type Invoice, invoices } from '#contract/invoicing/saved-invoices.ts'
import { paths } from '#web/platform/paths.ts'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { DetailPage } from '#web/platform/ui/DetailPage.tsx'
import { useDocumentTitle } from '#web/platform/ui/document-title.ts'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { documentName, invoicePath } from '../list/invoice-text.ts'
import { useInvoiceActs } from '../list/use-invoice-acts.tsx'
import { SentMails } from '../sending/SentMails.tsx'
import { QuoteAnswer } from '../quotes/QuoteAnswer.tsx'
import { InvoiceReminders } from '../reminders/InvoiceReminders.tsx'
import { InvoiceDetails } from './InvoiceDetails.tsx'
import { InvoiceHead } from './InvoiceHead.tsx'
import { InvoicePayments } from './InvoicePayments.tsx'
import { InvoiceViews, TWO_COLUMNS } from './InvoiceViews.tsx'
import { money } from '#contract/invoicing/money.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

/** One invoice, credit note or quote: its figures, its payments, and what can be done with it. */
export function InvoicePage() {
  return (
    <DetailPage
      endpoint={invoices.get}
      failed="Failed to load the invoice"
      missing={<Missing />}
      waiting={<Loading />}
    >
      {(invoice) => <WholeInvoice key={invoice.id} invoice={invoice} />}
    </DetailPage>
  )
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

/** The credit notes that take the invoice back, or a part of it. */
function CreditNotes({ invoice: { credit_notes: notes, currency } }: { invoice: Invoice }) {
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

const EInvoicePanel = lazyPart(() => import('./EInvoicePanel.tsx'), 'EInvoicePanel')

/** The invoice as data for machines. What says what it needs is loaded after the page. */
function EInvoiceCard({ invoice }: { invoice: Invoice }) {
  return (
    <Suspense fallback={null}>
      <EInvoicePanel invoice={invoice} />
    </Suspense>
  )
}
