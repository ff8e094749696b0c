import { Link, useLocation } from 'react-router'
import { paths } from '#web/platform/paths.ts'

/** The address at which a new quote is written. */
export const NEW_QUOTE = `${paths.invoices}?kind=quote`

const PAGES = [
  { label: 'New invoice', to: paths.invoices },
  { label: 'New quote', to: NEW_QUOTE },
  { label: 'All invoices', to: paths.invoiceList },
  { label: 'Recurring', to: paths.recurringInvoices },
  { label: 'Reminders', to: paths.paymentReminders },
  { label: 'Settings', to: paths.invoiceSettings },
] as const

/** Leads from the generator to the list of invoices and to what is set for all of them, and back. */
export function InvoiceNav({ isQuote = false }: { isQuote?: boolean }) {
  const { pathname } = useLocation()
  const here = isQuote ? NEW_QUOTE : pathname
  return (
    <nav
      aria-label="Invoices"
      className="mb-5 flex gap-6 overflow-x-auto overflow-y-hidden shadow-[inset_0_-1px_var(--line)] max-sm:gap-4"
    >
      {PAGES.map(({ label, to }) => (
        <Link
          key={to}
          to={to}
          aria-current={to === here ? 'page' : undefined}
          className="inline-flex min-h-11 shrink-0 items-center whitespace-nowrap max-sm:text-sm border-b-2 border-transparent font-medium text-ink-2 transition-colors hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink"
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
