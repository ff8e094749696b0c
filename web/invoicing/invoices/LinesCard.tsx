import { Plus, X } from 'lucide-react'
import { memo, useRef } from 'react'
import { type InvoiceKind, KIND_WORDS } from '#contract/invoicing/invoice-kinds.ts'
import { LINES_MAX, PERCENT_DECIMALS } from '#contract/invoicing/invoice-sums.ts'
import {
  type Counted,
  type InvoiceDraft,
  type InvoiceItem,
  lengthFault,
  TEXT_MAX,
  typedCurrency,
} from '#contract/invoicing/invoices.ts'
import { money, plain } from '#contract/invoicing/money.ts'
import { Alert } from '#web/platform/ui/Alert.tsx'
import { Button } from '#web/platform/ui/Button.tsx'
import { Card } from '#web/platform/ui/Card.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { IconButton } from '#web/platform/ui/IconButton.tsx'
import { TextArea } from '#web/platform/ui/TextArea.tsx'
import { EntryField } from './EntryField.tsx'
import type { DraftChanges } from './use-draft.ts'

const TYPED_MAX = 30
/** Description, quantity, unit price, discount, tax, amount, remove. */
const COLUMNS = 'lg:grid-cols-[minmax(0,1fr)_5rem_7.5rem_5.5rem_5.5rem_7.5rem_2.125rem]'

type LinesCardProps = {
  kind: InvoiceKind
  draft: InvoiceDraft
  counted: Counted
  taxPercent: number
  taxName: string
  changes: DraftChanges
}

/** What is billed or offered, and what it comes to. */
export function LinesCard({ kind, draft, counted, taxPercent, taxName, changes }: LinesCardProps) {
  const { items, currency } = draft
  const { faults } = counted
  const list = useRef<HTMLUListElement>(null)
  const add = () => {
    changes.addItem()
    // The new line is there after the next frame.
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('li:last-child textarea')?.focus())
  }
  return (
    <Card title="Line Items">
      <div aria-hidden className={`grid gap-3 pb-1.5 text-sm font-medium max-lg:hidden ${COLUMNS}`}>
        <span>Description</span>
        <span className="text-right">Quantity</span>
        <span className="text-right">Unit price ({typedCurrency(draft)})</span>
        <span className="text-right">Discount %</span>
        <span className="text-right">Tax %</span>
        <span className="text-right">Amount</span>
      </div>
      <ul
        ref={list}
        aria-label="Lines"
        className="divide-y divide-line border-y border-line lg:divide-y-0 lg:border-y-0"
      >
        {items.map((item, index) => (
          <LineRow
            // Lines have no name but their place.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            index={index}
            item={item}
            priceLabel={`Unit price (${typedCurrency(draft)})`}
            amount={shown(counted.nets[index], currency)}
            taxPercent={taxPercent}
            quantityFault={faults[`items.${index}.quantity`]}
            priceFault={faults[`items.${index}.unit_price`]}
            discountFault={faults[`items.${index}.discount_pct`]}
            taxFault={faults[`items.${index}.tax_pct`]}
            isOnly={items.length === 1}
            onChange={changes.setItem}
            onRemove={changes.removeItem}
          />
        ))}
      </ul>
      <div className="flex flex-wrap items-start justify-between gap-6 pt-3">
        <Button
          icon={<Plus aria-hidden className="size-4" />}
          onClick={add}
          disabled={items.length >= LINES_MAX}
        >
          Add line
        </Button>
        <div className="flex w-full flex-col gap-4 sm:w-80">
          <Alert>{faults['items'] ?? lengthFault(draft)}</Alert>
          <div className="grid grid-cols-2 gap-3">
            <EntryField
              label={`Discount (${typedCurrency(draft)})`}
              kind="amount"
              value={draft.discount}
              max={TYPED_MAX}
              placeholder="0"
              error={faults['discount']}
              onChange={(discount) => changes.set({ discount })}
            />
            {kind === 'quote' ? null : (
              <EntryField
                label={`Amount paid (${typedCurrency(draft)})`}
                kind="amount"
                value={draft.amount_paid}
                max={TYPED_MAX}
                placeholder="0"
                error={faults['amount_paid']}
                onChange={(amount_paid) => changes.set({ amount_paid })}
              />
            )}
          </div>
          <Sums kind={kind} counted={counted} currency={currency} taxName={taxName} />
        </div>
      </div>
      {items.length >= LINES_MAX ? (
        <p className="pt-2 text-sm text-ink-2">
          {kind === 'quote' ? 'A quote' : 'An invoice'} has {LINES_MAX} lines at most.
        </p>
      ) : null}
    </Card>
  )
}

