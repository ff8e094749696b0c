import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lastContactRange } from './last-contact-range.ts'

const ZONES = [
  'UTC',
  'America/New_York',
  'Asia/Kolkata',
  'Pacific/Apia',
  'Europe/Berlin',
  'America/Sao_Paulo',
]
const day = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  .map((at) => at.toISOString().slice(0, 10))

test('an instant is in the range if and only if its local day is', () => {
  fc.assert(
    fc.property(
      day,
      day,
      fc.constantFrom(...ZONES),
      fc.integer({ min: -72, max: 72 }),
      (one, other, zone, hours) => {
        const [from, to] = [one, other].toSorted() as [string, string]
        const range = lastContactRange(from, to, zone)
        for (const near of [from, to]) {
          const at = new Date(Date.parse(`${near}T00:00:00Z`) + hours * 3_600_000 - 1)
          const local = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short' }).format(at)
          const isIn = range.from !== null && range.before !== null && at >= range.from && at < range.before
          expect(isIn).toBe(local >= from && local <= to)
        }
      },
    ),
  )
})

test('a range includes its last instant, and an open end stays open', () => {
  const at = '2026-03-29T10:00:00.000Z'
  const { from, before } = lastContactRange(at, at, 'UTC')
  expect([from?.toISOString(), before?.toISOString()]).toEqual([at, '2026-03-29T10:00:00.001Z'])
  expect(lastContactRange(undefined, '', 'UTC')).toEqual({ from: null, before: null })
  expect(() => lastContactRange('2026-02-30', undefined, 'UTC')).toThrow('YYYY-MM-DD')
})
