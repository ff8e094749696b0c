import { describe, expect, it } from 'vitest'
import { brokenRules, RULES } from '../../../tests/support/en16931.ts'
import { readTerms } from '../../../tests/support/e-invoice-terms.ts'
import { anEuDraft, issuedInvoice, untaxed } from '../../../tests/support/eu-invoices.ts'
import { anItem } from '../../../tests/support/invoice-pdf.ts'
import { checkCiiSchema, ciiByOthers } from '../../../tests/support/other-e-invoice.ts'
import type { InvoiceDraft } from '../invoices.ts'
import type { Invoice } from '../saved-invoices.ts'
import { writeCii } from './cii.ts'
import { readEInvoice } from './e-invoice.ts'
import { writeUbl } from './ubl.ts'
import { vatIdOf } from './vat-id.ts'

function written(invoice: Invoice): { cii: string; ubl: string } {
  const facturX = readEInvoice(invoice, 'factur-x')
  const xRechnung = readEInvoice(invoice, 'xrechnung')
  expect([facturX.hindrances, xRechnung.hindrances]).toEqual([null, null])
  if (facturX.model === null || xRechnung.model === null) throw new Error('There is no model')
  return { cii: writeCii(facturX.model), ubl: writeUbl(xRechnung.model) }
}

const creditNote = (draft: InvoiceDraft) =>
  issuedInvoice(
    { ...draft, due_date: '' },
    { kind: 'credit_note', credits: { id: 7, number: 'INV-2026-0001' } },
  )

const DOCUMENTS: readonly [string, () => Invoice][] = [
  ['an invoice with two rates', () => issuedInvoice(anEuDraft())],
  ['an invoice partly paid', () => issuedInvoice(anEuDraft({ amount_paid: '20' }))],
  ['an invoice wholly paid, without a bank', () => issuedInvoice(paid())],
  ['an invoice in another currency', () => issuedInvoice(anEuDraft({ currency: 'GBP' }))],
  ['an invoice in yen', () => issuedInvoice(inYen())],
  [
    'a converted invoice',
    () => issuedInvoice(converted(), { rate: 0.9137, rate_date: '2026-11-20T00:00:00.000Z' }),
  ],
  [
    'an invoice over a period',
    () => issuedInvoice(anEuDraft({ service_start: '2026-11-01', service_end: '2026-11-30' })),
  ],
  ['an invoice with taxed and exempt lines', () => issuedInvoice(mixed())],
  [
    'an invoice by somebody without a VAT number',
    () => issuedInvoice(withSeller({ tax_number: '12/345/67890' })),
  ],
  ['an invoice to a private person', () => issuedInvoice(toPrivate())],
  ['a zero-rated invoice', () => issuedInvoice(untaxed('Z'))],
  ['an exempt invoice', () => issuedInvoice(untaxed('E'))],
  ['an invoice with reverse charge', () => issuedInvoice(untaxed('AE'))],
  ['an invoice for goods within the EU', () => issuedInvoice(untaxed('K'))],
  ['an invoice for an export', () => issuedInvoice(untaxed('G'))],
  ['an invoice outside VAT', () => issuedInvoice(untaxed('O'))],
  ['a credit note', () => creditNote(anEuDraft())],
  ['a credit note with reverse charge', () => creditNote(untaxed('AE'))],
]
const paid = () => {
  const draft = withSeller({ iban: '', bic: '' })
  return { ...draft, amount_paid: '75.71' }
}
const inYen = () => anEuDraft({ currency: 'JPY', items: [anItem({ unit_price: '1333', tax_pct: '19' })] })
const converted = () => anEuDraft({ convert: true })
const mixed = () =>
  anEuDraft({
    tax_category: 'E',
    tax_reason: 'Section 4 no. 21 UStG',
    items: [anItem({ tax_pct: '19' }), anItem({ tax_pct: '0' }), anItem({ tax_pct: '' })],
  })
const withSeller = (fields: Partial<InvoiceDraft['seller']>) => {
  const draft = anEuDraft()
  return { ...draft, seller: { ...draft.seller, ...fields } }
}
const toPrivate = () => {
  const draft = anEuDraft()
  return { ...draft, buyer: { ...draft.buyer, business_name: '', tax_number: '', phone: '' } }
}

describe.each(DOCUMENTS)('%s', (_, make) => {
  it('breaks no rule of EN 16931 or XRechnung', () => {
    const { cii, ubl } = written(make())
    expect(brokenRules(cii)).toEqual([])
    expect(brokenRules(ubl)).toEqual([])
  })

  it('is valid by the schema of Factur-X', () => checkCiiSchema(written(make()).cii))

  it('is read by another program, whose CII says the same', async () => {
    const { cii, ubl } = written(make())
    const theirs = readTerms(await ciiByOthers(ubl))
    const ours = readTerms(cii)
    // It names another profile, and loses the seller's identifier and the preceding invoice on the way.
    const lost = ['BT-23', 'BT-24', 'BT-29', 'BT-25', 'BG-3']
    const rest = (terms: object) =>
      Object.entries(terms)
        .filter(([term]) => !lost.includes(term))
        .toSorted()
    expect(rest(theirs.terms)).toEqual(rest(ours.terms))
    expect(theirs.lines).toEqual(ours.lines)
    expect(theirs.breakdown).toEqual(ours.breakdown)
  })
})

it('knows VAT numbers from other tax numbers', () => {
  expect(['DE 123 456 789', 'atu12345678', 'FR-XX 123456789', 'EL123456789'].map(vatIdOf)).toEqual([
    'DE123456789',
    'ATU12345678',
    'FRXX123456789',
    'EL123456789',
  ])
  expect(['12/345/67890', 'DE12345678', '27AAPFU0939F1ZV', ''].map(vatIdOf)).toEqual([null, null, null, null])
})

it('checks a known number of rules', () => {
  expect(RULES.general.length).toBeGreaterThan(110)
  expect(RULES.xRechnung.length).toBeGreaterThan(20)
})
