import { expect, it } from 'vitest'
import { costOf, type ModelPrice, readPrices } from './model-prices.ts'

const TABLE = readPrices(
  '{"gpt": {"input": 10, "output": 30}, "gpt-4o-mini": {"input": 0.15, "output": 0.6}, "Llama": {"input": 0, "output": 0}}',
) as ModelPrice[]
const cost = (model: string, inputTokens: number, outputTokens: number) =>
  costOf(TABLE, model, { inputTokens, outputTokens })

it('takes the longest name that a model begins with, whatever its letter case', () => {
  expect(cost('gpt-4o-mini-2024-07-18', 1_000_000, 1_000_000)).toBe(750_000)
  expect(cost('GPT-5', 1_000_000, 0)).toBe(10_000_000)
  expect(cost('llama3:8b', 5000, 5000)).toBe(0)
})

it('knows what it does not know', () => {
  expect(cost('mistral', 1, 1)).toBeNull()
  expect(costOf([], 'gpt', { inputTokens: 1, outputTokens: 1 })).toBeNull()
})

it('is exact to a millionth of a dollar, however many tokens there are', () => {
  expect(cost('gpt-4o-mini', 3, 0)).toBe(0)
  expect(cost('gpt-4o-mini', 4, 0)).toBe(1)
  expect(cost('gpt-4o-mini', 123_456_789_010, 0)).toBe(18_518_518_352)
})
