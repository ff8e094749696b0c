import { Temporal } from 'temporal-polyfill'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { auth } from '#contract/auth.ts'
import { contacts } from '#contract/contacts.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { sequences, type SequenceStep } from '#contract/sequences.ts'
import { runSql } from '#server/database/transaction.ts'
import { call } from '../../tests/support/client.ts'
import type { TestUser } from '../../tests/support/factories.ts'
import { type SmtpSink, startSmtpSink } from '../../tests/support/smtp-sink.ts'
import { movableClock, startTestApp, type TestApp } from '../../tests/support/test-app.ts'
import { connectWriter, header, receive } from '../../tests/support/writing.ts'
import { runDue } from './run-due.ts'
import { takeWork } from './take-work.ts'

/** What once went wrong in sequences, or could have. */
const clock = movableClock()
let app: TestApp
let sink: SmtpSink
let ada: TestUser
let begin: string
let year = 2031
const ZONE = 'Europe/Berlin'
const BOB = 'bob@customer.example'

beforeAll(async () => {
  clock.stand()
  app = await startTestApp({ clock })
  sink = await startSmtpSink()
})
afterAll(async () => {
  await app?.end()
  await sink?.stop()
})
beforeEach(async () => {
  await sql(`UPDATE sequences SET state = 'ended'`)
  await sql('UPDATE sequence_members SET is_open = false')
  year += 1
  // The first Monday after the holidays.
  begin = `${year}-01-07`
  while (Temporal.PlainDate.from(begin).dayOfWeek !== 1)
    begin = Temporal.PlainDate.from(begin).add({ days: 1 }).toString()
  await goTo(0, '10:00')
  ada = await connectWriter(app, sink)
  await sql('UPDATE users SET time_zone = $2 WHERE id = $1', [ada.id, ZONE])
  sink.clear()
})

const sql = async (text: string, values: readonly unknown[] = []) =>
  (await runSql(app.context.db, text, values)).rows as Record<string, unknown>[]
/** Moves the clock to a time of the wall clock, so many days after the beginning. */
async function goTo(days: number, time: string) {
  const at = Temporal.PlainDate.from(begin).add({ days }).toZonedDateTime({ timeZone: ZONE, plainTime: time })
  clock.forward(at.epochMilliseconds - clock.now().getTime())
}
/** The worker looks until nothing is to do and every mail has left that can. */
async function work() {
  await vi.waitFor(
    async () => {
      await takeWork(app.context)
      await runDue(app.context)
      const [open] = await sql(
        `SELECT (SELECT count(*) FROM sequence_work WHERE user_id = $1)::int AS work,
          (SELECT count(*) FROM sequence_members WHERE user_id = $1 AND is_open AND due_at <= $2)::int AS due,
          (SELECT count(*) FROM deliveries d JOIN mailboxes b ON b.user_id = d.user_id AND b.id = d.mailbox_id
            WHERE d.user_id = $1 AND (b.send_pause_until IS NULL OR b.send_pause_until <= $2)
              AND d.state IN ('queued', 'claimed', 'committed'))::int AS unsent`,
        [ada.id, clock.now()],
      )
      expect(open).toEqual({ work: 0, due: 0, unsent: 0 })
    },
    { timeout: 20_000, interval: 50 },
  )
}
/** Whom mail reaches when the worker looks at this time. */
async function at(days: number, time = '10:00') {
  await goTo(days, time)
  sink.clear()
  await work()
  return sink.received.map(({ envelope }) => envelope.to[0]).toSorted()
}
async function as() {
  const { body } = await call(app.url, auth.login, { body: { email: ada.email, password: ada.password } })
  ada.token = body.token
  return { token: ada.token }
}
async function add(email = BOB, name = 'Bob Baker') {
  const added = await call(app.url, contacts.add, { ...(await as()), body: { name, email } })
  expect(added.status).toBe(200)
  return added.body.id
}
const mail = (id: number, subject: string, fields: Partial<Extract<SequenceStep, { kind: 'mail' }>> = {}) =>
  ({
    id,
    kind: 'mail',
    template_id: null,
    subject,
    body: `Hello, this is ${subject}.`,
    same_conversation: false,
    ...fields,
  }) satisfies SequenceStep
