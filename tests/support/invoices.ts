import type { BodyInput } from '#contract/platform/endpoint.ts'
import type { invoices } from '#contract/invoicing/saved-invoices.ts'

type Fields = NonNullable<BodyInput<typeof invoices.add>>

/** A complete invoice over 230 dollars: two loaves at 100, 19% tax, 8 off. */
export function anInvoice({ seller, buyer, ...fields }: Fields = {}): Fields {
  return {
    currency: 'USD',
    convert: false,
    seller: { name: 'Ada Muster', ...seller },
    buyer: { name: 'Bea', business_name: 'Bea Ltd', ...buyer },
    items: [{ description: 'Bread', quantity: '2', unit_price: '100', tax_pct: '19' }],
    discount: '8',
    ...fields,
  }
}
