import { crc32, deflateSync } from 'node:zlib'
import { testMail } from './mail-servers.ts'

export type MailParts = {
  text?: string
  html?: string
  /** A text/calendar part beside the text. */
  calendar?: string
  files?: readonly { name: string; type: string; content: Buffer }[]
  /** The whole body as it is, instead of all other parts; the headers say what it is. */
  body?: string
}

let serial = 0

/** A mail from Anna with these parts, as a mail server stores it. */
export function makeMail(headers: Record<string, string>, parts: MailParts): string {
  serial += 1
  const named = {
    From: 'Anna Berg <anna@bakery.example>',
    To: 'ada@muster.example',
    Date: new Date().toUTCString(),
    'Message-ID': `<made-${serial}-${crypto.randomUUID()}@far.example>`,
    'MIME-Version': '1.0',
    ...headers,
  }
  if (parts.body !== undefined) return testMail(named, `${parts.body}\r\n`)
  const words = [
    ...(parts.text === undefined ? [] : [part('text/plain; charset=utf-8', parts.text)]),
    ...(parts.html === undefined ? [] : [part('text/html; charset=utf-8', parts.html)]),
    ...(parts.calendar === undefined
      ? []
      : [part('text/calendar; charset=utf-8; method=REQUEST', parts.calendar)]),
  ]
  const alternative = multipart('alternative', words)
  const files = (parts.files ?? []).map(({ name, type, content }) =>
    part(type, content, `Content-Disposition: attachment; filename="${name}"`),
  )
  const whole = files.length === 0 ? alternative : multipart('mixed', [alternative, ...files])
  const [head = '', ...body] = whole.split('\r\n\r\n')
  return testMail({ ...named, 'Content-Type': head.replace('Content-Type: ', '') }, body.join('\r\n\r\n'))
}

function part(type: string, content: string | Buffer, more?: string): string {
  const lines = [
    `Content-Type: ${type}`,
    'Content-Transfer-Encoding: base64',
    ...(more === undefined ? [] : [more]),
  ]
  const encoded = Buffer.from(content).toString('base64').replaceAll(/.{76}/g, '$&\r\n')
  return `${lines.join('\r\n')}\r\n\r\n${encoded}`
}

function multipart(kind: string, parts: readonly string[]): string {
  const boundary = `b-${crypto.randomUUID()}`
  const inner = parts.map((each) => `--${boundary}\r\n${each}\r\n`).join('')
  return `Content-Type: multipart/${kind}; boundary="${boundary}"\r\n\r\n${inner}--${boundary}--\r\n`
}

/** A picture of one colour. */
export function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits per colour: red, green and blue.
  header.set([8, 2], 8)
  const line = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, 120)])
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => line)))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), content])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
