import fc from 'fast-check'
import { writeCii } from '#contract/invoicing/e-invoice/cii.ts'
import { readEInvoice } from '#contract/invoicing/e-invoice/e-invoice.ts'
import { writeUbl } from '#contract/invoicing/e-invoice/ubl.ts'
import { countInvoice, type InvoiceDraft, type InvoiceItem } from '#contract/invoicing/invoices.ts'
import { CURRENCIES, decimalsOf } from '#contract/invoicing/money.ts'
import { POSTAL_COUNTRIES } from '#contract/invoicing/postal-countries.ts'
import { TAX_CATEGORIES } from '#contract/invoicing/vat-category.ts'
import { brokenRules } from './en16931.ts'
import { readTerms } from './e-invoice-terms.ts'
import { anEuDraft, issuedInvoice } from './eu-invoices.ts'
import { checkCiiSchema } from './other-e-invoice.ts'

// What people write, and what breaks XML: signs with a meaning, control characters, halves of a character.
const words = fc.constantFrom(
  'Brot & Söhne',
  '<b>',
  ']]>',
  '"quoted"',
  '&amp;',
  'line\nline',
  'tab\there',
  '\u0007bell',
  '\ufffe',
  'half \ud83d',
  '🎉',
  'شركة',
  '東京',
  '\r\n',
  'x'.repeat(90),
)
const text = fc.array(words, { minLength: 1, maxLength: 4 }).map((all) => `A ${all.join(' ')}`.slice(0, 190))
const amount = (decimals: number) =>
  fc
    .oneof(fc.integer({ min: 0, max: 999_999 }), fc.integer({ min: 0, max: 200 }))
    .map((minor) => (minor / 10 ** decimals).toFixed(decimals))
const rate = fc.constantFrom('5', '7', '19', '20', '5.5', '8.875', '25.5', '100')

function itemsOf(decimals: number, isUntaxed: boolean): fc.Arbitrary<InvoiceItem[]> {
  const item = (tax: fc.Arbitrary<string>): fc.Arbitrary<InvoiceItem> =>
    fc.record({
      description: text,
      quantity: fc.constantFrom('1', '3', '0.125', '2.5', '0', '999', '17.333'),
      unit_price: amount(decimals),
      discount_pct: fc.constantFrom('', '', '0', '5', '33.333', '100'),
      tax_pct: tax,
    })
  const many = fc.array(item(rate), { minLength: isUntaxed ? 0 : 1, maxLength: 12 })
  if (!isUntaxed) return many
  return fc
    .tuple(fc.array(item(fc.constantFrom('', '0')), { minLength: 1, maxLength: 6 }), many)
    .map(([without, taxed]) => [...without, ...taxed])
}

const party = fc.record({ name: text, business_name: fc.oneof(text, fc.constant('')), address: text })

const draft: fc.Arbitrary<{ draft: InvoiceDraft; usd: number; isCreditNote: boolean }> = fc
  .record({
    currency: fc.constantFrom(...CURRENCIES.map(({ code }) => code)),
    convert: fc.boolean(),
    category: fc.constantFrom(...TAX_CATEGORIES),
    seller: party,
    buyer: party,
    to: fc.constantFrom(...POSTAL_COUNTRIES.map(({ code }) => code)),
    period: fc.boolean(),
    notes: fc.oneof(text, fc.constant('')),
    isCreditNote: fc.boolean(),
    usd: fc.constantFrom(0.9137, 83.125, 151.2),
  })
  .chain(({ category, currency, convert, isCreditNote, usd, period, to, seller, buyer, notes }) =>
    itemsOf(convert ? 2 : decimalsOf(currency), category !== 'S')
      // Lines outside VAT stand alone.
      .map((items) =>
        category === 'O' ? items.filter(({ tax_pct: tax }) => tax === '' || tax === '0') : items,
      )
      .map((items) => {
        const base = anEuDraft()
        return {
          usd,
          isCreditNote,
          draft: {
            ...base,
            currency,
            convert,
            items,
            notes,
            tax_category: category,
            tax_reason: 'Because the law says so',
            service_start: period ? '2026-11-01' : '',
            due_date: isCreditNote ? '' : base.due_date,
            seller: { ...base.seller, ...seller },
            buyer: { ...base.buyer, ...buyer, country_code: category === 'K' ? 'AT' : to },
          },
        }
      }),
  )

/** Writes so many random invoices in both syntaxes; looks for broken rules, a broken schema, and sums that are not ours. */
export function checkRandomEInvoices(count: number, seed: number): void {
  const credits = { id: 7, number: 'INV-2026-0001' }
  fc.assert(
    fc.property(draft, ({ draft: one, usd, isCreditNote }) => {
      const converts = one.convert && one.currency !== 'USD'
      const rateOf = converts ? { rate: usd, rate_date: '2026-11-20T00:00:00.000Z' } : {}
      const invoice = issuedInvoice(one, {
        ...rateOf,
        ...(isCreditNote ? { kind: 'credit_note' as const, credits } : {}),
      })
      const { sums } = countInvoice(one, converts ? usd : 1)
      const faults: string[] = []
      for (const format of ['factur-x', 'xrechnung'] as const) {
        const { model, hindrances } = readEInvoice(invoice, format)
        if (model === null) throw new Error(`Refused: ${JSON.stringify(hindrances)}`)
        const xml = format === 'factur-x' ? writeCii(model) : writeUbl(model)
        faults.push(...brokenRules(xml).map((id) => `${format} breaks ${id}`))
        if (format === 'factur-x') checkCiiSchema(xml)
        const read = readTerms(xml)
        const is = (term: string, minor: number | undefined) => {
          const scale = 10 ** decimalsOf(one.currency)
          if (Math.round(Number(read.terms[term]) * scale) !== minor) faults.push(`${format} ${term}`)
        }
        is('BT-106', sums?.net)
        is('BT-110', sums?.tax)
        is('BT-112', sums?.total)
        is('BT-115', sums?.due)
        if (read.lines.length !== one.items.length) faults.push(`${format} lines`)
      }
      if (faults.length > 0) throw new Error([...new Set(faults)].join(', '))
    }),
    { numRuns: count, seed },
  )
}
