import { Download } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useMemo } from 'react'
import { useParams } from 'react-router'
import { draftContent } from '#contract/invoicing/invoice-document/document-content.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { KIND_WORDS } from '#contract/invoicing/invoice-kinds.ts'
import { money } from '#contract/invoicing/money.ts'
import { type SharedInvoice, sharedInvoices } from '#contract/invoicing/shared-invoices.ts'
import { call } from '#web/platform/api/call.ts'
import { isRefusal, sentenceOf } from '#web/platform/api/errors.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { shortDay } from '#web/invoicing/invoices/list/invoice-text.ts'
import { Badge, type BadgeTone } from '#web/platform/ui/Badge.tsx'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { useDocumentTitle } from '#web/platform/ui/document-title.ts'
import { LoadFailed } from '#web/platform/ui/Loaded.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { BankTransfer } from './BankTransfer.tsx'
import { quoteState } from './quote-state.ts'
import { QuoteReply } from './QuoteReply.tsx'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const InvoicePreview = lazyPart(
  () => import('#web/invoicing/invoices/document/InvoicePreview.tsx'),
  'InvoicePreview',
)

/** What a customer sees who opens the link to a document: what to pay, until when and how, and the document. No session. */
export function SharedInvoicePage() {
  const token = useParams()['token'] ?? ''
  const query = useEndpoint(sharedInvoices.show, { params: { token }, staleTime: 60_000 })
  const { data, error } = query
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-220 flex-col px-4 pt-8 pb-6 sm:pt-12 md:px-6">
      <main id="main" className="flex-1">
        {data !== undefined ? (
          <Shared token={token} invoice={data} />
        ) : error === null ? (
          <Coming />
        ) : isRefusal(error) && error.status === 404 ? (
          <NotValid why={error.detail} />
        ) : (
          <Card>
            <LoadFailed query={query} message={sentenceOf(error, 'This page could not be loaded.')} />
          </Card>
        )}
      </main>
      <footer className="pt-8 text-center text-sm text-ink-2">Sent with Howl</footer>
    </div>
  )
}

function Shared({ token, invoice }: { token: string; invoice: SharedInvoice }) {
  useDocumentTitle(nameOf(invoice))
  useLook(token)
  const { account, document: written } = invoice
  const content = useMemo(
    () =>
      written === null
        ? null
        : draftContent(written.draft, {
            kind: invoice.kind,
            credits: invoice.credits,
            rate: written.rate,
            isRateKnown: written.rate_date !== null,
          }),
    [written, invoice.kind, invoice.credits],
  )
  return (
    <div className="grid gap-5">
      <Sender invoice={invoice} />
      <Summary token={token} invoice={invoice} />
      {invoice.kind === 'quote' ? <QuoteReply token={token} quote={invoice} /> : null}
      {account === null ? null : (
        <BankTransfer account={account} amount={money(invoice.due, invoice.currency)} />
      )}
      {invoice.payments.length === 0 ? null : <Payments invoice={invoice} />}
      {content === null ? null : (
        <div className="pt-3">
          <Suspense fallback={<Skeleton className="mx-auto aspect-[1/1.414] w-full max-w-200 rounded-sm" />}>
            <InvoicePreview content={content} />
          </Suspense>
        </div>
      )}
    </div>
  )
}

/** Tells the server that somebody looks. A script says it, because whatever scans mail opens links too. */
function useLook(token: string): void {
  useEffect(() => {
    const tell = () => {
      if (document.visibilityState !== 'visible') return
      document.removeEventListener('visibilitychange', tell)
      call(sharedInvoices.viewed, { params: { token } }).catch(() => undefined)
    }
    document.addEventListener('visibilitychange', tell)
    tell()
    return () => document.removeEventListener('visibilitychange', tell)
  }, [token])
}

const nameOf = ({ kind, number }: SharedInvoice) => `${KIND_WORDS[kind].name} ${number}`

