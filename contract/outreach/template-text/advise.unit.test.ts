import { expect, test } from 'vitest'
import { advise } from './advise.ts'

const GOOD = `{{ greeting }},

I bake bread for six cafés between the harbour and the old town, and we have a free place in the van on Tuesdays.

Would you like to try a tray next week?

{{ my_name }}`

const on = (subject: string, body = GOOD) => advise(subject, body).map(({ message }) => message)

test('a short mail with one question has nothing against it', () =>
  expect(on('Bread for {{ company | default: "your café" }}')).toEqual([]))

test.each([
  ['Re: your order', 'It looks like a reply to a mail that the reader never wrote.'],
  ['BREAD FOR YOU', 'Capitals look like shouting.'],
  ['BREAD FOR {{ name }}', 'Capitals look like shouting.'],
  ['Bread!', 'Filters dislike “!” in a subject.'],
  ['Bread '.repeat(12), 'Long: phones show about 60 characters of a subject, this one has 71.'],
  ['Last chance', 'Filters know these words from advertising: “last chance”.'],
])('the subject %s', (subject, message) => expect(on(subject)).toEqual([message]))

test.each([
  ['Hello. Bread?', 'Short: 2 words. Does it say who writes, and why?'],
  [GOOD.replace('?', '.'), 'It asks nothing. A mail with one clear question is answered more often.'],
  [`${GOOD} Or rolls? Or cake?`, 'It asks 3 things. One question is easier to answer.'],
  [`${GOOD} Yes! Now!`, 'One “!” is enough.'],
  [
    `${GOOD} ${'word '.repeat(150)}`,
    'Long: 185 words. What can be read in half a minute, about 100 words, is read to the end.',
  ],
  [
    `${GOOD} It is risk-free, guaranteed.`,
    'Filters know these words from advertising: “guaranteed”, “risk-free”.',
  ],
  [`${GOOD} [www.bank.example](https://far.example/x)`, 'A link says bank.example and leads to far.example.'],
  [`${GOOD} bank.example (https://far.example/x)`, 'A link says bank.example and leads to far.example.'],
  [`${GOOD} https://bit.ly/x`, 'bit.ly hides where a link leads, and filters dislike it.'],
  [`${GOOD} http://far.example`, 'The link to far.example is not encrypted: use https.'],
  [`${GOOD} https://{{ company }}.example/`, 'A field is part of a link’s address.'],
])('the text %s', (body, message) => expect(on('Bread', body)).toEqual([message]))

test('a link may be told in words, or by a part of its own host', () =>
  expect(
    on(
      'Bread',
      `${GOOD} [our prices](https://bakery.example/p?a=b) [bakery.example](https://shop.bakery.example)`,
    ),
  ).toEqual([]))
