import type * as core from 'zod/v4/core'
import type * as z from 'zod/mini'
import { CONTRACT } from '#contract/contract.ts'
import type { Endpoint } from '#contract/platform/endpoint.ts'

export type Schema = core.$ZodTypes
type Check = core.$ZodChecks

/** What one call takes: its address, its query or its body. */
export type Input = { name: string; call: Endpoint; schema: Schema }

/** Every schema by which the server reads what comes from outside. */
export const INPUTS: readonly Input[] = [...CONTRACT].flatMap(([name, call]) =>
  (['params', 'query', 'body'] as const).flatMap((part) => {
    const schema = call[part]
    return schema === undefined
      ? []
      : [{ name: `${name} ${part}`, call, schema: schema as unknown as Schema }]
  }),
)

/** The checks of a schema in the order in which they run. Some schemas, such as `z.uuid()`, are a check themselves. */
export function checksOf({ _zod: { def, traits } }: Schema): Check['_zod']['def'][] {
  const own = traits.has('$ZodCheck') ? [def as unknown as Check['_zod']['def']] : []
  return [...own, ...(def.checks ?? []).map((check) => check._zod.def as Check['_zod']['def'])]
}

/** A schema within another, by the name of its place. */
export type Inner = { at: string; schema: Schema }

/** The schemas directly within a schema. */
export function innerOf({ _zod: { def } }: Schema): Inner[] {
  const one = (at: string, schema: core.SomeType): Inner => ({ at, schema: schema as Schema })
  if (def.type === 'object') return Object.entries(def.shape).map(([key, each]) => one(`.${key}`, each))
  if (def.type === 'array') return [one('[]', def.element)]
  if (def.type === 'union') return def.options.map((each, index) => one(`|${index}`, each))
  if (def.type === 'record') return [one('{key}', def.keyType), one('{value}', def.valueType)]
  if (def.type === 'pipe') return [one('', def.in), one('>', def.out)]
  if ('innerType' in def) return [one('', def.innerType)]
  if (!LEAVES.has(def.type)) throw new Error(`A schema of the type ${def.type} is not known here: add it`)
  return []
}

const LEAVES: ReadonlySet<string> = new Set(
  ['string', 'number', 'int', 'boolean', 'enum', 'literal', 'unknown', 'transform'].values(),
)

/** A schema and all within it. */
export function allWithin(schema: Schema, at = ''): Inner[] {
  return [{ at, schema }, ...innerOf(schema).flatMap((inner) => allWithin(inner.schema, at + inner.at))]
}

/** How many characters or items a schema lets through; Infinity without a limit. */
export function mostOf(schema: Schema): number {
  return Math.min(
    ...checksOf(schema).map((check) => (check.check === 'max_length' ? check.maximum : Infinity)),
  )
}

/** Longest JSON of a number, true, false or null. */
const SCALAR_BYTES = 24

/**
 * How many bytes of JSON a schema lets through, if each character takes so many; without the blanks around a text, and
 * without fields that are not known. `open`: what `unknown` may take.
 */
export function largestJson(schema: Schema, bytesOfChar: number, open: number): number {
  const { def } = schema._zod
  const size = (inner: core.SomeType) => largestJson(inner as Schema, bytesOfChar, open)
  const sum = (sizes: number[]) => sizes.reduce((all, each) => all + each, 2)
  if (def.type === 'object')
    return sum(Object.entries(def.shape).map(([key, value]) => key.length + 4 + size(value)))
  if (def.type === 'array') return 2 + mostOf(schema) * (size(def.element) + 1)
  if (def.type === 'union') return Math.max(...def.options.map(size))
  if (def.type === 'string') return 2 + mostOf(schema) * bytesOfChar
  if (def.type === 'enum')
    return Math.max(...Object.values(def.entries).map((each) => String(each).length + 2))
  if (def.type === 'pipe') return size(def.in)
  if (def.type === 'unknown' || def.type === 'record') return open
  return 'innerType' in def ? size(def.innerType) : SCALAR_BYTES
}

const USUAL: readonly unknown[] = [
  [
    'Some words',
    'ada@lake.example',
    '2026-11-23',
    '2026-11-23T10:00:00Z',
    'abcdef',
    'ab',
    '7',
    'Europe/Berlin',
  ],
  ['https://lake.example/v1', 'DE', '', 'lake.example', '0123456789abcdef'.repeat(4), '{YYYY}-{###}'],
  ['123e4567-e89b-42d3-a456-426614174000', 1, 2, 5, 60],
].flat()

