import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { automaticMail } from '#contract/outreach/automatic-mail.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { emails } from '#contract/mail/emails.ts'
import { leaving } from '#contract/operations/leaving.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { mailboxesOf } from '#server/mail/mailboxes/mailboxes.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { mailAccountAt } from '../../../tests/support/mail-account.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { movableClock, startTestApp, type TestApp } from '../../../tests/support/test-app.ts'

// Mails of runs that leave later than they were written: what has changed meanwhile counts, and so do hours and stops. Only the
// test moves the clock. Each test has a week of its own, from a Friday afternoon on.

const WORKING = { limited: true, days: [1, 2, 3, 4, 5], from_hour: 8, until_hour: 18 }
const HOUR_MS = 3_600_000
const WEEK_MS = 7 * 24 * HOUR_MS

const clock = movableClock()
let friday = Date.parse('2031-01-10T15:00:00Z')
let app: TestApp
let sink: SmtpSink

beforeAll(async () => {
  clock.stand()
  clock.forward(friday - clock.now().getTime())
  app = await startTestApp({ clock })
  sink = await startSmtpSink()
})
afterAll(async () => {
  await app.end()
  await sink.stop()
})
beforeEach(() => {
  friday += WEEK_MS
  at(0, '15:00')
  sink.clear()
  sink.setScript(() => undefined)
})

afterEach(() => void vi.restoreAllMocks())

/** Moves the clock to a time in UTC, so many days after the Friday; Berlin is an hour ahead. */
function at(days: number, time: string): void {
  const day = new Date(friday + days * 24 * HOUR_MS).toISOString().slice(0, 10)
  clock.forward(Date.parse(`${day}T${time}Z`) - clock.now().getTime())
}

const sql = async (text: string, values: readonly unknown[]) =>
  (await runSql(app.context.db, text, values)).rows as Record<string, unknown>[]

type Sender = TestUser & { mailboxId: number; ids: number[] }

/** A user in Berlin with working hours, an account and contacts. One mail a minute leaves, and none while the clock stands. */
async function aSender(count: number): Promise<Sender> {
  const user = await signUp(app.url)
  const { token } = user
  const body = { ...mailAccountAt(sink, { from: `${user.username}@muster.example` }), hourly_limit: 60 }
  expect((await call(app.url, mailboxSetup.save, { token, body })).status).toBe(200)
  const mailboxId = (await mailboxesOf(app.context.db, user.id))[0]?.id ?? 0
  await sql(`UPDATE users SET time_zone = 'Europe/Berlin' WHERE id = $1`, [user.id])
  await call(app.url, automaticMail.saveHours, { token, body: WORKING })
  const ids = []
  for (let index = 0; index < count; index += 1) {
    const person = { name: `Person ${index}`, email: addressOf(user, index) }
    ids.push((await call(app.url, contacts.add, { token, body: person })).body.id)
  }
  return { ...user, mailboxId, ids }
}

const addressOf = ({ username }: TestUser, index: number) => `person${index}@${username}.example`
/** Whom the user's mails have reached. */
const receivers = ({ username }: TestUser) =>
  sink.received
    .map(({ envelope }) => envelope.to[0])
    .filter((address) => address?.endsWith(`@${username}.example`))
    .sort()
const current = async ({ token }: Sender) => (await call(app.url, outreach.current, { token })).body
const stateOf = async (sender: Sender) => (await current(sender))?.state
const idOf = ({ ids }: Sender, index: number) => ids[index] ?? 0

/** How many mails of the user's runs stand how. */
const deliveries = async ({ id }: Sender) =>
  Object.fromEntries(
    (
      await sql(
        'SELECT state, count(*)::int AS mails FROM deliveries WHERE user_id = $1 AND group_id > 0 GROUP BY 1',
        [id],
      )
    ).map(({ state, mails }) => [state, mails]),
  )

/** When mails of the user's runs that wait are tried next. */
const nextTries = async ({ id }: Sender) =>
  (
    await sql(
      `SELECT state, next_try_at AS next, count(*)::int AS mails FROM deliveries
       WHERE user_id = $1 AND group_id > 0 AND queue = 'due' AND state <> 'sent' GROUP BY 1, 2`,
      [id],
    )
  ).map(({ next, ...others }) => ({ ...others, next: (next as Date).toISOString() }))

