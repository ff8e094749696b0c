import { Plus } from 'lucide-react'
import { useRef } from 'react'
import { Link } from 'react-router'
import { invoices, type InvoiceTotals } from '#contract/invoicing/saved-invoices.ts'
import { useEndpoint } from '#web/platform/api/queries.ts'
import { useTimeZone } from '#web/accounts/auth/use-time-zone.ts'
import { paths } from '#web/platform/paths.ts'
import { buttonClass } from '#web/platform/ui/button-class.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { DelayedInput } from '#web/platform/ui/DelayedInput.tsx'
import { EmptyState } from '#web/platform/ui/EmptyState.tsx'
import { PageHeader } from '#web/platform/ui/PageHeader.tsx'
import { SearchInput } from '#web/platform/ui/SearchInput.tsx'
import { Tabs } from '#web/platform/ui/Tabs.tsx'
import { useSlash } from '#web/platform/ui/use-slash.ts'
import { InvoiceNav } from '../InvoiceNav.tsx'
import { FILTERS, type TabFilter, useInvoiceFilters } from './invoice-filters.ts'
import { outstandingIn } from './invoice-text.ts'
import { InvoiceList } from './InvoiceList.tsx'
import { useInvoiceActs } from './use-invoice-acts.tsx'

/** All invoices, credit notes and quotes: what is open, what is late, what was paid. */
export function InvoiceListPage() {
  const asked = useInvoiceFilters()
  const timeZone = useTimeZone()
  const totals = useEndpoint(invoices.totals)
  const { acts, dialogs } = useInvoiceActs()
  const isEmpty = totals.data?.counts.all === 0 && asked.search === ''
  return (
    <>
      <PageHeader title="Invoices" note={`Dates are in ${timeZone.replaceAll('_', ' ')}`} />
      <InvoiceNav />
      {totals.data === undefined ? null : <Outstanding totals={totals.data} />}
      {isEmpty ? (
        <Card flush>
          <FirstInvoice />
        </Card>
      ) : (
        <Tabs
          label="Filter invoices"
          tabs={tabsOf(totals.data, asked.filter)}
          value={asked.filter}
          onChange={asked.setFilter}
        >
          <Card flush>
            <SearchBar search={asked.search} onSearch={asked.setSearch} />
            <InvoiceList asked={asked} acts={acts} />
          </Card>
        </Tabs>
      )}
      {dialogs}
    </>
  )
}

/** Each filter with its count; credit notes and quotes have a tab once there is one. */
function tabsOf(totals: InvoiceTotals | undefined, chosen: TabFilter) {
  return FILTERS.filter(
    ({ value }) =>
      (value !== 'credit_notes' && value !== 'quotes') ||
      chosen === value ||
      (totals?.counts[value] ?? 0) > 0,
  ).map(({ value, label }) => ({
    value,
    label: totals === undefined ? label : `${label} ${totals.counts[value].toLocaleString('en')}`,
  }))
}

/** What customers owe, by currency. */
function Outstanding({ totals }: { totals: InvoiceTotals }) {
  const sums = outstandingIn(totals)
  if (sums.length === 0) return null
  return (
    <ul aria-label="Outstanding" className="mb-3 flex flex-wrap gap-x-8 gap-y-2">
      {sums.map(({ currency, outstanding, overdue }) => (
        <li key={currency} className="flex flex-wrap items-baseline gap-x-2 tabular-nums">
          <span className="text-ink-2">Outstanding</span>{' '}
          <span className="text-lg font-semibold">{outstanding}</span>
          {overdue === null ? null : (
            <>
              {' '}
              <span aria-hidden className="text-ink-2">
                ·
              </span>{' '}
              <span className="text-danger">
                Overdue <span className="font-medium">{overdue}</span>
              </span>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

function SearchBar({ search, onSearch }: { search: string; onSearch: (search: string) => void }) {
  const box = useRef<HTMLInputElement>(null)
  useSlash(box)
  return (
    <search aria-label="Invoices" className="flex px-3 py-3">
      <DelayedInput value={search} onRest={onSearch}>
        {(control) => (
          <SearchInput
            {...control}
            ref={box}
            aria-label="Search invoices"
            aria-keyshortcuts="/"
            maxLength={200}
            placeholder="Search by number, customer, email"
            className="w-full sm:max-w-80"
          />
        )}
      </DelayedInput>
    </search>
  )
}

function FirstInvoice() {
  return (
    <EmptyState
      title="No invoices yet"
      action={
        <Link to={paths.invoices} className={buttonClass('primary')}>
          <Plus aria-hidden className="size-4" />
          Write the first one
        </Link>
      }
    >
      Invoices that you save are listed here, with what is open, late and paid.
    </EmptyState>
  )
}
