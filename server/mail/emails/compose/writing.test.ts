import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { emails } from '#contract/mail/emails.ts'
import { call } from '../../../../tests/support/client.ts'
import type { TestUser } from '../../../../tests/support/factories.ts'
import { listFolder } from '../../../../tests/support/reading.ts'
import { type SmtpSink, startSmtpSink } from '../../../../tests/support/smtp-sink.ts'
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts'
import {
  A_PICTURE,
  connectWriter,
  detailOf,
  header,
  parsed,
  receive,
  sendAs,
  sendWhole,
  uploadAs,
} from '../../../../tests/support/writing.ts'
import { runSql } from '../../../platform/database/transaction.ts'
import { purgeUploads } from '../content/purge-uploads.ts'

let app: TestApp
let sink: SmtpSink
let user: TestUser

beforeAll(async () => {
  app = await startTestApp()
  sink = await startSmtpSink()
  user = await connectWriter(app, sink)
})
afterAll(async () => {
  await app.end()
  await sink.stop()
})
afterEach(() => {
  sink.clear()
  sink.setScript(undefined)
})

const send = (body: Parameters<typeof sendAs>[2] = {}) => sendAs(app, user, body)

const ORIGINAL = `From: Bea Müller <bea@customer.example>
Reply-To: sales@customer.example
To: ada@muster.example
Subject: AW: Re[2]: Prices
Date: Tue, 3 Nov 2026 10:12:00 +0000
Message-ID: <third@customer.example>
References: <first@muster.example> <second@customer.example>
In-Reply-To: <second@customer.example>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=outer

--outer
Content-Type: multipart/alternative; boundary=inner

--inner
Content-Type: text/plain; charset=utf-8

What does it cost?
> We have something new.
--inner
Content-Type: text/html; charset=utf-8

<p onclick="steal()">What does it <b>cost</b>?</p><script>alert(1)</script><img src="https://far.example/x.png">
--inner--
--outer
Content-Type: application/pdf; name="list.pdf"
Content-Disposition: attachment; filename="list.pdf"
Content-Transfer-Encoding: base64

JVBERi0xLjQK
--outer--
`

