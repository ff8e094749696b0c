import { type Endpoint, pathOf } from '#contract/platform/endpoint.ts'
import { asText, fitting, type Random, spoilt } from '../support/odd-values.ts'

/** What is wrong with a request: nothing, one value, its JSON, its size, its path, its framing, its end, its count. */
export const KINDS = ['fitting', 'odd', 'json', 'huge', 'path', 'frame', 'cut', 'doubled'] as const
export type Kind = (typeof KINDS)[number]

/** A request as bytes. `cutAt`: the client disconnects or falls silent after so many of them. */
export type FuzzRequest = {
  name: string
  kind: Kind
  method: string
  /** The framing is that of HTTP/1.1, so that the connection can be used again. */
  wellFramed: boolean
  head: string[]
  path: string
  body: Buffer
  cutAt: number | null
  copies: number
}

/** How often each kind occurs, in percent. */
const SHARES: Record<Kind, number> = {
  fitting: 24,
  odd: 34,
  json: 12,
  huge: 2,
  path: 8,
  frame: 6,
  cut: 8,
  doubled: 6,
}

/** Longer than the largest JSON body, and than any request head that Node reads. */
const HUGE_BODY = 4.5 * 1024 * 1024
const HUGE_HEAD = 70_000
const NESTING = 100_000

const pick = <T>(random: Random, all: readonly T[]): T => all[Math.floor(random() * all.length)] as T

/** One request of a call, made from random numbers alone. `token` is a live session's; `ids` are existing rows. */
export function fuzzRequest(
  random: Random,
  [name, call]: readonly [string, Endpoint],
  token: string,
  ids: readonly number[],
): FuzzRequest {
  const kind = kindOf(random)
  const request = plainRequest(random, name, call, token, ids, kind === 'odd')
  const made = { ...request, kind }
  if (kind === 'json') return withBrokenJson(random, made)
  if (kind === 'huge') return madeHuge(random, made)
  if (kind === 'path')
    return { ...made, path: oddPath(random, made.path), method: oddMethod(random, made.method) }
  if (kind === 'frame') return withOddFrame(random, made)
  if (kind === 'cut')
    return { ...made, wellFramed: false, cutAt: Math.floor(random() * (600 + made.body.length)) }
  if (kind === 'doubled') return { ...made, head: [...made.head, 'Idempotency-Key: the same'], copies: 2 }
  return made
}

function kindOf(random: Random): Kind {
  let left = random() * 100
  return KINDS.find((kind) => (left -= SHARES[kind]) < 0) ?? 'fitting'
}

function plainRequest(
  random: Random,
  name: string,
  call: Endpoint,
  token: string,
  ids: readonly number[],
  odd: boolean,
): FuzzRequest {
  const parts = { params: {}, query: {}, body: undefined } as Record<'params' | 'query' | 'body', unknown>
  for (const part of ['params', 'query', 'body'] as const) parts[part] = fitting(random, call, part, ids)
  const given = (['params', 'query', 'body'] as const).filter((part) => parts[part] !== undefined)
  const hit = odd && given.length > 0 ? pick(random, given) : null
  if (hit !== null) parts[hit] = spoilt(random, parts[hit])
  const params = Object.fromEntries(
    Object.entries(parts.params ?? {}).map(([key, value]) => [key, asText(value)]),
  )
  const query = queryOf(parts.query)
  const content = contentOf(random, call, parts.body, odd)
  return {
    name,
    kind: 'fitting',
    method: call.method,
    wellFramed: true,
    head: [`Authorization: ${random() < 0.03 ? 'Bearer nonsense' : `Bearer ${token}`}`, ...content.head],
    path: pathOf(call, params) + (query === '' ? '' : `?${query}`),
    body: content.body,
    cutAt: null,
    copies: 1,
  }
}

function queryOf(query: unknown): string {
  if (typeof query !== 'object' || query === null)
    return query === undefined ? '' : encodeURIComponent(asText(query))
  return new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, asText(value)]),
  ).toString()
}

const BOUNDARY = 'a-boundary'
const FILES = [
  'Name,Email\r\nKim,kim@people.invalid\r\n',
  'BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Kim\r\nEMAIL:kim@people.invalid\r\nEND:VCARD\r\n',
  '"never closed,',
  '\0\u0001\uFFFD'.repeat(500),
  '',
]

