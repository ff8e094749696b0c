import { describe, expect, it } from 'vitest'
import { inventedFact, saysTime } from './said-facts.ts'

// A Wednesday.
const AT = new Date('2026-11-25T09:00:00Z')
const ZONE = 'Europe/Berlin'
const check = (text: string, ...given: string[]) =>
  inventedFact(text, { texts: given.map((each) => ({ text: each, at: AT })), zone: ZONE })

const SLOT = 'Tuesday 1 December at 14:30'
const OURS = 'Ada Muster\nMuster Ltd\nBea'

describe('what a text states and nobody gave is found:', () => {
  it.each([
    ['a time', 'How about 15:45?', SLOT, 'the time "15:45"'],
    ['a time of twelve hours', 'How about 3 pm on Tuesday?', SLOT, 'the time "3 pm"'],
    ['a German time', 'Passt Ihnen 16 Uhr?', SLOT, 'the time "16 Uhr"'],
    ['a French time', 'Je vous propose 16h15.', SLOT, 'the time "16h15"'],
    ['an hour alone', 'Shall we meet at 11?', SLOT, 'the time "at 11"'],
    ['a date', 'I am free on 3 December.', SLOT, 'the date "3 December"'],
    ['a date, month first', 'I am free on December 3rd.', SLOT, 'the date "December 3rd"'],
    ['a German date', 'Am 3. Dezember passt es.', SLOT, 'the date "3. Dezember"'],
    ['a Polish date', 'Pasuje mi 3 grudnia.', SLOT, 'the date "3 grudnia"'],
    ['a written date', 'It ends on 03.12.2026.', SLOT, 'the date "03.12.2026"'],
    ['an ISO date', 'It ends on 2026-12-03.', SLOT, 'the date "2026-12-03"'],
    ['a weekday', 'Let us talk on Friday.', SLOT, 'the day "Friday"'],
    ['a weekday of another language', 'Sprechen wir am Freitag.', SLOT, 'the day "Freitag"'],
    ['an amount', 'It costs €500 a month.', 'What does it cost?', 'the number "500"'],
    ['an amount before its unit', 'Das macht 49,90 EUR.', 'Was kostet es?', 'the number "49,90"'],
    ['a percentage', 'You get 20% off.', 'What does it cost?', 'the number "20"'],
    ['a long number', 'Your order 48213 is on its way.', 'Where is my order?', 'the number "48213"'],
    ['a name in the greeting', 'Hello Zoe,\n\nthank you.', OURS, 'the name "Zoe"'],
    ['a name below', 'Hello Bea,\n\nthank you.\n\nKind regards,\nJohn Smith', OURS, 'the name "John"'],
  ])('%s', (_, text, given, found) => {
    expect(check(text, given)).toBe(found)
  })
})

describe('what was given may be said,', () => {
  it.each([
    ['in the same words', `How about ${SLOT}?`, SLOT],
    ['in twelve hours', 'How about 2:30 pm on December 1st?', SLOT],
    ['in German', 'Passt Ihnen Dienstag, der 1. Dezember um 14:30 Uhr?', SLOT],
    ['in French', 'Mardi 1er décembre à 14h30 me convient.', SLOT],
    ['in Spanish', 'El martes 1 de diciembre a las 14:30.', SLOT],
    ['an hour for a bare number', 'At 3 pm it is.', 'Could we talk at 3?'],
    ['the date of a weekday', 'Gladly on Friday 27 November.', 'Could we talk on Friday?'],
    ['the weekday of a date', 'Friday 27 November suits me.', 'Could we talk on 27/11?'],
    ['the day of the mail', 'Thank you for your mail of 25 November.', 'Hello'],
    ['an amount, differently written', 'The €1,250.00 are fine.', 'We pay 1.250 Euro.'],
    ['this year and the next', 'We start in 2027.', 'Hello'],
    ['small numbers', 'I have 2 questions about 3 rooms.', 'Hello'],
    ['no thousand where a decimal point was meant', 'It is 1.5 %.', 'It was 1,5 Prozent.'],
    ['names', 'Hello Bea,\n\nthank you.\n\nKind regards,\nAda Muster\nMuster Ltd', OURS],
    ['names that are bent', 'Dzień dobry Pani Anno,\n\ndziękuję.', 'Anna Nowak'],
    [
      'a title',
      'Sehr geehrte Frau Müller,\n\nvielen Dank.\n\nViele Grüße\nAda Muster',
      `${OURS}\nBea Müller`,
    ],
    ['a greeting without a name', 'Guten Tag,\n\nvielen Dank.\n\nFreundliche Grüße\nAda Muster', OURS],
    ['a month that is a verb', 'You may 2 times.', 'Hello'],
  ])('%s', (_, text, given) => {
    expect(check(text, given)).toBeNull()
  })
})

it('a time is found in a text however it is written', () => {
  const at = new Date('2026-12-01T13:30:00Z')
  for (const text of ['at 14:30', 'um 14.30 Uhr', '2:30 pm', 'à 14h30'])
    expect([text, saysTime(text, at, ZONE)]).toEqual([text, true])
  expect(saysTime('at 14:00', at, ZONE)).toBe(false)
})
