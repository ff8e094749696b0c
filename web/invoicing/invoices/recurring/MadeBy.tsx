import { Link } from 'react-router'
import type { Invoice } from '#contract/invoicing/saved-invoices.ts'
import { paths } from '#web/platform/paths.ts'

/** Says which recurring invoice has made this one. */
export function MadeBy({ invoice: { recurring } }: { invoice: Invoice }) {
  if (recurring === null) return null
  const kind = recurring.every === 'year' ? 'yearly' : 'monthly'
  return (
    <p className="text-sm text-ink-2">
      Made by the{' '}
      <Link to={paths.recurringInvoices} className="rounded-sm text-accent hover:underline">
        {kind} invoice{recurring.customer === '' ? '' : ' to '}
        <bdi>{recurring.customer}</bdi>
      </Link>
    </p>
  )
}
