import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { emails } from '#contract/mail/emails.ts'
import { call } from '../../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../../tests/support/factories.ts'
import { testMail } from '../../../../tests/support/mail-servers.ts'
import { storeMails } from '../../../../tests/support/stored-mails.ts'
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts'
import { inTransaction, runSql } from '../../../platform/database/transaction.ts'
import { ingestRaw } from './ingest-raw.ts'

const DAY_MS = 86_400_000
let app: TestApp
let ada: TestUser
let mailboxId: number

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
})
afterAll(() => app?.end())
beforeEach(async () => {
  ada = await signUp(app.url)
  const { rows } = await runSql(
    app.context.db,
    `INSERT INTO mailboxes (user_id, is_primary, address, created_at) VALUES ($1, true, 'ada@muster.example', '2026-01-01') RETURNING id`,
    [ada.id],
  )
  mailboxId = (rows[0] as { id: number }).id
})

const reportAbout = (to: string, at: Date, id = 'of-another-program@muster.example') =>
  testMail(
    {
      From: `Mail Delivery System <MAILER-DAEMON@${to.split('@')[1]}>`,
      Subject: `Undelivered: ${to}`,
      Date: at.toUTCString(),
      'Message-ID': `<report-${crypto.randomUUID()}@far.example>`,
      'MIME-Version': '1.0',
      'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b',
    },
    `--b\r\nContent-Type: text/plain\r\n\r\nIt came back.\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.far.example\r\n\r\nFinal-Recipient: rfc822; ${to}\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 User unknown\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <${id}>\r\n--b--\r\n`,
  )

async function arrive(raw: string, receivedAt: Date): Promise<void> {
  await inTransaction(app.context.db, (tx) =>
    ingestRaw(app.context, tx, { userId: ada.id, mailboxId, raw: Buffer.from(raw), receivedAt }),
  )
}

/** Reports that came in one after the other, each about a mail that Ada has sent before. */
async function reports(count: number, before = 0): Promise<void> {
  const start = app.context.clock.now().getTime() - before - count * 1000
  for (let index = 0; index < count; index++) {
    const to = `gone${index}-${before}@far.example`
    const [mail] = await storeMails(app, ada.id, [
      { direction: 'out', folder: 'sent', from: 'ada@muster.example', to, correspondent: to, read: true },
    ])
    const { rows } = await runSql(app.context.db, 'SELECT message_id AS id FROM emails WHERE id = $1', [mail])
    const at = new Date(start + index * 1000)
    await arrive(reportAbout(to, at, (rows[0] as { id: string }).id), at)
  }
}

type Query = NonNullable<Parameters<typeof call<typeof emails.list>>[2]>['query']
async function list(query: Query = {}) {
  const answer = await call(app.url, emails.list, { token: ada.token, query: { page_size: 50, ...query } })
  expect(answer.status).toBe(200)
  return { rows: answer.body, total: Number(answer.headers.get('X-Total-Count')) }
}
const inbox = async () =>
  (await list({ collapse: 'true' })).rows.map(({ is_report, collapsed, isRead }) => ({
    is_report,
    collapsed,
    isRead,
  }))
const listed = () => list({ filter: 'reports' })
const unread = async () => (await call(app.url, emails.counts, { token: ada.token })).body.unread_inbox
const act = async (action: 'unread' | 'read' | 'trash', ids: number[], collapsed = false) => {
  const answer = await call(app.url, emails.act, { token: ada.token, body: { action, ids, collapsed } })
  expect(answer.status).toBe(200)
}

