import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import { emails } from '#contract/mail/emails.ts'
import { leaving } from '#contract/operations/leaving.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { meetings } from '#contract/crm/meetings.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { mailAccountAt } from '../../../tests/support/mail-account.ts'
import { type MailServers, startMailServers, testMail } from '../../../tests/support/mail-servers.ts'
import { connectReader } from '../../../tests/support/reading.ts'
import { type SinkProcess, startSinkProcess } from '../../../tests/support/sink-process.ts'
import { aMail, aTenant, mailboxOf } from '../../../tests/support/tenant-rows.ts'
import { LOOPS_MS, startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { whenQuiet } from '../../../tests/support/when-quiet.ts'
import { runSql } from '../../platform/database/transaction.ts'
import { claimDue, claimOne } from '../../mail/emails/delivery/claims-store.ts'
import { settleAndMark } from '../../mail/emails/delivery/settlements-store.ts'
import { restoreAccount } from './restore-account.ts'

const CONTACTS = 3000
/** Deleted when so many have left. */
const MIDDLE = 500
/** How long nothing must have arrived: loops that send look several times. */
const SILENT_MS = 2000
/** How long it is watched that nothing happens. */
const WATCHED_MS = 1000

let app: TestApp
/** A second process that sends from the same mailbox. */
let other: TestApp
let sink: SinkProcess
let servers: MailServers

beforeAll(async () => {
  sink = await startSinkProcess({ light: true })
  servers = await startMailServers({ users: { ada: 'open sesame' } })
  app = await startTestApp()
  other = await startTestApp({ database: { url: app.databaseUrl } })
})
afterAll(async () => {
  await other?.end()
  await app?.end()
  await servers?.stop()
  await sink?.stop()
})

async function connect(user: TestUser): Promise<void> {
  const body = mailAccountAt(sink)
  expect((await call(app.url, mailboxSetup.save, { token: user.token, body })).status).toBe(200)
}

const deleteAccount = async ({ token }: TestUser) =>
  expect((await call(app.url, leaving.deleteAccount, { token })).status).toBe(200)

async function comeBack(user: TestUser): Promise<string> {
  await restoreAccount(app.context, user.email)
  const { body } = await call(app.url, auth.login, { body: { email: user.email, password: user.password } })
  return body.token
}

it('a deletion in the middle of a run of thousands stops it; after a restore the rest does, each once', async () => {
  const user = await signUp(app.url)
  await connect(user)
  await runSql(
    app.context.db,
    `INSERT INTO contacts (user_id, name, email, email_key, created_at, updated_at)
     SELECT $1, 'Person ' || n, 'person' || n || '@far.example', 'person' || n || '@far.example', $2, $2
     FROM generate_series(1, $3::int) AS n`,
    [user.id, app.clock.now(), CONTACTS],
  )
  void call(app.url, outreach.generateAndSend, { token: user.token }).catch(() => {})
  await expect.poll(() => sink.count(), { timeout: 60_000 }).toBeGreaterThanOrEqual(MIDDLE)
  await deleteAccount(user)
  const answered = Date.now()
  const { count: arrived, last } = await whenQuiet(sink, SILENT_MS)
  expect(arrived).toBeLessThan(CONTACTS)
  expect(last - answered).toBeLessThan(10_000)

  // Restored, but not resumed: still silent.
  const token = await comeBack(user)
  await pause(WATCHED_MS)
  expect(await sink.count()).toBe(arrived)
  const { body } = await call(app.url, leaving.mailPause, { token })
  expect(body.waiting).toBeGreaterThan(0)

  expect((await call(app.url, leaving.resumeMail, { token })).status).toBe(200)
  await expect.poll(() => sink.count(), { timeout: 90_000 }).toBeGreaterThanOrEqual(CONTACTS)
  const ids = await sink.byMessageId()
  expect(ids.size).toBe(CONTACTS)
  expect(Math.max(...[...ids.values()].map((times) => times.length))).toBe(1)
}, 200_000)

it('a mail that a worker has claimed is not marked for its final dot after the deletion', async () => {
  const idle = await startTestApp({ roles: ['web'] })
  try {
    const tenant = await aTenant(idle, 'dunlin')
    const { db, workerId, clock } = idle.context
    const emailId = await aMail(tenant, {}, { state: 'queued' })
    const mailboxId = await mailboxOf(tenant)
    const by = { workerId, userId: tenant.id, mailboxId, emailId }
    const claim = await claimOne(db, by)
    if (claim === undefined) throw new Error('Nothing was claimed')
    expect((await call(idle.url, leaving.deleteAccount, { token: tenant.token })).status).toBe(200)
    expect(await settleAndMark(db, workerId, [], [claim])).toEqual(new Set())
    expect(await claimOne(db, by)).toBeUndefined()
    expect(await claimDue(db, { ...by, now: new Date(clock.now().getTime() + 1e12), limit: 10 })).toEqual([])
  } finally {
    await idle.end()
  }
})

it('queued and scheduled mails and reminders of a deleted account do not leave when their time comes', async () => {
  await sink.clear()
  const user = await signUp(app.url)
  await connect(user)
  const { token } = user
  const at = (minutes: number) => new Date(app.clock.now().getTime() + minutes * 60_000).toISOString()
  const letter = { to: 'kim@far.example', subject: 'Hello', content: 'Hello' }
  await call(app.url, emails.send, { token, body: { ...letter, schedule_at: at(5) } })
  await call(app.url, emails.send, { token, body: { ...letter, undo_seconds: 30 } })
  const meeting = {
    title: 'Call Kim',
    start_time: at(60),
    end_time: at(90),
    type: 'phone',
    attendees: ['kim@far.example'],
    reminder_minutes: 15,
  } as const
  expect(
    (await call(app.url, meetings.add, { token, body: { ...meeting, attendees: [...meeting.attendees] } }))
      .status,
  ).toBe(200)
  await deleteAccount(user)
  for (const { clock } of [app, other]) clock.forward(50 * 60_000)
  await pause(LOOPS_MS)
  expect(await sink.count()).toBe(0)
  const back = await comeBack(user)
  await call(app.url, leaving.resumeMail, { token: back })
  await expect.poll(() => sink.count()).toBe(3)
}, 180_000)

it('the mailbox of a deleted account is read no more, and again once mail is resumed', async () => {
  const reader = await connectReader(
    app,
    servers.dovecot.user('ada'),
    'ada@muster.example',
    servers.sink.port,
  )
  const deliver = (id: string) =>
    servers.dovecot.deliver(
      'ada',
      'INBOX',
      testMail({ To: 'ada@muster.example', 'Message-ID': `<${id}@x.example>` }),
    )
  const stored = async () => {
    const text = 'SELECT message_id FROM emails WHERE user_id = $1 ORDER BY id'
    return (await runSql(app.context.db, text, [reader.id])).rows.length
  }
  const held = async () => {
    const text = 'SELECT FROM mailboxes WHERE user_id = $1 AND reader_id IS NOT NULL'
    return (await runSql(app.context.db, text, [reader.id])).rows.length
  }
  await deliver('first')
  await expect.poll(stored).toBe(1)
  await expect.poll(held).toBe(1)
  // The connection is idle now, and tells of new mail at once.
  await deliver('second')
  await expect.poll(stored).toBe(2)
  const loggedOut = async () =>
    ((await servers.dovecot.log()).match(/Disconnected: (Logged out|Connection closed)/g) ?? []).length
  const before = await loggedOut()
  await deleteAccount(reader)
  await expect.poll(loggedOut).toBeGreaterThan(before)
  expect(await held()).toBe(0)
  await deliver('third')
  await pause(WATCHED_MS)
  expect(await stored()).toBe(2)
  const token = await comeBack(reader)
  await call(app.url, leaving.resumeMail, { token })
  await expect.poll(stored).toBe(3)
}, 180_000)
