import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import { emails } from '#contract/mail/emails.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { call } from '../../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../../tests/support/factories.ts'
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts'
import { inTransaction, runSql } from '../../../platform/database/transaction.ts'
import { primaryMailbox } from '../../mailboxes/mailboxes.ts'
import { ingestRaw } from '../ingest/ingest-raw.ts'

let app: TestApp
let ada: TestUser

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
  ada = await signUp(app.url)
  await call(app.url, mailboxSetup.practice, { token: ada.token })
})

afterAll(() => app?.end())

let serial = 0

/** Delivers a mail to the user. @returns its id */
async function arrive(raw: string | Buffer): Promise<number> {
  const { context } = app
  const mailbox = await primaryMailbox(context.db, ada.id)
  const bytes = Buffer.from(`Message-ID: <${++serial}@far.example>\r\n${raw.toString('latin1')}`, 'latin1')
  await inTransaction(context.db, (tx) =>
    ingestRaw(context, tx, {
      userId: ada.id,
      mailboxId: mailbox?.id ?? 0,
      raw: bytes,
      receivedAt: new Date(app.clock.now().getTime() + serial),
    }),
  )
  const list = await call(app.url, emails.list, { token: ada.token, query: { page_size: 1 } })
  return list.body[0]?.id ?? 0
}

const multipart = (...parts: string[]) =>
  [
    'From: Bea <bea@far.example>',
    'Subject: Files',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    ...parts.map((part) => `--b\r\n${part}`),
    '--b--',
    '',
  ].join('\r\n')
const file = (type: string, name: string, content: Buffer) =>
  `Content-Type: ${type}\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${content.toString('base64')}`
const fetchRaw = (path: string) =>
  fetch(`${app.url}/api/v1${path}`, { headers: { Authorization: `Bearer ${ada.token}` } })

const PNG = Buffer.from('\x89PNG\r\n\x1a\n and so on', 'latin1')

