import { describe, expect, it } from 'vitest'
import { safeText } from './safe-text.ts'

const whole = (text: string, sources = 2) => {
  const safe = safeText((n) => n <= sources)
  return safe.push(text) + safe.end()
}
/** The same text in pieces of one character. */
const inPieces = (text: string, sources = 2) => {
  const safe = safeText((n) => n <= sources)
  return (
    text
      .split('')
      .map((piece) => safe.push(piece))
      .join('') + safe.end()
  )
}

describe('a model’s words', () => {
  it.each([
    ['Ann is here [1].', 'Ann is here [1].'],
    ['Nobody [3].', 'Nobody.'],
    ['See ![x](https://evil.example/p.png)!', 'See x!'],
    ['See [your bank](https://evil.example) now', 'See your bank (https://evil.example) now'],
    ['See [https://a.example](https://a.example)', 'See https://a.example'],
    ['<b>Bold</b> <img src=x onerror=alert(1)> 3 < 4', 'Bold  3 ‹ 4'],
    ['a\u202Eb\u200Bc', 'abc'],
    // It would make every [1] a link to somewhere else.
    ['Ann [1].\n\n[1]: https://evil.example\nBob', 'Ann [1].\n\n\nBob'],
    ['[1]:\nhttps://evil.example', '1:\nhttps://evil.example'],
    ['As she said [1]: yes', 'As she said [1]: yes'],
    ['- [ ] open\n- [x] done', '- [ ] open\n- [x] done'],
  ])('%j become %j, whole or in pieces', (said, shown) => {
    expect(whole(said)).toBe(shown)
    expect(inPieces(said)).toBe(shown)
  })

  it('make no link of parts that are too long to wait for', () => {
    for (const text of [
      `[x](https://evil.example/${'a'.repeat(3000)})`,
      `[${'x'.repeat(600)}](https://evil.example)`,
    ])
      expect(inPieces(text)).not.toContain('](')
  })

  it('never let a picture or a tag through, wherever they are cut', () => {
    const text = 'a ![one](https://evil.example/1) <script>x</script> [two](https://evil.example/2) [9] z'
    for (let at = 0; at <= text.length; at += 1) {
      const safe = safeText(() => false)
      const shown = safe.push(text.slice(0, at)) + safe.push(text.slice(at)) + safe.end()
      expect(shown).not.toMatch(/!\[|<|\]\(|\[9\]/)
    }
  })
})

describe('a model that writes nothing but signs', () => {
  it.each(['[](', '[a](b', '![', '![a](', '[a][', '\n[a]:', '<a', '['])(
    'of %j keeps nobody waiting',
    (signs) => {
      for (const length of [1000, 40_000]) {
        const text = signs.repeat(length / signs.length)
        const before = process.threadCpuUsage().user
        expect(whole(text)).not.toMatch(/\]\(|!\[|</)
        expect((process.threadCpuUsage().user - before) / 1000, `${length} characters`).toBeLessThan(4000)
      }
    },
  )
})
