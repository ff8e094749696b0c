import { describe, expect, it } from 'vitest'
import { anInvoice, anItem } from '../../tests/support/invoice-pdf.ts'
import { countInvoice, invoiceDraft, pdfName, withTax } from './invoices.ts'

describe('an invoice that is written', () => {
  it('is converted line by line: the printed price times the quantity is the printed amount', () => {
    const draft = anInvoice({
      currency: 'JPY',
      items: [anItem({ quantity: '3', unit_price: '0.99', tax_pct: '' })],
      discount: '1',
      amount_paid: '0.5',
    })
    const { lines, sums } = countInvoice(draft, 151.2)
    // 0.99 × 151.2 = 149.688, so 150 yen, three times.
    expect(lines[0]?.unitPrice).toBe(150)
    expect(sums).toMatchObject({ net: 450, discount: 151, total: 299, paid: 76, due: 223 })
  })

  it('takes prices as they are where nothing is converted', () => {
    const draft = anInvoice({
      currency: 'JPY',
      convert: false,
      items: [anItem({ unit_price: '990', tax_pct: '' })],
    })
    expect(countInvoice(draft, 151.2).sums?.total).toBe(1980)
    const cents = { ...draft, items: [anItem({ unit_price: '9.90' })] }
    expect(countInvoice(cents, 151.2).faults).toEqual({ 'items.0.unit_price': 'Please enter a whole number' })
  })

  it('says what is wrong beside each field, and still tells the lines that can be read', () => {
    const draft = anInvoice({
      items: [
        anItem({ quantity: '1e309' }),
        anItem({ tax_pct: '-5' }),
        anItem({ discount_pct: '100.5' }),
        anItem(),
      ],
      discount: '12,5',
      amount_paid: 'NaN',
      service_start: '2026-02-01',
      service_end: '2026-01-01',
    })
    const { faults, nets, sums } = countInvoice(draft, 1)
    expect(Object.keys(faults).toSorted()).toEqual([
      'amount_paid',
      'discount',
      'items.0.quantity',
      'items.1.tax_pct',
      'items.2.discount_pct',
      'service_end',
    ])
    expect(nets).toEqual([null, null, null, 25_00])
    expect(sums).toBeNull()
  })

  it('is refused where its sum is beyond reason', () => {
    const item = anItem({ quantity: '1000000', unit_price: '10000000000' })
    expect(countInvoice(anInvoice({ items: [item] }), 1).faults).toEqual({
      items: 'These amounts are too large for one invoice',
    })
  })

  it('gets the tax of the seller in lines that name none', () => {
    const draft = anInvoice({ items: [anItem({ tax_pct: '' }), anItem({ tax_pct: '0' })] })
    expect(withTax(draft, 18).items.map(({ tax_pct }) => tax_pct)).toEqual(['18', '0'])
  })

  it('is read back from what was kept, and nothing else is', () => {
    expect(invoiceDraft.safeParse(anInvoice()).success).toBe(true)
    expect(invoiceDraft.safeParse({ ...anInvoice(), currency: 'XXX' }).success).toBe(false)
    const script = { ...anInvoice().seller, logo: 'data:image/svg+xml;base64,PHN2Zz4=' }
    expect(invoiceDraft.safeParse({ ...anInvoice(), seller: script }).success).toBe(false)
    const many = Array.from({ length: 501 }, () => anItem())
    expect(invoiceDraft.safeParse({ ...anInvoice(), items: many }).success).toBe(false)
  })

  it.each([
    ['INV-2026-0001', 'invoice-INV-2026-0001.pdf'],
    ['2026/7', 'invoice-2026-7.pdf'],
    ['  ', 'invoice-draft.pdf'],
    ['..\\x:1', 'invoice-..-x-1.pdf'],
  ])('is saved under its number: %s', (number, name) => {
    expect(pdfName(number)).toBe(name)
  })
})