describe('a rich mail', () => {
  it('has the same content as text and as HTML, and nothing that does not belong in a mail', async () => {
    const html =
      '<p style="color: red; position: fixed">Hello <strong>Bob</strong> <a href="https://a.example/?q=1&amp;r=2">here</a><a href="javascript:alert(1)">there</a></p><script>alert(1)</script><iframe src="https://far.example"></iframe><form><input></form>'
    expect((await send({ html })).status).toBe(200)
    const mail = await parsed(sink.received[0])
    expect(header(sink.received[0], 'Content-Type')).toMatch(/^multipart\/alternative;/)
    expect(mail.text?.trim()).toBe('Hello Bob,\n\nhow are you?')
    expect(mail.html).toContain('<strong>Bob</strong>')
    expect(mail.html).toContain('href="https://a.example/?q=1&amp;r=2"')
    expect(mail.html).toContain('color: red')
    expect(mail.html).not.toMatch(/script|iframe|form|position/i)
  })

  it('goes to all of To, Cc and Bcc, and nobody sees Bcc', async () => {
    const { status, body } = await send({
      to: 'bob@customer.example, "Müller, Bea" <bea@customer.example>',
      cc: 'Čeněk <cenek@customer.example>',
      bcc: 'boss@muster.example; BOB@customer.example',
    })
    expect(status).toBe(200)
    expect(sink.received[0]?.envelope.to.toSorted()).toEqual([
      'BOB@customer.example',
      'bea@customer.example',
      'boss@muster.example',
      'cenek@customer.example',
    ])
    const mail = await parsed(sink.received[0])
    expect(mail.to?.map(({ address, name }) => [name, address])).toEqual([
      ['', 'bob@customer.example'],
      ['Müller, Bea', 'bea@customer.example'],
    ])
    expect(mail.cc?.[0]).toMatchObject({ name: 'Čeněk', address: 'cenek@customer.example' })
    expect(sink.received[0]?.raw.toString().toLowerCase()).not.toContain('boss@')
    const detail = await detailOf(app, user, body.id)
    expect(detail).toMatchObject({ bcc: 'boss@muster.example, BOB@customer.example' })
    expect(detail.cc).toContain('cenek@customer.example')
  })

  it.each([
    ['to', { to: 'bob@customer.example, nobody, eve@x.example' }, 'nobody'],
    ['cc', { cc: 'bob@customer.example, two words@x.example' }, 'words'],
    ['bcc', { bcc: 'a@b.example\r\nX-Evil: yes, c@d.example' }, ''],
  ])('says which address in %s is invalid', async (field, change, bad) => {
    const { status, error } = await send(change)
    expect(status).toBe(400)
    expect(error.fields?.[field]).toMatch(/^Please enter a valid email address/)
    expect(error.detail).toContain(bad)
    expect(sink.count).toBe(0)
  })

  it('checks every recipient against the suppressions', async () => {
    await runSql(
      app.context.db,
      `INSERT INTO suppressions (user_id, address_key, reason, created_at) VALUES ($1, 'gone@x.example', 'unsubscribed', $2)`,
      [user.id, app.clock.now()],
    )
    const { status, error } = await send({ cc: 'fine@x.example', bcc: 'Gone@X.example' })
    expect(status).toBe(400)
    expect(error.fields?.['bcc']).toBe('This address has unsubscribed from your mail.')
    expect(sink.count).toBe(0)
  })

  it('reports a recipient that the server refuses, and delivers the mail to the others', async () => {
    sink.setScript(({ step, address }) =>
      step === 'rcpt' && address === 'no@x.example' ? { reply: '550 5.2.1 Mailbox disabled' } : undefined,
    )
    const { body } = await send({ to: 'yes@x.example, no@x.example' })
    expect(body.delivery?.state).toBe('sent')
    expect(body.delivery?.reason).toMatch(/no@x\.example: .*Mailbox disabled/)
    expect(sink.received[0]?.envelope.to).toEqual(['yes@x.example'])
  })

  it('lets nobody inject a header by subject or names', async () => {
    const { file } = await uploadAs(app, user, 'x"\r\nX-File: yes\r\n.txt', 'x')
    const evil = 'Hi =?utf-8?q?=0D=0AX-Subject:_yes?='
    const withFile = { attachments: [file.id], html: '<p>x</p>' }
    const { status, error } = await send({ subject: `${evil}\r\nX-Subject: yes`, ...withFile })
    expect([status, error.fields]).toEqual([
      400,
      { subject: 'Please use one line, without control characters' },
    ])
    expect(sink.count).toBe(0)
    expect((await send({ subject: evil, ...withFile })).status).toBe(200)
    const raw = sink.received[0]?.raw.toString() ?? ''
    expect(raw).not.toMatch(/^X-(Subject|File):/im)
    for (const line of raw.split('\r\n')) expect(line.length).toBeLessThanOrEqual(998)
  })

  it('keeps long lines, leading dots and all scripts as they are', async () => {
    const content = `${'x'.repeat(5000)}\n.\n..dots\nFrom here\n\u05e9\u05dc\u05d5\u05dd 日本 🐺`
    await send({ content, html: `<p>${'y'.repeat(5000)}</p>`, subject: 'שלום 日本 🐺'.repeat(10) })
    const mail = await parsed(sink.received[0])
    expect(mail.text?.trim()).toBe(content)
    expect(mail.subject).toBe('שלום 日本 🐺'.repeat(10))
    for (const line of sink.received[0]?.raw.toString().split('\r\n') ?? [])
      expect(line.length).toBeLessThanOrEqual(998)
  })

  it('sends a picture in the text as a part of the mail', async () => {
    await send({ html: `<p>See <img alt="dot" src="${A_PICTURE}"></p>` })
    const mail = await parsed(sink.received[0])
    const [picture] = mail.attachments
    expect(picture).toMatchObject({ mimeType: 'image/png', disposition: 'inline' })
    expect(mail.html).toContain(`src="cid:${picture?.contentId?.replaceAll(/[<>]/g, '')}"`)
    expect(sink.received[0]?.raw.toString()).toContain('multipart/related')
  })
})

