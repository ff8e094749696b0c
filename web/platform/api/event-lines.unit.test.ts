import { array, assert, nat, property } from 'fast-check'
import { expect, test } from 'vitest'
import { makeEventReader } from './event-lines.ts'

const read = (...pieces: string[]) => {
  const data: string[] = []
  const take = makeEventReader((each) => data.push(each))
  for (const piece of pieces) take(piece)
  return data
}

test('returns the data of each event and ignores the rest', () => {
  expect(
    read('retry: 1000\n\n: still here\n\ndata: {"topic":"emails"}\n\nid: 4\ndata: a\ndata: b\n\n'),
  ).toEqual(['{"topic":"emails"}', 'a\nb'])
})

test('does not report an event that has not ended', () => {
  expect(read('data: half')).toEqual([])
  expect(read('data: half', '\n')).toEqual([])
})

test('accepts any line ending and any cut in the stream', () => {
  const whole = [
    'data: first\r\n\r\n',
    'data: second\n\n',
    ': quiet\r\n\r\n',
    'data:third\r\rdata: fourth\n\n',
  ].join('')
  assert(
    property(array(nat(whole.length), { maxLength: 8 }), (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), whole.length]
      const pieces = at.slice(1).map((end, index) => whole.slice(at[index], end))
      expect(read(...pieces)).toEqual(['first', 'second', 'third', 'fourth'])
    }),
  )
})

test('refuses an event that never ends before it fills the memory', () => {
  expect(() => read(...Array<string>(12).fill('x'.repeat(100_000)))).toThrow('does not end')
})
