import { describe, expect, it } from 'vitest'
import { anInvoice, anItem, invoicePdf } from '../../../tests/support/invoice-pdf.ts'
import { readPdf } from '../../../tests/support/read-pdf.ts'
import { LAYOUTS } from '../invoices.ts'
import { facesFor, unprintable } from './faces.ts'
import { PAGE_HEIGHT, PAGE_WIDTH } from './paper.ts'

const words = (text: string) => text.split(/\n+/).filter((line) => line.trim() !== '')

describe('the PDF of an invoice', { timeout: 60_000 }, () => {
  it.each(LAYOUTS)('in the layout %s says everything, as text on A4', async (layout) => {
    const draft = anInvoice({
      layout,
      currency: 'INR',
      service_start: '2026-11-01',
      service_end: '2026-11-30',
      discount: '5',
      amount_paid: '10',
      items: [
        anItem(),
        anItem({
          description: 'Delivery',
          quantity: '0.5',
          unit_price: '10',
          discount_pct: '10',
          tax_pct: '5',
        }),
      ],
    })
    const pages = await readPdf((await invoicePdf(draft, { rate: 80, taxName: 'GST' })).bytes)
    expect(pages).toHaveLength(1)
    expect([pages[0]?.width, pages[0]?.height]).toEqual([PAGE_WIDTH, PAGE_HEIGHT])
    const said = words(pages[0]?.text ?? '')
      .join(' ')
      .replaceAll(/\s+/g, ' ')
    for (const text of [
      'Muster Bakery Ltd',
      'Ada Muster',
      '12 Mill Lane',
      'Bath BA1 2AB',
      'ada@muster.example',
      'Tax number 123456789',
      'Berg Hotels',
      'Kim Berg',
      'INV-2026-0001',
      'PO-77',
      '23 Nov 2026',
      '23 Dec 2026',
      'Bread for the week',
      'Payment due within 30 days. Thank you for your',
      'Page 1 of 1',
    ])
      expect(said).toContain(text)
    // 2 × 12.50 and half of 10.00 less 10%, in dollars at 80 rupees: 2,000 and 360.
    for (const amount of [
      '1,000.00',
      '2,000.00',
      '360.00',
      '2,360.00',
      '18.00',
      '400.00',
      '−',
      '2,378.00',
      '800.00',
      '1,578.00',
    ])
      expect(said).toContain(amount)
    expect(said).toMatch(/GST 5%.*GST 20%.*Discount.*Total.*Amount paid.*Amount due/)
    expect(said).toContain('₹')
  })

  it('repeats the head of the table on every page, and counts the pages', async () => {
    const items = Array.from({ length: 200 }, (_, index) => anItem({ description: `Line ${index + 1}.` }))
    const { bytes } = await invoicePdf(anInvoice({ items, layout: 'professional' }))
    const pages = await readPdf(bytes)
    expect(pages.length).toBeGreaterThan(3)
    for (const [index, { text }] of pages.entries()) {
      expect(text).toContain(`Page ${index + 1} of ${pages.length}`)
      expect(text).toContain('Description')
      if (index > 0) expect(text).toContain('Invoice INV-2026-0001')
    }
    const all = pages.map(({ text }) => text).join('\n')
    for (let line = 1; line <= 200; line += 1) expect(all.split(`Line ${line}.`)).toHaveLength(2)
    // Each line is on the page of its amount.
    for (const { text } of pages) expect(text.split('$25.00').length).toBe(text.split(/Line \d+\./).length)
  })

  it('keeps everything between the margins, however long it is', async () => {
    const long = 'Donaudampfschifffahrtsgesellschaft'.repeat(20)
    const draft = anInvoice({
      items: [
        anItem({
          description: `${long}\n${'x\n'.repeat(150)}end of it`,
          unit_price: '1000000000',
          quantity: '9',
        }),
      ],
      notes: `${'A long note. '.repeat(300)}Finis.`,
    })
    for (const layout of LAYOUTS) {
      const { pages, bytes } = await invoicePdf({ ...draft, layout })
      for (const mark of pages.flatMap((page) => page.marks)) {
        if (mark.kind !== 'text') continue
        expect(mark.x).toBeGreaterThan(30)
        expect(mark.x + mark.line.width).toBeLessThan(PAGE_WIDTH - 30)
        expect(mark.baseline).toBeLessThan(PAGE_HEIGHT - 15)
      }
      const text = (await readPdf(bytes)).map((page) => page.text).join(' ')
      expect(text).toContain('end of it')
      expect(text).toContain('Finis.')
    }
  })

  it('shapes Arabic from right to left, and has Greek, Cyrillic, Devanagari and the signs of all currencies', async () => {
    const base = anInvoice()
    const draft = anInvoice({
      seller: { ...base.seller, business_name: 'شركة النور للتجارة' },
      buyer: {
        ...base.buyer,
        business_name: 'Αφοί Παπαδόπουλοι',
        name: 'Дмитрий Иванов',
        address: 'हिन्दी\nŁódź',
      },
      items: [anItem({ description: '₹ € £ ¥ د.إ Nguyễn' })],
    })
    const { bytes, pages } = await invoicePdf(draft)
    const text = (await readPdf(bytes)).map((page) => page.text).join('')
    // A reader puts blanks where the font changes.
    const solid = text.replaceAll(/\s/g, '')
    for (const said of [
      'Παπαδόπουλοι',
      'ДмитрийИванов',
      'Łódź',
      '₹',
      '€',
      '£',
      '¥',
      'Nguyễn',
      'النورللتجارة',
    ])
      expect(solid).toContain(said)
    const runs = pages[0]?.marks.flatMap((mark) => (mark.kind === 'text' ? mark.line.runs : [])) ?? []
    expect(runs.find(({ isRtl }) => isRtl)).toMatchObject({ face: 'arabic-600', text: 'شركة النور للتجارة' })
  })

  it('loads only the fonts that it needs, and knows what it cannot print', () => {
    expect(facesFor(['Muster Ltd €'])).toEqual(['latin-400', 'latin-600'])
    expect(facesFor(['₹', 'Ада'])).toEqual([
      'latin-400',
      'latin-600',
      'latin-ext-400',
      'latin-ext-600',
      'cyrillic-400',
      'cyrillic-600',
    ])
    expect(unprintable('東京 Muster 東')).toEqual(['東', '京'])
    expect(unprintable('شركة Łódź ₹ د.إ “ok”')).toEqual([])
  })

  it.each(LAYOUTS)(
    'in the layout %s says where to pay, when it was delivered, and why there is no tax',
    async (layout) => {
      const base = anInvoice({
        layout,
        delivery_date: '2026-11-20',
        buyer_reference: '04011000-12345-03',
        tax_category: 'AE',
        tax_reason: 'Reverse charge: the customer owes the VAT',
        items: [anItem({ tax_pct: '' })],
      })
      const place = { post_code: '1010', city: 'Wien', country_code: 'AT' }
      const draft = {
        ...base,
        seller: { ...base.seller, iban: 'de89370400440532013000', bic: 'cobadeffxxx' },
        buyer: { ...base.buyer, ...place },
      }
      const saidOf = async (credits: string | null) => {
        const options = credits === null ? {} : { credits }
        const [page] = await readPdf((await invoicePdf(draft, options)).bytes)
        return (page?.text ?? '').replaceAll(/\s+/g, ' ')
      }
      const said = await saidOf(null)
      for (const text of [
        'IBAN DE89 3704 0044 0532 0130 00',
        'BIC COBADEFFXXX',
        '20 Nov 2026',
        '04011000-12345-03',
        'Reverse charge: the customer owes the VAT',
        '1010 Wien',
        'Austria',
        'Payment due within 30 days.',
      ])
        expect(said).toContain(text)
      expect(await saidOf('INV-2026-0001')).not.toContain('IBAN')
    },
  )

  it('says that amounts are not converted', async () => {
    const { bytes } = await invoicePdf(anInvoice({ currency: 'EUR' }), { isUnconverted: true })
    const text = (await readPdf(bytes))[0]?.text.replaceAll(/\s+/g, ' ')
    expect(text).toContain('The amounts are not converted: no exchange rate to EUR was known.')
  })

  it.each(LAYOUTS)('in the layout %s is a credit note that names its invoice', async (layout) => {
    const draft = anInvoice({ layout, number: 'CN-2026-0001' })
    const { bytes } = await invoicePdf(draft, { credits: 'INV-2026-0007' })
    const text = (await readPdf(bytes))[0]?.text.replaceAll(/\s+/g, ' ')
    for (const said of ['CN-2026-0001', 'For invoice', 'INV-2026-0007', 'Amount credited'])
      expect(text).toContain(said)
    expect(text).toMatch(/credit note/i)
    expect(text).not.toMatch(/Amount due|Due date|Invoice number/)
  })

  it.each(LAYOUTS)('in the layout %s is a quote that says how long it holds', async (layout) => {
    const draft = anInvoice({ layout, number: 'QUO-2026-0001' })
    const { bytes } = await invoicePdf(draft, { kind: 'quote' })
    const text = (await readPdf(bytes))[0]?.text.replaceAll(/\s+/g, ' ')
    for (const said of ['Quote number', 'QUO-2026-0001', 'Valid until', '23 Dec 2026', 'Prepared for'])
      expect(text).toContain(said)
    // Once among the facts, once below the lines.
    expect(text?.match(/Total \$30\.00/g)).toHaveLength(2)
    expect(text).toMatch(/quote/i)
    expect(text).not.toMatch(/invoice|Amount due|Due date|Bill to|Amount paid/i)
  })
})