function Sender({ invoice: { seller } }: { invoice: SharedInvoice }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      {seller.logo === '' ? (
        <p dir="auto" className="font-display text-lg font-semibold tracking-tight wrap-anywhere">
          {seller.name}
        </p>
      ) : (
        // Logos are made for paper.
        <img src={seller.logo} alt={seller.name} className="max-h-14 max-w-60 rounded-sm bg-white" />
      )}
      <p className="flex flex-wrap gap-x-4 text-sm text-ink-2">
        {seller.email === '' ? null : (
          <a
            href={`mailto:${seller.email}`}
            className="rounded-sm wrap-anywhere hover:text-accent hover:underline"
          >
            {seller.email}
          </a>
        )}
        {seller.phone === '' ? null : <span>{seller.phone}</span>}
      </p>
    </div>
  )
}

function Summary({ token, invoice }: { token: string; invoice: SharedInvoice }) {
  const { amount, badge, words } = stateOf(invoice)
  return (
    <Card>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-5 py-2">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="font-medium wrap-anywhere text-ink-2">{nameOf(invoice)}</h1>
            {badge === null ? null : <Badge tone={badge.tone}>{badge.word}</Badge>}
          </div>
          <p className="mt-1 font-display text-xl font-medium tracking-tight wrap-anywhere tabular-nums sm:text-2xl">
            {amount}
          </p>
          <p className="mt-1 text-ink-2">{words}</p>
          {invoice.customer === '' ? null : (
            <p className="mt-1 text-ink-2">
              For <bdi>{invoice.customer}</bdi>
            </p>
          )}
        </div>
        <a
          href={pathOf(sharedInvoices.pdf, { token })}
          download={invoice.file_name}
          className={buttonClass('primary')}
        >
          <Download aria-hidden className="size-4" />
          Download PDF
        </a>
      </div>
    </Card>
  )
}

type State = { amount: string; badge: { tone: BadgeTone; word: string } | null; words: ReactNode }

/** What there is to pay, and until when, said plainly. */
function stateOf(invoice: SharedInvoice): State {
  const { credit_notes, credits, currency, due, due_date, kind, payments, status, total } = invoice
  const show = (minor: number) => money(minor, currency)
  if (kind === 'credit_note')
    return {
      amount: show(total),
      badge: { tone: 'gray', word: 'Credit note' },
      words: credits === null ? 'Credited to you' : `Credited to you for invoice ${credits}`,
    }
  if (kind === 'quote') return { amount: show(total), ...quoteState(invoice) }
  if (status === 'credited') {
    const notes = credit_notes.map(({ number }) => number).join(', ')
    return {
      amount: show(0),
      badge: { tone: 'gray', word: 'Taken back' },
      words: `This invoice over ${show(total)} was taken back by ${notes}. There is nothing to pay.`,
    }
  }
  if (due === 0) {
    const last = payments
      .map(({ paid_on }) => paid_on)
      .toSorted()
      .at(-1)
    return {
      amount: show(total),
      badge: { tone: 'green', word: 'Paid' },
      words: last === undefined ? 'Paid. Thank you.' : `Paid on ${shortDay(last)}. Thank you.`,
    }
  }
  const of = due < total ? ` · ${show(due)} is left of ${show(total)}` : ''
  return status === 'overdue'
    ? {
        amount: show(due),
        badge: { tone: 'red', word: 'Overdue' },
        words: `Was due on ${shortDay(due_date)}${of}`,
      }
    : { amount: show(due), badge: null, words: `Due on ${shortDay(due_date)}${of}` }
}

function Payments({ invoice: { currency, payments } }: { invoice: SharedInvoice }) {
  return (
    <Card title="Payments">
      <ul aria-label="Payments" className="-my-1">
        {payments.map(({ amount, paid_on }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- payments have no name but their number
          <li key={index} className="flex justify-between gap-4 border-b border-line py-2 last:border-0">
            <span className="text-ink-2">{shortDay(paid_on)}</span>
            <span className="tabular-nums">{money(amount, currency)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function NotValid({ why }: { why: string }) {
  useDocumentTitle('Link not valid')
  return (
    <Card className="mx-auto max-w-120">
      <h1 className="pt-2 font-display text-xl font-medium">This link does not work</h1>
      <p role="alert" className="mt-2 pb-2 text-ink-2">
        {why}
      </p>
    </Card>
  )
}

function Coming() {
  return (
    <div aria-busy className="grid gap-5">
      <Skeleton className="h-8 w-48" />
      <Skeleton className="h-36 rounded-lg" />
      <Skeleton className="h-64 rounded-lg" />
    </div>
  )
}
