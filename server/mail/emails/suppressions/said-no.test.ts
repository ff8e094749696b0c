import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { automaticMail } from '#contract/outreach/automatic-mail.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { call } from '../../../../tests/support/client.ts'
import type { TestUser } from '../../../../tests/support/factories.ts'
import { type SmtpSink, startSmtpSink } from '../../../../tests/support/smtp-sink.ts'
import { movableClock, startTestApp, type TestApp } from '../../../../tests/support/test-app.ts'
import { until } from '../../../../tests/support/until.ts'
import { connectWriter, detailOf, receive, sendAs } from '../../../../tests/support/writing.ts'
import { inTransaction, runSql } from '../../../platform/database/transaction.ts'
import { primaryMailbox } from '../../mailboxes/mailboxes.ts'
import { startDelivering } from '../delivery/delivery-loop.ts'
import { enqueueEmails } from '../delivery/enqueue-emails.ts'
import type { Purpose } from '../tables.ts'
import { isSuppressedFor, noteRefusals, suppress } from './suppressions-store.ts'

/** Nothing leaves by itself from this app. */
let app: TestApp
let sink: SmtpSink
let user: TestUser
let beaId: number
const clock = movableClock()
const BEA = 'bea@customer.example'
const NO = 'No thanks, we are not interested.'
const YES = 'Yes, we are very interested! Please send me an offer.'

beforeAll(async () => {
  sink = await startSmtpSink()
  app = await startTestApp({ roles: ['web'], clock })
})
afterAll(async () => {
  await app.end()
  await sink.stop()
})
beforeEach(async () => {
  user = await connectWriter(app, sink)
  const added = await call(app.url, contacts.add, {
    token: user.token,
    body: { name: 'Bea', email: BEA },
  })
  beaId = added.body.id
  await sendAs(app, user, { to: BEA })
  sink.clear()
})

let messages = 0
const reply = (words: string, { from = BEA, at = clock.now(), headers = '' } = {}) =>
  receive(
    app,
    user,
    `From: Bea <${from}>\nTo: ada@muster.example\nSubject: Re: An offer\n${headers}Message-ID: <n${(messages += 1)}@customer.example>\nDate: ${at.toUTCString()}\n\n${words}\n`,
  )
const bea = async () =>
  (await call(app.url, contacts.get, { token: user.token, params: { id: beaId } })).body.suppressed
const ids = () => ({ token: user.token, body: { ids: [beaId] } })
const HOUR_MS = 3_600_000

/** Queues a mail to Bea; nothing sends it yet. */
async function queue(purpose: Purpose, groupId: number | null): Promise<number> {
  const { context } = app
  const mailbox = await primaryMailbox(context.db, user.id)
  const from = { name: 'Ada', address: 'ada@muster.example' }
  const options = { userId: user.id, mailboxId: mailbox?.id ?? 0, from, priority: 1 as const, groupId }
  const mail = { to: BEA, subject: purpose, text: 'Hello', purpose }
  const [id = 0] = await inTransaction(context.db, (tx) => enqueueEmails(context, tx, options, [mail]))
  return id
}

test('who says no gets no automatic mail, and still the mail of the user', async () => {
  await reply(NO)
  expect(await bea()).toBe('declined')
  const { body } = await call(app.url, automaticMail.ofContact, {
    token: user.token,
    params: { id: beaId },
  })
  expect(body.why_none[0]).toMatchObject({
    kind: 'suppressed',
    sentence: 'They said no, so outreach, follow-ups and sequences skip them until you allow mailing again.',
  })
  const sent = await sendAs(app, user, { to: BEA })
  expect(sent.status).toBe(200)
  expect(sink.received).toHaveLength(1)
  // The page behind an unsubscribe link does not say that they have unsubscribed.
  expect(await isSuppressedFor(app.context.db, user.id, BEA, sent.body.id)).toBe(false)
})

test('what waits when somebody says no does not leave; an invoice and what the user wrote do', async () => {
  const automatic = [await queue('outreach', 1), await queue('follow_up', 2)]
  const others = [await queue('transactional', null), await queue('follow_up', null)]
  await reply(NO)
  const sending = await startTestApp({ clock, loops: startDelivering, database: { url: app.databaseUrl } })
  try {
    const what = (id: number) => detailOf(app, user, id).then(({ delivery }) => delivery)
    const outcome = () => Promise.all([...automatic, ...others].map(what))
    await until(async () =>
      expect((await outcome()).map((each) => each?.state)).toEqual(['failed', 'failed', 'sent', 'sent']),
    )
    expect((await outcome())[0]?.reason).toBe('They said no before it was sent.')
    expect(sink.received).toHaveLength(2)
  } finally {
    await sending.end()
  }
})

test('the user lifts it, and only another no brings it back', async () => {
  await reply(NO)
  expect((await call(app.url, contacts.liftMailing, ids())).body).toMatchObject({ changed: 1 })
  expect(await bea()).toBeNull()
  clock.forward(HOUR_MS)
  await reply('How much is it for ten?')
  await reply(YES)
  expect(await bea()).toBeNull()
  clock.forward(HOUR_MS)
  await reply(NO)
  expect(await bea()).toBe('declined')
  // A yes is for the user to read.
  clock.forward(HOUR_MS)
  await reply(YES)
  expect(await bea()).toBe('declined')
})

test('a no that is older than a yes is none, as when the mails of years are read', async () => {
  const earlier = clock.now()
  clock.forward(HOUR_MS)
  await reply(YES)
  await reply(NO, { at: earlier })
  expect(await bea()).toBeNull()
})

test('a no from another address counts for whom was asked, too', async () => {
  const sent = await sendAs(app, user, { to: BEA })
  const { message_id: asked } = await detailOf(app, user, sent.body.id)
  await reply(NO, { from: 'bea@private.example', headers: `In-Reply-To: ${asked}\n` })
  expect(await bea()).toBe('declined')
})

test('every other reason takes the place of a no, and undoing a stop brings the no back', async () => {
  await reply(NO)
  const stopped = await call(app.url, contacts.stopMailing, ids())
  expect([await bea(), stopped.body.changed]).toEqual(['manual', 1])
  expect((await sendAs(app, user, { to: BEA })).status).toBe(400)
  const { at: stopped_at } = stopped.body
  const undo = await call(app.url, contacts.liftMailing, {
    token: user.token,
    body: { ids: [beaId], stopped_at },
  })
  expect([await bea(), undo.body.changed]).toEqual(['declined', 1])
  await suppress(app.context.db, user.id, { address_key: BEA, reason: 'unsubscribed' }, clock.now())
  await reply(NO)
  expect(await bea()).toBe('unsubscribed')
})

test('in practice, too, who unsubscribes after a no has unsubscribed', async () => {
  const { db } = app.context
  const emailId = await reply(NO)
  await runSql(db, 'UPDATE mailboxes SET is_practice = true WHERE user_id = $1', [user.id])
  const entry = { address_key: BEA, reason: 'unsubscribed' as const, email_id: emailId }
  await suppress(db, user.id, entry, clock.now())
  expect(await bea()).toBe('unsubscribed')
  await inTransaction(db, (tx) => noteRefusals(tx, user.id, [{ key: BEA, emailId }], clock.now()))
  expect(await bea()).toBe('unsubscribed')
})
