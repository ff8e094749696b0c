import type { ModelUsage } from './gateways/language-model.ts'

/** What a model costs: trillionths of a US dollar for one token that it reads, and for one that it writes. */
export type ModelPrice = { model: string; input: bigint; output: bigint }

const MODELS_MAX = 200
const NAME_MAX = 200
/** US dollars per million tokens: far more than any model costs. */
const DOLLARS_MAX = 100_000
const PER_MILLIONTH = 1_000_000n
const EXAMPLE = '{"gpt-4o-mini": {"input": 0.15, "output": 0.6}}'

/**
 * Reads the price table of AI_PRICES: a JSON object from a model's name, or the beginning of names, to US dollars per million
 * tokens.
 *
 * @returns the prices, the longest name first; or what is wrong with the text
 */
export function readPrices(text: string): ModelPrice[] | string {
  let table: unknown
  try {
    table = JSON.parse(text)
  } catch {
    return `must be JSON such as ${EXAMPLE}`
  }
  if (typeof table !== 'object' || table === null || Array.isArray(table))
    return `must be a JSON object such as ${EXAMPLE}`
  const prices: ModelPrice[] = []
  for (const [name, given] of Object.entries(table)) {
    const model = name.trim().toLowerCase()
    if (model === '' || model.length > NAME_MAX)
      return `a model's name must have 1 to ${NAME_MAX} characters, not "${name.slice(0, 40)}"`
    if (prices.some((other) => other.model === model)) return `names "${name}" twice`
    const { input, output, ...others } = (given ?? {}) as Record<string, unknown>
    const dollars = [input, output].map(dollarsOf)
    if (dollars.includes(null) || Object.keys(others).length > 0)
      return `"${name}" needs "input" and "output", each in US dollars per million tokens: a number from 0 to ${DOLLARS_MAX}`
    prices.push({ model, input: dollars[0] ?? 0n, output: dollars[1] ?? 0n })
  }
  if (prices.length > MODELS_MAX) return `may name at most ${MODELS_MAX} models`
  return prices.toSorted((one, other) => other.model.length - one.model.length)
}

/** A dollar per million tokens is a million trillionths per token. */
function dollarsOf(value: unknown): bigint | null {
  const isPrice = typeof value === 'number' && value >= 0 && value <= DOLLARS_MAX
  return isPrice ? BigInt(Math.round(value * 1_000_000)) : null
}

/** What these tokens cost by the table, in millionths of a US dollar, rounded; null where it has no price for the model. */
export function costOf(prices: readonly ModelPrice[], model: string, usage: ModelUsage): number | null {
  const name = model.toLowerCase()
  const price = prices.find((one) => name.startsWith(one.model))
  if (price === undefined) return null
  const cost = BigInt(usage.inputTokens) * price.input + BigInt(usage.outputTokens) * price.output
  return Number((cost + PER_MILLIONTH / 2n) / PER_MILLIONTH)
}
