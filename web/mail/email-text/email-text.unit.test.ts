import { expect, test } from 'vitest'
import { byteSize } from './byte-size.ts'
import { deliveryStatus, reportOf } from './delivery-status.ts'
import { quotedPart } from './quoted.ts'

test.each([
  ['Yes!\n\n> Coffee?', 'Yes!', '> Coffee?'],
  ['Yes!\r\n\r\nOn Monday, Ada wrote:\r\n> Coffee?', 'Yes!', 'On Monday, Ada wrote:\n> Coffee?'],
  ['Yes!', 'Yes!', ''],
  ['> Coffee?', '', ''],
  ['> Coffee?\nYes!', 'Yes!', '> Coffee?\nYes!'],
])('the quoted part of %j with the new text %j is %j', (text, newWords, rest) => {
  expect(quotedPart(text, newWords)).toBe(rest)
})

const now = new Date('2026-03-10T12:00:00Z')

test('a sent mail needs no status', () => {
  expect(deliveryStatus(null, now, 'UTC')).toBeNull()
  expect(deliveryStatus({ state: 'sent' }, now, 'UTC')).toBeNull()
  expect(reportOf({ state: 'sent' })).toBeNull()
  expect(reportOf({ state: 'sent', reason: 'User unknown' })).toMatchObject({ sentence: 'User unknown' })
  expect(reportOf({ state: 'sent', reason: 'Not delivered. 550 5.1.1 User unknown' })).toEqual({
    word: 'Not delivered',
    sentence: '550 5.1.1 User unknown',
    tone: 'problem',
  })
  expect(
    reportOf({ state: 'sent', reason: 'Delayed. The server is still trying. 4.4.1 No answer' }),
  ).toMatchObject({ word: 'Delayed', sentence: 'The server is still trying. 4.4.1 No answer' })
})

test("an unsent mail shows its status with the server's message", () => {
  const told = (delivery: Parameters<typeof deliveryStatus>[0]) => {
    const words = deliveryStatus(delivery, now, 'Europe/Berlin')
    return `${words?.word}: ${words?.sentence}`
  }
  expect(told({ state: 'queued' })).toBe('Queued: Waiting to be sent.')
  expect(told({ state: 'sending' })).toBe('Sending: Being sent now.')
  expect(told({ state: 'deferred', reason: '451 Greylisted.', next_try_at: '2026-03-10T12:05:00Z' })).toBe(
    'Deferred: 451 Greylisted. Next try at 13:05.',
  )
  expect(told({ state: 'deferred', next_try_at: '2026-03-10T23:05:00Z' })).toBe(
    'Deferred: The mail server could not accept it yet. Next try on Mar 11, 2026 at 00:05.',
  )
  expect(told({ state: 'failed', reason: '550 No such user' })).toBe('Failed: 550 No such user')
  expect(told({ state: 'unsure' })).toContain('Unsure: The connection broke')
})

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1 kB'],
  [12_400, '12 kB'],
  [3_400_000, '3.4 MB'],
  [25_000_000, '25 MB'],
])('%i bytes read %s', (bytes, words) => {
  expect(byteSize(bytes)).toBe(words)
})
