import { Temporal } from 'temporal-polyfill'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { auth } from '#contract/auth.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { sequences, type SequenceStep } from '#contract/sequences.ts'
import { runSql } from '#server/database/transaction.ts'
import { call } from '../../tests/support/client.ts'
import type { TestUser } from '../../tests/support/factories.ts'
import { type SmtpSink, startSmtpSink } from '../../tests/support/smtp-sink.ts'
import { movableClock, startTestApp, type TestApp } from '../../tests/support/test-app.ts'
import { connectWriter } from '../../tests/support/writing.ts'
import { runDue } from './run-due.ts'

// Contacts that one call puts in and another takes out again, and hours over midnight.

const clock = movableClock()
let app: TestApp
let sink: SmtpSink
let ada: TestUser
const ZONE = 'Europe/Berlin'
let begin = '2031-01-06'

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
  await sql('UPDATE sequence_members SET is_open = false')
  // A Monday.
  begin = Temporal.PlainDate.from(begin).add({ weeks: 8 }).toString()
  await goTo(0, '10:00')
  ada = await connectWriter(app, sink)
  await sql('UPDATE users SET time_zone = $2 WHERE id = $1', [ada.id, ZONE])
  sink.clear()
})

const sql = async (text: string, values: readonly unknown[] = []) =>
  (await runSql(app.context.db, text, values)).rows as Record<string, unknown>[]
async function goTo(days: number, time: string) {
  const at = Temporal.PlainDate.from(begin).add({ days }).toZonedDateTime({ timeZone: ZONE, plainTime: time })
  clock.forward(at.epochMilliseconds - clock.now().getTime())
}
/** The engine looks at this time, until nothing is due and every mail has left that may. */
async function work() {
  await vi.waitFor(
    async () => {
      await runDue(app.context)
      const [open] = await sql(
        `SELECT (SELECT count(*) FROM sequence_members WHERE user_id = $1 AND is_open AND due_at <= $2)::int AS due,
          (SELECT count(*) FROM deliveries d JOIN mailboxes m ON m.user_id = d.user_id AND m.id = d.mailbox_id
            WHERE d.user_id = $1 AND d.state IN ('queued', 'claimed', 'committed')
              AND (m.send_pause_until IS NULL OR m.send_pause_until <= $2))::int AS unsent`,
        [ada.id, clock.now()],
      )
      expect(open).toEqual({ due: 0, unsent: 0 })
    },
    { timeout: 20_000, interval: 50 },
  )
}
/** Whom mail reaches when the engine looks at this time. */
async function at(days: number, time: string) {
  await goTo(days, time)
  sink.clear()
  await work()
  return sink.received.map(({ envelope }) => envelope.to[0]?.split('@')[0]).toSorted()
}
async function as() {
  const { body } = await call(app.url, auth.login, { body: { email: ada.email, password: ada.password } })
  ada.token = body.token
  return { token: ada.token }
}
async function people(...names: string[]) {
  const rows = await sql(
    `INSERT INTO contacts (user_id, name, email, email_key, created_at, updated_at)
     SELECT $1, n, n || '@customer.example', n || '@customer.example', $2, $2 FROM unnest($3::text[]) n RETURNING id`,
    [ada.id, clock.now(), names],
  )
  return rows.map((row) => Number(row['id']))
}

const mail = (id: number, subject: string): SequenceStep => ({
  id,
  kind: 'mail',
  template_id: null,
  subject,
  body: 'We bake.',
  same_conversation: false,
})
const DAY: SequenceStep = { id: 2, kind: 'wait', amount: 1, unit: 'days' }
const ALWAYS = { days: [1, 2, 3, 4, 5, 6, 7], from_hour: 0, until_hour: 24 }
async function draft(fields: Partial<BodyInput<typeof sequences.add>> = {}) {
  const steps = [mail(1, 'First'), DAY, mail(3, 'Second')]
  const body = { name: 'After the fair', hours: ALWAYS, steps, ...fields }
  const { status, body: made } = await call(app.url, sequences.add, { ...(await as()), body })
  expect(status).toBe(200)
  return made.id
}
const tell = async (id: number, endpoint: typeof sequences.start) =>
  call(app.url, endpoint, { ...(await as()), params: { id } })
async function running(fields: Partial<BodyInput<typeof sequences.add>> = {}) {
  const id = await draft(fields)
  expect((await tell(id, sequences.start)).status).toBe(200)
  return id
}
const enrol = async (id: number, ids: number[]) =>
  (await call(app.url, sequences.enrol, { ...(await as()), params: { id }, body: { ids } })).body
const undo = async (id: number, enrolment: string | null) =>
  call(app.url, sequences.undoEnrol, {
    ...(await as()),
    params: { id },
    body: { enrolment: enrolment ?? '' },
  })
const members = async (id: number) =>
  (await call(app.url, sequences.members, { ...(await as()), params: { id } })).body.map(
    ({ name, state, why }) => ({ name, state, why }),
  )
const pauseSending = (until: Date | null) =>
  sql('UPDATE mailboxes SET send_pause_until = $2 WHERE user_id = $1', [ada.id, until])

