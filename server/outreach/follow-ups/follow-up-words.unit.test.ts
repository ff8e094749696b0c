import { expect, test } from 'vitest'
import { MAIL_LANGUAGES } from '#contract/outreach/briefs.ts'
import { followUpText } from './follow-up-words.ts'

const facts = {
  name: 'Ana',
  closing: 'Kim Lee',
  subject: 'Bread',
  sentAt: new Date('2026-11-03T23:30:00Z'),
  zone: 'Europe/Berlin',
}

test.each([
  ['en', 'my mail “Bread” of 4 November'],
  ['de', 'meine E-Mail „Bread“ vom 4. November'],
  ['fr', 'mon e-mail « Bread » du 4 novembre'],
  ['es', 'mi correo «Bread» del 4 de noviembre'],
  ['it', 'mia e-mail «Bread» del 4 novembre'],
  ['nl', 'mijn e-mail ‘Bread’ van 4 november'],
] as const)('names the mail and its day, in the zone of the user: %s', (language, words) => {
  const text = followUpText({ ...facts, voice: { language, tone: 'plain' }, number: 1 })
  expect(text).toContain(words)
  expect(text).toMatch(/^[^\n]*Ana,\n\n[\s\S]+\n\nKim Lee$/)
})

test('leaves out a subject that the mail did not have, and a name that is not known', () => {
  const bare = {
    ...facts,
    name: '',
    subject: '',
    voice: { language: 'en', tone: 'plain' },
    number: 1,
  } as const
  expect(followUpText(bare)).toMatch(/^Hello,\n\nI wanted to come back to my mail of 4 November\./)
})

test.each([
  ['2026-11-01T12:00:00Z', 'fr', 'du 1er novembre'],
  ['2026-11-08T12:00:00Z', 'it', 'dell’8 novembre'],
  ['2026-11-11T12:00:00Z', 'it', 'dell’11 novembre'],
] as const)('says the day of %s right: %s', (at, language, words) => {
  const voice = { language, tone: 'plain' } as const
  expect(followUpText({ ...facts, sentAt: new Date(at), voice, number: 1 })).toContain(words)
})

test.each(MAIL_LANGUAGES)('is shorter each time, and has its own words: $name', ({ code: language }) => {
  const texts = [1, 2, 3].map((number) =>
    followUpText({ ...facts, voice: { language, tone: 'formal' }, number }),
  )
  expect(texts.map(({ length }) => length)).toEqual(
    texts.map(({ length }) => length).toSorted((a, b) => b - a),
  )
  expect(new Set(texts).size).toBe(3)
})
