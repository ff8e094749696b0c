import { NavLink } from 'react-router'
import { paths } from '#web/paths.ts'

const PAGES = [
  { label: 'New invoice', path: paths.invoices },
  { label: 'All invoices', path: paths.invoiceList },
  { label: 'Recurring', path: paths.recurringInvoices },
  { label: 'Settings', path: paths.invoiceSettings },
] as const

/** Leads from the generator to the list of invoices and to what is set for all of them, and back. */
export function InvoiceNav() {
  return (
    <nav aria-label="Invoices" className="mb-5 flex gap-6 border-b border-line">
      {PAGES.map(({ label, path }) => (
        <NavLink
          key={path}
          to={path}
          end
          className="-mb-px inline-flex min-h-11 items-center border-b-2 border-transparent font-medium text-ink-2 transition-colors hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink"
        >
          {label}
        </NavLink>
      ))}
    </nav>
  )
}