describe('an attachment', () => {
  test('is the file that the row lists, also if named text parts did not count as files yet', async () => {
    const id = await arrive(
      multipart(
        'Content-Type: text/plain\r\n\r\nSee the files.',
        'Content-Type: text/plain; name="notes.txt"\r\n\r\nNotes',
        file('image/png', 'moon.png', PNG),
      ),
    )
    const { body } = await call(app.url, emails.get, { token: ada.token, params: { id } })
    expect(body.attachments.map(({ name }) => name)).toEqual(['notes.txt', 'moon.png'])
    expect(await (await fetchRaw(`/emails/${id}/attachments/0`)).text()).toMatch(/^Notes/)
    await runSql(
      app.context.db,
      'UPDATE email_bodies SET files = files - 0 WHERE user_id = $1 AND email_id = $2',
      [ada.id, id],
    )
    const served = await fetchRaw(`/emails/${id}/attachments/0`)
    expect(Buffer.from(await served.arrayBuffer())).toEqual(PNG)
  })

  test('is shown as its real type, or only downloaded', async () => {
    const id = await arrive(
      multipart(
        'Content-Type: text/plain\r\n\r\nSee the files.',
        file('image/png', 'moon.png', PNG),
        file('text/html', 'page.html', Buffer.from('<script>alert(1)</script>')),
        file('text/csv', 'list.csv', Buffer.from('name\nGr\xfc\xdfe', 'latin1')),
      ),
    )
    const { body } = await call(app.url, emails.get, { token: ada.token, params: { id } })
    expect(body.attachments).toEqual([
      { id: 0, name: 'moon.png', type: 'image/png', size: PNG.length },
      { id: 1, name: 'page.html', type: 'text/html', size: 25 },
      { id: 2, name: 'list.csv', type: 'text/csv', size: 10 },
    ])
    const picture = await fetchRaw(`/emails/${id}/attachments/0?preview=true`)
    expect(picture.headers.get('content-type')).toBe('image/png')
    expect(picture.headers.get('content-disposition')).toMatch(/^inline; filename="moon\.png"/)
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(PNG)

    const page = await fetchRaw(`/emails/${id}/attachments/1?preview=true`)
    expect(page.status).toBe(415)
    expect(await page.json()).toMatchObject({ detail: expect.stringContaining('cannot be shown') })
    const saved = await fetchRaw(`/emails/${id}/attachments/1`)
    expect(saved.headers.get('content-type')).toBe('application/octet-stream')
    expect(saved.headers.get('content-disposition')).toMatch(/^attachment;/)

    const text = await fetchRaw(`/emails/${id}/attachments/2?preview=true`)
    expect(text.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(text.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await text.text()).toBe('name\nGrüße')
  })
})

test('the HTML of a mail is sanitized and has no remote content', async () => {
  const html = '<p onclick="x()">Hi <b>Ada</b><script>y()</script><img src="https://spy.example/a.gif"></p>'
  const id = await arrive(
    `From: Bea <bea@far.example>\r\nSubject: Hi\r\nContent-Type: text/html\r\n\r\n${html}\r\n`,
  )
  const { body } = await call(app.url, emails.get, { token: ada.token, params: { id } })
  expect(body.html).toContain('<b>Ada</b>')
  expect(body.html).not.toMatch(/onclick|script| src=/)
  expect(body.remote_parts).toBe(1)
})

describe('the source', () => {
  test('of a received mail is its raw bytes, as text', async () => {
    const id = await arrive('From: Bea <bea@far.example>\r\nSubject: Hi\r\n\r\n<script>alert(1)</script>\r\n')
    const answer = await fetchRaw(`/emails/${id}/source`)
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    expect(await answer.text()).toMatch(/^Message-ID: <\d+@far\.example>\r\nFrom: Bea/)
  })

  test('of a mail written here is what is sent', async () => {
    const sent = await call(app.url, emails.send, {
      token: ada.token,
      body: { to: 'bob@far.example', subject: 'Grüße', content: 'Hello Bob' },
    })
    const text = await (await fetchRaw(`/emails/${sent.body.id}/source`)).text()
    expect(text).toContain('To: bob@far.example')
    expect(text).toMatch(/Subject: =\?UTF-8\?/i)
    expect(text).toContain('Hello Bob')
  })

  test('of a mail without a sender address is refused in a sentence', async () => {
    const eve = await signUp(app.url)
    const saved = await call(app.url, mailboxSetup.save, {
      token: eve.token,
      body: {
        imap_host: '127.0.0.1',
        imap_port: 1143,
        imap_username: 'eve',
        imap_password: 'secret',
        imap_use_ssl: false,
      },
    })
    expect(saved.status).toBe(200)
    const message = { to: 'bob@far.example', subject: 'Hello', content: 'Hello Bob' }
    const { body } = await call(app.url, emails.saveDraft, { token: eve.token, body: message })
    const answer = await fetch(`${app.url}/api/v1/emails/${body.id}/source`, {
      headers: { Authorization: `Bearer ${eve.token}` },
    })
    expect(answer.status).toBe(409)
    expect(await answer.json()).toEqual({
      detail: 'This email has no source: an address that it needs is missing.',
      code: 'CONFLICT',
    })
  })
})

test('the frame of a mail stops working when the session that opened it ends', async () => {
  const id = await arrive(
    'From: Bea <bea@far.example>\r\nSubject: Hi\r\nContent-Type: text/html\r\n\r\n<p>Hi <b>Ada</b></p>\r\n',
  )
  const login = () =>
    call(app.url, auth.login, { body: { email: ada.email, password: ada.password } }).then(
      ({ body }) => body.token,
    )
  const [here, elsewhere] = [await login(), await login()]
  const frameFor = async (token: string) =>
    app.url + ((await call(app.url, emails.get, { token, params: { id } })).body.html_url ?? '')
  const [frame, other] = [await frameFor(here), await frameFor(elsewhere)]
  const status = async (url: string) => (await fetch(url)).status
  expect([await status(frame), await status(other)]).toEqual([200, 200])
  expect((await fetch(frame)).headers.get('Cache-Control')).toBe('private, no-store')
  await call(app.url, auth.logout, { token: here })
  expect([await status(frame), await status(other)]).toEqual([404, 200])
  // A key with another session's name and this one's signature opens nothing.
  const sessionOf = (url: string) => url.split('.').at(-2) ?? ''
  expect(await status(frame.replace(sessionOf(frame), sessionOf(other)))).toBe(404)
})

describe('remote pictures', () => {
  test('load without asking while their sender is trusted', async () => {
    const html =
      'From: News <news@far.example>\r\nSubject: News\r\nContent-Type: text/html\r\n\r\n<p>Hi</p><img src="https://far.example/a.png">'
    const first = await arrive(html)
    const open = async (id: number) =>
      (await call(app.url, emails.get, { token: ada.token, params: { id } })).body
    expect(await open(first)).toMatchObject({ remote_parts: 1, remote_allowed: false })
    const trust = (trusted: boolean) =>
      call(app.url, emails.trustSender, { token: ada.token, params: { id: first }, body: { trusted } })
    expect((await trust(true)).body).toEqual({ ok: true })
    expect((await trust(true)).body).toEqual({ ok: true })
    const second = await arrive(html.replace('News <news@', 'Other <NEWS@'))
    expect(await open(second)).toMatchObject({ remote_allowed: true })
    await trust(false)
    expect(await open(second)).toMatchObject({ remote_allowed: false })
  })
})

describe('an invitation', () => {
  test('is part of the opened mail', async () => {
    const id = await arrive(
      multipart(
        'Content-Type: text/plain\r\n\r\nPlease come.',
        'Content-Type: text/calendar; method=REQUEST\r\n\r\nBEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Lunch\r\nDTSTART:20260710T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
      ),
    )
    const { body } = await call(app.url, emails.get, { token: ada.token, params: { id } })
    expect(body.invitation).toMatchObject({
      method: 'request',
      title: 'Lunch',
      starts_at: '2026-07-10T10:00:00.000Z',
    })
  })
})
