import { expect, test } from 'vitest'
import { ApiError } from '#web/api/errors.ts'
import { isDuplicate, wantsSettings } from './compose-mail.ts'
import { mailQuery, readMailAddress } from './mail-address.ts'

const read = (query: string) => readMailAddress(new URLSearchParams(query))

test('an address names folder, search, page and mail', () => {
  const place = { folder: 'sent', search: 'moon', page: 3, emailId: 7 } as const
  expect(read('folder=sent&search=moon&page=3&email=7')).toEqual(place)
  expect(read(mailQuery(place))).toEqual(place)
})

test.each(['', 'folder=nowhere&page=-2&email=x', 'page=0&email=-1&search=%20'])(
  'what %j cannot mean is left aside',
  (query) => {
    expect(read(query)).toEqual({ folder: 'inbox', search: '', page: 1, emailId: null })
  },
)

test('the same mail within two seconds is a duplicate', () => {
  const mail = { to: 'a@b.example', subject: 'Hi', content: 'Hello' }
  const last = { mail, at: 10_000 }
  expect(isDuplicate(null, mail, 10_000)).toBe(false)
  expect(isDuplicate(last, { ...mail }, 11_999)).toBe(true)
  expect(isDuplicate(last, { ...mail }, 12_000)).toBe(false)
  expect(isDuplicate(last, { ...mail, content: 'Hello again' }, 10_100)).toBe(false)
})

test.each([
  ['Please configure your account', true],
  ['The SMTP password was not taken', true],
  ['Check your email settings', true],
  ['550-5.1.1 No such user - gsmtp', false],
  ['Message too large', false],
])('a refusal with %j leads to the settings: %s', (detail, leads) => {
  expect(wantsSettings(new ApiError('answer', 400, detail))).toBe(leads)
})

test('the code alone leads to the settings', () => {
  expect(wantsSettings(new ApiError('answer', 400, 'x', { code: 'SMTP_NOT_CONFIGURED' }))).toBe(true)
  expect(wantsSettings(new Error('smtp'))).toBe(false)
})