/** Starts a run; its first mail leaves, and the others are queued. */
async function begin(sender: Sender, body?: { write_again: boolean }): Promise<void> {
  const { token, ids } = sender
  const audience = body === undefined ? {} : { body: { ...body, audience: { contact_ids: ids } } }
  void call(app.url, outreach.generateAndSend, { token, ...audience })
  await expect.poll(() => deliveries(sender)).toEqual({ sent: 1, queued: ids.length - 1 })
}

/**
 * What `look` sees, a minute later whenever something has become of a mail, or nothing has for a moment: a mail that is put
 * off waits for several. However slow the machine is, the two hours that are left are not used up.
 */
function minuteByMinute<T>(sender: Sender, look: (sender: Sender) => Promise<T>): () => Promise<T> {
  let before = ''
  let moved = 0
  return async () => {
    const now = JSON.stringify(await deliveries(sender))
    if (now !== before || performance.now() - moved > 400) {
      clock.forward(61_000)
      moved = performance.now()
    }
    before = now
    return look(sender)
  }
}

/** Lets a mail leave every minute until the run is done. */
const untilDone = (sender: Sender) => expect.poll(minuteByMinute(sender, stateOf)).toBe('done')

const remove = ({ token }: Sender, id: number) => call(app.url, contacts.remove, { token, params: { id } })

async function removeAndUndo(sender: Sender, id: number): Promise<void> {
  const { undo_id: undoId } = (await remove(sender, id)).body
  const params = { id: undoId ?? 0 }
  expect((await call(app.url, contacts.undoMany, { token: sender.token, params })).status).toBe(200)
}

/** Whom the newest run has skipped, and why; its counts must add up. */
async function skips(sender: Sender): Promise<[string, string | null][]> {
  const params = { id: (await current(sender))?.batch_id ?? 0 }
  const { body } = await call(app.url, outreach.get, { token: sender.token, params })
  const { total, sent, skipped, errors, pending } = body.summary
  expect({ all: sent + skipped + errors, pending }).toEqual({ all: total, pending: 0 })
  return body.results
    .filter(({ status }) => status === 'skipped')
    .map(({ name, reason }): [string, string | null] => [name, reason])
}

it('after a weekend nobody is written to who was deleted or mailed by hand, and others at the address of now', async () => {
  const sender = await aSender(6)
  const { token } = sender
  const params = { id: idOf(sender, 2) }
  await call(app.url, outreach.previews, { token })
  const own = 'Words that I have chosen for this person myself.'
  expect((await call(app.url, outreach.changePreview, { token, params, body: { body: own } })).status).toBe(
    200,
  )
  await begin(sender)
  // It is 16:00 in Berlin. The clock stands, so no further mail leaves.
  await call(app.url, automaticMail.saveHours, { token, body: { ...WORKING, until_hour: 16 } })
  await expect.poll(async () => (await current(sender))?.waits?.kind).toBe('hours')
  at(1, '10:00')
  await remove(sender, idOf(sender, 1))
  const moved = `moved@${sender.username}.example`
  await call(app.url, contacts.update, { token, params, body: { email: moved } })
  const byHand = { to: addressOf(sender, 3), subject: 'Saturday', content: 'Hello' }
  expect((await call(app.url, emails.send, { token, body: byHand })).status).toBe(200)
  await removeAndUndo(sender, idOf(sender, 4))
  at(3, '07:00')
  await untilDone(sender)
  const expected = [0, 3, 4, 5].map((index) => addressOf(sender, index))
  expect(receivers(sender)).toEqual([moved, ...expected].sort())
  const toMoved = sink.received.find(({ envelope }) => envelope.to[0] === moved)
  expect(toMoved?.raw.toString()).toContain(own)
  expect(await skips(sender)).toEqual([
    ['Person 1', 'The contact was deleted'],
    ['Person 3', 'Already emailed before'],
  ])
})

