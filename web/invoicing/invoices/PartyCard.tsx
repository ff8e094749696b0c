import type { ReactNode } from 'react'
import { LOGO_BOX, SIGNATURE_BOX } from '#contract/invoicing/invoice-document/picture-boxes.ts'
import { type Buyer, type Seller, TEXT_MAX } from '#contract/invoicing/invoices.ts'
import { Card } from '#web/platform/ui/Card.tsx'
import { Field } from '#web/platform/ui/Field.tsx'
import { ContactPicker } from './ContactPicker.tsx'
import { EntryField } from './EntryField.tsx'
import { partyFrom } from './new-draft.ts'
import { PictureField } from './PictureField.tsx'
import { Badge } from '#web/platform/ui/Badge.tsx'

const ENTRIES = [
  { name: 'name', label: 'Name', max: TEXT_MAX.name },
  { name: 'business_name', label: 'Business name', max: TEXT_MAX.name },
  { name: 'address', label: 'Address', max: TEXT_MAX.address, kind: 'lines', className: 'sm:col-span-2' },
  { name: 'email', label: 'Email', max: TEXT_MAX.email, kind: 'email' },
  { name: 'phone', label: 'Phone', max: TEXT_MAX.phone, kind: 'tel' },
  { name: 'tax_number', label: 'Tax number', max: TEXT_MAX.taxNumber },
] as const

type Change = (fields: Partial<Buyer>) => void

/** Who sends the invoice. */
export function SellerCard(props: {
  seller: Seller
  isTaxNumberValid: boolean | null
  onChange: (fields: Partial<Seller>) => void
}) {
  const { seller, isTaxNumberValid, onChange } = props
  return (
    <Card title="Seller">
      <PartyFields
        who={seller}
        onChange={onChange}
        taxMark={<TaxNumberMark isValid={isTaxNumberValid} />}
        first={
          <PictureField
            label="Logo"
            value={seller.logo}
            box={LOGO_BOX}
            onChange={(logo) => onChange({ logo })}
          />
        }
      />
    </Card>
  )
}

/** Whom it is for: typed, or taken from the contacts. */
export function BuyerCard({ title, buyer, onChange }: { title: string; buyer: Buyer; onChange: Change }) {
  return (
    <Card title={title}>
      <PartyFields
        who={buyer}
        onChange={onChange}
        first={
          <Field label="Choose from contacts">
            <ContactPicker
              onChoose={({ name, email, company, phone }) =>
                onChange(partyFrom({ name, email, business_name: company, phone }))
              }
            />
          </Field>
        }
      />
    </Card>
  )
}

function PartyFields(props: { who: Buyer; onChange: Change; first: ReactNode; taxMark?: ReactNode }) {
  const { who, onChange, first, taxMark } = props
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <div className="sm:col-span-2">{first}</div>
      {ENTRIES.map(({ name, ...entry }) => (
        <EntryField
          key={name}
          {...entry}
          value={who[name]}
          onChange={(value) => onChange({ [name]: value })}
          aside={name === 'tax_number' ? taxMark : undefined}
          required
        />
      ))}
      <PictureField
        label="Signature"
        value={who.signature}
        box={SIGNATURE_BOX}
        onChange={(signature) => onChange({ signature })}
      />
    </div>
  )
}

/** Says whether a tax number is one of the country; nothing while there is none. */
function TaxNumberMark({ isValid }: { isValid: boolean | null }) {
  return (
    <output>
      {isValid === null ? null : (
        <Badge tone={isValid ? 'green' : 'red'}>{isValid ? 'Valid' : 'Invalid'}</Badge>
      )}
    </output>
  )
}