const wait = (id: number, amount: number, unit: 'hours' | 'days' = 'days') =>
  ({ id, kind: 'wait', amount, unit }) satisfies SequenceStep

const ALWAYS = { days: [1, 2, 3, 4, 5, 6, 7], from_hour: 0, until_hour: 24 }
async function draft(steps: SequenceStep[], fields: Partial<BodyInput<typeof sequences.add>> = {}) {
  const answer = await call(app.url, sequences.add, {
    ...(await as()),
    body: { name: 'After the fair', hours: ALWAYS, ...fields, steps },
  })
  expect(answer.status).toBe(200)
  return answer.body.id
}
async function running(steps: SequenceStep[], fields: Partial<BodyInput<typeof sequences.add>> = {}) {
  const id = await draft(steps, fields)
  expect((await tell(id, sequences.start)).status).toBe(200)
  return id
}
const tell = async (id: number, endpoint: typeof sequences.start) =>
  call(app.url, endpoint, { ...(await as()), params: { id } })
const enrol = async (id: number, ids: number[]) =>
  (await call(app.url, sequences.enrol, { ...(await as()), params: { id }, body: { ids } })).body
const members = async (id: number) =>
  (await call(app.url, sequences.members, { ...(await as()), params: { id } })).body
const act = async (id: number, ids: number[], doing: BodyInput<typeof sequences.act>['act']) =>
  (await call(app.url, sequences.act, { ...(await as()), params: { id }, body: { ids, act: doing } })).body
const figures = async (id: number) =>
  (await call(app.url, sequences.figures, { ...(await as()), params: { id } })).body
const change = async (id: number, steps: SequenceStep[], under_way: 'old' | 'new' = 'new') =>
  call(app.url, sequences.update, { ...(await as()), params: { id }, body: { steps, under_way } })
const allMails = async () => sql('SELECT step FROM sequence_mails WHERE user_id = $1', [ada.id])

/** Keeps the account of the user from sending for so many hours. */
async function holdAccount(hours: number) {
  const until = new Date(clock.now().getTime() + hours * 3_600_000)
  await sql('UPDATE mailboxes SET send_pause_until = $2 WHERE user_id = $1', [ada.id, until])
}

/** Somebody answers the newest mail to them that arrived. */
async function answers(from: string) {
  const got = sink.received.findLast(({ envelope }) => envelope.to[0] === from)
  await receive(
    app,
    ada,
    `From: Bob <${from}>\nTo: ada@muster.example\nSubject: Re: First\nMessage-ID: <${clock.now().getTime()}${from}>\nDate: ${clock.now().toUTCString()}\nIn-Reply-To: ${header(got, 'Message-ID')}\n\nTell me more.\n`,
  )
}

describe('a member that is paused', () => {
  test('gets nothing, also not the mail that was written before', async () => {
    const ids = [
      await add(),
      await add('eve@customer.example', 'Eve'),
      await add('kim@customer.example', 'Kim'),
    ]
    const id = await running([mail(1, 'First'), wait(2, 1), mail(3, 'Second')])
    await holdAccount(2)
    await enrol(id, ids)
    await work()
    expect(await allMails()).toHaveLength(3)
    const idOf = async (name: string) => (await members(id)).find((member) => member.name === name)?.id ?? 0
    // Bob while his mail waits for the account, Eve while it is held with the whole sequence.
    expect(await act(id, [await idOf('Bob Baker')], 'pause')).toEqual({ changed: 1, unchanged: 0 })
    await tell(id, sequences.pause)
    expect(await act(id, [await idOf('Eve')], 'pause')).toEqual({ changed: 1, unchanged: 0 })
    await tell(id, sequences.start)
    expect(await at(0, '13:00')).toEqual(['kim@customer.example'])
    expect((await members(id)).find(({ name }) => name === 'Bob Baker')).toMatchObject({
      state: 'paused',
      step: 1,
    })
    await act(id, [await idOf('Bob Baker'), await idOf('Eve')], 'go_on')
    expect(await at(0, '13:10')).toEqual([BOB, 'eve@customer.example'])
    expect(header(sink.received[0], 'Subject')).toBe('First')
  })

  test('can be paused also once its last mail is written', async () => {
    const id = await running([mail(1, 'First')])
    await holdAccount(2)
    await enrol(id, [await add()])
    await work()
    const [bob] = await members(id)
    expect(bob?.state).toBe('done')
    expect(await act(id, [bob?.id ?? 0], 'pause')).toEqual({ changed: 1, unchanged: 0 })
    expect(await at(0, '13:00')).toEqual([])
    await act(id, [bob?.id ?? 0], 'go_on')
    expect(await at(0, '13:10')).toEqual([BOB])
    expect((await members(id))[0]?.state).toBe('done')
  })
})

