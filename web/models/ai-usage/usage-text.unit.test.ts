import { expect, it } from 'vitest'
import type { AiUsage, AiUsageSums } from '#contract/models/ai-usage.ts'
import { costText, limitText } from './usage-text.ts'

const sums = (cost: number | null, isPartial = false): AiUsageSums => ({
  requests: 1,
  failed: 0,
  input_tokens: 1,
  output_tokens: 1,
  milliseconds: 1,
  cost,
  cost_is_partial: isPartial,
})
const NO_LIMIT = { requests_a_day: null, left: null }

it.each([
  [sums(0), '$0.00'],
  [sums(9999), 'under $0.01'],
  [sums(10_000), '$0.01'],
  [sums(1_234_567_890), '$1,234.57'],
  [sums(1_500_000, true), 'at least $1.50'],
  [sums(900, true), 'unknown in part'],
  [sums(null, true), 'unknown'],
])('the cost of %o is %s', (given, text) => {
  expect(costText(given)).toBe(text)
})

it.each<[Partial<AiUsage>, string]>([
  [{ left: null }, 'No limit is set'],
  [{ left: 3, plan: { requests_a_day: 5, left: 3 } }, 'Of 5 by your plan'],
  [{ left: 4, plan: { requests_a_day: 5, left: 3 }, credits: 1 }, '3 of 5 by your plan, then 1 credit'],
  [
    { left: 2, plan: { requests_a_day: 5, left: 3 }, cap: { requests_a_day: 8, left: 2 } },
    'Of 8 by your own limit',
  ],
  [
    { left: 7, server: { requests_a_day: 2000, left: 7, is_used_up: false } },
    'Of 2,000 that this server allows',
  ],
  [
    { left: 0, server: { ...NO_LIMIT, is_used_up: true } },
    'This server has used all its AI requests for today',
  ],
])('the nearest limit of %o is named', (given, text) => {
  const usage: AiUsage = {
    day: '2026-11-23',
    model: { name: 'small', is_own: false },
    left: null,
    plan: NO_LIMIT,
    cap: NO_LIMIT,
    server: { ...NO_LIMIT, is_used_up: false },
    credits: 0,
    today: sums(0),
    month: sums(0),
    purposes: [],
    ...given,
  }
  expect(limitText(usage)).toBe(text)
})
