import { expect, test } from 'vitest'
import { isNestedDeeper } from './json-body.ts'

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
  expect(isNestedDeeper(json, 32)).toBe(isDeeper)
})
