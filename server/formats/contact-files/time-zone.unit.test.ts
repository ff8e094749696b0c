import { expect, test } from 'vitest'
import { zoneReader } from './time-zone.ts'

const zoneOf = await zoneReader()
const at = (email: string, phone = '') => zoneOf({ phone, email })

test('somebody’s zone is that of the country of their phone number', () => {
  expect(at('ana@example.com', '+49 30 901820')).toBe('Europe/Berlin')
  expect(at('ana@example.com', '+39 02 8646 1234')).toBe('Europe/Rome')
  expect(at('ana@example.com', '+81 3-3224-5000')).toBe('Asia/Tokyo')
  // It counts more than the address.
  expect(at('ana@example.de', '+351 21 321 6600')).toBe('Europe/Lisbon')
})

test('without one it is that of the country in which their mail address is', () => {
  expect(at('ana@example.de')).toBe('Europe/Berlin')
  expect(at('ana@shop.example.co.uk')).toBe('Europe/London')
  expect(at('Ana@Example.IT ')).toBe('Europe/Rome')
  expect(at('ana@example.es', '030 901820')).toBe('Europe/Madrid')
})

test('where neither tells it is not known', () => {
  for (const email of [
    'ana@example.com',
    'ana@start.io',
    'ana@firm.co',
    'ana@example.xx',
    'ana@example.eu',
    '',
  ])
    expect(at(email), email).toBeUndefined()
  expect(at('ana@example.com', '+999 1234')).toBeUndefined()
})

test('every zone that can be named is one that dates can be counted in', () => {
  for (let first = 65; first <= 90; first += 1)
    for (let second = 65; second <= 90; second += 1) {
      const domain = String.fromCharCode(first, second)
      const zone = at(`ana@example.${domain}`)
      if (zone === undefined) continue
      expect(() => new Intl.DateTimeFormat('en', { timeZone: zone }), domain).not.toThrow()
    }
})
