import { type ReactNode, useId } from 'react'
import { type Buyer, type InvoiceDraft, TEXT_MAX } from '#contract/invoicing/invoices.ts'
import { POSTAL_COUNTRIES } from '#contract/invoicing/postal-countries.ts'
import { needsReason, type TaxCategory, withCategory } from '#contract/invoicing/vat-category.ts'
import { ChoiceField } from './ChoiceField.tsx'
import { EntryField } from './EntryField.tsx'
import type { DraftChanges } from './use-draft.ts'

const APART = 'Printed below the address that you typed. An e-invoice needs these apart.'
const DATE_MAX = 10
const CATEGORY_OPTIONS: readonly { value: TaxCategory; label: string }[] = [
  { value: 'S', label: 'Standard: tax as in the lines' },
  { value: 'AE', label: 'Reverse charge' },
  { value: 'K', label: 'Goods within the EU' },
  { value: 'G', label: 'Export outside the EU' },
  { value: 'E', label: 'Exempt from tax' },
  { value: 'Z', label: 'Zero rate' },
  { value: 'O', label: 'Outside VAT' },
]
const COUNTRY_OPTIONS = [
  { value: '', label: 'Not stated' },
  ...POSTAL_COUNTRIES.map(({ code, name }) => ({ value: code, label: name })),
]

type MoreFieldsProps = { draft: InvoiceDraft; faults: Record<string, string>; changes: DraftChanges }

/** Bank account, delivery and tax category; places as a machine reads them. */
export function MoreFields({ draft, faults, changes }: MoreFieldsProps) {
  const { seller } = draft
  const { set, setBuyer, setSeller } = changes
  return (
    <div className="flex flex-col gap-6 px-4 pb-4">
      <Group title="Payment">
        <EntryField
          label="IBAN"
          value={seller.iban}
          max={TEXT_MAX.iban}
          error={faults['seller.iban']}
          onChange={(iban) => setSeller({ iban })}
          className="sm:col-span-2"
        />
        <EntryField
          label="BIC"
          value={seller.bic}
          max={TEXT_MAX.bic}
          error={faults['seller.bic']}
          onChange={(bic) => setSeller({ bic })}
        />
      </Group>
      <Group title="Delivery and tax">
        <EntryField
          label="Delivery date"
          kind="date"
          value={draft.delivery_date}
          max={DATE_MAX}
          onChange={(delivery_date) => set({ delivery_date })}
        />
        <ChoiceField
          label="Tax category"
          value={draft.tax_category}
          options={CATEGORY_OPTIONS}
          help="Why lines without tax have none."
          onChange={(category) => set(withCategory(draft, category))}
          className={needsReason(draft.tax_category) ? '' : 'sm:col-span-2'}
        />
        {needsReason(draft.tax_category) ? (
          <EntryField
            label="Reason for no tax"
            value={draft.tax_reason}
            max={TEXT_MAX.taxReason}
            help="Printed on the invoice."
            onChange={(tax_reason) => set({ tax_reason })}
            className="sm:col-span-2"
          />
        ) : null}
      </Group>
      <Group title="Your address" note={APART}>
        <Place whose="Your" who={seller} onChange={setSeller} />
      </Group>
      <Group title="The customer’s address" note={APART}>
        <Place whose="Customer’s" who={draft.buyer} onChange={setBuyer} />
        <EntryField
          label="Customer’s reference"
          value={draft.buyer_reference}
          max={TEXT_MAX.buyerReference}
          help="What the customer asks you to name. German authorities: the Leitweg-ID."
          onChange={(buyer_reference) => set({ buyer_reference })}
          className="sm:col-span-2"
        />
      </Group>
    </div>
  )
}

type GroupProps = { title: string; note?: string; children: ReactNode }

function Group({ title, note, children }: GroupProps) {
  const noteId = useId()
  return (
    <fieldset className="min-w-0" aria-describedby={note === undefined ? undefined : noteId}>
      <legend className="pb-2.5 text-sm font-semibold text-ink-2">{title}</legend>
      {note === undefined ? null : (
        <p id={noteId} className="-mt-1.5 pb-2.5 text-sm text-ink-2">
          {note}
        </p>
      )}
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-4">{children}</div>
    </fieldset>
  )
}

type PlaceProps = { whose: string; who: Buyer; onChange: (fields: Partial<Buyer>) => void }

function Place({ whose, who, onChange }: PlaceProps) {
  return (
    <>
      <EntryField
        label={`${whose} post code`}
        value={who.post_code}
        max={TEXT_MAX.postCode}
        onChange={(post_code) => onChange({ post_code })}
      />
      <EntryField
        label={`${whose} city`}
        value={who.city}
        max={TEXT_MAX.city}
        onChange={(city) => onChange({ city })}
      />
      <ChoiceField
        label={`${whose} country`}
        value={who.country_code}
        options={COUNTRY_OPTIONS}
        onChange={(country_code) => onChange({ country_code })}
        className="sm:col-span-2"
      />
    </>
  )
}
