import { describe, expect, it } from 'vitest'
import { documentName, dueText, outstandingIn, typedAmount } from './invoice-text.ts'

describe('when an invoice is due', () => {
  const due = (due_date: string, fields: object = {}) =>
    dueText({ kind: 'invoice', status: 'issued', due_date, ...fields }, '2026-03-28')
  it.each([
    ['2026-03-28', 'today'],
    ['2026-03-29', 'tomorrow'],
    // Summer time begins in between.
    ['2026-04-02', 'in 5 days'],
    ['2026-03-27', '1 day late'],
    ['2026-03-25', '3 days late'],
    ['2026-01-01', 'Jan 1, 2026'],
    ['', '–'],
  ])('%s is %s', (day, text) => {
    expect(due(day)).toBe(text)
  })

  it('is a date where nothing waits', () => {
    expect(due('2026-03-29', { status: 'paid' })).toBe('Mar 29, 2026')
    expect(due('2026-03-29', { status: 'draft' })).toBe('Mar 29, 2026')
    expect(due('', { kind: 'credit_note' })).toBe('–')
  })
})

it('documents without a number are called drafts', () => {
  expect(documentName({ kind: 'invoice', number: 'INV-1' })).toBe('INV-1')
  expect(documentName({ kind: 'credit_note', number: '' })).toBe('Draft credit note')
  // The number that the form proposes is not its own yet.
  expect(documentName({ kind: 'invoice', number: 'INV-1', status: 'draft' })).toBe('Draft invoice')
})

it('only currencies with something outstanding are named', () => {
  const counts = { all: 0, draft: 0, open: 0, overdue: 0, paid: 0, credit_notes: 0, quotes: 0 }
  const currencies = [
    { currency: 'EUR', outstanding: 124_000, overdue: 30_000, paid: 0 },
    { currency: 'JPY', outstanding: 5, overdue: 0, paid: 0 },
    { currency: 'USD', outstanding: 0, overdue: 0, paid: 900 },
  ]
  expect(outstandingIn({ counts, currencies })).toEqual([
    { currency: 'EUR', outstanding: '€1,240.00', overdue: '€300.00' },
    { currency: 'JPY', outstanding: '¥5', overdue: null },
  ])
})

it('an amount in a field has the currency’s decimals and nothing else', () => {
  expect([typedAmount(5, 2), typedAmount(123_450, 2), typedAmount(7, 0), typedAmount(1234, 3)]).toEqual([
    '0.05',
    '1234.50',
    '7',
    '1.234',
  ])
})
