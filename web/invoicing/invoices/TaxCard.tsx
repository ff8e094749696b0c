import type { InvoiceDraft } from '#contract/invoicing/invoices.ts'
import type { Sector } from '#contract/invoicing/tax.ts'
import { COUNTRIES } from '#contract/platform/countries.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { ChoiceField } from './ChoiceField.tsx'
import type { TaxState } from './use-tax.ts'

const COUNTRY_OPTIONS = COUNTRIES.map(({ code, name }) => ({ value: code, label: name }))
const SECTOR_OPTIONS: ReadonlyArray<{ value: Sector; label: string }> = [
  { value: 'saas', label: 'SaaS' },
  { value: 'education', label: 'Education' },
  { value: 'healthcare', label: 'Healthcare' },
  { value: 'other', label: 'Other' },
]

type TaxCardProps = {
  draft: InvoiceDraft
  tax: TaxState
  onChange: (fields: Partial<InvoiceDraft>) => void
}

/** Where the seller pays tax, and what follows from it. */
export function TaxCard({ draft, tax, onChange }: TaxCardProps) {
  return (
    <Card title="Tax Settings">
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        <ChoiceField
          label="Country"
          value={draft.country}
          options={COUNTRY_OPTIONS}
          onChange={(country) => onChange({ country })}
        />
        <ChoiceField
          label="Sector"
          value={draft.sector}
          options={SECTOR_OPTIONS}
          onChange={(sector) => onChange({ sector })}
        />
        <output className="block text-sm sm:col-span-2 lg:self-end lg:pb-1.5">
          <span className="font-medium">{taxWords(tax)}</span>{' '}
          <span className="text-ink-2">{whyWords(tax, draft)}</span>
        </output>
      </div>
    </Card>
  )
}

const taxWords = ({ tax_percent, tax_name }: TaxState) =>
  tax_percent === 0 ? 'No tax.' : `${tax_name} ${tax_percent}%.`

function whyWords({ tax_percent }: TaxState, draft: InvoiceDraft): string {
  const { country, seller } = draft
  if (draft.tax_category !== 'S') return 'You chose a category without tax under “More details”.'
  if (tax_percent > 0) return 'It goes on every line whose tax you leave empty.'
  const name = COUNTRIES.find(({ code }) => code === country)?.name ?? country
  if (country !== 'IN' && country !== 'GB')
    return `No rate is known for ${name}. You can type one in each line.`
  return seller.tax_number.trim() === ''
    ? 'Tax applies once the seller has a tax number.'
    : 'Tax applies once the seller’s tax number is valid.'
}
