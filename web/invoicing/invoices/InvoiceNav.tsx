import { useLocation } from 'react-router'
import { paths } from '#web/platform/paths.ts'
import { PageNav } from '#web/platform/ui/PageNav.tsx'

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
  return <PageNav label="Invoices" pages={PAGES} isHere={(to) => to === here} />
}
