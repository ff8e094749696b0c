import { Check, Coins, Download, Pencil, Send, Trash2 } from 'lucide-react'
import { Link } from 'react-router'
import type { InvoiceContent } from '#contract/invoicing/invoice-document/invoice-document.ts'
import type { Invoice } from '#contract/invoicing/saved-invoices.ts'
import { contactPath } from '#web/crm/contacts/contact-path.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import type { InvoiceActs } from '../list/invoice-acts.ts'
import { customerText, invoicePath, isOpen, longName } from '../list/invoice-text.ts'
import { InvoiceMenu } from '../list/InvoiceMenu.tsx'
import { InvoiceStatusBadge } from '../list/InvoiceStatusBadge.tsx'
import { MadeBy } from '../recurring/MadeBy.tsx'
import { QuoteHeadActs } from '../quotes/QuoteHeadActs.tsx'
import { editPath } from '../saved-draft.ts'
import { useDownload } from '../use-download.ts'

type InvoiceHeadProps = {
  invoice: Invoice
  /** What its pages show; null where this version cannot read it. */
  content: InvoiceContent | null
  acts: InvoiceActs
}

/** What the document is called, whom it is for, and what can be done with it. */
export function InvoiceHead({ invoice, content, acts }: InvoiceHeadProps) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4 pt-2 pb-5">
      <div className="flex min-w-0 grow basis-72 flex-col gap-1.5">
        <div className="flex flex-wrap items-center gap-3">
          <h1 className="font-display text-xl font-medium tracking-tight wrap-anywhere">
            {longName(invoice)}
          </h1>
          <InvoiceStatusBadge document={invoice} />
        </div>
        <p className="wrap-anywhere text-ink-2">
          <Customer invoice={invoice} />
          <Origin invoice={invoice} />
        </p>
        <MadeBy invoice={invoice} />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {invoice.status === 'draft' || content === null ? null : <DownloadPdf content={content} />}
        <Acts invoice={invoice} acts={acts} />
        <InvoiceMenu invoice={invoice} acts={acts} />
      </div>
    </header>
  )
}

function Customer({ invoice: { contact, customer } }: { invoice: Invoice }) {
  const name = customer || contact?.name || ''
  if (contact === null) return <bdi>{customerText(name)}</bdi>
  return (
    <Link to={contactPath(contact.id)} className="rounded-sm hover:text-accent hover:underline">
      <bdi>{name}</bdi>
    </Link>
  )
}

/** The invoice that a credit note takes back; the quote that an invoice was made from. */
function Origin({ invoice: { credits, quote } }: { invoice: Invoice }) {
  const origin = credits ?? quote
  if (origin === null) return null
  return (
    <>
      {credits === null ? ' · from quote ' : ' · takes back '}
      <Link to={invoicePath(origin.id)} className="rounded-sm text-accent hover:underline">
        <bdi>{origin.number}</bdi>
      </Link>
    </>
  )
}

function Acts({ invoice, acts }: { invoice: Invoice; acts: InvoiceActs }) {
  if (invoice.status === 'draft')
    return (
      <>
        <Button icon={<Trash2 aria-hidden className="size-4" />} onClick={() => acts.remove(invoice)}>
          Delete
        </Button>
        <Link to={editPath(invoice.id)} className={buttonClass('quiet')}>
          <Pencil aria-hidden className="size-4" />
          Edit
        </Link>
        <Button
          variant="primary"
          icon={<Check aria-hidden className="size-4" />}
          onClick={() => acts.issue(invoice)}
        >
          Issue
        </Button>
      </>
    )
  const isSent = invoice.sent_at !== null
  const isNewQuote = invoice.kind === 'quote' && invoice.status === 'issued'
  const send = isSent ? null : (
    <Button
      variant={isOpen(invoice) || invoice.kind === 'credit_note' || isNewQuote ? 'primary' : 'quiet'}
      icon={<Send aria-hidden className="size-4" />}
      onClick={() => acts.send(invoice)}
    >
      Send
    </Button>
  )
  return (
    <>
      {invoice.kind === 'quote' ? <QuoteHeadActs quote={invoice} acts={acts} /> : null}
      {isOpen(invoice) ? (
        <Button
          variant={isSent ? 'primary' : 'quiet'}
          icon={<Coins aria-hidden className="size-4" />}
          onClick={() => acts.pay(invoice)}
        >
          Record payment
        </Button>
      ) : null}
      {send}
    </>
  )
}

function DownloadPdf({ content }: { content: InvoiceContent }) {
  const { isBusy, download } = useDownload()
  return (
    <Button
      icon={<Download aria-hidden className="size-4" />}
      busy={isBusy}
      onClick={() => void download(content)}
    >
      Download PDF
    </Button>
  )
}
