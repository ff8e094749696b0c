import { expect, it } from 'vitest'
import { invoiceDraft } from '#contract/invoicing/invoices.ts'
import { anInvoice } from '../../../tests/support/invoice-pdf.ts'

it('a draft that was kept before there were bank details is read, and has none', () => {
  const { delivery_date: _, tax_category: _1, tax_reason: _2, buyer_reference: _3, ...draft } = anInvoice()
  const { iban: _4, bic: _5, city: _6, post_code: _7, country_code: _8, ...seller } = draft.seller
  const read = invoiceDraft.parse({ ...draft, seller })
  expect(read).toEqual(anInvoice())
})
