import { expect, test } from 'vitest'
import { withoutPerson } from './without-person.ts'

test.each([
  [
    'I am Ada Muster of muster.example.',
    ['Ada Muster', 'Muster', 'Ada'],
    'I am [removed] of [removed].example.',
  ],
  ['Mail ada.m+x@muster.example, please!', [], 'Mail [removed], please!'],
  ['Call +49 (170) 123-4567 or 0170/1234567 after 5 pm.', [], 'Call [removed] or [removed] after 5 pm.'],
  ['29 dollars for 3 accounts in 2026 is much.', [], '29 dollars for 3 accounts in 2026 is much.'],
  ['Al said (a+b)? costs', ['Al', '(a+b)?'], 'Al said [removed] costs'],
  ['', ['', 'Muster'], ''],
])('%j without %j', (text, names, left) => {
  expect(withoutPerson(text, names)).toBe(left)
})