function contentOf(
  random: Random,
  call: Endpoint,
  body: unknown,
  odd: boolean,
): { head: string[]; body: Buffer } {
  if (call.upload !== undefined) {
    const field = odd ? pick(random, ['file', 'files', '', 'file"; x="']) : 'file'
    const name = odd
      ? pick(random, ['a.csv', '../../a.csv', 'x'.repeat(4000), '\u202Egnp.csv', ''])
      : 'people.csv'
    const end = odd && random() < 0.4 ? '' : `\r\n--${BOUNDARY}--\r\n`
    const text = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\n\r\n${pick(random, FILES)}${end}`
    return { head: [`Content-Type: multipart/form-data; boundary=${BOUNDARY}`], body: Buffer.from(text) }
  }
  if (body === undefined) return { head: [], body: Buffer.alloc(0) }
  return { head: ['Content-Type: application/json'], body: Buffer.from(JSON.stringify(body) ?? '') }
}

function withBrokenJson(random: Random, request: FuzzRequest): FuzzRequest {
  const { body } = request
  const flipped = Buffer.from(body)
  if (body.length > 0) flipped[Math.floor(random() * body.length)] = Math.floor(random() * 256)
  const broken = pick<() => [string, Buffer]>(random, [
    () => ['application/json', body.subarray(0, Math.floor(random() * body.length))],
    () => ['application/json', flipped],
    () => ['application/json', Buffer.from('['.repeat(NESTING) + ']'.repeat(NESTING))],
    () => ['application/json', Buffer.from('{"a":'.repeat(NESTING) + '1' + '}'.repeat(NESTING))],
    () => ['application/json', Buffer.from('{"__proto__":{"is_admin":true},"constructor":{"prototype":{}}}')],
    () => ['application/json', Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28])],
    () => ['application/json', Buffer.from(`{"id":1${'0'.repeat(1000)},"id":2}`)],
    () => ['application/json; charset=utf-16', body],
    () => ['text/plain', body],
    () => [
      'application/xml',
      Buffer.from('<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'),
    ],
    () => ['multipart/form-data', body],
    () => ['multipart/form-data; boundary=', Buffer.from('--\r\n\r\n--')],
    () => ['application/x-www-form-urlencoded', Buffer.from('a=b&a[]=c')],
    () => ['', body],
  ])()
  const head = request.head.filter((line) => !line.startsWith('Content-Type'))
  return {
    ...request,
    head: broken[0] === '' ? head : [...head, `Content-Type: ${broken[0]}`],
    body: broken[1],
  }
}

function madeHuge(random: Random, request: FuzzRequest): FuzzRequest {
  const json = [
    ...request.head.filter((line) => !line.startsWith('Content-Type')),
    'Content-Type: application/json',
  ]
  return pick<() => FuzzRequest>(random, [
    () => ({ ...request, head: json, body: Buffer.from(JSON.stringify({ content: 'x'.repeat(HUGE_BODY) })) }),
    () => ({ ...request, head: json, body: Buffer.from(`{"ids":[${'1,'.repeat(400_000)}1]}`) }),
    () => ({ ...request, path: `${request.path}?${'a=b&'.repeat(3000)}` }),
    () => ({ ...request, wellFramed: false, path: `${request.path}/${'x'.repeat(HUGE_HEAD)}` }),
    () => ({ ...request, wellFramed: false, head: [...request.head, `X-Long: ${'x'.repeat(HUGE_HEAD)}`] }),
    () => ({ ...request, head: [...request.head, ...Array.from({ length: 900 }, (_, n) => `X-${n}: 1`)] }),
  ])()
}

function oddPath(random: Random, path: string): string {
  return pick(random, [
    path.replaceAll(/\d+/g, '99999999999999999999'),
    path.replaceAll(/\d+/g, '%00'),
    path.replaceAll(/\d+/g, '%'),
    path.replaceAll(/\d+/g, '%E0%A4%A'),
    path.replaceAll('/', '//'),
    `${path}/`,
    `${path}/..%2f..%2fetc%2fpasswd`,
    path.toUpperCase(),
    path.replace('/api/v1', '/api/v1/../v1'),
    `/${'%2e%2e/'.repeat(8)}etc/passwd`,
    '/.env',
    '/assets/..%5c..%5cpackage.json',
    '/unsubscribe/%F0%9F',
    `/assets/${'a/'.repeat(1000)}`,
    `${path}?folder[]=a&folder[__proto__]=b&page=1&page=2`,
    '/emails?search=%ff',
    '*',
  ])
}

const oddMethod = (random: Random, method: string) =>
  random() < 0.6
    ? method
    : pick(random, ['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'GET', 'TRACE', 'PROPFIND'])

function withOddFrame(random: Random, request: FuzzRequest): FuzzRequest {
  const { body, head } = request
  const framed = (lines: string[], bytes: Buffer = body, method = request.method): FuzzRequest => ({
    ...request,
    wellFramed: false,
    method,
    head: [...head, ...lines],
    body: bytes,
  })
  return pick<() => FuzzRequest>(random, [
    () => framed(['Content-Length: 5', 'Content-Length: 6']),
    () => framed([`Content-Length: ${body.length}`, 'Transfer-Encoding: chunked']),
    () => framed(['Transfer-Encoding: chunked'], Buffer.from('zz\r\nnot a chunk\r\n0\r\n\r\n')),
    () => framed(['Transfer-Encoding: chunked'], Buffer.from('ffffffffffffffff\r\na')),
    () => framed(['Transfer-Encoding: identity, chunked, chunked'], Buffer.from('0\r\n\r\n')),
    () => framed(['Content-Length: -1']),
    () => framed([`Content-Length: ${'9'.repeat(30)}`]),
    () => framed(['Content-Encoding: gzip', `Content-Length: ${body.length}`]),
    () => framed(['X\0Y: 1']),
    () => framed([' folded: line']),
    () => framed(['Expect: 200-maybe', 'Content-Length: 0'], Buffer.alloc(0)),
    () => framed(['Upgrade: websocket', 'Connection: Upgrade']),
    () => framed([], Buffer.alloc(0), 'GE T'),
    () => framed([], Buffer.alloc(0), '\u0016\u0003\u0001\u0002'),
    () => framed([], Buffer.from('GET / HTTP/1.1\r\n\r\n'), 'G'.repeat(300)),
  ])()
}
