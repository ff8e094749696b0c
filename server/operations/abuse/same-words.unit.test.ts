import { expect, test } from 'vitest'
import { withSameWords } from './same-words.ts'

const mail = (snippet: string, toLine = 'kim@people.example', subject = 'A word') => ({
  subject,
  snippet,
  toLine,
  at: new Date(0),
})

test('mails that differ by a name and a number are the same, others are not', () => {
  const offer = (name: string, price: number) =>
    mail(
      `Dear ${name}, we can bring your website to the first page for ${price} dollars only.`,
      `${name}@people.example`,
    )
  const same = [offer('kim', 12), offer('lou', 400), offer('alex', 7)]
  const letters = [
    mail('Thank you for the photographs of the garden, they arrived yesterday morning.'),
    mail('Shall we meet on the bridge before the concert, or would you rather come here?'),
  ]
  expect(withSameWords([...letters, ...same])).toEqual(same)
})

test('texts of a few words say nothing', () => {
  expect(withSameWords(Array.from({ length: 20 }, () => mail('Thanks!')))).toEqual([])
})
