import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { meetings } from '#contract/crm/meetings.ts'
import { profile } from '#contract/accounts/profile.ts'
import { startDelivering } from '../../mail/emails/delivery/delivery-loop.ts'
import { runSql } from '../../platform/database/transaction.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { connectWriter } from '../../../tests/support/writing.ts'
import { mailReminders } from './mail-reminders.ts'
import { startReminderLoops } from './reminders.ts'

let app: TestApp
let sink: SmtpSink
let ada: TestUser

beforeAll(async () => {
  app = await startTestApp({ loops: startDelivering })
  sink = await startSmtpSink()
})
afterAll(async () => {
  await app?.end()
  await sink?.stop()
})
beforeEach(async () => {
  sink.clear()
  ada = await connectWriter(app, sink)
})

const MINUTE = 60_000
const minutes = (count: number) => new Date(app.clock.now().getTime() + count * MINUTE).toISOString()

/** A phone call in an hour, with a reminder a quarter of an hour before. */
async function inAnHour(body: object = {}) {
  const answer = await call(app.url, meetings.add, {
    token: ada.token,
    body: {
      title: 'Call Bea',
      start_time: minutes(60),
      end_time: minutes(90),
      type: 'phone',
      attendees: ['bea@far.example'],
      reminder_minutes: 15,
      ...body,
    },
  })
  expect(answer.status).toBe(200)
  return answer.body
}
const change = (id: number, body: object) =>
  call(app.url, meetings.update, { token: ada.token, params: { id }, body })
/** Several workers look at once, after the given number of minutes. */
async function after(count: number) {
  app.clock.forward(count * MINUTE)
  await Promise.all([1, 2, 3].map(() => mailReminders(app.context)))
}
const reminded = () => sink.received.map(({ raw }) => /^Subject: (.*)$/m.exec(raw.toString())?.[1] ?? '')
/** How many reminders were stored; a stored one will be delivered. */
const written = async () => {
  await expect.poll(() => undelivered()).toBe(0)
  return sink.received.length
}
async function undelivered(): Promise<number> {
  const { rows } = await runSql(
    app.context.db,
    `SELECT count(*) AS n FROM deliveries WHERE user_id = $1 AND state <> 'sent'`,
    [ada.id],
  )
  return (rows[0] as { n: number }).n
}

describe('a reminder', () => {
  test('is mailed once to the user, at its time', async () => {
    const { id } = await inAnHour()
    await after(44)
    expect(await written()).toBe(0)
    await after(1.1)
    await after(0.1)
    expect(await written()).toBe(1)
    expect(sink.received[0]?.envelope.to).toEqual([ada.email])
    expect(reminded()[0]).toContain('Reminder: Call Bea')
    const text = sink.received[0]?.raw.toString() ?? ''
    expect(text).toContain('bea@far.example')
    expect(text.replaceAll('=\r\n', '').replaceAll('=3D', '=')).toContain(`/meetings?open=${id}`)
    // Another title does not change the time.
    await change(id, { title: 'Ring Bea' })
    await after(1)
    expect(await written()).toBe(1)
  })

  test('gives the time in the time zone in which it was chosen, wherever the user lives', async () => {
    await call(app.url, profile.update, { token: ada.token, body: { time_zone: 'Asia/Tokyo' } })
    const start = new Date(app.clock.now().getTime() + 60 * MINUTE)
    await inAnHour({ start_time: start.toISOString(), time_zone: 'America/Sao_Paulo' })
    await after(46)
    expect(await written()).toBe(1)
    const there = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'America/Sao_Paulo' })
    expect(sink.received[0]?.raw.toString()).toContain(`${there.format(start)} =E2=80=93`)
  })

  test('moves with the meeting, and is sent again', async () => {
    const { id } = await inAnHour()
    await after(46)
    expect(await written()).toBe(1)
    await change(id, { start_time: minutes(120), end_time: minutes(150) })
    await after(100)
    expect(await written()).toBe(1)
    await after(6)
    expect(await written()).toBe(2)
  })

  test.each([
    ['that is cancelled', { status: 'cancelled' }],
    ['that is done', { status: 'completed' }],
    ['that is not to be reminded of any more', { reminder_minutes: null }],
  ])('is not sent for a meeting %s', async (_name, body) => {
    const { id } = await inAnHour()
    await change(id, body)
    await after(50)
    expect(await written()).toBe(0)
  })

  test('is not sent for a meeting that is deleted, or without a reminder', async () => {
    const { id } = await inAnHour()
    await inAnHour({ reminder_minutes: null })
    await call(app.url, meetings.remove, { token: ada.token, params: { id } })
    await after(50)
    expect(await written()).toBe(0)
  })

  test('is late after a long stop, but never sent once the meeting has begun', async () => {
    await inAnHour()
    await inAnHour({ title: 'Ring Cid', start_time: minutes(50) })
    app.clock.forward(55 * MINUTE)
    await mailReminders(app.context)
    expect(await written()).toBe(1)
    expect(reminded()[0]).toContain('Call Bea')
  })

  test('of a day before is not sent for a meeting this afternoon', async () => {
    await inAnHour({ reminder_minutes: 1440 })
    await after(1)
    expect(await written()).toBe(0)
  })

  test('is skipped without a mail account', async () => {
    ada = await signUp(app.url)
    await inAnHour()
    await after(50)
    expect(sink.received).toHaveLength(0)
    expect(await undelivered()).toBe(0)
  })

  test('that is set later wakes the loop that mails it', async () => {
    const { id } = await inAnHour({ reminder_minutes: null })
    let isWoken = false
    app.loops.push({ name: 'mail reminders', wake: () => (isWoken = true), ended: Promise.resolve() })
    await change(id, { reminder_minutes: 15 })
    await expect.poll(() => isWoken).toBe(true)
    await after(46)
    expect(await written()).toBe(1)
  })

  // The last one: from here on the loop looks, too.
  test('is sent by the background loop', async () => {
    app.loops.push(...startReminderLoops(app.context))
    await inAnHour()
    app.clock.forward(46 * MINUTE)
    await expect.poll(() => sink.received).toHaveLength(1)
  })
})
