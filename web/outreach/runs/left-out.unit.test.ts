import { expect, it } from 'vitest'
import { namesOf } from './left-out.ts'

it('names the first few of those who are left out', () => {
  const said = (contacts: number, ...names: string[]) => namesOf({ contacts, names })
  expect(said(1, 'Ana')).toBe('Ana')
  expect(said(2, 'Ana', 'Bob')).toBe('Ana and Bob')
  expect(said(3, 'Ana', 'Bob', 'Carl')).toBe('Ana, Bob and Carl')
  expect(said(1203, 'Ana', 'Bob', 'Carl')).toBe('Ana, Bob, Carl and 1,200 more')
})
