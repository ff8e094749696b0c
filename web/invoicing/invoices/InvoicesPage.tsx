import { Download, Eye, RotateCcw } from 'lucide-react'
import { Suspense, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { auth } from '#contract/accounts/auth.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { InvoiceContent } from '#contract/invoicing/invoice-document/invoice-document.ts'
import type { InvoiceKind } from '#contract/invoicing/invoice-kinds.ts'
import { countInvoice, type InvoiceDraft, withTax } from '#contract/invoicing/invoices.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { NO_TAX } from '#contract/invoicing/tax.ts'
import { isFresh, useEndpoint } from '#web/platform/api/queries.ts'
import { Button } from '#web/platform/ui/Button.tsx'
import { ErrorState } from '#web/platform/ui/ErrorState.tsx'
import { LoadFailed } from '#web/platform/ui/Loaded.tsx'
import { PageHeader } from '#web/platform/ui/PageHeader.tsx'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import { toast } from '#web/platform/ui/toast.ts'
import { InvoiceCard } from './InvoiceCard.tsx'
import { InvoiceNav } from './InvoiceNav.tsx'
import { LinesCard } from './LinesCard.tsx'
import { MoreCard } from './MoreCard.tsx'
import { missingFields, unprintableWords } from './missing.ts'
import { BuyerCard, SellerCard } from './PartyCard.tsx'
import { type SavedDraft, useSavedDraft } from './saved-draft.ts'
import { SaveInvoice } from './SaveInvoice.tsx'
import { TaxCard } from './TaxCard.tsx'
import { useDownload } from './use-download.ts'
import { type DraftChanges, useDraft } from './use-draft.ts'
import { type RateState, useRate } from './use-rate.ts'
import { type TaxState, useTax } from './use-tax.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const InvoicePreview = lazyPart(() => import('./document/InvoicePreview.tsx'), 'InvoicePreview')

const WRONG = 'Please correct the marked fields first.'

/** The generator of invoices and quotes: a form, its preview, and the PDF. */
export function InvoicesPage() {
  const query = useEndpoint(auth.me, { staleTime: 60_000 })
  const { data, error } = query
  const { saved, isMissing, retry } = useSavedDraft()
  const [asked] = useSearchParams()
  const kind = saved?.kind ?? (asked.get('kind') === 'quote' ? 'quote' : 'invoice')
  const next = useEndpoint(invoices.nextNumber, { query: { kind }, staleTime: 0 })
  // The number of the last time may have been given meanwhile.
  if (data !== undefined && saved !== undefined && isFresh(next)) {
    const key = `${data.id}-${kind}-${saved?.id ?? ''}`
    const nextNumber = next.data?.number ?? null
    return <Generator key={key} account={data} kind={kind} saved={saved} nextNumber={nextNumber} />
  }
  return (
    <>
      <PageHeader title={TITLES[kind]} />
      {isMissing ? (
        <ErrorState
          message="This draft cannot be opened. It may have been issued or deleted."
          onRetry={retry}
        />
      ) : error === null ? (
        <div className="grid gap-5 lg:grid-cols-2">
          <Skeleton className="h-96 rounded-lg" />
          <Skeleton className="h-96 rounded-lg" />
        </div>
      ) : (
        <LoadFailed query={query} message="Failed to load profile" />
      )}
    </>
  )
}

const TITLES: Record<InvoiceKind, string> = { invoice: 'Invoices', credit_note: 'Invoices', quote: 'Quotes' }

type GeneratorProps = {
  kind: InvoiceKind
  account: ReplyOf<typeof auth.me>
  saved: SavedDraft | null
  /** Null if the server could not say it. */
  nextNumber: string | null
}

function Generator({ account, kind, saved: newest, nextNumber }: GeneratorProps) {
  // With the version that was opened, whatever another tab saves meanwhile: the server refuses to write over that.
  const [saved] = useState(newest)
  const writtenKind = kind === 'quote' ? 'quote' : 'invoice'
  const { draft, changes, release } = useDraft(account, writtenKind, saved?.draft ?? null, nextNumber)
  const [isPreview, setPreview] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const usual = useTax({ country: draft.country, sector: draft.sector, taxNumber: draft.seller.tax_number })
  // With a reason for charging none, no tax is proposed.
  const tax = draft.tax_category === 'S' ? usual : { ...usual, ...NO_TAX }
  const rate = useRate(draft.currency, draft.convert, keptRate(saved, draft))
  const content = useContent({ kind, credits: saved?.credits ?? null }, draft, tax, rate)
  const { isBusy, download } = useDownload()
  const downloadIt = () => {
    if (content.counted.sums !== null) {
      void download(content)
      return
    }
    toast.error(WRONG)
    setPreview(false)
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus())
  }
  return (
    <>
      <PageHeader
        title={TITLES[kind]}
        note={
          saved === null
            ? `Your ${writtenKind} stays in this browser until you log out.`
            : 'You are changing a saved draft. Save it to keep your changes.'
        }
        actions={
          <>
            <Button
              variant="plain"
              icon={<RotateCcw aria-hidden className="size-4" />}
              onClick={() => {
                setPreview(false)
                changes.startOver()
              }}
            >
              Start over
            </Button>
            <Button
              icon={<Eye aria-hidden className="size-4" />}
              aria-pressed={isPreview}
              onClick={() => setPreview(!isPreview)}
              className="aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent"
            >
              Preview
            </Button>
            <SaveInvoice kind={writtenKind} draft={content.draft} saved={saved} onSaved={release} />
            <Button
              variant="primary"
              icon={<Download aria-hidden className="size-4" />}
              busy={isBusy}
              onClick={downloadIt}
            >
              Download PDF
            </Button>
          </>
        }
      />
      <InvoiceNav isQuote={kind === 'quote'} />
      <Notices kind={kind} draft={draft} isPreview={isPreview} />
      {isPreview ? (
        <Suspense fallback={<Skeleton className="mx-auto aspect-[1/1.414] w-full max-w-200 rounded-sm" />}>
          <InvoicePreview content={content} />
        </Suspense>
      ) : (
        <Details
          ref={form}
          kind={kind}
          draft={draft}
          tax={tax}
          rate={rate}
          content={content}
          changes={changes}
        />
      )}
    </>
  )
}