it('a run that is resumed days later does not write to those who have answered since', async () => {
  const sender = await aSender(3)
  const { token } = sender
  for (const index of [0, 1, 2])
    await sql(
      `INSERT INTO correspondents (user_id, address_key, first_sent_at, last_sent_at)
       VALUES ($1, $2, '2030-06-01', '2030-06-01')`,
      [sender.id, addressOf(sender, index)],
    )
  await begin(sender, { write_again: true })
  const params = { id: (await current(sender))?.batch_id ?? 0 }
  await call(app.url, outreach.pause, { token, params })
  at(4, '10:00')
  await sql(
    'UPDATE correspondents SET replied_at = $3, last_received_at = $3 WHERE user_id = $1 AND address_key = $2',
    [sender.id, addressOf(sender, 1), clock.now()],
  )
  await call(app.url, outreach.resume, { token, params })
  await untilDone(sender)
  expect(receivers(sender)).toEqual([addressOf(sender, 0), addressOf(sender, 2)])
  expect(await skips(sender)).toEqual([['Person 1', 'Has replied since the run began']])
})

it('a contact that is deleted while its mail is queued is not written to, unless that is undone', async () => {
  const sender = await aSender(4)
  await begin(sender)
  await remove(sender, idOf(sender, 1))
  await removeAndUndo(sender, idOf(sender, 2))
  await untilDone(sender)
  expect(receivers(sender)).toEqual([0, 2, 3].map((index) => addressOf(sender, index)))
  expect(await skips(sender)).toEqual([['Person 1', 'The contact was deleted']])
})

/** From now on the server does not answer a mail to this person until it is told how. */
function keepWaiting(person: string) {
  const answer = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  answer.promise.catch(() => {})
  sink.setScript(({ step, address }) => {
    if (step !== 'rcpt' || address?.startsWith(`${person}@`) !== true) return undefined
    begun.resolve()
    return { until: answer.promise }
  })
  return { begun: begun.promise, answer }
}

it('a contact that is deleted while its mail waits for a connection is not written to', async () => {
  const sender = await aSender(3)
  await sql('UPDATE mailboxes SET hourly_limit = NULL WHERE user_id = $1', [sender.id])
  app.context.delivery.connectionLimits.lower(sender.mailboxId, 1)
  const { begun, answer } = keepWaiting('person0')
  void call(app.url, outreach.generateAndSend, { token: sender.token })
  await begun
  await expect.poll(() => deliveries(sender)).toEqual({ committed: 1, claimed: 2 })
  await remove(sender, idOf(sender, 1))
  expect(await deliveries(sender)).toEqual({ committed: 1, claimed: 1, queued: 1 })
  answer.resolve()
  await expect.poll(() => stateOf(sender)).toBe('done')
  expect(receivers(sender)).toEqual([0, 2].map((index) => addressOf(sender, index)))
  expect(await skips(sender)).toEqual([['Person 1', 'The contact was deleted']])
})

it('a mail that the far server puts off while its run is being paused waits with the run', async () => {
  const sender = await aSender(2)
  const { token } = sender
  const { begun, answer } = keepWaiting('person0')
  void call(app.url, outreach.generateAndSend, { token })
  await begun
  // From here on it is the server's answer that counts, no longer the pause.
  await expect.poll(() => deliveries(sender)).toMatchObject({ committed: 1 })
  const params = { id: (await current(sender))?.batch_id ?? 0 }
  await call(app.url, outreach.pause, { token, params })
  answer.reject(Object.assign(new Error('4.7.1 Please try again later'), { responseCode: 451 }))
  await expect.poll(() => deliveries(sender)).toEqual({ deferred: 1, held: 1 })
  sink.setScript(() => undefined)
  await expect.poll(minuteByMinute(sender, deliveries)).toEqual({ held: 2 })
  expect(receivers(sender)).toEqual([])
  await call(app.url, outreach.resume, { token, params })
  await untilDone(sender)
  expect(receivers(sender)).toEqual([0, 1].map((index) => addressOf(sender, index)))
})

it('mails that cannot be judged wait, and keep none of the user’s own', async () => {
  const sender = await aSender(2)
  const { token } = sender
  vi.spyOn(app.context.delivery.groupMail, 'judge').mockRejectedValue(new Error('The database is away'))
  void call(app.url, outreach.generateAndSend, { token })
  const later = () => new Date(clock.now().getTime() + 60_000).toISOString()
  await expect.poll(() => nextTries(sender)).toEqual([{ state: 'queued', next: later(), mails: 2 }])
  const own = { to: `own@${sender.username}.example`, subject: 'Mine', content: 'Hello' }
  expect((await call(app.url, emails.send, { token, body: own })).body.delivery?.state).toBe('sent')
  vi.restoreAllMocks()
  await untilDone(sender)
  expect(receivers(sender)).toHaveLength(3)
})

