import { money } from '#contract/invoicing/money.ts'
import type { Invoice } from '#contract/invoicing/saved-invoices.ts'
import { cx } from '#web/platform/ui/cx.ts'

/** What the document comes to, and what is left to pay of it. */
export function InvoiceSums({ invoice: { currency, kind, status, sums } }: { invoice: Invoice }) {
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
      {kind !== 'invoice' || status === 'draft' ? null : (
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