const shown = (minor: number | null | undefined, currency: string) =>
  minor === null || minor === undefined ? '–' : money(minor, currency)

type LineRowProps = {
  index: number
  item: InvoiceItem
  priceLabel: string
  amount: string
  taxPercent: number
  quantityFault: string | undefined
  priceFault: string | undefined
  discountFault: string | undefined
  taxFault: string | undefined
  isOnly: boolean
  onChange: DraftChanges['setItem']
  onRemove: DraftChanges['removeItem']
}

/** One line; of hundreds only the one that changes is drawn again. */
const LineRow = memo(function LineRow(props: LineRowProps) {
  const { index, item, priceLabel, amount, taxPercent, isOnly, onChange, onRemove } = props
  const number = (
    label: string,
    name: 'quantity' | 'unit_price' | 'discount_pct' | 'tax_pct',
    fault: string | undefined,
    placeholder: string,
  ) => (
    <EntryField
      label={label}
      kind="amount"
      value={item[name]}
      max={TYPED_MAX}
      placeholder={placeholder}
      error={fault}
      onChange={(value) => onChange(index, { [name]: value })}
      className={WIDE_LABEL}
    />
  )
  return (
    <li
      aria-label={`Line ${index + 1}`}
      className={`grid grid-cols-2 items-start gap-3 py-3 sm:grid-cols-4 lg:py-1.5 ${COLUMNS}`}
    >
      <Field label="Description" className={`col-span-full lg:col-span-1 ${WIDE_LABEL}`}>
        <TextArea
          value={item.description}
          rows={1}
          maxLength={TEXT_MAX.description}
          className="min-h-8.5! resize-none py-1.5! leading-5!"
          onChange={(event) => onChange(index, { description: event.target.value })}
        />
      </Field>
      {number('Quantity', 'quantity', props.quantityFault, '0')}
      {number(priceLabel, 'unit_price', props.priceFault, '0.00')}
      {number('Discount %', 'discount_pct', props.discountFault, '0')}
      {number('Tax %', 'tax_pct', props.taxFault, String(taxPercent))}
      <p className="flex items-center justify-between gap-2 self-center font-medium tabular-nums max-sm:col-span-1 lg:h-8.5 lg:justify-end lg:self-start">
        <span className="text-sm font-normal text-ink-2 lg:sr-only">Amount</span>
        <output aria-label={`Amount of line ${index + 1}`}>{amount}</output>
      </p>
      <IconButton
        label={`Remove line ${index + 1}`}
        icon={<X aria-hidden />}
        disabled={isOnly && item.description === '' && item.unit_price === ''}
        onClick={() => onRemove(index)}
        className="justify-self-end self-center sm:col-span-3 lg:col-span-1 lg:self-start"
      />
    </li>
  )
})

// On a wide screen the labels stand once, above the columns; screen readers have them on every field.
const WIDE_LABEL = 'lg:[&>div:first-child]:sr-only'

type SumsProps = { kind: InvoiceKind; counted: Counted; currency: string; taxName: string }

function Sums({ kind, counted, currency, taxName }: SumsProps) {
  const { sums } = counted
  const show = (minor: number | undefined) => shown(minor, currency)
  const rows: [string, string][] = [['Subtotal', show(sums?.net)]]
  for (const { percent, tax } of sums?.taxes ?? [])
    rows.push([`${taxName} ${plain(percent, PERCENT_DECIMALS)}%`, show(tax)])
  if (sums !== null && sums.discount > 0) rows.push(['Discount', show(-sums.discount)])
  if (kind !== 'quote') rows.push(['Total', show(sums?.total)])
  if (sums !== null && sums.paid > 0) rows.push(['Amount paid', show(-sums.paid)])
  return (
    <dl aria-label="Sums" className="flex flex-col gap-1.5 tabular-nums">
      {rows.map(([name, value]) => (
        <div key={name} className="flex justify-between gap-4">
          <dt className="text-ink-2">{name}</dt>
          <dd className={name === 'Total' ? 'font-medium' : ''}>{value}</dd>
        </div>
      ))}
      <div className="mt-1 flex items-baseline justify-between gap-4 border-t border-line pt-2.5">
        <dt className="font-medium">{KIND_WORDS[kind].sum}</dt>
        <dd className="font-display text-xl font-medium">{show(sums?.due)}</dd>
      </div>
    </dl>
  )
}