/** The rate of a document that has one for good: a credit note, and an invoice in the currency of its quote. */
function keptRate(saved: SavedDraft | null, { convert, currency }: InvoiceDraft): SavedDraft['kept'] {
  const isSame = saved?.draft.currency === currency && saved.draft.convert === convert
  return saved !== null && (saved.kind === 'credit_note' || isSame) ? saved.kept : null
}

function useContent(
  { kind, credits }: Pick<InvoiceContent, 'kind' | 'credits'>,
  draft: InvoiceDraft,
  tax: TaxState,
  rate: RateState,
): InvoiceContent {
  const { tax_percent, tax_name } = tax
  const { isUnconverted } = rate
  return useMemo(() => {
    const taxed = withTax(draft, tax_percent)
    return {
      kind,
      draft: taxed,
      credits,
      counted: countInvoice(taxed, rate.rate, kind),
      taxName: tax_name === 'NONE' ? 'Tax' : tax_name,
      isUnconverted,
    }
  }, [kind, credits, draft, tax_percent, tax_name, rate.rate, isUnconverted])
}

type NoticesProps = { kind: InvoiceKind; draft: InvoiceDraft; isPreview: boolean }

/** What the finished document would lack. */
function Notices({ kind, draft, isPreview }: NoticesProps) {
  const missing = isPreview ? missingFields(draft, kind) : []
  const unprintable = unprintableWords(draft)
  if (missing.length === 0 && unprintable === null) return null
  return (
    <output className="mb-5 flex flex-col gap-1 rounded-md bg-amber-soft px-3 py-2 text-amber">
      {missing.length === 0 ? null : <span>Still empty: {missing.join(', ')}.</span>}
      {unprintable === null ? null : <span>{unprintable}</span>}
    </output>
  )
}

type DetailsProps = {
  ref: React.Ref<HTMLFormElement>
  kind: InvoiceKind
  draft: InvoiceDraft
  tax: TaxState
  rate: RateState
  content: InvoiceContent
  changes: DraftChanges
}

function Details({ ref, kind, draft, tax, rate, content, changes }: DetailsProps) {
  const { counted, taxName } = content
  return (
    <form
      ref={ref}
      aria-label="Details"
      noValidate
      onSubmit={(event) => event.preventDefault()}
      className="flex flex-col gap-5"
    >
      <div className="grid gap-5 lg:grid-cols-2">
        <SellerCard seller={draft.seller} isTaxNumberValid={tax.isValid} onChange={changes.setSeller} />
        <BuyerCard
          title={kind === 'quote' ? 'Prepared For' : 'Bill To'}
          buyer={draft.buyer}
          onChange={changes.setBuyer}
        />
      </div>
      <TaxCard draft={draft} tax={tax} onChange={changes.set} />
      <InvoiceCard kind={kind} draft={draft} rate={rate} faults={counted.faults} onChange={changes.set} />
      <LinesCard
        kind={kind}
        draft={draft}
        counted={counted}
        taxPercent={tax.tax_percent}
        taxName={taxName}
        changes={changes}
      />
      <MoreCard draft={draft} faults={counted.faults} changes={changes} />
    </form>
  )
}
