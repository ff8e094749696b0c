import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contacts } from '#contract/crm/contacts.ts'
import { dashboard } from '#contract/overview/dashboard.ts'
import { emails } from '#contract/mail/emails.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { connectTo, connectWriter, sendAs } from '../../../tests/support/writing.ts'
import { inTransaction, runSql } from '../../platform/database/transaction.ts'

let app: TestApp
let sink: SmtpSink

beforeAll(async () => {
  app = await startTestApp()
  sink = await startSmtpSink()
})

afterAll(async () => {
  await app.end()
  await sink.stop()
})

/** Addresses that force these manners. */
const MANNERS = [
  'interested',
  'question',
  'meeting',
  'silent',
  'interested',
  'question',
  'bounce',
  'unsubscribe',
]
const ADDRESSES = MANNERS.map((manner, n) => `person${n}+${manner}@corp.example`)
const PEOPLE = ADDRESSES.length
const [FIRST = '', SECOND = '', , FOURTH = '', FIFTH = '', SIXTH = ''] = ADDRESSES

async function addPeople({ token }: TestUser): Promise<void> {
  for (const email of ADDRESSES) {
    const body = { name: 'Person', email }
    expect((await call(app.url, contacts.add, { token, body })).status).toBe(200)
  }
}

const practise = ({ token }: TestUser) => call(app.url, mailboxSetup.practice, { token })
const connectOwn = (user: TestUser) => connectTo(app, sink, user)
const writeToAll = async ({ token }: TestUser) =>
  (await call(app.url, outreach.generateAndSend, { token })).body.summary

/** What the screens show of the user's mails, contacts and runs. */
async function whatIsSaid({ token }: TestUser) {
  const [counts, rate, list, estimate, run, activity] = await Promise.all([
    call(app.url, emails.counts, { token }),
    call(app.url, emails.responseRate, { token }),
    call(app.url, contacts.list, { token }),
    call(app.url, outreach.estimate, { token }),
    call(app.url, outreach.current, { token }),
    call(app.url, dashboard.activity, { token, query: { days: '7', time_zone: 'UTC' } }),
  ])
  return {
    folders: {
      inbox: counts.body.inbox,
      sent: counts.body.sent,
      spam: counts.body.spam,
      drafts: counts.body.drafts,
    },
    rate: rate.body,
    statuses: [...new Set(list.body.map((contact) => contact.computed_status))],
    toSend: estimate.body.to_send,
    suppressed: estimate.body.suppressed,
    run: run.body?.summary.sent ?? null,
    counted: activity.body.map(({ sent, replies }) => sent + replies).reduce((sum, each) => sum + each, 0),
  }
}

/** Nothing leaves through the mailbox in use for now. */
const holdUp = ({ id }: TestUser) =>
  runSql(
    app.context.db,
    `UPDATE mailboxes SET send_pause_until = now() + interval '1 year' WHERE user_id = $1 AND is_primary`,
    [id],
  )

/** Suppresses, as the user, all contacts that practice removed from the list; returns how many. */
async function stopMailingThoseWhoAreOff({ id, token }: TestUser): Promise<number> {
  const { rows } = await runSql(
    app.context.db,
    `SELECT c.id FROM contacts c JOIN suppressions s ON s.user_id = c.user_id AND s.address_key = c.email_key
     WHERE c.user_id = $1`,
    [id],
  )
  const ids = (rows as { id: number }[]).map((row) => row.id)
  expect((await call(app.url, contacts.stopMailing, { token, body: { ids } })).status).toBe(200)
  return ids.length
}

/** Lets the invented people send all their answers. */
async function untilAnswered(user: TestUser): Promise<void> {
  await expect
    .poll(async () => {
      app.clock.forward(60_000)
      const { rows } = await runSql(
        app.context.db,
        'SELECT count(*)::int AS waiting FROM practice_answers WHERE user_id = $1',
        [user.id],
      )
      return (rows[0] as { waiting: number }).waiting
    })
    .toBe(0)
}

const untilCleared = ({ id }: TestUser) =>
  expect
    .poll(
      async () =>
        (await runSql(app.context.db, 'SELECT id FROM mailboxes WHERE user_id = $1 AND is_practice', [id]))
          .rows,
    )
    .toEqual([])

