import { describe, expect, it } from 'vitest'
import { parseMail, UnreadableMail } from './parse.ts'

const mail = (...lines: string[]) => Buffer.from(lines.join('\r\n'))
const latin = (...lines: string[]) => Buffer.from(lines.join('\r\n'), 'latin1')

describe('an ordinary mail', () => {
  it('is read whole', async () => {
    const parsed = await parseMail(
      mail(
        'From: =?UTF-8?Q?J=C3=BCrgen?= <j@example.com>',
        'To: a@example.com, "B, C" <b@example.com>',
        'Cc: c@example.com',
        'Reply-To: r@example.com',
        'Subject: =?UTF-8?B?R3LDvMOf?=',
        ' =?UTF-8?B?ZSDwn5iA?=',
        'Date: Tue, 3 Mar 2026 10:00:00 +0100',
        'Message-ID: <one@example.com>',
        'In-Reply-To: <zero@example.com>',
        'References: <a@example.com>',
        ' <zero@example.com>',
        'MIME-Version: 1.0',
        'Content-Type: multipart/mixed; boundary=m',
        '',
        '--m',
        'Content-Type: multipart/related; boundary=r',
        '',
        '--r',
        'Content-Type: text/html; charset=utf-8',
        '',
        '<p>Hello <b>you</b></p><img src="cid:pic@example.com"><blockquote>old</blockquote>',
        '--r',
        'Content-Type: image/png',
        'Content-ID: <pic@example.com>',
        'Content-Transfer-Encoding: base64',
        '',
        'iVBORw0KGgo=',
        '--r--',
        '--m',
        'Content-Type: application/pdf; name="../../etc/Rechnung.pdf"',
        'Content-Disposition: attachment',
        'Content-Transfer-Encoding: base64',
        '',
        'JVBERi0=',
        '--m',
        'Content-Type: text/calendar; method=REQUEST',
        '',
        'BEGIN:VCALENDAR',
        'END:VCALENDAR',
        '--m--',
        '',
      ),
    )
    expect(parsed).toMatchObject({
      messageId: 'one@example.com',
      inReplyTo: ['zero@example.com'],
      references: ['a@example.com', 'zero@example.com'],
      from: { name: 'Jürgen', address: 'j@example.com' },
      to: [
        { name: '', address: 'a@example.com' },
        { name: 'B, C', address: 'b@example.com' },
      ],
      cc: [{ name: '', address: 'c@example.com' }],
      replyTo: [{ name: '', address: 'r@example.com' }],
      subject: 'Grüße 😀',
      snippet: 'Hello you',
      faults: [],
    })
    expect(parsed.date).toEqual(new Date('2026-03-03T09:00:00Z'))
    expect(parsed.text).toContain('Hello you')
    expect(parsed.calendar).toContain('BEGIN:VCALENDAR')
    expect(parsed.attachments.map(({ name, type, inline, size }) => ({ name, type, inline, size }))).toEqual([
      { name: 'attachment-1.png', type: 'image/png', inline: true, size: 8 },
      { name: 'Rechnung.pdf', type: 'application/pdf', inline: false, size: 5 },
      { name: 'attachment-3.ics', type: 'text/calendar', inline: false, size: 30 },
    ])
  })

  it('shows the new words in the snippet, not the quote', async () => {
    const { snippet } = await parseMail(
      mail(
        'Subject: x',
        '',
        'Yes,   please.',
        '',
        'On Tue, 3 Mar 2026, Anna <a@example.com> wrote:',
        '> Do you want it?',
      ),
    )
    expect(snippet).toBe('Yes, please.')
  })

  it('names list headers and automatic marks', async () => {
    const parsed = await parseMail(
      mail(
        'List-Id: News <news.example.com>',
        'List-Unsubscribe: <mailto:u@example.com>, <https://example.com/u?x=1>',
        'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
        'Auto-Submitted: auto-generated (x)',
        '',
        'x',
      ),
    )
    expect(parsed).toMatchObject({
      listId: 'news.example.com',
      autoSubmitted: 'auto-generated',
      listUnsubscribe: { urls: ['mailto:u@example.com', 'https://example.com/u?x=1'], oneClick: true },
    })
  })
})

