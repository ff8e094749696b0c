import { expect, test } from 'vitest'
import { askedWait } from './asked-wait.ts'

const NOW = Date.parse('2031-01-13T10:00:00Z')
const SECOND = 1000
const HOUR = 3600 * SECOND

test.each<[string, Record<string, string>, number | null]>([
  ['nothing', {}, null],
  ['seconds', { 'retry-after': '20' }, 20 * SECOND],
  ['no time at all', { 'retry-after': '0' }, null],
  ['less than a second', { 'retry-after': '0.2' }, SECOND],
  ['a date', { 'retry-after': 'Mon, 13 Jan 2031 10:02:00 GMT' }, 120 * SECOND],
  ['a date that is over', { 'retry-after': 'Mon, 13 Jan 2031 09:00:00 GMT' }, null],
  ['a day', { 'retry-after': '86400' }, HOUR],
  ['nonsense', { 'retry-after': 'soon', 'x-ratelimit-reset': '-5', 'x-ratelimit-reset-tokens': '' }, null],
  ['a duration', { 'x-ratelimit-reset-requests': '6m0s' }, 360 * SECOND],
  ['a short duration', { 'x-ratelimit-reset-tokens': '1.5s' }, 1.5 * SECOND],
  ['milliseconds', { 'x-ratelimit-reset-tokens': '2000ms' }, 2 * SECOND],
  ['seconds until a limit is reset', { 'x-ratelimit-reset': '30' }, 30 * SECOND],
  ['an instant in seconds', { 'x-ratelimit-reset': String(NOW / 1000 + 40) }, 40 * SECOND],
  ['an instant in milliseconds', { 'x-ratelimit-reset': String(NOW + 50 * SECOND) }, 50 * SECOND],
  [
    'the limit that is used up',
    {
      'x-ratelimit-remaining-requests': '59',
      'x-ratelimit-reset-requests': '20m',
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': '7s',
    },
    7 * SECOND,
  ],
  ['what holds for both', { 'retry-after': '3', 'x-ratelimit-reset-requests': '20m' }, 3 * SECOND],
])('a server that asks for %s', (_, headers, wait) => {
  expect(askedWait(new Headers(headers), NOW)).toBe(wait)
})
