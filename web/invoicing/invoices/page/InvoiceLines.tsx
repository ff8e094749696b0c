import type { ReactNode } from 'react'
import { PERCENT_DECIMALS, QUANTITY_DECIMALS } from '#contract/invoicing/invoice-sums.ts'
import type { Counted } from '#contract/invoicing/invoices.ts'
import { money, plain } from '#contract/invoicing/money.ts'
import type { Invoice } from '#contract/invoicing/saved-invoices.ts'
import { cx } from '#web/platform/ui/cx.ts'

type InvoiceLinesProps = {
  invoice: Invoice
  /** The lines in the document's currency, as its pages show them; null where this version cannot read them. */
  counted: Counted | null
}

/** What was billed, line by line. On phones the figures of a line stand below its description. */
export function InvoiceLines({ invoice, counted }: InvoiceLinesProps) {
  const lines = linesOf(invoice, counted)
  if (lines.length === 0) return <p className="border-t border-line px-4 py-4 text-ink-2">No lines yet.</p>
  const hasDiscount = lines.some(({ discount }) => discount !== NONE)
  return (
    <table aria-label="Lines" className="w-full border-collapse border-t border-line tabular-nums">
      <thead className="text-sm text-ink-2">
        <tr className="border-b border-line">
          <th scope="col" className="h-9 px-4 text-left font-medium">
            Description
          </th>
          <Head>Quantity</Head>
          <Head>Unit price</Head>
          {hasDiscount ? <Head>Discount</Head> : null}
          <Head>Tax</Head>
          <th scope="col" className="h-9 pr-4 pl-3 text-right font-medium">
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- lines have no name but their number
          <tr key={index} className="border-b border-line align-top">
            <td className="px-4 py-2.5 wrap-anywhere whitespace-pre-line">
              <span dir="auto">{line.description || NONE}</span>
              <span className="mt-0.5 block text-sm text-ink-2 sm:hidden">{inWords(line)}</span>
            </td>
            <Cell>{line.quantity}</Cell>
            <Cell>{line.price}</Cell>
            {hasDiscount ? <Cell isQuiet>{line.discount}</Cell> : null}
            <Cell isQuiet>{line.tax}</Cell>
            <td className="py-2.5 pr-4 pl-3 text-right font-medium whitespace-nowrap">{line.amount}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Head({ children }: { children: ReactNode }) {
  return (
    <th scope="col" className="h-9 px-3 text-right font-medium whitespace-nowrap max-sm:hidden">
      {children}
    </th>
  )
}

function Cell({ isQuiet = false, children }: { isQuiet?: boolean; children: ReactNode }) {
  return (
    <td className={cx('px-3 py-2.5 text-right whitespace-nowrap max-sm:hidden', isQuiet && 'text-ink-2')}>
      {children}
    </td>
  )
}

const NONE = '–'

type ShownLine = Record<'description' | 'quantity' | 'price' | 'discount' | 'tax' | 'amount', string>

function linesOf({ currency, items, sums }: Invoice, counted: Counted | null): ShownLine[] {
  return items.map((item, index) => {
    const line = counted?.lines[index]
    const texts =
      line === undefined
        ? {
            quantity: item.quantity,
            price: item.unit_price || NONE,
            discount: typedPercent(item.discount_pct),
            tax: typedPercent(item.tax_pct),
          }
        : {
            quantity: plain(line.quantity, QUANTITY_DECIMALS),
            price: money(line.unitPrice, currency),
            discount: percent(line.discount),
            tax: percent(line.tax),
          }
    return { ...texts, description: item.description, amount: money(sums.lines[index] ?? 0, currency) }
  })
}

const percent = (scaled: number) => (scaled === 0 ? NONE : `${plain(scaled, PERCENT_DECIMALS)}%`)
const typedPercent = (typed: string) => (typed === '' ? NONE : `${typed}%`)

/** "3 × €50.00, 10% discount, 19% tax". */
function inWords({ quantity, price, discount, tax }: ShownLine): string {
  const parts = [`${quantity} × ${price}`]
  if (discount !== NONE) parts.push(`${discount} discount`)
  if (tax !== NONE) parts.push(`${tax} tax`)
  return parts.join(', ')
}
