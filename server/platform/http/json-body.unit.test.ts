import { expect, test } from 'vitest'
import { tooMuchOf } from './json-body.ts'

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

test.each([
  [nested(32), false],
  [nested(33), true],
  ['{"a":'.repeat(33), true],
  [`[${nested(31)},${nested(31)}]`, false],
  [JSON.stringify({ text: nested(100), 'a key {{{{': ['"', '\\', '\\"', '[[['] }), false],
  [`["\\\\",${nested(32)}]`, true],
  [`["\\"",${nested(31)}]`, false],
  [`["\\",${nested(40)}`, false],
  ['"'.repeat(3) + nested(33), false],
])('%s is nested deeper than 32 levels: %s', (json, isDeeper) => {
  const fault = tooMuchOf(json, { levels: 32, values: 1000 })
  expect(fault).toBe(isDeeper ? 'This is nested too deeply: at most 32 levels can be read.' : null)
})

test.each([
  [JSON.stringify(Array.from({ length: 10 }, (_, n) => n)), false],
  [JSON.stringify(Array.from({ length: 11 }, (_, n) => n)), true],
  ['[[[]],[[]],[[]],[]]', true],
  ['{"a":1,"b":2,"c":3,"d":4,"e":5}', false],
  ['{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6}', true],
  [JSON.stringify({ text: ',:[{'.repeat(100) }), false],
])('%s has more than 10 values: %s', (json, isMore) => {
  const fault = tooMuchOf(json, { levels: 32, values: 10 })
  expect(fault).toBe(isMore ? 'This has too many values: at most 10 can be read at once.' : null)
})
