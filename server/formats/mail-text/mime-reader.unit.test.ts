import fc from 'fast-check'
import PostalMime, { type Email } from 'postal-mime'
import { expect, test } from 'vitest'
import { MimeReader } from './mime-reader.ts'

/** Headers of a part, and what its body may be made of: what starts and ends parts, what looks like it, every kind of line end. */
const HEADERS = [
  'Content-Type: multipart/mixed; boundary=b\r\n',
  'Content-Type: multipart/alternative; boundary="c"\n',
  'Content-Type: text/html; charset=utf-8\r\n',
  'Content-Type: message/rfc822\r\n',
  'Content-Disposition: attachment; filename=a.txt\r\n',
  'Content-Transfer-Encoding: base64\r\n',
  'Content-Transfer-Encoding: quoted-printable\n',
  'Subject: Words\r\n',
]
const LINES = [
  '\r\n',
  '\n',
  '\r\r\n',
  '\r',
  '--b\r\n',
  '--b--\r\n',
  '--b',
  '--c\n',
  '--c-- \n',
  '-- \r\n',
  '--\r\n',
  '-',
  'some words\r\n',
  'some words without an end',
  'caf=C3=A9 =\r\nand more=\n',
  'SGVsbG8gd29ybGQ=\r\n',
  'SGVsbG8gd29y\r\nbGQ=IGFnYWlu\n',
  'é and ü\r\n',
]
const some = (pieces: readonly string[], maxLength: number) =>
  fc.array(fc.constantFrom(...pieces), { maxLength }).map((chosen) => chosen.join(''))
const part = fc.tuple(some(HEADERS, 3), fc.constantFrom('\r\n', '\n', ''), some(LINES, 12))
const mail = fc
  .array(fc.tuple(part, fc.constantFrom('--b\r\n', '--c\n', '--b--\n', '')), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.flat(2).join(''))

/** All that is read of a message; its addresses are read elsewhere. */
const used = ({ headers, text, html, attachments }: Email) => ({ headers, text, html, attachments })
const read = (parsing: Promise<Email>) => parsing.then(used, (error: Error) => error.message)

test('every mail comes out as the library alone reads it', async () => {
  await fc.assert(
    fc.asyncProperty(mail, async (text) => {
      const ours = await read(new MimeReader().parse(text))
      expect(ours).toEqual(await read(PostalMime.parse(text)))
    }),
    { numRuns: 2000 },
  )
})

test('a body of thousands of lines is gone through in one step', async () => {
  const lines = 'SGVsbG8gd29ybGQhIEhlbGxvIHdvcmxkIQ==\r\n'.repeat(50_000)
  const reader = new MimeReader()
  let steps = 0
  const readLine = reader.readLine.bind(reader)
  reader.readLine = () => {
    steps += 1
    return readLine()
  }
  const { attachments } = await reader.parse(
    `Content-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines}`,
  )
  expect(attachments.map(({ content }) => (content as ArrayBuffer).byteLength)).toEqual([50_000 * 25])
  expect(steps).toBeLessThan(10)
})
