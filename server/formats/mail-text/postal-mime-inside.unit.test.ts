import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { encodingOf, inside, library } from './postal-mime-inside.ts'

const MAIL = [
  'Subject: Words',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain; charset=utf-8; format=flowed',
  '',
  'some words',
  '--b',
  'Content-Type: text/html; charset=utf-8',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  '<p>more</p>',
  '--b',
  'Content-Type: application/pdf; name=a.pdf',
  'Content-Disposition: attachment; filename=a.pdf',
  'Content-Transfer-Encoding: base64',
  '',
  'SGVsbG8=',
  '--b--',
  '',
].join('\r\n')

const METHODS = ['readLine', 'collectNode', 'collectAttachment', 'isInlineTextNode', 'buildMessage'] as const

test('the private parts of the parser are where they were: an update of postal-mime that moves one fails here', async () => {
  const parser = new PostalMime()
  const called = new Set<string>()
  const states = new Set<string>()
  const encodings = new Set<string | undefined>()
  const methods = parser as unknown as Record<string, (...given: never[]) => unknown>
  for (const name of METHODS) {
    const theirs: (...given: never[]) => unknown = library[name]
    methods[name] = (...given) => {
      called.add(name)
      const { currentNode } = inside(parser)
      states.add(currentNode.state)
      if (currentNode.contentDecoder !== null) encodings.add(encodingOf(currentNode.contentDecoder))
      if (currentNode.state === 'body') currentNode.decodeFlowedText = (text) => `unflowed: ${text}`
      return theirs.apply(parser, given)
    }
  }
  const message = await parser.parse(MAIL)

  expect([...called].toSorted()).toEqual(METHODS.toSorted())
  expect([...states].toSorted()).toEqual(['body', 'finished', 'header'])
  expect([...encodings].toSorted()).toEqual(['base64', 'none', 'quoted-printable'])
  const { buf, readPos, root, textContent, attachments } = inside(parser)
  expect(buf).toBeInstanceOf(ArrayBuffer)
  expect([buf.byteLength, readPos]).toEqual([MAIL.length, MAIL.length])
  expect(message.text).toContain('unflowed: some words')
  expect(textContent).toEqual({ plain: message.text, html: message.html })
  expect(attachments).toEqual(message.attachments)
  expect(root.headers.map(({ key }) => key)).toEqual(['subject', 'content-type'])
  expect(root.contentType.multipart).toBe('mixed')
  const [text, , file] = root.childNodes
  expect(text?.parentNode).toBe(root)
  expect(text?.content).toBeInstanceOf(ArrayBuffer)
  expect(text?.contentType).toMatchObject({
    multipart: false,
    parsed: { value: 'text/plain', params: { charset: 'utf-8' } },
  })
  expect(file?.contentDisposition.parsed).toEqual({ value: 'attachment', params: { filename: 'a.pdf' } })
})
