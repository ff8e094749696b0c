import { describe, expect, it } from 'vitest'
import { invoiceDraft } from '#contract/invoicing/invoices.ts'
import { dayLater, newDraft, partyFrom, sellerOf, withNumber } from './new-draft.ts'

describe('a new invoice', () => {
  it('is dated today, and due thirty days later', () => {
    const draft = newDraft('2026-12-20', sellerOf(undefined), undefined)
    expect(draft).toMatchObject({
      number: 'INV-2026-0001',
      issue_date: '2026-12-20',
      due_date: '2027-01-19',
      currency: 'USD',
      notes: 'Payment due within 30 days. Thank you for your business.',
    })
    expect(dayLater('2028-02-01', 30)).toBe('2028-03-02')
  })

  it('has the number that comes next, unless the user typed one of their own', () => {
    const draft = newDraft('2026-12-20', sellerOf(undefined), undefined)
    expect(withNumber(draft, 'R-17').number).toBe('R-17')
    expect(withNumber(draft, null).number).toBe('INV-2026-0001')
    expect(withNumber({ ...draft, number: 'Berg 4' }, 'R-17').number).toBe('Berg 4')
  })

  it('can be read again, however much is known of the people on it', () => {
    const long = 'x'.repeat(1000)
    const party = partyFrom({ name: long, business_name: long, email: long, phone: long })
    const draft = newDraft('2026-12-20', { ...sellerOf(undefined), ...party }, undefined)
    expect(invoiceDraft.safeParse({ ...draft, buyer: { ...draft.buyer, ...party } }).success).toBe(true)
  })
})
