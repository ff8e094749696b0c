import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Bucket, takeFrom } from './hourly-limit.ts'

const HOUR = 3_600_000
const start = Date.UTC(2026, 0, 1)

test('no hour, whenever it begins, exceeds the limit', () => {
  const asks = fc.array(
    fc.record({ wait: fc.nat({ max: 400_000 }), want: fc.integer({ min: 1, max: 600 }) }),
    { minLength: 50, maxLength: 300 },
  )
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20_000 }), asks, (hourly_limit, calls) => {
      let bucket: Bucket = { hourly_limit, tokens: 0, tokens_at: null }
      let now = start
      const given: { at: number; granted: number }[] = []
      for (const { wait, want } of calls) {
        now += wait
        const { granted, ...rest } = takeFrom(bucket, want, new Date(now))
        bucket = { hourly_limit, ...rest }
        given.push({ at: now, granted })
      }
      for (const { at } of given) {
        const hour = given.filter((each) => each.at >= at && each.at < at + HOUR)
        expect(hour.reduce((sum, { granted }) => sum + granted, 0)).toBeLessThanOrEqual(hourly_limit)
      }
    }),
    { numRuns: 200 },
  )
})

test.each([1, 7, 60, 500, 10_000])(
  'waiting for nextAt yields nearly the whole limit of %i',
  (hourly_limit) => {
    let bucket: Bucket = { hourly_limit, tokens: 0, tokens_at: null }
    let now = start
    let total = 0
    while (now < start + HOUR) {
      const { granted, nextAt, ...rest } = takeFrom(bucket, 1000, new Date(now))
      bucket = { hourly_limit, ...rest }
      total += granted
      expect(nextAt?.getTime()).toBeGreaterThan(now)
      now = nextAt?.getTime() ?? now
    }
    expect(total).toBeLessThanOrEqual(hourly_limit)
    expect(total).toBeGreaterThanOrEqual(Math.floor(hourly_limit * 0.97))
  },
)

test('available tokens are granted at once, without a waiting time', () => {
  const { granted, nextAt } = takeFrom({ hourly_limit: 600, tokens: 0, tokens_at: null }, 4, new Date(start))
  expect({ granted, nextAt }).toEqual({ granted: 4, nextAt: null })
})

test('a clock set back grants nothing, and one that jumped ahead does not stop sending for long', () => {
  const used: Bucket = { hourly_limit: 60, tokens: 0, tokens_at: new Date(start) }
  expect(takeFrom(used, 1, new Date(start - 5000)).granted).toBe(0)
  const ahead: Bucket = { ...used, tokens_at: new Date(start + 10 * HOUR) }
  const { nextAt } = takeFrom(ahead, 1, new Date(start))
  expect(nextAt?.getTime()).toBeLessThanOrEqual(start + 60_001)
})