test('after practice, contacts, mails and figures are as if it had never happened, and drafts are kept', async () => {
  const user = await signUp(app.url)
  await addPeople(user)
  // A draft deleted earlier, of which a row remains, is no mail.
  const thrownAway = { to: FIRST, subject: 'Never sent', content: 'No.' }
  const { body: first } = await call(app.url, emails.saveDraft, { token: user.token, body: thrownAway })
  await call(app.url, emails.discard, { token: user.token, params: { id: first.id } })
  const before = await whatIsSaid(user)
  await practise(user)
  expect(await writeToAll(user)).toMatchObject({ sent: PEOPLE })
  await untilAnswered(user)
  const draft = { to: SECOND, subject: 'My own words', content: 'Not sent yet.' }
  await call(app.url, emails.saveDraft, { token: user.token, body: draft })
  const scheduled = {
    subject: 'For later',
    schedule_at: new Date(app.clock.now().getTime() + 9e7).toISOString(),
  }
  expect((await sendAs(app, user, scheduled)).status).toBe(200)
  await holdUp(user)
  expect((await sendAs(app, user, { subject: 'Still waiting' })).status).toBe(200)
  const practised = await whatIsSaid(user)
  expect(practised.rate.mailed).toBe(PEOPLE)
  expect(practised.rate.replied).toBeGreaterThan(0)
  expect(practised.suppressed).toBeGreaterThan(0)
  expect(practised.counted).toBeGreaterThan(PEOPLE)

  expect((await connectOwn(user)).status).toBe(200)
  await untilCleared(user)
  expect(await whatIsSaid(user)).toEqual({ ...before, folders: { ...before.folders, drafts: 3 } })
  expect(await writeToAll(user)).toMatchObject({ sent: PEOPLE, skipped: 0 })
  expect(sink.received.map(({ envelope }) => envelope.to[0]).sort()).toEqual(ADDRESSES)
})

test('what was real before practice stays, even for contacts used in practice', async () => {
  sink.clear()
  const user = await connectWriter(app, sink)
  await addPeople(user)
  expect((await sendAs(app, user, { to: FOURTH })).status).toBe(200)
  await sink.waitFor(1)
  // Sent during practice, with a copy to somebody else.
  const real = { to: FIFTH, cc: SIXTH }
  const later = new Date(app.clock.now().getTime() + 90_000).toISOString()
  expect((await sendAs(app, user, { ...real, schedule_at: later })).status).toBe(200)
  await practise(user)
  expect(await writeToAll(user)).toMatchObject({ sent: PEOPLE - 1 })
  await sendAs(app, user, { to: FOURTH, subject: 'In practice' })
  await untilAnswered(user)
  app.clock.forward(90_000)
  await sink.waitFor(2)
  // Real as well: somebody who is to get no more mail.
  const stopped = await stopMailingThoseWhoAreOff(user)
  expect(stopped).toBe(2)

  expect((await call(app.url, mailboxSetup.remove, { token: user.token })).body).toMatchObject({
    configured: true,
    practice: false,
  })
  await untilCleared(user)
  // The server has a mail before Howl has noted that it has left.
  await expect
    .poll(() => whatIsSaid(user))
    .toMatchObject({
      folders: { inbox: 0, sent: 2 },
      rate: { mailed: 3, replied: 0 },
      toSend: PEOPLE - 3 - stopped,
      suppressed: stopped,
      counted: 2,
    })
})

test('a run waits until practice is cleared away, and then writes to all', async () => {
  sink.clear()
  const user = await signUp(app.url)
  await addPeople(user)
  await practise(user)
  await writeToAll(user)
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = inTransaction(app.context.db, async (tx) => {
    // What clearing needs before it deletes anything.
    await runSql(tx, `SELECT pg_advisory_xact_lock(hashtextextended('ingest', $1))`, [user.id])
    begun.resolve()
    await held.promise
  })
  await begun.promise
  expect((await connectOwn(user)).status).toBe(200)
  const asked = Promise.all([call(app.url, outreach.estimate, { token: user.token }), writeToAll(user)])
  // Time enough for a run that does not wait.
  await Promise.race([asked, pause(500)])
  held.resolve()
  await holding
  const [estimate, summary] = await asked
  expect([estimate.status, summary.sent, summary.skipped]).toEqual([200, PEOPLE, 0])
  expect(sink.count).toBe(PEOPLE)
})

/** Starts a run that cannot finish, because the mailbox may not send for now. */
async function beginHeldUp(user: TestUser): Promise<void> {
  await holdUp(user)
  void writeToAll(user)
  await expect
    .poll(async () => (await call(app.url, outreach.current, { token: user.token })).body?.state)
    .toBe('running')
}

async function cancelRun({ token }: TestUser): Promise<void> {
  const { body } = await call(app.url, outreach.current, { token })
  await call(app.url, outreach.cancel, { token, params: { id: body?.batch_id ?? 0 } })
}

test('neither account starts a run while the other has one in progress', async () => {
  const user = await signUp(app.url)
  await addPeople(user)
  await practise(user)
  await beginHeldUp(user)
  const inPractice = {
    status: 409,
    error: {
      detail: 'A practice run is still under way. Wait until it is done, or cancel it on the dashboard.',
    },
  }
  expect(await connectOwn(user)).toMatchObject(inPractice)
  expect(await call(app.url, mailboxSetup.remove, { token: user.token })).toMatchObject(inPractice)
  await cancelRun(user)
  expect((await connectOwn(user)).status).toBe(200)
  await untilCleared(user)

  await beginHeldUp(user)
  expect(await practise(user)).toMatchObject({
    status: 409,
    error: {
      detail:
        'Automatic mail through your own account is still under way. Wait until it has left, or cancel it.',
    },
  })
  await cancelRun(user)
  expect((await practise(user)).status).toBe(200)
})
