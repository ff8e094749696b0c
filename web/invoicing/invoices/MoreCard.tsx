import { ChevronRight } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { InvoiceDraft } from '#contract/invoicing/invoices.ts'
import { Skeleton } from '#web/platform/ui/Skeleton.tsx'
import type { DraftChanges } from './use-draft.ts'
import { lazyPart } from '#web/platform/ui/lazy-part.ts'

const MoreFields = lazyPart(() => import('./MoreFields.tsx'), 'MoreFields')

type MoreCardProps = { draft: InvoiceDraft; faults: Record<string, string>; changes: DraftChanges }

/** What many invoices do without. It is open where something has been filled in. */
export function MoreCard({ draft, faults, changes }: MoreCardProps) {
  const [isOpen, setOpen] = useState(() => isFilled(draft))
  return (
    <details
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="group min-w-0 rounded-lg border border-line bg-surface"
    >
      <summary className="flex min-h-12 cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-0.5 rounded-lg px-4 py-2 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="size-4 shrink-0 text-ink-2 transition-transform group-open:rotate-90 motion-reduce:transition-none"
        />
        <h2 className="text-md font-semibold">More details</h2>
        <span className="text-sm text-ink-2 max-sm:w-full max-sm:pl-7">
          Bank account, delivery, reverse charge, and what an e-invoice needs
        </span>
      </summary>
      {isOpen ? (
        <Suspense fallback={<Skeleton className="mx-4 mb-4 h-64 rounded-md" />}>
          <MoreFields draft={draft} faults={faults} changes={changes} />
        </Suspense>
      ) : null}
    </details>
  )
}

function isFilled({ seller, buyer, ...draft }: InvoiceDraft): boolean {
  const places = [seller, buyer].flatMap((who) => [who.post_code, who.city, who.country_code])
  const texts = [...places, seller.iban, seller.bic, draft.delivery_date, draft.buyer_reference]
  return draft.tax_category !== 'S' || texts.some((text) => text.trim() !== '')
}
