import { type InvoiceKind, KIND_WORDS } from '#contract/invoicing/invoice-kinds.ts'
import { type InvoiceDraft, LAYOUTS, TEXT_MAX } from '#contract/invoicing/invoices.ts'
import { BASE_CURRENCY, CURRENCIES } from '#contract/invoicing/money.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { cx } from '#web/platform/ui/cx.ts'
import { Switch } from '#web/platform/ui/Switch.tsx'
import { ChoiceField } from './ChoiceField.tsx'
import { EntryField } from './EntryField.tsx'
import type { RateState } from './use-rate.ts'

const DATE_MAX = 10
const CURRENCY_OPTIONS = CURRENCIES.map(({ code, name }) => ({ value: code, label: `${code} – ${name}` }))
const LAYOUT_OPTIONS = LAYOUTS.map((layout) => ({
  value: layout,
  label: `${layout.slice(0, 1).toUpperCase()}${layout.slice(1)}`,
}))

type InvoiceCardProps = {
  kind: InvoiceKind
  draft: InvoiceDraft
  rate: RateState
  faults: Record<string, string>
  onChange: (fields: Partial<InvoiceDraft>) => void
}

/** The document itself: numbers, dates, currency, looks, notes. */
export function InvoiceCard({ kind, draft, rate, faults, onChange }: InvoiceCardProps) {
  const words = KIND_WORDS[kind]
  const date = (
    label: string,
    name: 'issue_date' | 'due_date' | 'service_start' | 'service_end',
    required: boolean,
  ) => (
    <EntryField
      label={label}
      kind="date"
      value={draft[name]}
      max={DATE_MAX}
      onChange={(value) => onChange({ [name]: value })}
      error={faults[name]}
      required={required}
    />
  )
  return (
    <Card title={words.name}>
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        <EntryField
          label={words.number}
          value={draft.number}
          max={TEXT_MAX.number}
          onChange={(number) => onChange({ number })}
          required
        />
        <EntryField
          label="PO number"
          value={draft.po_number}
          max={TEXT_MAX.number}
          onChange={(po_number) => onChange({ po_number })}
          required
        />
        {date('Issue date', 'issue_date', true)}
        {date(words.due, 'due_date', true)}
        {date('Service period start', 'service_start', false)}
        {date('Service period end', 'service_end', false)}
        <ChoiceField
          label="Currency"
          value={draft.currency}
          options={CURRENCY_OPTIONS}
          onChange={(currency) => onChange({ currency })}
          required
        />
        <ChoiceField
          label="Layout style"
          value={draft.layout}
          options={LAYOUT_OPTIONS}
          onChange={(layout) => onChange({ layout })}
        />
        {draft.currency === BASE_CURRENCY ? null : (
          <Switch
            label="Convert from US dollars"
            help={
              draft.convert
                ? `You type prices in US dollars; the invoice shows them in ${draft.currency}.`
                : `You type prices in ${draft.currency}.`
            }
            checked={draft.convert}
            onChange={(event) => onChange({ convert: event.target.checked })}
            className="sm:col-span-2"
          />
        )}
        {rate.note === null ? null : (
          <output
            className={cx(
              'block self-start text-sm sm:col-span-2',
              rate.isWarning ? 'rounded-md bg-amber-soft px-3 py-2 text-amber' : 'text-ink-2',
            )}
          >
            {rate.note}
          </output>
        )}
        <EntryField
          label="Notes"
          kind="lines"
          value={draft.notes}
          max={TEXT_MAX.notes}
          onChange={(notes) => onChange({ notes })}
          className="sm:col-span-full"
          required
        />
      </div>
    </Card>
  )
}