/** Fields that have to fit to others. */
const FITTING: Readonly<Record<string, unknown>> = {
  end_time: '2026-11-24T10:00:00Z',
  from_hour: 9,
  until_hour: 17,
  pattern: '{0001}',
  attendees: ['ada@lake.example'],
}

export const isTaken = (schema: Schema, value: unknown): boolean =>
  (schema as unknown as z.ZodMiniType).safeParse(value).success

/** A value that a schema takes, with every field. */
export function sampleOf(schema: Schema): unknown {
  const { def } = schema._zod
  const sample = (inner: core.SomeType) => sampleOf(inner as Schema)
  if (def.type === 'object')
    return Object.fromEntries(
      Object.entries(def.shape).map(([key, value]) => [key, FITTING[key] ?? sample(value)]),
    )
  if (def.type === 'array') return [sample(def.element)]
  if (def.type === 'union') return sample(def.options[0] as core.SomeType)
  if (def.type === 'record') return {}
  if (def.type === 'enum') return Object.values(def.entries)[0]
  if (def.type === 'literal') return def.values[0]
  if (def.type === 'boolean') return true
  if ('innerType' in def) return sample(def.innerType)
  return USUAL.find((value) => isTaken(schema, value)) ?? (def.type === 'pipe' ? sample(def.in) : undefined)
}

/** A text of a caller's choice in one place of what a call takes, with usual values in all others. */
export type Place = { at: string; most: number; put: (text: string) => unknown }

/** The places of a schema into which a caller can put a text: every text, number and key of a record. */
export function placesOf(schema: Schema, at = ''): Place[] {
  const { def } = schema._zod
  const within = (inner: core.SomeType, name: string, wrap: (value: unknown) => unknown) =>
    placesOf(inner as Schema, at + name).map((place) => ({
      ...place,
      put: (text: string) => wrap(place.put(text)),
    }))
  if (def.type === 'object') {
    const sample = sampleOf(schema) as object
    return Object.entries(def.shape).flatMap(([key, value]) =>
      within(value, `.${key}`, (inner) => ({ ...sample, [key]: inner })),
    )
  }
  if (def.type === 'array') return within(def.element, '[]', (inner) => [inner])
  if (def.type === 'union')
    return def.options.flatMap((each, index) => within(each, `|${index}`, (inner) => inner))
  if (def.type === 'record') return within(def.keyType, '{key}', (key) => ({ [String(key)]: 1 }))
  if (def.type === 'pipe') return within(def.in, '', (inner) => inner)
  if ('innerType' in def) return within(def.innerType, '', (inner) => inner)
  const isText = def.type === 'string' || (def.type === 'number' && def.coerce === true)
  return isText ? [{ at, most: mostOf(schema), put: (text) => text }] : []
}

/** The lists of a schema, each to be filled with items of a caller's choice. */
export function listsOf(schema: Schema, at = ''): { at: string; put: (items: unknown[]) => unknown }[] {
  const { def } = schema._zod
  const within = (inner: core.SomeType, name: string, wrap: (value: unknown) => unknown) =>
    listsOf(inner as Schema, at + name).map((list) => ({
      ...list,
      put: (items: unknown[]) => wrap(list.put(items)),
    }))
  if (def.type === 'object')
    return Object.entries(def.shape).flatMap(([key, value]) =>
      within(value, `.${key}`, (inner) => ({ ...(sampleOf(schema) as object), [key]: inner })),
    )
  if (def.type === 'record')
    return [
      {
        at,
        put: (items) => Object.fromEntries(items.map((item, index) => [`${index}${String(item)}`, item])),
      },
    ]
  if (def.type === 'array')
    return [{ at, put: (items) => items }, ...within(def.element, '[]', (inner) => [inner])]
  if (def.type === 'union')
    return def.options.flatMap((each, index) => within(each, `|${index}`, (inner) => inner))
  if (def.type === 'pipe') return within(def.in, '', (inner) => inner)
  return 'innerType' in def ? within(def.innerType, '', (inner) => inner) : []
}
