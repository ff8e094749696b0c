import { ArrowLeft, Check, Coins, Download, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { documentContent } from '#contract/invoice-document/document-content.ts'
import { decimalsOf, money } from '#contract/money.ts'
import { type Invoice, invoices } from '#contract/saved-invoices.ts'
import { call } from '#web/api/call.ts'
import { ApiError, sentenceOf } from '#web/api/errors.ts'
import { refresh, useCommand, useEndpoint } from '#web/api/queries.ts'
import { contactPath } from '#web/contacts/contact-path.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/Button.tsx'
import { buttonClass } from '#web/ui/button-class.ts'
import { Card } from '#web/ui/Card.tsx'
import { cx } from '#web/ui/cx.ts'
import { useDocumentTitle } from '#web/ui/document-title.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ErrorState } from '#web/ui/ErrorState.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { toast } from '#web/ui/toast.ts'
import {
  customerText,
  documentName,
  dueText,
  invoicePath,
  isOpen,
  longName,
  shortDay,
  typedAmount,
} from './invoice-text.ts'
import { editPath } from '../saved-draft.ts'
import { useDownload } from '../use-download.ts'
import { InvoiceMenu } from './InvoiceMenu.tsx'
import { InvoiceStatusBadge } from './InvoiceStatusBadge.tsx'
import { CHANGED, type InvoiceActs } from './invoice-acts.ts'
import { useInvoiceActs } from './use-invoice-acts.tsx'
import { useToday } from './use-today.ts'

/** One invoice or credit note: its figures, its payments, and what can be done with it. */
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
  return (
    <>
      <BackLink />
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4 pt-2 pb-5">
        <div className="flex min-w-0 grow basis-72 flex-col gap-1.5">
          <div className="flex flex-wrap items-center gap-3">
            <h1 className="font-display text-xl font-medium tracking-tight wrap-anywhere">
              {longName(invoice)}
            </h1>
            <InvoiceStatusBadge status={invoice.status} />
          </div>
          <p className="wrap-anywhere text-ink-2">
            <Customer invoice={invoice} />
            <Origin invoice={invoice} />
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {invoice.status === 'draft' ? null : <DownloadPdf invoice={invoice} />}
          <Acts invoice={invoice} acts={acts} />
          <InvoiceMenu invoice={invoice} acts={acts} />
        </div>
      </header>
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Card title="Lines" flush>
          <Lines invoice={invoice} />
          <Sums invoice={invoice} />
        </Card>
        <div className="grid gap-5">
          <Details invoice={invoice} />
          {invoice.kind === 'invoice' && invoice.status !== 'draft' ? <Payments invoice={invoice} /> : null}
          {invoice.credit_notes.length === 0 ? null : <CreditNotes invoice={invoice} />}
        </div>
      </div>
      {dialogs}
    </>
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

/** The invoice that a credit note takes back. */
function Origin({ invoice: { credits } }: { invoice: Invoice }) {
  if (credits === null) return null
  return (
    <>
      {' · takes back '}
      <Link to={invoicePath(credits.id)} className="rounded-sm text-accent hover:underline">
        {credits.number}
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
  if (!isOpen(invoice)) return null
  return (
    <Button
      variant="primary"
      icon={<Coins aria-hidden className="size-4" />}
      onClick={() => acts.pay(invoice)}
    >
      Record payment
    </Button>
  )
}

function DownloadPdf({ invoice }: { invoice: Invoice }) {
  const { isBusy, download } = useDownload()
  const content = documentContent(invoice)
  if (content === null) return null
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

function Lines({ invoice: { currency, items, sums } }: { invoice: Invoice }) {
  if (items.length === 0) return <p className="border-t border-line px-4 py-4 text-ink-2">No lines yet.</p>
  return (
    <table aria-label="Lines" className="w-full border-collapse border-t border-line tabular-nums">
      <thead className="text-sm text-ink-2">
        <tr className="border-b border-line">
          <th scope="col" className="h-9 px-4 text-left font-medium">
            Description
          </th>
          <th scope="col" className="h-9 px-2 text-right font-medium max-sm:hidden">
            Quantity
          </th>
          <th scope="col" className="h-9 px-2 text-right font-medium max-sm:hidden">
            Tax
          </th>
          <th scope="col" className="h-9 px-4 text-right font-medium">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((item, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- lines have no name but their number
          <tr key={index} className="border-b border-line align-top">
            <td className="px-4 py-2.5 wrap-anywhere whitespace-pre-line">
              <span dir="auto">{item.description || '–'}</span>
              <span className="block text-sm text-ink-2 sm:hidden">{item.quantity} ×</span>
            </td>
            <td className="px-2 py-2.5 text-right max-sm:hidden">{item.quantity}</td>
            <td className="px-2 py-2.5 text-right text-ink-2 max-sm:hidden">
              {item.tax_pct === '' ? '–' : `${item.tax_pct}%`}
            </td>
            <td className="px-4 py-2.5 text-right whitespace-nowrap">
              {money(sums.lines[index] ?? 0, currency)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Sums({ invoice: { currency, kind, status, sums } }: { invoice: Invoice }) {
  const line = (name: string, minor: number) => <Sum name={name} amount={money(minor, currency)} />
  return (
    <dl className="ml-auto grid w-full max-w-80 gap-1.5 px-4 py-4 tabular-nums">
      {line('Subtotal', sums.net)}
      {sums.taxes.map(({ percent, tax }) => (
        <Sum key={percent} name={`Tax ${percent / 1000}%`} amount={money(tax, currency)} />
      ))}
      {sums.discount === 0 ? null : line('Discount', -sums.discount)}
      <Sum name="Total" amount={money(sums.total, currency)} isStrong />
      {sums.paid === 0 ? null : line('Paid', -sums.paid)}
      {sums.credited === 0 ? null : line('Credited', -sums.credited)}
      {kind === 'credit_note' || status === 'draft' ? null : (
        <Sum name="Left to pay" amount={money(sums.due, currency)} isStrong />
      )}
    </dl>
  )
}

function Sum({ name, amount, isStrong = false }: { name: string; amount: string; isStrong?: boolean }) {
  return (
    <div className={cx('flex justify-between gap-4', isStrong ? 'font-semibold' : 'text-ink-2')}>
      <dt>{name}</dt>
      <dd>{amount}</dd>
    </div>
  )
}

function Details({ invoice }: { invoice: Invoice }) {
  const today = useToday()
  const { buyer, due_date, issue_date, po_number, rate, convert, currency, rate_date } = invoice
  const due = isOpen(invoice) ? `${shortDay(due_date)} (${dueText(invoice, today)})` : shortDay(due_date)
  return (
    <Card title="Details">
      <dl className="grid gap-2.5">
        <Fact name="Issue date">{shortDay(issue_date)}</Fact>
        {invoice.kind === 'credit_note' ? null : <Fact name="Due date">{due}</Fact>}
        {po_number === '' ? null : <Fact name="PO number">{po_number}</Fact>}
        {buyer.email === '' ? null : <Fact name="Email">{buyer.email}</Fact>}
        {buyer.address === '' ? null : <Fact name="Address">{buyer.address}</Fact>}
        {convert && currency !== 'USD' ? (
          <Fact name="Exchange rate">
            {rate_date === null ? 'Unknown: amounts are not converted' : `1 USD = ${rate} ${currency}`}
          </Fact>
        ) : null}
      </dl>
    </Card>
  )
}

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

function Payments({ invoice }: { invoice: Invoice }) {
  const { currency, id, payments } = invoice
  const client = useQueryClient()
  const remove = useCommand(invoices.removePayment, {
    refreshes: CHANGED,
    onError: (error) => toast.error(sentenceOf(error, 'Failed to remove the payment')),
  })
  const again = async (body: { amount: string; paid_on: string; note: string }) => {
    try {
      await call(invoices.addPayment, { params: { id }, body, idempotencyKey: crypto.randomUUID() })
      for (const each of CHANGED) void refresh(client, each)
    } catch (error) {
      toast.error(sentenceOf(error, 'This can no longer be undone.'))
    }
  }
  const take = (payment: Invoice['payments'][number]) => {
    const { amount, paid_on, note } = payment
    const typed = { amount: typedAmount(amount, decimalsOf(currency)), paid_on, note }
    remove.mutate(
      { params: { id, payment_id: payment.id } },
      { onSuccess: () => void toast.success('Payment removed', { undo: () => void again(typed) }) },
    )
  }
  return (
    <Card title="Payments">
      {payments.length === 0 ? (
        <p className="text-ink-2">No payments yet.</p>
      ) : (
        <ul aria-label="Payments" className="-my-1">
          {payments.map((payment) => (
            <li
              key={payment.id}
              className="flex items-start justify-between gap-2 border-b border-line py-2 last:border-0"
            >
              <div className="min-w-0">
                <p className="tabular-nums">
                  <span className="font-medium">{money(payment.amount, currency)}</span>{' '}
                  <span className="text-ink-2">on {shortDay(payment.paid_on)}</span>
                </p>
                {payment.note === '' ? null : (
                  <p className="text-sm wrap-anywhere text-ink-2">{payment.note}</p>
                )}
              </div>
              <IconButton
                size="s"
                danger
                label={`Remove payment of ${money(payment.amount, currency)}`}
                icon={<Trash2 />}
                busy={remove.isPending}
                onClick={() => take(payment)}
              />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

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
      <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Skeleton className="h-72 rounded-lg" />
        <Skeleton className="h-72 rounded-lg" />
      </div>
    </div>
  )
}
