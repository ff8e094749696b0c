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
import { growth, isTooFast, sizesUpTo } from './support/linear.ts'

/** A body is not longer than the longest of these. Within the limit of a field: what is quadratic shows with the longer ones. */
const LONG = sizesUpTo(512 * 1024)
const SHORT = 20_000

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

/** The first text that costs a place more than its share; longer ones, which might never end, are not tried there. */
async function slowestOf(
  { name, schema, place }: Case,
  makers: ReadonlyMap<string, TextMaker>,
  sizes: number[],
) {
  for (const [label, make] of makers) {
    const ratio = await growth(
      (text: string) => read(schema, place.put(text)),
      (chars) => made(label, make, chars),
      sizes,
    )
    if (isTooFast(ratio)) return [`${name}: ${sizes.at(-1)} characters like ${label}: ${ratio.toFixed(1)}`]
  }
  return []
}

async function slowCases(makers: ReadonlyMap<string, TextMaker>, sizesOf: (place: Place) => number[]) {
  const slow: string[] = []
  for (const each of CASES) slow.push(...(await slowestOf(each, makers, sizesOf(each.place))))
  return slow
}

test('usual values of every call are taken, so that all its checks run', () => {
  const refused = INPUTS.filter(({ schema }) => !isTaken(schema, sampleOf(schema)))
  expect(refused.map(({ name }) => name)).toEqual([])
})

test('no text of 512 kB costs more than its share, in whatever field', async () => {
  expect(CASES.length).toBeGreaterThan(500)
  expect(await slowCases(LONG_TEXTS, () => LONG)).toEqual([])
})

test('no text within the limit of its field does', async () => {
  expect(await slowCases(TEXTS, ({ most }) => sizesUpTo(Math.min(most, SHORT)))).toEqual([])
})

test.each(['', 'a', 1, {}])('a list of as many %j as fit into a body does not either', async (item) => {
  const slow: string[] = []
  for (const { name, call, schema } of INPUTS)
    for (const { at, put } of listsOf(schema)) {
      const most = Math.floor((call.bodyMax ?? BODY_MAX) / (JSON.stringify(item).length + 1))
      const ratio = await growth(
        (items: unknown[]) => read(schema, put(items)),
        (items) => Array<unknown>(items).fill(item),
        sizesUpTo(most),
      )
      if (isTooFast(ratio)) slow.push(`${name}${at}: ${most} items: ${ratio.toFixed(1)}`)
    }
  expect(slow).toEqual([])
})
