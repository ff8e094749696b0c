import { describe, expect, it } from 'vitest'
import { isRtlText, mirrored, visualRuns } from './bidi.ts'

const shown = (line: string) => visualRuns(line).map(({ text, isRtl }) => (isRtl ? `<${text}` : text))

describe('the order of text on a line', () => {
  it.each([
    ['Muster Ltd', ['Muster Ltd']],
    ['شركة النور', ['<شركة النور']],
    ['Al Noor شركة النور Ltd', ['Al Noor ', '<شركة النور', ' Ltd']],
    // In a text from right to left, what is Latin keeps its own direction.
    ['شركة Noor Ltd', ['Noor Ltd', '<شركة ']],
    // Numbers are read from left to right, and stand where the text has them.
    ['شارع 12', ['12', '<شارع ']],
    ['شارع 12,5 دبي', ['< دبي', '12,5', '<شارع ']],
    ['Dubai 12 شارع 7', ['Dubai 12 ', '7', '<شارع ']],
    ['', []],
    ['12.50', ['12.50']],
  ])('%s', (line, runs) => {
    expect(shown(line)).toEqual(runs)
  })

  it('knows which way a paragraph reads', () => {
    expect(isRtlText('12 شارع')).toBe(true)
    expect(isRtlText('12 Street شارع')).toBe(false)
    expect(isRtlText('12')).toBe(false)
  })

  it('mirrors brackets', () => {
    expect(mirrored('(a.')).toBe('.a)')
  })
})
