import fc from 'fast-check'
import { countInvoice, type InvoiceDraft, type InvoiceItem, LAYOUTS } from '#contract/invoicing/invoices.ts'
import { CURRENCIES, money } from '#contract/invoicing/money.ts'
import { PAGE_HEIGHT, PAGE_WIDTH } from '#contract/invoicing/invoice-document/paper.ts'
import { anInvoice, invoicePdf } from './invoice-pdf.ts'
import { readPdf } from './read-pdf.ts'

// Names as people have them, and what breaks a page: long words, many lines, scripts that are mixed, signs of no font.
const words = fc.constantFrom(
  'Muster',
  'Ltd',
  'Łódź',
  'Straße',
  'O’Brien & Søn',
  'Παπαδόπουλος',
  'Иванов',
  'शर्मा',
  'شركة',
  'النور',
  'Nguyễn',
  '(2026)',
  '12/7',
  '東京',
  '🎉',
  '\u200f',
  '\t',
  '\n',
  'x'.repeat(70),
)
const text = (max: number) => fc.array(words, { maxLength: max }).map((all) => all.join(' ').slice(0, 400))
const amount = fc.integer({ min: 0, max: 999_999 }).map((cents) => (cents / 100).toFixed(2))
const percent = fc.constantFrom('', '0', '5', '19', '20', '8.875')
const item: fc.Arbitrary<InvoiceItem> = fc.record({
  description: text(12),
  quantity: fc.constantFrom('1', '2', '0.125', '999'),
  unit_price: amount,
  discount_pct: percent,
  tax_pct: percent,
})
const draft: fc.Arbitrary<InvoiceDraft> = fc
  .record({
    currency: fc.constantFrom(...CURRENCIES.map(({ code }) => code)),
    layout: fc.constantFrom(...LAYOUTS),
    items: fc.oneof(
      fc.array(item, { minLength: 1, maxLength: 6 }),
      fc.array(item, { minLength: 1, maxLength: 90 }),
    ),
    discount: amount,
    amount_paid: amount,
    notes: text(60),
    name: text(4),
    address: text(6),
  })
  .map(({ name, address, ...fields }) => {
    const base = anInvoice(fields)
    return {
      ...base,
      seller: { ...base.seller, name, address },
      buyer: { ...base.buyer, business_name: name, address },
    }
  })

/** Makes the PDFs of this many random invoices, and looks for their amounts, their pages and their margins. */
export async function checkRandomPdfs(count: number, seed: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(draft, fc.constantFrom(1, 0.92, 83.125, 151.2), async (invoice, rate) => {
      const { bytes, pages } = await invoicePdf(invoice, { rate })
      const read = await readPdf(bytes)
      const faults: string[] = []
      if (read.length !== pages.length) faults.push('the number of pages')
      for (const [index, page] of read.entries())
        if (!page.text.includes(`Page ${index + 1} of ${pages.length}`))
          faults.push(`the foot of page ${index + 1}`)
      const { lines, sums } = countInvoice(invoice, rate)
      if (sums === null) throw new Error('An invoice of the test is too large')
      const solid = read
        .map((page) => page.text)
        .join('')
        .replaceAll(/\s/g, '')
      const printed = [
        sums.net,
        sums.discount,
        sums.total,
        sums.paid,
        sums.due,
        ...sums.taxes.map(({ tax }) => tax),
        ...sums.lines.map(({ net }) => net),
        ...lines.map(({ unitPrice }) => unitPrice),
      ]
      // No discount and no payment are not printed.
      for (const minor of printed.filter((each) => each > 0)) {
        const digits = /[\d,.]+$/.exec(money(minor, invoice.currency))?.[0] ?? ''
        if (!solid.includes(digits)) faults.push(`the amount ${digits}`)
      }
      for (const mark of pages.flatMap((page) => page.marks)) {
        const right = mark.kind === 'text' ? mark.x + mark.line.width : mark.x + mark.width
        const bottom = mark.kind === 'text' ? mark.baseline : mark.y + mark.height
        if (mark.x < 0 || right > PAGE_WIDTH + 0.01 || bottom > PAGE_HEIGHT)
          faults.push(`the margin of a ${mark.kind}`)
      }
      if (faults.length > 0) throw new Error([...new Set(faults)].join(', '))
    }),
    // Shrinking would make thousands of PDFs.
    { numRuns: count, seed, endOnFailure: true },
  )
}
