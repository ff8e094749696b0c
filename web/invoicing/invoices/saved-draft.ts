import { useSearchParams } from 'react-router'
import { invoiceDraft, type InvoiceDraft } from '#contract/invoicing/invoices.ts'
import { type Invoice, invoices } from '#contract/invoicing/saved-invoices.ts'
import { isFresh, useEndpoint } from '#web/platform/api/queries.ts'
import { paths } from '#web/platform/paths.ts'
import { newItem } from './new-draft.ts'

/** The address at which a saved draft is changed. */
export const editPath = (id: number) => `${paths.invoices}?edit=${id}`

/** A draft that is kept on the server, as the form takes it. */
export type SavedDraft = Pick<Invoice, 'id' | 'version' | 'kind'> & {
  draft: InvoiceDraft
  /** The number of the invoice that a credit note takes back. */
  credits: string | null
  /** The rate that it has for good, and from which document; null where that of the day counts. */
  kept: (Pick<Invoice, 'rate' | 'rate_date'> & { from: string }) | null
}

/** The saved draft that the address names; null without one, undefined while it loads. */
export function useSavedDraft(): {
  saved: SavedDraft | null | undefined
  isMissing: boolean
  retry: () => void
} {
  const [asked] = useSearchParams()
  const id = /^\d{1,15}$/.exec(asked.get('edit') ?? '')?.[0]
  const query = useEndpoint(invoices.get, {
    params: { id: id ?? '' },
    enabled: id !== undefined,
    staleTime: 0,
  })
  const { data, error, refetch } = query
  const retry = () => void refetch()
  if (id === undefined) return { saved: null, isMissing: false, retry }
  const saved = data === undefined || !isFresh(query) ? undefined : readSaved(data)
  return { saved: saved ?? undefined, isMissing: error !== null || saved === null, retry }
}

/** Null for what cannot be changed any more. */
function readSaved(invoice: Invoice): SavedDraft | null {
  const read = invoiceDraft.safeParse(invoice)
  if (!read.success || invoice.status !== 'draft') return null
  const { items } = read.data
  const draft = items.length === 0 ? { ...read.data, items: [newItem()] } : read.data
  const { id, version, kind, credits, quote, rate, rate_date } = invoice
  const source = credits ?? quote
  const kept = source === null ? null : { rate, rate_date, from: source.number }
  return { id, version, kind, draft, credits: credits?.number ?? null, kept }
}