describe('a broken mail is read as well as can be', () => {
  it('without any MIME', async () => {
    expect(await parseMail(mail('Subject: Hi', '', 'words'))).toMatchObject({
      subject: 'Hi',
      text: 'words',
      from: null,
      to: [],
    })
  })

  it('with a boundary that is not the one in use', async () => {
    const parsed = await parseMail(
      mail(
        'Subject: x',
        'Content-Type: multipart/mixed; boundary=aaa',
        '',
        '--bbb-other',
        'Content-Type: text/plain',
        '',
        'still here',
        '--bbb-other--',
      ),
    )
    expect(parsed.text).toBe('still here')
    expect(parsed.faults).toHaveLength(1)
  })

  it('without a boundary at all', async () => {
    expect(
      (await parseMail(mail('Subject: x', 'Content-Type: multipart/mixed', '', 'still here'))).text,
    ).toContain('still here')
  })

  it('with parameters that have lost the blank before them', async () => {
    const parsed = await parseMail(
      mail(
        'Subject: Undeliverable',
        'Content-Type: multipart/report; boundary=outer',
        '',
        '--outer',
        'Content-Type: multipart/alternative; differences=Content-Type;',
        'boundary="inner"',
        '',
        '--inner',
        'Content-Type: text/plain',
        '',
        'Nobody of that name here.',
        '--inner--',
        '--outer',
        'Content-Type: message/delivery-status',
        '',
        'Action: failed',
        '--outer--',
      ),
    )
    expect(parsed.text).toBe('Nobody of that name here.')
    expect(parsed.attachments).toHaveLength(1)
  })

  it('with base64 that stops in the middle', async () => {
    const parsed = await parseMail(
      mail(
        'Subject: x',
        'Content-Type: text/plain',
        'Content-Transfer-Encoding: base64',
        '',
        'aGVsbG8gd29ybGQgaGVsb',
      ),
    )
    expect(parsed.text).toMatch(/^hello world/)
  })

  it('with an unknown charset and with none', async () => {
    expect((await parseMail(latin('Subject: Gr\xfc\xdfe', '', 'sch\xf6n'))).text).toBe('schön')
    expect((await parseMail(latin('Subject: Gr\xfc\xdfe', '', 'sch\xf6n'))).subject).toBe('Grüße')
    expect(
      (await parseMail(latin('Subject: x', 'Content-Type: text/plain; charset=nonsense', '', 'sch\xf6n')))
        .text,
    ).toBe('schön')
  })

  it('after an mbox line and blank lines, with bare carriage returns', async () => {
    expect(
      (await parseMail(mail('', 'From a@example.com Tue Mar  3 10:00:00 2026', 'Subject: Hi', '', 'words')))
        .subject,
    ).toBe('Hi')
    expect(await parseMail(Buffer.from('Subject: Hi\rTo: a@example.com\r\rwords'))).toMatchObject({
      subject: 'Hi',
      text: 'words',
    })
  })

  it('loses NUL bytes, which the database refuses, and half characters', async () => {
    const parsed = await parseMail(mail('Subject: a\0b', 'X-Note: c\0d', '', 'e\0f'))
    expect(JSON.stringify(parsed)).not.toContain('\\u0000')
    const halves = await parseMail(mail('Subject: =?UTF-16LE?B?ANg=?= x', '', 'y'))
    expect(halves.subject.isWellFormed()).toBe(true)
  })

  it('only says unreadable when there is nothing', async () => {
    await expect(parseMail(Buffer.from(''))).rejects.toThrow(UnreadableMail)
    await expect(parseMail(Buffer.from('\r\n\r\n'))).rejects.toThrow(UnreadableMail)
  })
})

describe('dates', () => {
  it.each([
    ['Tue, 3 Mar 2026 10:00:00 -0500 (EST)', '2026-03-03T15:00:00.000Z'],
    ['3 Mar 2026 10:00', '2026-03-03T10:00:00.000Z'],
    ['Tue, 03 Mar 26 10:00:00 GMT', '2026-03-03T10:00:00.000Z'],
    ['Tue, 3 Mar 2026 10:00:00 NOZONE', '2026-03-03T10:00:00.000Z'],
    ['yesterday', undefined],
    ['', undefined],
    ['Fri, 1 Jan 9999 00:00:00 GMT', undefined],
    ['foo 12', undefined],
  ])('%s', async (header, expected) => {
    expect((await parseMail(mail(`Date: ${header}`, 'Subject: x', '', 'y'))).date?.toISOString()).toBe(
      expected,
    )
  })
})