describe('steps of a sequence that runs', () => {
  test('are not changed to what could not be started', async () => {
    const id = await running([mail(1, 'First'), wait(2, 1), mail(3, 'Second')])
    await enrol(id, [await add()])
    await at(0)
    for (const steps of [
      [],
      [wait(2, 1)],
      [mail(1, 'First'), wait(2, 1), mail(1, 'First')],
      [mail(1, 'First'), mail(3, '', { body: '' })],
    ]) {
      expect((await change(id, steps)).status).toBe(400)
      expect((await change(id, steps, 'old')).status).toBe(400)
    }
    await tell(id, sequences.pause)
    expect((await change(id, [])).status).toBe(400)
    await tell(id, sequences.start)
    expect(await at(1)).toEqual([BOB])
    expect(await at(30)).toEqual([])
    const other = await draft([mail(1, 'First')])
    expect((await change(other, [])).status).toBe(200)
  })
})

describe('what came of mails', () => {
  test('counts for one that has left, not for one that waits behind it', async () => {
    const id = await running([mail(1, 'First'), wait(2, 1), mail(3, '', { same_conversation: true })])
    const bob = await add()
    const eve = await add('eve@customer.example', 'Eve')
    await enrol(id, [bob, eve])
    expect(await at(0)).toHaveLength(2)
    await goTo(1, '11:00')
    await holdAccount(5)
    await work()
    expect(await allMails()).toHaveLength(4)
    await answers(BOB)
    await sql(
      `INSERT INTO suppressions (user_id, address_key, reason, created_at) VALUES ($1, $2, 'unsubscribed', $3)`,
      [ada.id, 'eve@customer.example', clock.now()],
    )
    await work()
    expect(await allMails()).toHaveLength(2)
    expect((await figures(id)).total).toMatchObject({ sent: 2, replied: 1, unsubscribed: 1 })
  })
})

describe('whoever is brought back', () => {
  test('begins when they were taken out of a draft that has begun since', async () => {
    const id = await draft([mail(1, 'First')])
    await enrol(id, [await add()])
    const [bob] = await members(id)
    await act(id, [bob?.id ?? 0], 'take_out')
    await tell(id, sequences.start)
    expect(await at(0)).toEqual([])
    expect(await act(id, [bob?.id ?? 0], 'undo_take_out')).toEqual({ changed: 1, unchanged: 0 })
    expect(await at(0, '10:10')).toEqual([BOB])
  })

  test('is not left standing for good where no step is left', async () => {
    const id = await running([mail(1, 'First'), { id: 3, kind: 'task', title: 'Call', due_in_days: 0 }])
    await holdAccount(60)
    await enrol(id, [await add()])
    await work()
    await change(id, [mail(9, 'Other'), { id: 3, kind: 'task', title: 'Call', due_in_days: 0 }])
    const [bob] = await members(id)
    expect(bob?.state).toBe('done')
    expect(await act(id, [bob?.id ?? 0], 'take_out')).toEqual({ changed: 1, unchanged: 0 })
    await act(id, [bob?.id ?? 0], 'undo_take_out')
    await work()
    const rows = await sql(
      `SELECT FROM sequence_members WHERE user_id = $1 AND state = 'active' AND (step IS NULL OR due_at IS NULL)`,
      [ada.id],
    )
    expect(rows).toEqual([])
  })
})
