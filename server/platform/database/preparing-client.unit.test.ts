import { expect, it } from 'vitest'
import { statementNames } from './preparing-client.ts'

const often = (nameFor: (text: string) => string | undefined, text: string) =>
  Array.from({ length: 6 }, () => nameFor(text)).at(-1)

it('statements that run often are prepared, for good, however many others run once', () => {
  const nameFor = statementNames({ most: 3, remembered: 10 })
  const hot = often(nameFor, 'SELECT hot')
  expect(hot).toBeDefined()
  for (let n = 0; n < 100; n += 1) {
    expect(nameFor(`SELECT ${n}`)).toBeUndefined()
    expect(nameFor('SELECT hot')).toBe(hot)
  }
  // What is forgotten takes nobody's place.
  expect(often(nameFor, 'SELECT warm')).toBeDefined()
  expect(often(nameFor, 'SELECT last')).toBeDefined()
  expect(often(nameFor, 'SELECT too many')).toBeUndefined()
  expect(nameFor('SELECT hot')).toBe(hot)
})

it('several statements in one text are not prepared', () => {
  const nameFor = statementNames({ most: 3, remembered: 10 })
  expect(often(nameFor, 'SELECT 1; SELECT 2')).toBeUndefined()
  expect(often(nameFor, 'SELECT 1; ')).toBeDefined()
})
