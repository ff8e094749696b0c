import { expect, test } from 'vitest'
import { ANSWER_MAX } from '#contract/assistant/assistant.ts'
import { BODY_MAX } from '#contract/platform/endpoint.ts'
import { allWithin, checksOf, INPUTS, largestJson, mostOf, type Schema } from './support/contract-schemas.ts'

const ALL = INPUTS.flatMap(({ name, schema }) => allWithin(schema, name))
const isText = (schema: Schema) => schema._zod.def.type === 'string'
const isList = (schema: Schema) => schema._zod.def.type === 'array'

/** Linear, whatever they read: the contract's time test measures them. */
const BEFORE_LIMIT: ReadonlySet<string> = new Set(['overwrite', 'min_length', 'max_length'])

test('the walk over the contract finds its texts and lists', () => {
  expect(ALL.filter(({ schema }) => isText(schema)).length).toBeGreaterThan(400)
  expect(ALL.filter(({ schema }) => isList(schema)).length).toBeGreaterThan(30)
})

test('every text and every list that a call takes has a length limit', () => {
  const endless = ALL.filter(
    ({ schema }) => (isText(schema) || isList(schema)) && mostOf(schema) === Infinity,
  )
  expect(endless.map(({ at }) => at)).toEqual([])
})

test('every length limit ends the checks of its field (use atMost of contract/platform/values.ts)', () => {
  const limits = ['max_length', 'length_equals', 'max_size', 'size_equals']
  const goOn = ALL.filter(({ schema }) =>
    checksOf(schema).some(({ check, abort }) => limits.includes(check) && abort !== true),
  )
  expect(goOn.map(({ at }) => at)).toEqual([])
})

test('no pattern and no check of ours reads a text before its length is known', () => {
  const early = ALL.filter(({ schema }) => isText(schema)).filter(({ schema }) =>
    checksOf(schema)
      .slice(
        0,
        checksOf(schema).findIndex(({ check }) => check === 'max_length'),
      )
      .some(({ check }) => !BEFORE_LIMIT.has(check)),
  )
  expect(early.map(({ at }) => at)).toEqual([])
})

// 2 bytes for a quote, a backslash or the end of a line, 4 for an emoji.
const BYTES_OF_CHAR_MAX = 4
/** What `unknown` takes: a field of a proposal. */
const UNKNOWN = 4 * ANSWER_MAX
/** In these no whole text can be of characters that take more than a byte. */
const FEWER_BYTES: Readonly<Record<string, string>> = {
  'profile.update': 'its image is a data URL',
  'invoices.add': 'its pictures are data URLs',
  'invoices.update': 'its pictures are data URLs',
  'emails.send': 'nobody types two million characters; with HTML most of them are tags',
  'emails.saveDraft': 'see emails.send',
  'emails.update': 'see emails.send',
  'emails.reply': 'see emails.send',
}
const BODIES = INPUTS.filter(({ call, schema }) => (call.body as unknown) === schema)

test('what the limits of a call let through fits into its body, and only such a call takes more than others', () => {
  const wrong = BODIES.flatMap(({ name, call: { bodyMax }, schema }) => {
    const most = largestJson(schema, BYTES_OF_CHAR_MAX, UNKNOWN)
    const least = name.replace(/ body$/, '') in FEWER_BYTES ? largestJson(schema, 1, UNKNOWN) : most
    const isRight =
      bodyMax === undefined ? most <= BODY_MAX : most > BODY_MAX && least <= bodyMax && bodyMax <= most * 1.05
    return isRight ? [] : [`${name}: from ${least} to ${most} bytes, but bodyMax is ${bodyMax}`]
  })
  expect(wrong).toEqual([])
})

test('nobody who has not signed in may send more than others', () => {
  const open = BODIES.filter(({ call }) => call.access === 'public' && call.bodyMax !== undefined)
  expect(open.map(({ name }) => name)).toEqual([])
})
