import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import { emails } from '#contract/mail/emails.ts'
import { heldMails } from '#contract/mail/held-mail.ts'
import { leaving, MAIL_PAUSED } from '#contract/operations/leaving.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { operatorCommand } from '../../../tests/support/operator-command.ts'
import { call } from '../../../tests/support/client.ts'
import { type Dovecot, startDovecot } from '../../../tests/support/dovecot.ts'
import { PASSWORD, signUp, type TestUser } from '../../../tests/support/factories.ts'
import { addContact, connectReader } from '../../../tests/support/reading.ts'
import { backUp, emptyHouse, restoreInto } from '../../../tests/support/restored-house.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { aRecurringInvoice } from '../../../tests/support/tenant-rows.ts'
import { movableClock, startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { until } from '../../../tests/support/until.ts'
import { connectTo, connectWriter, sendAs } from '../../../tests/support/writing.ts'
import { connect } from '../../platform/database/connect.ts'
import { inTransaction, runSql } from '../../platform/database/transaction.ts'
import { queueSystemMail, writeSystemMail } from '../../accounts/system-mail/system-mail.ts'

// A backup is taken while much waits, the house goes on and sends all of it, and then the backup is brought back.

const HOUR_MS = 3_600_000
const NOT_NOW = '451 4.7.1 Come back later'

let sink: SmtpSink
let dovecot: Dovecot
let folder: string
let archive: string
/** The house that the backup was taken from. It goes on. */
let first: TestApp
let second: TestApp
let ada: TestUser
let bob: TestUser
let cleo: TestUser
/** Administrators when the backup is taken. */
let dora: TestUser
let eric: TestUser
/** Somebody whose row is lost afterwards. */
let fay: TestUser
const ended: (() => Promise<unknown>)[] = []
const clock = movableClock()

/** Mails to an address that the sink has taken. */
const arrived = (address: string) =>
  sink.received.filter(({ envelope }) => envelope.to.includes(address)).length
const environmentOf = () => ({ SYSTEM_SMTP_URL: `smtp://127.0.0.1:${sink.port}?from=howl@muster.example` })

beforeAll(async () => {
  sink = await startSmtpSink()
  dovecot = await startDovecot({ users: { cleo: 'secret' } })
  folder = await mkdtemp(path.join(os.tmpdir(), 'howl-backups-'))
  first = await startTestApp({ environment: environmentOf(), clock })
  ada = await connectWriter(first, sink)
  bob = await connectWriter(first, sink)
  cleo = await connectReader(first, dovecot.user('cleo'), 'cleo@muster.example', sink.port)
  ;[dora, eric, fay] = [await signUp(first.url), await signUp(first.url), await signUp(first.url)]
  await runSql(first.context.db, 'UPDATE users SET is_admin = true WHERE id = ANY($1)', [[dora.id, eric.id]])
  // Mails about the new accounts are not part of this.
  const unsent = () => runSql(first.context.db, `SELECT FROM system_mails WHERE state <> 'sent'`)
  await until(async () => expect((await unsent()).rows).toEqual([]))
  // Nothing is taken now, so all of it waits.
  sink.setScript(({ step }) => (step === 'mail' ? { reply: NOT_NOW } : undefined))
  for (const [user, name] of [
    [ada, 'ada'],
    [bob, 'bob'],
    [cleo, 'cleo'],
  ] as const) {
    await sendAs(first, user, { to: `deferred@${name}.example`, subject: 'Deferred' })
    const schedule_at = new Date(clock.now().getTime() + HOUR_MS).toISOString()
    await sendAs(first, user, { to: `scheduled@${name}.example`, subject: 'Scheduled', schedule_at })
  }
  await addContact(first, ada, 'person@run.example')
  await call(first.url, outreach.generateAndSend, { token: ada.token })
  await inTransaction(first.context.db, (tx) =>
    queueSystemMail(first.context, tx, {
      to: 'notice@system.example',
      ...writeSystemMail('A notice', ['Something has changed.']),
    }),
  )
  // A run whose contact is still to be written.
  const { rows: runs } = await runSql(
    first.context.db,
    `INSERT INTO outreach_batches (user_id, mailbox_id, state, total, is_listed, started_at)
     SELECT user_id, id, 'paused', 1, true, $2 FROM mailboxes WHERE user_id = $1 LIMIT 1 RETURNING id`,
    [bob.id, clock.now()],
  )
  await runSql(
    first.context.db,
    `INSERT INTO outreach_items (user_id, batch_id, contact_id, name, address, state)
     VALUES ($1, $2, 1, 'Kim', 'kim@run.example', 'pending')`,
    [bob.id, (runs[0] as { id: number }).id],
  )
  // What is good for a while.
  await runSql(
    first.context.db,
    `INSERT INTO bans (user_id, reason, description, by_rules, banned_at, status, ended_at, appeal_signature, appeal_until)
     VALUES ($1, 'spam', 'An older ban', false, $2, 'lifted', $2, 'an older link', $2)`,
    [dora.id, clock.now()],
  )
  await runSql(first.context.db, `INSERT INTO admin_claims VALUES ('a claim link', $1)`, [clock.now()])
  await runSql(
    first.context.db,
    `INSERT INTO recovery_codes VALUES ($1, 'used later', NULL), ($1, 'free', NULL)`,
    [dora.id],
  )
  // An invoice that is made again an hour from now; the first house makes it in a far year.
  const recurring = await aRecurringInvoice({ ...ada, app: first, mark: 'held' })
  const dueAt = (at: Date) =>
    runSql(first.context.db, 'UPDATE recurring_invoices SET due_at = $2 WHERE id = $1', [recurring, at])
  await dueAt(new Date(clock.now().getTime() + HOUR_MS))
  archive = await backUp(first, folder)
  await dueAt(new Date('2100-01-31'))

  // The first house goes on: everything leaves.
  sink.setScript(undefined)
  clock.forward(2 * HOUR_MS)
  const left = ['ada', 'bob', 'cleo'].flatMap((name) => [
    `deferred@${name}.example`,
    `scheduled@${name}.example`,
  ])
  for (const address of [...left, 'person@run.example', 'notice@system.example'])
    await until(() => expect(arrived(address)).toBe(1), 30_000)
  // A mail in Sent, as most servers file it: only one of the two, so the other is not known to have left.
  const { raw } = sink.received.find(({ envelope }) => envelope.to.includes('deferred@cleo.example')) ?? {}
  await first.stop()
  await dovecot.deliver('cleo', 'Sent', raw ?? '')

  const house = await emptyHouse()
  await restoreInto(house, archive, clock)
  second = await startTestApp({ environment: environmentOf(), clock, database: house.database })
  ended.push(() => second.end())
}, 120_000)
afterAll(async () => {
  for (const end of ended.splice(0)) await end()
  await first?.end().catch(() => {})
  await sink?.stop()
  await dovecot?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function loggedIn({ email }: TestUser): Promise<string> {
  const { body } = await call(second.url, auth.login, { body: { email, password: PASSWORD } })
  return body.token
}

const SENT = [
  'deferred@ada.example',
  'deferred@bob.example',
  'deferred@cleo.example',
  'notice@system.example',
  'person@run.example',
  'scheduled@ada.example',
  'scheduled@bob.example',
  'scheduled@cleo.example',
]
const counts = () => SENT.map((address) => arrived(address))

it('an older backup sends nothing by itself, though everything is due', async () => {
  const before = sink.received.length
  clock.forward(24 * HOUR_MS)
  // Mails of somebody new leave: the loops have come round, and what is due would have left before.
  const eve = await signUp(second.url)
  await connectTo(second, sink, eve)
  await sendAs(second, eve, { to: 'somebody@eve.example' })
  await expect.poll(() => arrived(eve.email)).toBeGreaterThanOrEqual(1)
  const since = sink.received.slice(before).flatMap(({ envelope }) => envelope.to)
  expect([...new Set(since)].toSorted()).toEqual(['somebody@eve.example', eve.email].toSorted())
  expect(counts()).toEqual(SENT.map(() => 1))
})

it('each user sees what waits, and what may have left', async () => {
  const token = await loggedIn(ada)
  const { body } = await call(second.url, heldMails.list, { token })
  expect(body).toMatchObject({ total: 2, may_have_left: 2, runs: 1, recurring: 1 })
  expect(body?.mails.map(({ subject, to, may_have_left: left }) => [subject, to, left])).toEqual([
    ['Deferred', 'deferred@ada.example', true],
    ['Scheduled', 'scheduled@ada.example', true],
  ])
  expect((await call(second.url, leaving.mailPause, { token })).body.paused_at).not.toBeNull()
  const refused = await sendAs(second, { ...ada, token }, { to: 'more@ada.example' })
  expect([refused.status, refused.error.detail]).toEqual([409, MAIL_PAUSED])
})

it('only “Send” ends the hold: resuming after an account was restored is another thing', async () => {
  const token = await loggedIn(ada)
  const { status, error } = await call(second.url, leaving.resumeMail, { token })
  expect(status).toBe(409)
  expect(error.detail).toContain('Please open “See what waits” first')
  expect((await call(second.url, leaving.mailPause, { token })).body.paused_at).not.toBeNull()
  expect((await call(second.url, heldMails.list, { token })).body?.may_have_left).toBe(2)
})

it('“Send” leaves out what may have left, and the user can send it again one by one', async () => {
  const token = await loggedIn(ada)
  expect((await call(second.url, heldMails.send, { token, body: { leave_out: true } })).status).toBe(200)
  expect((await call(second.url, heldMails.list, { token })).body).toBeNull()
  const after = await sendAs(second, { ...ada, token }, { to: 'after@ada.example' })
  expect(after.status).toBe(200)
  expect(counts()).toEqual(SENT.map(() => 1))
  const { body } = await call(second.url, emails.list, { token, query: { folder: 'sent' } })
  const left = body.filter(({ delivery }) => delivery?.state === 'failed')
  expect(left.map(({ subject }) => subject).toSorted()).toEqual(['Deferred', 'Scheduled'])
  expect(left[0]?.delivery?.reason).toContain('It may have left before')
  const { rows } = await runSql(
    second.context.db,
    `SELECT due_at > '2099-12-31' AS passed_over FROM recurring_invoices WHERE user_id = $1`,
    [ada.id],
  )
  expect(rows).toEqual([{ passed_over: true }])
  // The run stays paused.
  expect((await call(second.url, outreach.current, { token })).body?.state).toBe('paused')
})

it('without leaving out, what is in the Sent folder does not go twice, and the rest goes', async () => {
  const token = await loggedIn(cleo)
  await call(second.url, heldMails.send, { token, body: { leave_out: false } })
  await expect.poll(() => arrived('scheduled@cleo.example'), { timeout: 30_000 }).toBe(2)
  const states = async () => {
    const { body } = await call(second.url, emails.list, { token, query: { folder: 'sent' } })
    return new Set(body.map(({ delivery }) => delivery?.state ?? 'sent'))
  }
  await expect.poll(states, { timeout: 30_000 }).toEqual(new Set(['sent']))
  expect(arrived('deferred@cleo.example')).toBe(1)
  const ids = await runSql(
    second.context.db,
    `SELECT message_id FROM emails WHERE user_id = $1 GROUP BY 1 HAVING count(*) > 1`,
    [cleo.id],
  )
  expect(ids.rows).toEqual([])
})

it('mail of Howl itself waits for the operator, who ends the hold of everybody', async () => {
  const ofHouse = () =>
    runSql(second.context.db, `SELECT state FROM system_mails WHERE to_address = 'notice@system.example'`)
  expect((await ofHouse()).rows).toEqual([{ state: 'held' }])
  expect(await operatorCommand(second, 'restore', '--resume')).toEqual({
    code: 0,
    said: 'Mail of 4 users is sent and read again, but for what may have left before.\n',
  })
  expect((await ofHouse()).rows).toEqual([])
  const token = await loggedIn(bob)
  expect((await call(second.url, leaving.mailPause, { token })).body.paused_at).toBeNull()
  expect((await sendAs(second, { ...bob, token }, { to: 'after@bob.example' })).status).toBe(200)
  expect(arrived('deferred@bob.example')).toBe(1)
  expect(arrived('notice@system.example')).toBe(1)
})

it('restored over the house that went on, it knows what had happened there', async () => {
  const { db, close } = connect(first.databaseUrl, () => {})
  const now = clock.now()
  const change = (text: string, ...values: unknown[]) => runSql(db, text, values)
  const unsubscribed = `INSERT INTO suppressions (user_id, address_key, reason, created_at) VALUES ($1, $2, 'unsubscribed', $3)`
  await change(unsubscribed, ada.id, 'kim@left.example', now)
  // While the snapshot was being taken: not in it, but noted a moment before.
  await change(unsubscribed, ada.id, 'lee@left.example', new Date(now.getTime() - 27 * HOUR_MS))
  await change('UPDATE users SET deleted_at = $2, mail_paused_at = $2 WHERE id = $1', bob.id, now)
  await change(`UPDATE outreach_items SET state = 'written' WHERE user_id = $1`, bob.id)
  await change('DELETE FROM users WHERE id = $1', fay.id)
  await change(`UPDATE recovery_codes SET used_at = $1 WHERE signature = 'used later'`, now)
  await change('UPDATE users SET is_admin = false WHERE id = $1', dora.id)
  await change('UPDATE users SET is_active = false WHERE id = $1', cleo.id)
  await change(
    `INSERT INTO bans (user_id, reason, description, by_rules, banned_at, appeal_signature, appeal_until)
     VALUES ($1, 'spam', 'Too much mail', false, $2, 'an open link', $2)`,
    cleo.id,
    now,
  )
  await close()
  const house = { config: first.context.config, database: { url: first.databaseUrl, drop: async () => {} } }
  const { carried } = await restoreInto(house, archive, clock, { replace: true })
  expect(carried).toEqual({
    suppressions: 2,
    deletedAccounts: 1,
    missingAccounts: 1,
    bans: 1,
    demoted: 1,
    leftEmails: 7,
    mailedContacts: 1,
  })
  const again = connect(first.databaseUrl, () => {})
  ended.push(again.close)
  const rowsOf = async (text: string, ...values: unknown[]) => (await runSql(again.db, text, values)).rows
  expect(await rowsOf(`SELECT count(*) AS n FROM held_mails`)).toEqual([{ n: 0 }])
  expect(
    await rowsOf(
      `SELECT user_id, address_key AS key FROM suppressions WHERE address_key LIKE '%@left.example' ORDER BY 2`,
    ),
  ).toEqual([
    { user_id: ada.id, key: 'kim@left.example' },
    { user_id: ada.id, key: 'lee@left.example' },
  ])
  // A row that was lost can still be restored: its 30 days begin now.
  const user = (id: number) =>
    rowsOf(
      'SELECT deleted_at AS deleted, is_admin AS admin, is_active AS active FROM users WHERE id = $1',
      id,
    )
  expect(await user(bob.id)).toEqual([{ deleted: now, admin: false, active: true }])
  const [lost] = (await user(fay.id)) as { deleted: Date }[]
  expect(lost?.deleted.getTime()).toBeGreaterThan(now.getTime())
  expect(await user(cleo.id)).toEqual([{ deleted: null, admin: false, active: false }])
  expect(await user(dora.id)).toEqual([{ deleted: null, admin: false, active: true }])
  expect(await user(eric.id)).toEqual([{ deleted: null, admin: true, active: true }])
  expect(
    await rowsOf('SELECT status, description, appeal_signature AS link FROM bans ORDER BY user_id'),
  ).toEqual([
    { status: 'active', description: 'Too much mail', link: null },
    { status: 'lifted', description: 'An older ban', link: null },
  ])
  expect(await rowsOf('SELECT FROM admin_claims')).toEqual([])
  expect(await rowsOf('SELECT signature, used_at AS used FROM recovery_codes ORDER BY 1')).toEqual([
    { signature: 'free', used: null },
    { signature: 'used later', used: now },
  ])
  expect(await rowsOf('SELECT state, reason FROM outreach_items WHERE user_id = $1', bob.id)).toEqual([
    { state: 'skipped', reason: 'Already emailed before' },
  ])
})