describe('limits', () => {
  it('survives hundreds of nested parts', async () => {
    const nested = Array.from(
      { length: 600 },
      (_, depth) => `Content-Type: multipart/mixed; boundary="b${depth}"\n\n--b${depth}`,
    )
    const parsed = await parseMail(
      Buffer.from(`Subject: deep\n${nested.join('\n')}\nContent-Type: text/plain\n\nfound it\n`),
    )
    expect(parsed).toMatchObject({ subject: 'deep' })
    expect(parsed.text).toContain('found it')
  })

  it.each([
    ['raw bytes', { rawBytes: 2_000 }],
    ['lines', { lines: 10 }],
    ['short lines', { shortLines: 10 }],
    ['header bytes', { headerBytes: 10 }],
  ])('%s: the beginning is read, and the fault named', async (_, limits) => {
    const parsed = await parseMail(
      mail(
        'Subject: long',
        'From: a@example.com',
        '',
        ...Array.from({ length: 100 }, () => 'words and words and words'),
      ),
      limits,
    )
    expect(parsed).toMatchObject({ subject: 'long', from: { address: 'a@example.com' } })
    expect(parsed.text).toContain('words')
    expect(parsed.faults).toHaveLength(1)
  })

  it('parts, text, attachments and headers are capped with a note', async () => {
    const parts = Array.from({ length: 20 }, () => '--b\r\nContent-Type: image/png\r\n\r\nx').join('\r\n')
    const many = await parseMail(
      mail(
        'Subject: x',
        ...Array.from({ length: 9 }, () => 'X-A: b'),
        'Content-Type: multipart/mixed; boundary=b',
        '',
        parts,
        '--b--',
      ),
      { attachments: 5, headers: 4 },
    )
    expect(many.attachments).toHaveLength(5)
    expect(many.headers).toHaveLength(4)
    expect(many.faults).toHaveLength(2)
    expect(
      (
        await parseMail(mail('Subject: x', 'Content-Type: multipart/mixed; boundary=b', '', parts), {
          parts: 5,
        })
      ).faults,
    ).toHaveLength(1)
    expect((await parseMail(mail('Subject: x', '', 'y'.repeat(100)), { textChars: 10 })).text).toBe(
      'y'.repeat(10),
    )
  })
})

describe('attachment names', () => {
  it.each([
    ['C:\\Users\\me\\a.txt', 'a.txt'],
    ['../../etc/passwd', 'passwd'],
    ['a\u202egpj.exe', 'a gpj.exe'],
    ['..', 'attachment-1.bin'],
    ['a:b?.txt', 'a_b_.txt'],
    ['.htaccess', 'htaccess'],
  ])('%j becomes %j', async (given, expected) => {
    const header = `Content-Disposition: attachment; filename*=UTF-8''${encodeURIComponent(given)}`
    expect(
      (await parseMail(mail('Subject: x', 'Content-Type: application/octet-stream', header, '', 'x')))
        .attachments[0]?.name,
    ).toBe(expected)
  })

  it('a mail within the mail is a file named by its subject', async () => {
    const parsed = await parseMail(
      mail(
        'Subject: x',
        'Content-Type: multipart/mixed; boundary=b',
        '',
        '--b',
        'Content-Type: text/plain',
        '',
        'see below',
        '--b',
        'Content-Type: message/rfc822',
        '',
        'Subject: inner',
        '',
        'not my words',
        '--b--',
      ),
    )
    expect(parsed.text).toBe('see below')
    expect(parsed.attachments[0]).toMatchObject({ name: 'inner.eml', type: 'message/rfc822' })
  })
})

describe('every address header', () => {
  const OTHER = { name: 'Boss <ceo@bank.test>', address: 'real@attack.test' }
  const header =
    '=?utf-8?Q?Boss_=3Cceo=40bank.test=3E?= <real@attack.test>, =?utf-8?Q?x=40bank.test?=, "y@z.test"@attack.test'
  const quoted = { name: '', address: '"y@z.test"@attack.test' }

  it.each(['From', 'To', 'Cc', 'Bcc', 'Reply-To'] as const)(
    '%s is taken apart before it is decoded',
    async (name) => {
      const parsed = await parseMail(mail(`${name}: ${header}`, 'Subject: x', '', 'y'))
      const { senders, to, cc, bcc, replyTo } = parsed
      const of = { From: senders, To: to, Cc: cc, Bcc: bcc, 'Reply-To': replyTo }[name]
      expect(of).toEqual([OTHER, quoted])
    },
  )

  it('Sender, where From has no address', async () => {
    const lines = [`Sender: ${header}`, 'Subject: x', '', 'y']
    const without = await parseMail(mail('From: =?utf-8?Q?ceo=40bank.test?=', ...lines))
    expect(without.from).toEqual({ name: 'ceo@bank.test', address: '' })
    expect([without.senders, without.replyTo]).toEqual([[], [OTHER, quoted]])
    const named = await parseMail(mail('From: a@b.test', ...lines))
    expect(named.replyTo).toEqual([])
    const answered = await parseMail(mail('Reply-To: a@b.test', ...lines))
    expect(answered.replyTo).toEqual([{ name: '', address: 'a@b.test' }])
  })

  it('From has a first mailbox and all', async () => {
    const { from, senders } = await parseMail(
      mail('From: =?utf-8?Q?Boss_=3Cceo=40bank.test=3E?=, <real@attack.test>, B <b@c.test>', '', 'y'),
    )
    expect(from).toEqual({ name: '', address: 'real@attack.test' })
    expect(senders.map(({ address }) => address)).toEqual(['real@attack.test', 'b@c.test'])
  })
})
