import fc from 'fast-check'
import { expect, test } from 'vitest'
import { finalDot, stuffDots } from './smtp-dots.ts'

const inPieces = (mail: string, sizes: number[]) => {
  const raw = Buffer.from(mail, 'latin1')
  const pieces: Buffer[] = []
  for (let at = 0, turn = 0; at < raw.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    pieces.push(stuffDots(raw.subarray(at, at + size), at === 0 ? undefined : raw[at - 1]))
    at += size
  }
  return Buffer.concat([...pieces, finalDot(raw)]).toString('latin1')
}

/** What a server reads: everything before the lone dot, without the dots at the beginning of lines. */
const received = (wire: string) => wire.replace(/(^|\r\n)\.\r\n$/, '$1').replaceAll(/(^|\r\n)\./g, '$1')

test('a server reads the original mail, however it is cut into pieces', () => {
  const text = fc.string({ unit: fc.constantFrom('\r', '\n', '.', 'a', '\r\n', '\r\n.'), minLength: 1 })
  fc.assert(
    fc.property(text, fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1 }), (mail, sizes) => {
      const wire = inPieces(mail, sizes)
      // No line end but CRLF, and the only lone dot is the last line.
      expect(wire).not.toMatch(/(^|[^\r])\n/)
      expect(wire.split('\r\n').filter((line) => line === '.')).toHaveLength(1)
      const meant = mail.replaceAll(/\r?\n/g, '\r\n')
      expect([meant, `${meant}\n`, `${meant}\r\n`]).toContain(received(wire))
    }),
  )
})

test('an ordinary mail is not copied', () => {
  const raw = Buffer.from('Subject: hello\r\n\r\nno dots here.\r\n')
  expect(stuffDots(raw)).toBe(raw)
})