it('after a pause of all mail a run looks at what is queued before it leaves', async () => {
  const sender = await aSender(3)
  const { token } = sender
  await begin(sender)
  await sql('UPDATE users SET mail_paused_at = $2 WHERE id = $1', [sender.id, clock.now()])
  at(4, '10:00')
  const moved = `moved@${sender.username}.example`
  const params = { id: idOf(sender, 1) }
  await call(app.url, contacts.update, { token, params, body: { email: moved } })
  expect((await call(app.url, leaving.resumeMail, { token })).status).toBe(200)
  await untilDone(sender)
  expect(receivers(sender)).toEqual([moved, addressOf(sender, 0), addressOf(sender, 2)])
  expect(await skips(sender)).toEqual([])
})

/** A run that is done while the far server has put off the mails to all but the first contact until 18:05 in Berlin. */
async function doneButForLater(count: number): Promise<Sender> {
  const sender = await aSender(count)
  sink.setScript(({ step, address }) =>
    step === 'rcpt' && !address?.startsWith('person0@')
      ? { reply: '451 4.7.1 Please try again later' }
      : undefined,
  )
  void call(app.url, outreach.generateAndSend, { token: sender.token })
  await untilDone(sender)
  // A worker may just be trying one again.
  await expect.poll(() => deliveries(sender)).toEqual({ sent: 1, deferred: count - 1 })
  await sql(`UPDATE deliveries SET next_try_at = $2 WHERE user_id = $1 AND state = 'deferred'`, [
    sender.id,
    new Date(friday).toISOString().slice(0, 11) + '17:05:00Z',
  ])
  sink.setScript(() => undefined)
  return sender
}

it('what a far server has put off waits for the hours, and its contact may be gone by then', async () => {
  const sender = await doneButForLater(4)
  at(0, '17:05')
  const monday = new Date(friday + 3 * 24 * HOUR_MS).toISOString().slice(0, 10)
  await expect
    .poll(minuteByMinute(sender, nextTries))
    .toEqual([{ state: 'deferred', next: `${monday}T07:00:00.000Z`, mails: 3 }])
  at(1, '02:00')
  await remove(sender, idOf(sender, 1))
  expect(receivers(sender)).toEqual([addressOf(sender, 0)])
  at(3, '07:00')
  await expect.poll(minuteByMinute(sender, deliveries)).toEqual({ sent: 3 })
  expect(receivers(sender)).toEqual([0, 2, 3].map((index) => addressOf(sender, index)))
  expect(await skips(sender)).toEqual([['Person 1', 'The contact was deleted']])
  const days = `SELECT local_day::text AS day, count(*)::int AS mails FROM automatic_mails WHERE user_id = $1 GROUP BY 1 ORDER BY 1`
  const dayAfter = (count: number) => new Date(friday + count * 24 * HOUR_MS).toISOString().slice(0, 10)
  expect(await sql(days, [sender.id])).toEqual([
    { day: dayAfter(0), mails: 1 },
    { day: dayAfter(3), mails: 2 },
  ])
})

it('what a far server has put off does not leave through an account that was stopped, until its owner goes on', async () => {
  const sender = await doneButForLater(2)
  await call(app.url, automaticMail.saveHours, { token: sender.token, body: { ...WORKING, limited: false } })
  await sql(
    `INSERT INTO automatic_mail_stops (user_id, mailbox_id, stopped_at, mails, bounces, complaints)
     VALUES ($1, $2, $3, 240, 14, 0)`,
    [sender.id, sender.mailboxId, clock.now()],
  )
  for (const [day, time] of [
    [0, '17:05'],
    [2, '10:00'],
  ] as const) {
    at(day, time)
    const later = new Date(clock.now().getTime() + 24 * HOUR_MS).toISOString()
    await expect.poll(() => nextTries(sender)).toEqual([{ state: 'deferred', next: later, mails: 1 }])
  }
  const params = { id: sender.mailboxId }
  expect((await call(app.url, automaticMail.goOn, { token: sender.token, params })).status).toBe(200)
  await sink.waitFor(2)
  expect(receivers(sender)).toEqual([addressOf(sender, 0), addressOf(sender, 1)])
})
