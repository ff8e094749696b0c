import { expect, test } from 'vitest'
import { BODY_MAX } from '#contract/platform/endpoint.ts'
import { readInput } from '#server/platform/http/validate.ts'
import {
  INPUTS,
  isTaken,
  listsOf,
  type Place,
  placesOf,
  sampleOf,
  type Schema,
} from './support/contract-schemas.ts'
import { framed, repeated, type TextMaker } from './support/hostile-texts.ts'
import { leastCost } from './support/linear.ts'

/**
 * No field may keep the main thread busy for longer. As in linear.ts, times below 5 ms count as 5 ms: what stays below 50 ms with
 * 512 kB takes at most ten times as long as with 64 kB.
 */
const MOST_MS = 50
/** A long list is refused item by item: linear, but not so quick. */
const LIST_MS = 100
const LONG = [64 * 1024, 512 * 1024]
/** Within the limits of most fields. What is quadratic takes more than 50 ms for the longer ones, what is cubic for the shorter. */
const SHORT = [1000, 20_000]
/** Nothing is slow with less. */
const SHORTEST = 50

const textOf = (before: string, unit: string): [string, TextMaker] => [
  JSON.stringify(before + unit),
  before === '' ? repeated(unit) : framed(before, repeated(unit), 'x'),
]
const UNITS = [' ', '\t', '/', '{', '}', '"', "'", '.', '[', ']']
const MORE_UNITS = ['\n', '(', '<', '@', ',', '-', '\\', '1', 'é', '%', '{{']
/** In front of them: what makes a pattern begin to read. */
const BEGINNINGS = ['', 'x', '{{', 'https://a.b/', 'a@', 'data:image/png;base64,']
const LONG_TEXTS = new Map([
  ...UNITS.map((unit) => textOf('', unit)),
  ...['x', '{{'].flatMap((before) => [textOf(before, ' '), textOf(before, '\t')]),
  textOf('https://a.b/', '/'),
])
const TEXTS = new Map(
  BEGINNINGS.flatMap((before) => [...UNITS, ...MORE_UNITS].map((unit) => textOf(before, unit))),
)

/** Reads what came, as the server does: a refusal costs time as well. */
function read(schema: Schema, input: unknown): void {
  try {
    readInput(schema as never, input)
  } catch {
    return
  }
}

type Case = { name: string; schema: Schema; place: Place }
const CASES: Case[] = INPUTS.flatMap(({ name, schema }) =>
  placesOf(schema).map((place) => ({ name: name + place.at, schema, place })),
)

const texts = new Map<string, string>()
/** A text is long to make: each is made once. */
function made(label: string, make: TextMaker, chars: number): string {
  const name = `${label} ${chars}`
  const text = texts.get(name) ?? make(chars)
  texts.set(name, text)
  return text
}

/** The first text that a place is slow with; longer ones, which might never end, are not tried there. */
function slowestOf({ name, schema, place }: Case, makers: ReadonlyMap<string, TextMaker>, sizes: number[]) {
  for (const chars of sizes)
    for (const [label, make] of makers) {
      const input = place.put(made(label, make, chars))
      const ms = leastCost(() => read(schema, input), MOST_MS)
      if (ms > MOST_MS) return [`${name}: ${chars} characters like ${label}: ${ms.toFixed()} ms`]
    }
  return []
}

test('usual values of every call are taken, so that all its checks run', () => {
  const refused = INPUTS.filter(({ schema }) => !isTaken(schema, sampleOf(schema)))
  expect(refused.map(({ name }) => name)).toEqual([])
})

test('no text of 512 kB keeps the main thread busy, in whatever field', () => {
  expect(CASES.length).toBeGreaterThan(500)
  expect(CASES.flatMap((each) => slowestOf(each, LONG_TEXTS, LONG))).toEqual([])
})

test('no text within the limit of its field does', () => {
  const sizesOf = ({ most }: Place) =>
    SHORT.map((chars) => Math.min(most, chars)).filter((chars) => chars > SHORTEST)
  expect(CASES.flatMap((each) => slowestOf(each, TEXTS, sizesOf(each.place)))).toEqual([])
})

test.each(['', 'a', 1, {}])('a list of as many %j as fit into a body does not either', (item) => {
  const slow = INPUTS.flatMap(({ name, call, schema }) =>
    listsOf(schema).flatMap(({ at, put }) => {
      const items = Array<unknown>(
        Math.floor((call.bodyMax ?? BODY_MAX) / (JSON.stringify(item).length + 1)),
      ).fill(item)
      const input = put(items)
      const ms = leastCost(() => read(schema, input), LIST_MS)
      return ms > LIST_MS ? [`${name}${at}: ${items.length} items: ${ms.toFixed()} ms`] : []
    }),
  )
  expect(slow).toEqual([])
})
