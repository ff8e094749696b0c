import { array, assert, nat, property } from 'fast-check'
import { expect, test } from 'vitest'
import { makeEventReader } from './event-lines.ts'

const read = (...pieces: string[]) => {
  const data: string[] = []
  const take = makeEventReader((each) => data.push(each))
  for (const piece of pieces) take(piece)
  return data
}

test('gives the data of each event and passes over the rest', () => {
  expect(
    read('retry: 1000\n\n: still here\n\ndata: {"topic":"emails"}\n\nid: 4\ndata: a\ndata: b\n\n'),
  ).toEqual(['{"topic":"emails"}', 'a\nb'])
})

test('an event that has not ended is not told', () => {
  expect(read('data: half')).toEqual([])
  expect(read('data: half', '\n')).toEqual([])
})

test('it does not matter where the network cuts the stream, nor how its lines end', () => {
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

test('an event without an end does not fill the memory', () => {
  expect(() => read(...Array<string>(12).fill('x'.repeat(100_000)))).toThrow('does not end')
})
