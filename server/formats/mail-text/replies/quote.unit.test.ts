import { expect, test } from 'vitest'
import { type Original, withForwarded, withQuote } from './quote.ts'

const own = { text: 'Thanks.', html: null }
const original: Original = {
  author: '',
  from: '',
  to: 'ada@muster.example',
  subject: 'Hi',
  at: new Date('2026-11-27T20:06:00Z'),
  text: 'Words',
  html: null,
}

test('a mail without a sender is quoted and forwarded without one', () => {
  expect(withQuote(own, original, 'UTC').text).toBe('Thanks.\n\nOn 27 November 2026 at 20:06:\n> Words')
  expect(withForwarded(own, original, 'UTC').text).toContain(
    'Forwarded message ----------\nDate: 27 November 2026 at 20:06\nSubject: Hi',
  )
  expect(withQuote(own, { ...original, author: 'Bea' }, 'UTC').text).toContain('at 20:06, Bea wrote:')
  expect(withForwarded(own, { ...original, from: 'Bea <b@far.example>' }, 'UTC').text).toContain(
    '\nFrom: Bea <b@far.example>\nDate',
  )
})