describe('attachments', () => {
  it('are sent byte for byte, with a clean name and the type of their bytes', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251))
    const first = await uploadAs(app, user, '../../etc/Grüße\u202Egpj.exe', bytes, 'image/png')
    const second = await uploadAs(app, user, 'notes.html', '%PDF-1.7 in truth', 'text/html')
    expect(first.file).toMatchObject({
      name: expect.not.stringMatching(/[/\u202e]/),
      type: 'application/octet-stream',
      size: 300_000,
    })
    expect(second.file.type).toBe('application/pdf')
    const { body } = await send({ attachments: [first.file.id, second.file.id], html: '<p>See both</p>' })
    expect(body.attachments).toEqual([first.file.name, second.file.name])
    const mail = await parsed(sink.received[0])
    expect(mail.attachments.map(({ filename, mimeType }) => [filename, mimeType])).toEqual([
      [first.file.name, 'application/octet-stream'],
      ['notes.html', 'application/pdf'],
    ])
    expect(Buffer.from(mail.attachments[0]?.content as ArrayBuffer).equals(bytes)).toBe(true)
    const response = await fetch(`${app.url}/api/v1/emails/${body.id}/attachments/0`, {
      headers: { Authorization: `Bearer ${user.token}` },
    })
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
  })

  it('are refused if they are missing, or somebody else’s', async () => {
    const other = await connectWriter(app, sink)
    const { file } = await uploadAs(app, other, 'a.txt', 'a')
    for (const id of [file.id, 987_654_321]) {
      const { status, error } = await send({ attachments: [id] })
      expect(status).toBe(400)
      expect(error.fields?.['attachments']).toContain('no longer exists')
    }
    expect(sink.count).toBe(0)
  })

  it('above 25 MB, each or together, are refused with the limit', async () => {
    const large = await uploadAs(app, user, 'large.bin', new Uint8Array(25 * 1024 * 1024 + 1))
    expect(large).toMatchObject({ status: 413, detail: expect.stringContaining('25 MB') })
    const halves = [
      await uploadAs(app, user, 'a.bin', new Uint8Array(13 * 1024 * 1024)),
      await uploadAs(app, user, 'b.bin', new Uint8Array(13 * 1024 * 1024)),
    ]
    const { status, error } = await send({ attachments: halves.map(({ file }) => file.id) })
    expect(status).toBe(400)
    expect(error.detail).toContain('25 MB in total')
  })

  it('that are too large for the server keep their mail in Drafts, with the files and the server’s limit', async () => {
    const small = await startSmtpSink({ maxBytes: 100_000 })
    const owner = await connectWriter(app, small)
    const { file } = await uploadAs(app, owner, 'big.bin', new Uint8Array(200_000))
    const { status, error } = await sendAs(app, owner, { attachments: [file.id], html: '<p>big</p>' })
    expect(status).toBe(400)
    expect(error).toMatchObject({ code: 'MAIL_SERVER', detail: expect.stringContaining('100000') })
    const [draft] = await listFolder(app, owner, 'drafts')
    const detail = await detailOf(app, owner, draft?.id ?? 0)
    expect(detail).toMatchObject({
      html: '<p>big</p>',
      attachments: [{ name: 'big.bin', size: 200_000, upload_id: file.id }],
    })
    await small.stop()
  })

  it('that no mail uses are deleted after a day; the others stay', async () => {
    const used = await uploadAs(app, user, 'used.txt', 'used')
    const unused = await uploadAs(app, user, 'unused.txt', 'unused')
    const { body } = await send({ attachments: [used.file.id] })
    const keyOf = async (id: number) => {
      const { rows } = await runSql(
        app.context.db,
        'SELECT blob_key FROM uploads WHERE user_id = $1 AND id = $2',
        [user.id, id],
      )
      return (rows[0] as { blob_key: string } | undefined)?.blob_key
    }
    const key = (await keyOf(unused.file.id)) ?? ''
    await purgeUploads(app.context)
    expect(await keyOf(unused.file.id)).toBe(key)
    app.clock.forward(25 * 3_600_000)
    await purgeUploads(app.context)
    expect(await keyOf(unused.file.id)).toBeUndefined()
    await expect(app.context.blobs.get(key)).rejects.toThrow()
    expect((await detailOf(app, user, body.id)).attachments[0]?.name).toBe('used.txt')
    expect((await send({ attachments: [used.file.id] })).status).toBe(200)
  })

  it('are deleted if a killed process has left them half written', async () => {
    const folder = path.join(app.dataDir, 'blobs/uploads/half')
    const file = path.join(folder, '.0a1b-2c.part')
    await mkdir(folder, { recursive: true })
    await writeFile(file, 'half')
    const yesterday = new Date(Date.now() - 86_400_000)
    await utimes(file, yesterday, yesterday)
    await purgeUploads(app.context)
    expect(await readdir(folder)).toEqual([])
  })

  it('leave nothing behind when their upload is cut off', async () => {
    const before = await runSql(app.context.db, 'SELECT count(*) AS n FROM uploads', [])
    const controller = new AbortController()
    const body = new ReadableStream({
      async start(stream) {
        stream.enqueue(
          new TextEncoder().encode(
            '--b\r\nContent-Disposition: form-data; name="file"; filename="x.bin"\r\n\r\nabc',
          ),
        )
        await new Promise((resolve) => setTimeout(resolve, 100))
        controller.abort()
      },
    })
    await fetch(`${app.url}/api/v1/emails/attachments`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${user.token}`, 'Content-Type': 'multipart/form-data; boundary=b' },
      body,
      signal: controller.signal,
      duplex: 'half',
    } as RequestInit).catch(() => {})
    await expect
      .poll(async () => (await runSql(app.context.db, 'SELECT count(*) AS n FROM uploads', [])).rows)
      .toEqual(before.rows)
  })
})

describe('replies', () => {
  it('give the time of the original in the time zone of the user who replies', async () => {
    const id = await receive(app, user, ORIGINAL)
    const { timestamp } = await detailOf(app, user, id)
    for (const timeZone of ['Asia/Tokyo', 'America/New_York']) {
      const headers = { 'X-User-Timezone': timeZone }
      await sendAs(app, user, { subject: `Re: Prices ${timeZone}`, quote_of: id }, headers)
      const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).format(
        new Date(timestamp),
      )
      const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone }).format(
        new Date(timestamp),
      )
      const { text } = await parsed(sink.received.at(-1))
      expect(text).toContain(`On ${day} at ${time}, Bea Müller wrote:`)
    }
  })

  it('are in the thread of their original, with one Re:, and quote it', async () => {
    const id = await receive(app, user, ORIGINAL)
    const { body } = await send({
      subject: 'Re: AW: Re[2]: Prices',
      html: '<p>Ten euros.</p>',
      content: 'Ten euros.',
      in_reply_to: 'third@customer.example',
      quote_of: id,
    })
    const [mail] = sink.received
    expect(header(mail, 'In-Reply-To')).toBe('<third@customer.example>')
    expect(header(mail, 'References')).toBe(
      '<first@muster.example> <second@customer.example> <third@customer.example>',
    )
    const read = await parsed(mail)
    expect(read.subject).toBe('Re: Prices')
    expect(read.text).toMatch(
      /^Ten euros\.\s+On 3 November 2026 at \d\d:\d\d, Bea Müller wrote:\n> What does it cost\?\n>> We have something new\.\s*$/,
    )
    expect(read.html).toMatch(/<p>Ten euros\.<\/p>.*<blockquote[^>]*>.*<b>cost<\/b>/s)
    expect(read.html).not.toMatch(/onclick|script/)
    expect(read.attachments).toEqual([])
    expect(body.thread_id).toBe((await detailOf(app, user, id)).thread_id)
    expect((await detailOf(app, user, body.id)).html).toBe('<p>Ten euros.</p>')
  })

  it('that forward a mail contain it unchanged, with its files, and have one Fwd:', async () => {
    const id = await receive(app, user, ORIGINAL.replaceAll('third@', 'forwarded@'))
    await send({ subject: 'Fwd: WG: Prices', content: 'For you.', forward_of: id })
    const [mail] = sink.received
    const read = await parsed(mail)
    expect(read.subject).toBe('Fwd: Prices')
    expect(header(mail, 'In-Reply-To')).toBeUndefined()
    expect(read.text).toContain(
      'For you.\n\n---------- Forwarded message ----------\nFrom: Bea Müller <bea@customer.example>\nDate: 3 November 2026 at',
    )
    expect(read.text).toContain(
      'Subject: AW: Re[2]: Prices\nTo: ada@muster.example\n\nWhat does it cost?\n> We have',
    )
    expect(read.html).toContain('<b>cost</b>')
    expect(read.attachments.map(({ filename }) => filename)).toEqual(['list.pdf'])
    expect(Buffer.from(read.attachments[0]?.content as ArrayBuffer).toString()).toBe('%PDF-1.4\n')
  })

  it('to one’s own mail that nobody replied to are follow-ups', async () => {
    const first = await sendWhole(app, user, { to: 'silent@customer.example' })
    const { message_id: messageId } = await detailOf(app, user, first.body.id)
    const again = { to: 'silent@customer.example', in_reply_to: messageId, subject: 'Re: An offer' }
    await sendWhole(app, user, again)
    const { rows } = await runSql(
      app.context.db,
      `SELECT follow_ups FROM correspondents WHERE user_id = $1 AND address_key = 'silent@customer.example'`,
      [user.id],
    )
    expect(rows).toEqual([{ follow_ups: 1 }])
  })
})

describe('the bytes of a mail', () => {
  it('are the same at each attempt, and in its source', async () => {
    const { file } = await uploadAs(app, user, 'a.bin', new Uint8Array(5000))
    let cut = true
    sink.setScript(({ step }) => (step === 'dot' && cut ? 'keep-and-drop' : undefined))
    const { body } = await send({
      html: '<p>Twice</p>',
      attachments: [file.id],
      cc: 'c@x.example',
      bcc: 'd@x.example',
    })
    expect(body.delivery?.state).toBe('unsure')
    cut = false
    app.clock.forward(10_000)
    await sink.waitFor(2)
    const [one, two] = sink.received
    expect(one?.raw.equals(two?.raw ?? Buffer.alloc(0))).toBe(true)
    expect(two?.envelope.to).toEqual(one?.envelope.to)
    const source = await fetch(`${app.url}/api/v1/emails/${body.id}/source`, {
      headers: { Authorization: `Bearer ${user.token}` },
    })
    expect(Buffer.from(await source.arrayBuffer()).equals(one?.raw ?? Buffer.alloc(0))).toBe(true)
  })
})

describe('the sending account', () => {
  it('is the one that the call names; a missing one is refused', async () => {
    const { status, error } = await send({ mailbox_id: 987_654_321 })
    expect(status).toBe(400)
    expect(error.fields?.['mailbox_id']).toContain('no longer connected')
    const own = (await call(app.url, emails.list, { token: user.token, query: { folder: 'sent' } })).body[0]
    expect((await send({ mailbox_id: own?.mailbox_id ?? 0 })).status).toBe(200)
  })
})