describe('delivery reports about the mails of a user', () => {
  test('are one row of the inbox, read, however many came', async () => {
    await storeMails(app, ada.id, [{ subject: 'Good day' }])
    expect(await listed()).toEqual({ rows: [], total: 0 })
    expect(await inbox()).toEqual([{ is_report: false, collapsed: 1, isRead: false }])

    await reports(1)
    expect((await inbox())[0]).toEqual({ is_report: true, collapsed: 1, isRead: true })

    await reports(11, 60_000)
    expect(await inbox()).toEqual([
      { is_report: true, collapsed: 12, isRead: true },
      { is_report: false, collapsed: 1, isRead: false },
    ])
    expect(await unread()).toBe(1)
    expect((await list({ collapse: 'true' })).total).toBe(2)
  })

  test('can each be read in their list, newest first, and none is dropped or moved', async () => {
    await reports(12)
    const { rows, total } = await listed()
    expect(total).toBe(12)
    expect(rows.map(({ subject }) => subject)).toEqual(
      Array.from({ length: 12 }, (_, index) => `Undelivered: gone${11 - index}-0@far.example`),
    )
    expect(rows.every(({ collapsed, status }) => collapsed === 1 && status === 'received')).toBe(true)
    const second = await list({ filter: 'reports', page: 2, page_size: 5 })
    expect(second.rows.map(({ id }) => id)).toEqual(rows.slice(5, 10).map(({ id }) => id))
    expect((await list()).total).toBe(12)
    const opened = await call(app.url, emails.get, { token: ada.token, params: { id: rows[3]?.id ?? 0 } })
    expect(opened.body).toMatchObject({ is_report: true, subject: 'Undelivered: gone8-0@far.example' })
    expect(opened.body.content).toContain('It came back.')
    const search = await list({ filter: 'reports', folder: 'sent' })
    expect(search).toEqual({ rows: [], total: 0 })
  })

  test('are unread again where the user says so, and the row with them', async () => {
    await reports(3)
    const [, second] = (await listed()).rows
    await act('unread', [second?.id ?? 0])
    expect(await unread()).toBe(1)
    expect(await inbox()).toEqual([{ is_report: true, collapsed: 3, isRead: false }])
    await act('read', [second?.id ?? 0])
    expect(await inbox()).toEqual([{ is_report: true, collapsed: 3, isRead: true }])
  })

  test('leave the row one by one, or all at once', async () => {
    await reports(4)
    const { rows } = await listed()
    await act('trash', [rows[0]?.id ?? 0])
    expect(await inbox()).toEqual([{ is_report: true, collapsed: 3, isRead: true }])
    expect((await listed()).total).toBe(3)
    expect((await list({ filter: 'reports', folder: 'trash' })).total).toBe(1)
    await act('trash', [rows[1]?.id ?? 0], true)
    expect(await inbox()).toEqual([])
    expect((await list({ filter: 'reports', folder: 'trash' })).total).toBe(4)
  })

  test('stay alone and unread if they are about no mail of hers', async () => {
    await reports(2)
    const now = app.context.clock.now()
    await arrive(reportAbout('friend@far.example', now), now)
    expect(await inbox()).toEqual([
      { is_report: false, collapsed: 1, isRead: false },
      { is_report: true, collapsed: 2, isRead: true },
    ])
    expect(await unread()).toBe(1)
    expect((await listed()).total).toBe(2)
  })

  test('that name no mail of hers fold too, and stay unread: nothing else follows from them', async () => {
    await reports(1)
    const now = app.context.clock.now()
    await arrive(reportAbout('gone0-0@far.example', now), now)
    expect(await inbox()).toEqual([{ is_report: true, collapsed: 2, isRead: false }])
    expect(await unread()).toBe(1)
  })

  test('that an account had before fold, and stay unread', async () => {
    await reports(2, 10 * DAY_MS)
    expect(await inbox()).toEqual([{ is_report: true, collapsed: 2, isRead: false }])
    expect(await unread()).toBe(2)
  })

  test('are of one account where one is asked for, and of one user', async () => {
    await reports(2)
    const bob = await signUp(app.url)
    expect((await list({ filter: 'reports', mailbox: mailboxId })).total).toBe(2)
    const theirs = await call(app.url, emails.list, { token: bob.token, query: { filter: 'reports' } })
    expect(theirs.body).toEqual([])
  })

  test('are listed and counted by an index, however many mails there are', async () => {
    await reports(2)
    await runSql(
      app.context.db,
      `INSERT INTO emails (user_id, mailbox_id, thread_id, direction, folder, kind, message_id, subject, collapse_key, occurred_at, created_at, from_address)
       SELECT $1, $2, n, 'in', 'inbox', 'personal', 'm' || n || '@far.example', 'Mail ' || n, 'k' || n, now() - n * interval '1 second', now(), 'x@far.example'
       FROM generate_series(1, 20000) n`,
      [ada.id, mailboxId],
    )
    await runSql(app.context.db, 'ANALYZE emails')
    const where = `user_id = ${ada.id} AND folder = 'inbox' AND collapse_key = 'delivery-reports'`
    for (const query of [
      `SELECT id FROM emails WHERE ${where} ORDER BY occurred_at DESC, id DESC LIMIT 50`,
      `SELECT count(*) FROM emails WHERE ${where}`,
    ]) {
      const { rows } = await runSql(app.context.db, `EXPLAIN ${query}`)
      const plan = JSON.stringify(rows)
      expect(plan).toMatch(/Index Only Scan using (emails_reports|emails_inbox_by_collapse)/)
      expect(plan).not.toMatch(/Seq Scan|Sort/)
    }
    expect((await listed()).total).toBe(2)
  })
})

test.each(['deleted', 'drafts'])('a report counts whose mail has a namesake that is %s', async (folder) => {
  const to = 'gone@far.example'
  const own = { direction: 'out', from: 'ada@muster.example', to, correspondent: to } as const
  const ids = await storeMails(app, ada.id, [
    { ...own, folder: 'sent' },
    { ...own, folder },
  ])
  const id = `twice-${crypto.randomUUID()}@muster.example`
  await runSql(app.context.db, 'UPDATE emails SET message_id = $1 WHERE id = ANY($2::bigint[])', [id, ids])
  await arrive(reportAbout(to, app.clock.now(), id), app.clock.now())
  const { rows } = await runSql(
    app.context.db,
    'SELECT address_key, reason FROM suppressions WHERE user_id = $1',
    [ada.id],
  )
  expect(rows).toEqual([{ address_key: to, reason: 'bounced' }])
})
