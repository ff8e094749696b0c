import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { composeTemplate } from './compose-bulk.ts'
import { composeMail, mailtoUrl, mintMessageId, UnsendableAddress } from './compose.ts'
import type { ComposeInput } from './compose.ts'
import { headerOf, parseMail } from './parse.ts'

const input: ComposeInput = {
  messageId: '<one@example.com>',
  date: new Date('2026-03-03T09:00:00Z'),
  from: { name: 'Anna Lee', address: 'anna@example.com' },
  to: [{ name: 'Bob', address: 'bob@example.org' }],
  subject: 'Offer',
  text: 'Hello Bob',
}

/** Lines as SMTP sees them: CRLF only, none longer than 998 octets. */
function expectGoodLines(raw: Buffer) {
  const text = raw.toString('latin1')
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  expect(Math.max(...text.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998)
}

describe('composeMail', () => {
  it('reads back as it was meant', async () => {
    const { raw, envelope, messageId } = await composeMail({
      ...input,
      cc: [{ name: 'Zoë, "Z"', address: 'zoe@bücher.example' }],
      replyTo: { name: '', address: 'reply@example.com' },
      html: '<p>Hello <b>Bob</b></p>',
      inReplyTo: 'zero@example.com',
      references: ['a@example.com', '<zero@example.com>'],
      autoSubmitted: 'auto-generated',
      attachments: [
        { name: 'Röchnung 1.pdf', type: 'application/pdf', content: Buffer.from('%PDF') },
        { name: 'p.png', type: 'image/png', content: Buffer.from('png'), contentId: 'pic@x', inline: true },
      ],
    })
    expectGoodLines(raw)
    expect(messageId).toBe('one@example.com')
    expect(envelope).toEqual({
      from: 'anna@example.com',
      to: ['bob@example.org', 'zoe@xn--bcher-kva.example'],
    })
    const parsed = await parseMail(raw)
    expect(parsed).toMatchObject({
      messageId: 'one@example.com',
      date: input.date,
      from: input.from,
      to: input.to,
      cc: [{ name: 'Zoë, "Z"', address: 'zoe@xn--bcher-kva.example' }],
      replyTo: [{ name: '', address: 'reply@example.com' }],
      inReplyTo: ['zero@example.com'],
      references: ['a@example.com', 'zero@example.com'],
      subject: 'Offer',
      text: 'Hello Bob',
      autoSubmitted: 'auto-generated',
    })
    expect(parsed.html).toContain('<b>Bob</b>')
    const names = parsed.attachments.map(({ name, type }) => `${name} ${type}`)
    expect(new Set(names)).toEqual(new Set(['Röchnung 1.pdf application/pdf', 'p.png image/png']))
  })

  it('puts Bcc into the envelope only, and each recipient once', async () => {
    const { raw, envelope } = await composeMail({
      ...input,
      cc: [{ name: '', address: 'BOB@example.org' }],
      bcc: [{ name: 'Secret', address: 'secret@example.net' }],
    })
    expect(raw.toString()).not.toMatch(/secret|bcc/i)
    expect(envelope.to).toEqual(['BOB@example.org', 'secret@example.net'])
  })

  it('lets nobody add a header or a recipient', async () => {
    const evil = 'x\r\nBcc: victim@example.com\r\n\r\nbody'
    const { raw, envelope } = await composeMail({
      ...input,
      from: { name: evil, address: 'anna@example.com' },
      to: [{ name: `${evil}" <victim@example.com>, "`, address: 'bob@example.org' }],
      subject: evil,
      messageId: `a@b>${evil}`,
      inReplyTo: evil,
      references: [evil],
      headers: { 'X-Note': evil, 'X-Bad\r\nBcc': 'v', Bcc: 'victim@example.com', To: 'victim@example.com' },
      attachments: [{ name: evil, type: `text/plain\r\nBcc: v`, content: Buffer.from('x') }],
    })
    expectGoodLines(raw)
    expect(envelope.to).toEqual(['bob@example.org'])
    const parsed = await parseMail(raw)
    expect(parsed.bcc).toEqual([])
    expect(parsed.to.map(({ address }) => address)).toEqual(['bob@example.org'])
    expect(headerOf(parsed, 'bcc')).toBe('')
    expect(parsed.text).toBe('Hello Bob')
  })

  it('folds what is too long', async () => {
    const { raw } = await composeMail({
      ...input,
      subject: 'ü'.repeat(3_000),
      text: `${'x'.repeat(5_000)}\n${'é'.repeat(5_000)}`,
      references: Array.from({ length: 200 }, (_, n) => `${n}@example.com`),
      to: [{ name: 'n'.repeat(3_000), address: 'bob@example.org' }],
    })
    expectGoodLines(raw)
    const parsed = await parseMail(raw)
    expect(parsed.subject).toBe('ü'.repeat(900))
    expect(parsed.text).toBe(`${'x'.repeat(5_000)}\n${'é'.repeat(5_000)}`)
    expect(parsed.references).toHaveLength(200)
  })

  it('offers ways out of a list: by mail (RFC 2369), and by one click where there is a page (RFC 8058)', async () => {
    const mailto = mailtoUrl('u+1@example.com', 'unsubscribe-1.2.c_-')
    const url = `https://example.com/u/${'t'.repeat(200)}`
    const composed = async (listUnsubscribe: { url?: string; mailto?: string }) =>
      composeMail({ ...input, listUnsubscribe })
    const both = await composed({ url, mailto })
    expectGoodLines(both.raw)
    const byMail = 'mailto:u%2B1@example.com?subject=unsubscribe-1.2.c_-'
    expect((await parseMail(both.raw)).listUnsubscribe).toEqual({ urls: [url, byMail], oneClick: true })
    const local = await parseMail((await composed({ url: 'http://localhost/u', mailto })).raw)
    expect(local.listUnsubscribe).toEqual({ urls: [byMail, 'http://localhost/u'], oneClick: true })
    const one = await parseMail((await composed({ mailto })).raw)
    expect(one.listUnsubscribe).toEqual({ urls: [byMail], oneClick: false })
    expect(one.headers.map(({ name }) => name)).not.toContain('List-Unsubscribe-Post')
    expect((await parseMail((await composed({})).raw)).listUnsubscribe).toBeUndefined()
  })

  it('refuses what is no address', async () => {
    await expect(
      composeMail({ ...input, to: [{ name: '', address: 'bob@example.org\r\nDATA' }] }),
    ).rejects.toThrow(UnsendableAddress)
    expect(() => composeTemplate({ from: { name: '', address: 'nobody' } })).toThrow(UnsendableAddress)
  })
})

it('mintMessageId: unique, in the domain of the sender', () => {
  expect(mintMessageId('anna@Bücher.example', () => 'r')).toBe('r@xn--bcher-kva.example')
  expect(mintMessageId('anna@example.com')).toMatch(/^[0-9a-f-]{36}@example\.com$/)
  expect(mintMessageId('anna@example.com')).not.toBe(mintMessageId('anna@example.com'))
})

describe('composeTemplate', () => {
  const nasty = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc
      .array(
        fc.constantFrom(
          '.',
          '..',
          'From me',
          '>From',
          '',
          ' ',
          '\t',
          'x ',
          '=',
          '=3D',
          '😀',
          '👩‍👩‍👧',
          'é',
          '漢字',
          '\r\n',
          '\n',
          '\r',
          '--b',
          'word '.repeat(40),
          'y'.repeat(1_200),
          '=?UTF-8?B?eA==?=',
          '\u0000',
          '\ud800',
          '\u2028',
          '"',
          '\\',
          ',',
          '<a@b.c>',
          '(',
          ':',
          ';',
        ),
      )
      .map((parts) => parts.join('')),
    fc
      .array(fc.constantFrom('.', '.From me', 'From me', '', 'end ', 'é.', 'ordinary words'), {
        maxLength: 8,
      })
      .map((lines) => lines.join('\n')),
  )

  it('means the same as composeMail, whatever the words', async () => {
    await fc.assert(
      fc.asyncProperty(nasty, nasty, nasty, nasty, async (text, subject, toName, fromName) => {
        const mail = {
          ...input,
          text,
          subject,
          from: { name: fromName, address: 'anna@example.com' },
          to: [{ name: toName, address: 'bob@example.org' }],
          references: ['a@b', 'c@d'],
          inReplyTo: 'c@d',
          listUnsubscribe: {
            url: 'https://example.com/u/1',
            mailto: mailtoUrl('anna@example.com', 'unsubscribe-1'),
          },
        }
        const fast = composeTemplate({ from: mail.from }).compose({ ...mail, to: mail.to[0]! })
        const slow = await composeMail(mail)
        expectGoodLines(fast.raw)
        expect(fast.envelope).toEqual(slow.envelope)
        expect(fast.messageId).toBe(slow.messageId)
        const [a, b] = [await parseMail(fast.raw), await parseMail(slow.raw)]
        // Blanks at line ends are not part of what people write: servers cut them.
        const meaning = (read: typeof a) => ({
          ...read,
          headers: [],
          text: read.text.replace(/[ \t]+$/gm, '').trimEnd(),
        })
        expect(meaning(a)).toEqual(meaning(b))
      }),
      { numRuns: 400 },
    )
  })

  it.each(['Hello', 'Grüße', 'Привет всем', 'long '.repeat(40)])(
    'keeps the separator of a signature below %j, whatever cuts blanks on the way',
    async (words) => {
      const text = `${words}\n\n-- \nAda`
      const plain = composeTemplate({ from: input.from }).render({ ...input, to: input.to[0]!, text })
      const rich = await composeMail({ ...input, text, html: '<p>Hello</p>' })
      for (const raw of [plain, (await composeMail({ ...input, text })).raw, rich.raw]) {
        const cut = Buffer.from(raw.toString('latin1').replace(/[ \t]+(?=\r\n)/g, ''), 'latin1')
        expect((await parseMail(cut)).text).toMatch(/\n\n-- \nAda$/)
      }
    },
  )

  it('writes lines that nothing on the way changes', async () => {
    const { render } = composeTemplate({ from: input.from })
    const raw = render({ ...input, to: input.to[0]!, text: 'From here\n.\n..dots\nlast' }).toString()
    expect(raw.slice(raw.indexOf('\r\n\r\n'))).not.toMatch(/^(?:From |\.)/m)
    expect((await parseMail(Buffer.from(raw))).text).toBe('From here\n.\n..dots\nlast')
  })

  it('keeps plain words readable', () => {
    const raw = composeTemplate({ from: input.from })
      .render({ ...input, to: input.to[0]! })
      .toString()
    expect(raw).toContain('From: "Anna Lee" <anna@example.com>\r\n')
    expect(raw).toContain('Subject: Offer\r\n')
    expect(raw).toContain('Date: Tue, 03 Mar 2026 09:00:00 +0000\r\n')
    expect(raw).toMatch(/7bit\r\n\r\nHello Bob\r\n$/)
  })
})

it('writes addresses in quotes as they are, wherever they are', async () => {
  const addresses = ['"a> "@x.test', '"a, b; c"@x.test', '"ceo@bank.test"@attack.test', '"a\\"<b"@x.test']
  const people = addresses.map((address) => ({ name: '', address }))
  const named = addresses.map((address) => ({ name: 'B, C', address }))
  const common = { messageId: 'a@b.example', date: new Date(0), subject: 'x', text: 'y' }
  const from = { name: '', address: 'me@b.example' }
  const mail = await composeMail({ ...common, from, to: people, cc: named, replyTo: people })
  expect(mail.envelope.to).toEqual(addresses)
  expect(await parseMail(mail.raw)).toMatchObject({ to: people, cc: named, replyTo: people })
  for (const to of [...people, ...named])
    expect(await parseMail(composeTemplate({ from }).render({ ...common, to }))).toMatchObject({ to: [to] })
})
