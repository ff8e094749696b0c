import fc from 'fast-check'
import { expect, test } from 'vitest'
import { behind, comparePlaces, type Place, readPlace, writePlace } from './place.ts'

const place: fc.Arbitrary<Place> = fc.record({
  at: fc.integer({ min: -1000, max: 1000 }).map((step) => Date.UTC(2026, 0, 1) + step),
  kind: fc.constantFrom('added', 'todo', 'invoice', 'meeting', 'email'),
  id: fc.integer({ min: 1, max: 20 }),
})

test('a position survives a round trip', () => {
  fc.assert(
    fc.property(place, (one) => {
      expect(readPlace(writePlace(one))).toEqual(one)
    }),
  )
  for (const text of ['', '1', '1.email', '1.mail.1', '1.email.-1', 'x.email.1', '9'.repeat(17) + '.email.1'])
    expect(readPlace(text), text).toBeNull()
})

test('each domain is asked for exactly the entries after a position', () => {
  fc.assert(
    fc.property(place, place, (entry, after) => {
      const { at, id } = behind(entry.kind, after)
      const isAsked = entry.at < at.getTime() || (entry.at === at.getTime() && entry.id < id)
      expect(isAsked).toBe(comparePlaces(after, entry) < 0)
    }),
  )
})

test('the beginning is before everything', () => {
  fc.assert(
    fc.property(place, (entry) => {
      const { at, id } = behind(entry.kind)
      expect(entry.at < at.getTime() && entry.id < id).toBe(true)
    }),
  )
})
