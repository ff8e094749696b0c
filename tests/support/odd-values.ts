import * as z from 'zod/mini'
import type { Endpoint } from '#contract/platform/endpoint.ts'

// Values that fit a schema of the contract, and values that fit none, for the requests of the fuzz test.

export type Random = () => number
type Json = { [key: string]: unknown }
type Part = 'params' | 'query' | 'body'

const pick = <T>(random: Random, all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
const below = (random: Random, most: number) => Math.floor(random() * most)

/** Names that never resolve (RFC 2606), so that no request makes Howl dial a host. */
const HOSTS = [
  'mail.invalid',
  'smtp.invalid',
  '127.0.0.1',
  '[::1]',
  '169.254.169.254',
  'xn--a.invalid',
  '..',
  '',
]
const ADDRESSES = [
  'kim@people.invalid',
  'LEE@people.invalid',
  'a@b',
  '@',
  'kim@people.invalid, lee@people.invalid',
]
const WORDS = [
  'Good day',
  'prospect',
  'Re: Re: hello',
  '2026-11-23',
  'from:kim "two words" has:attachment',
  '7',
]

/** Values that have broken programs before; each stands for a class of its own. */
const ODD: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  1e308,
  '',
  ' ',
  '\0',
  '\uD800',
  'a\r\nBcc: kim@people.invalid',
  '‮gnp.exe',
  '👩‍👩‍👧'.repeat(50),
  '\u0301'.repeat(500),
  "'; DROP TABLE users; --",
  '%00%2e%2e%2f',
  '../../etc/passwd',
  '{{constructor.constructor("return 1")()}}',
  '<img src=x onerror=alert(1)>',
  '=1+1',
  'x'.repeat(5000),
  '"'.repeat(3000),
  '(('.repeat(2000),
  'NaN',
  'Infinity',
  '-0',
  '1e999',
  '9'.repeat(400),
  '0000-00-00T99:99:99Z',
  '+275760-09-13T00:00:00.001Z',
  [],
  {},
  [[[[[]]]]],
  { length: -1 },
  { toString: 1, valueOf: 2 },
  Array.from({ length: 2000 }, (_, n) => n),
]

/** The input that a call's schema describes, as JSON Schema; undefined if it takes none. */
function schemaOf(call: Endpoint, part: Part): Json | undefined {
  const schema = call[part]
  return schema === undefined
    ? undefined
    : (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json)
}

/** A value that mostly fits a part of a call; `ids` are numbers of existing rows. */
export function fitting(random: Random, call: Endpoint, part: Part, ids: readonly number[]): unknown {
  const schema = schemaOf(call, part)
  return schema === undefined ? undefined : valueOf(random, schema, '', ids)
}

function valueOf(random: Random, schema: Json, name: string, ids: readonly number[]): unknown {
  const options = (schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf']) as Json[] | undefined
  if (options !== undefined) return valueOf(random, pick(random, options), name, ids)
  if (schema['enum'] !== undefined) return pick(random, schema['enum'] as unknown[])
  if (schema['const'] !== undefined) return schema['const']
  switch (schema['type']) {
    case 'object':
      return objectOf(random, schema, ids)
    case 'array':
      return Array.from({ length: below(random, 4) }, () =>
        valueOf(random, (schema['items'] ?? {}) as Json, name, ids),
      )
    case 'boolean':
      return random() < 0.5
    case 'integer':
    case 'number':
      return numberOf(random, schema, name, ids)
    case 'null':
      return null
    default:
      return textOf(random, name)
  }
}

function objectOf(random: Random, schema: Json, ids: readonly number[]): Json {
  const required = (schema['required'] ?? []) as string[]
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, Json>)
  return Object.fromEntries(
    fields
      .filter(([name]) => required.includes(name) || random() < 0.5)
      .map(([name, field]) => [name, valueOf(random, field, name, ids)]),
  )
}

function numberOf(random: Random, schema: Json, name: string, ids: readonly number[]): number {
  if (/(^|_)ids?$|_of$|^(attachments|after|mailbox)$/.test(name) && ids.length > 0) return pick(random, ids)
  const least = Number(schema['minimum'] ?? schema['exclusiveMinimum'] ?? 0)
  const most = Math.min(Number(schema['maximum'] ?? 50), least + 50)
  return least + below(random, most - least + 1)
}

function textOf(random: Random, name: string): string {
  if (name.includes('host')) return pick(random, HOSTS)
  if (/email|to|cc|from|attendee/.test(name) && random() < 0.7) return pick(random, ADDRESSES)
  if (/_(at|time|iso)$|date/.test(name) && random() < 0.7) return '2099-03-09T09:00:00Z'
  return pick(random, WORDS)
}

/** The same value with one thing in it, at any depth, replaced by an odd value, left out or duplicated. */
export function spoilt(random: Random, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || random() < 0.15) return pick(random, ODD)
  if (Array.isArray(value)) {
    const copy: unknown[] = [...value]
    if (copy.length === 0) return [pick(random, ODD)]
    const at = below(random, copy.length)
    copy[at] = spoilt(random, copy[at])
    return random() < 0.2 ? [...copy, ...copy] : copy
  }
  const entries = Object.entries(value)
  if (entries.length === 0 || random() < 0.1) entries.push([oddName(random), pick(random, ODD)])
  const at = below(random, entries.length)
  const [name, inner] = entries[at] as [string, unknown]
  // Hosts must stay ones where nothing listens.
  const changed = name.includes('host')
    ? pick(random, [...HOSTS, null, 7, 'x'.repeat(5000)])
    : spoilt(random, inner)
  return Object.fromEntries(random() < 0.15 ? entries.toSpliced(at, 1) : entries.with(at, [name, changed]))
}

const oddName = (random: Random) =>
  pick(random, ['__proto__x', 'constructor', 'toString', '', 'x'.repeat(300), 'ids'])

/** A value as it is written in a query or a path. */
export function asText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.toWellFormed()
}