describe('adding contacts is undone', () => {
  test('for exactly those of that call, whose mail is taken back; they may come in again', async () => {
    const [ann = 0, ben = 0, cem = 0] = await people('ann', 'ben', 'cem')
    const id = await running()
    await pauseSending(new Date(clock.now().getTime() + 3_600_000))
    await enrol(id, [ann])
    // Ann is in it already: this call has put in the other two.
    const { enrolment, enrolled } = await enrol(id, [ann, ben, cem])
    expect(enrolled).toBe(2)
    await work()
    expect(await sql('SELECT FROM sequence_mails WHERE user_id = $1', [ada.id])).toHaveLength(3)

    expect((await undo(id, enrolment)).body).toEqual({ taken_out: 2, mails_left: 0 })
    expect(await members(id)).toMatchObject([{ name: 'ann', state: 'active' }])
    expect((await undo(id, enrolment)).body).toEqual({ taken_out: 0, mails_left: 0 })
    expect(await enrol(id, [ben])).toMatchObject({ enrolled: 1, skipped: 0 })
    await pauseSending(null)
    // Ben's day in the ledger was given back, so his mail leaves on this day.
    expect(await at(0, '11:00')).toEqual(['ann', 'ben'])
    expect(await at(1, '12:00')).toEqual(['ann', 'ben'])
  })

  test('what has left has left, and is told; nothing more follows', async () => {
    const id = await running()
    const { enrolment } = await enrol(id, await people('ann', 'ben'))
    expect(await at(0, '11:00')).toEqual(['ann', 'ben'])
    expect((await undo(id, enrolment)).body).toEqual({ taken_out: 2, mails_left: 2 })
    expect(await members(id)).toMatchObject([
      { name: 'ann', state: 'stopped', why: 'Taken out by you' },
      { name: 'ben', state: 'stopped', why: 'Taken out by you' },
    ])
    expect(await at(2, '11:00')).toEqual([])
  })

  test('who is through already stays so', async () => {
    const id = await running({ steps: [mail(1, 'First')] })
    const { enrolment } = await enrol(id, await people('ann'))
    expect(await at(0, '11:00')).toEqual(['ann'])
    expect((await undo(id, enrolment)).body).toEqual({ taken_out: 0, mails_left: 1 })
    expect(await members(id)).toMatchObject([{ name: 'ann', state: 'done' }])
  })

  test('in a draft, also once it was started; not when it has ended', async () => {
    const id = await draft()
    const [ann = 0, ben = 0] = await people('ann', 'ben')
    const first = await enrol(id, [ann])
    const second = await enrol(id, [ben])
    expect((await undo(id, first.enrolment)).body).toEqual({ taken_out: 1, mails_left: 0 })
    await goTo(0, '10:01')
    await tell(id, sequences.start)
    await pauseSending(new Date(clock.now().getTime() + 3_600_000))
    expect((await undo(id, second.enrolment)).body).toEqual({ taken_out: 1, mails_left: 0 })
    expect(await members(id)).toEqual([])
    const third = await enrol(id, [ann])
    await tell(id, sequences.end)
    expect((await undo(id, third.enrolment)).status).toBe(409)
  })

  test('nobody added is nothing to undo', async () => {
    const id = await draft()
    const [ann = 0] = await people('ann')
    await enrol(id, [ann])
    expect(await enrol(id, [ann])).toMatchObject({ enrolled: 0, enrolment: null })
    expect((await undo(id, null)).status).toBe(400)
  })
})

describe('hours over midnight', () => {
  test('hold a sequence from their end to their beginning, and the day is the one on which they begin', async () => {
    const id = await running({
      hours: { days: [1, 2], from_hour: 22, until_hour: 6 },
      steps: [mail(1, 'First')],
    })
    const [ann = 0, ben = 0, cem = 0, dan = 0] = await people('ann', 'ben', 'cem', 'dan')
    await enrol(id, [ann])
    expect(await at(0, '21:59')).toEqual([])
    expect(await at(0, '22:00')).toEqual(['ann'])
    await enrol(id, [ben])
    expect(await at(1, '05:59')).toEqual(['ben'])
    await goTo(1, '06:00')
    await enrol(id, [cem])
    expect(await at(1, '12:00')).toEqual([])
    expect(await at(1, '22:00')).toEqual(['cem'])
    // Tuesday's hours last until Wednesday; those of Wednesday do not begin.
    await goTo(2, '06:00')
    await enrol(id, [dan])
    expect(await at(2, '23:00')).toEqual([])
    expect(await at(7, '22:00')).toEqual(['dan'])
  })

  test('of which beginning and end are the same are refused with a sentence', async () => {
    const body = { name: 'Nights', hours: { days: [1], from_hour: 6, until_hour: 6 } }
    const answer = await call(app.url, sequences.add, { ...(await as()), body })
    expect(answer.status).toBe(400)
    expect(JSON.stringify(answer.body)).toContain('For the whole day, choose 00:00 to 24:00')
  })
})
