import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contacts } from '#contract/crm/contacts.ts'
import { type ActivityDay, dashboard } from '#contract/overview/dashboard.ts'
import { emails } from '#contract/mail/emails.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { todos } from '#contract/crm/todos.ts'
import { COUNTRIES } from '#contract/platform/countries.ts'
import { inTransaction, runSql } from '#server/platform/database/transaction.ts'
import { addMeeting } from '#server/crm/meetings/meetings.ts'
import { call } from '../../../tests/support/client.ts'
import { anInvoice } from '../../../tests/support/invoices.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { connectWriter, receive, sendAs } from '../../../tests/support/writing.ts'

const QUARTER_MS = 15 * 60_000
const HOUR_MS = 4 * QUARTER_MS
const DAY_MS = 24 * HOUR_MS

let app: TestApp
let sink: SmtpSink
let ada: TestUser

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
  sink = await startSmtpSink()
})
afterAll(async () => {
  await app?.end()
  await sink?.stop()
})

const activity = async (query: { days?: '7' | '30' | '90'; time_zone?: string } = { time_zone: 'UTC' }) =>
  (await call(app.url, dashboard.activity, { token: ada.token, query })).body
const todayOf = async (time_zone = 'UTC') =>
  (await call(app.url, dashboard.today, { token: ada.token, query: { time_zone } })).body
const sums = (days: readonly ActivityDay[]) => ({
  sent: days.reduce((sum, { sent }) => sum + sent, 0),
  replies: days.reduce((sum, { replies }) => sum + replies, 0),
  meetings: days.reduce((sum, { meetings: count }) => sum + count, 0),
})
const ago = (ms: number) => new Date(app.clock.now().getTime() - ms)

const letterFrom = (from: string, lines: Record<string, string> = {}) => {
  const head = { From: from, To: 'ada@muster.example', Subject: 'Re: An offer', ...lines }
  const date = lines['Date'] ?? app.clock.now().toUTCString()
  const id = `<${Math.random()}@customer.example>`
  return `${Object.entries({ ...head, Date: date, 'Message-ID': id })
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')}\n\nThat sounds good, when can we talk?\n`
}

async function meet(start: Date, minutes = 30): Promise<number> {
  const meeting = {
    title: 'Tasting',
    start,
    end: new Date(start.getTime() + minutes * 60_000),
    attendee: 'bob@customer.example',
  }
  return inTransaction(app.context.db, (tx) => addMeeting(tx, ada.id, meeting, app.clock.now()))
}

/** The countries' zones, and some whose days begin at a fraction of an hour. */
const ZONES = [
  ...COUNTRIES.map(({ zone }) => zone),
  'Asia/Kathmandu',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
]

describe('the activity', () => {
  test('of a new user is a row of empty days, ending with today', async () => {
    ada = await signUp(app.url)
    const days = await activity()
    expect(days).toHaveLength(30)
    expect(days.at(-1)?.day).toBe(app.clock.now().toISOString().slice(0, 10))
    expect(sums(days)).toEqual({ sent: 0, replies: 0, meetings: 0 })
    expect(await activity({ days: '7' })).toHaveLength(7)
    expect(await activity({ days: '90' })).toHaveLength(90)
  })

  test('counts each sent mail once', async () => {
    ada = await connectWriter(app, sink)
    await sendAs(app, ada)
    await sendAs(app, ada, { subject: 'Another offer', to: 'cy@customer.example' })
    expect(sums(await activity())).toMatchObject({ sent: 2, replies: 0 })
    expect((await activity()).at(-1)).toMatchObject({ sent: 2 })
    // What happened stays counted, whatever becomes of the mail.
    const { body } = await call(app.url, emails.list, { token: ada.token, query: { folder: 'sent' } })
    await call(app.url, emails.trash, { token: ada.token, params: { id: body[0]?.id ?? 0 } })
    expect(sums(await activity())).toMatchObject({ sent: 2 })
  })

  test('does not count refused or waiting mail', async () => {
    ada = await connectWriter(app, sink)
    await sendAs(app, ada, { schedule_at: ago(-DAY_MS).toISOString() })
    sink.setScript(({ step }) => (step === 'dot' ? { reply: '554 5.7.1 No spam here' } : undefined))
    expect((await sendAs(app, ada, { subject: 'Refused' })).status).toBe(400)
    sink.setScript(undefined)
    expect(sums(await activity())).toMatchObject({ sent: 0 })
  })

  test('counts replies, but no other received mail', async () => {
    ada = await connectWriter(app, sink)
    await call(app.url, contacts.add, {
      token: ada.token,
      body: { name: 'Bob', email: 'bob@customer.example' },
    })
    await receive(app, ada, letterFrom('news@shop.example'))
    expect(sums(await activity())).toMatchObject({ replies: 0 })
    await sendAs(app, ada)
    await receive(app, ada, letterFrom('bob@customer.example'))
    await receive(app, ada, letterFrom('bob@customer.example', { 'Auto-Submitted': 'auto-replied' }))
    await receive(app, ada, letterFrom('news@shop.example', { Subject: 'Bread today' }))
    expect(sums(await activity())).toMatchObject({ sent: 1, replies: 1 })
  })

  test('counts mail on its own day, and nothing outside the range shown', async () => {
    ada = await connectWriter(app, sink)
    await call(app.url, contacts.add, {
      token: ada.token,
      body: { name: 'Bob', email: 'bob@customer.example' },
    })
    await sendAs(app, ada)
    await runSql(
      app.context.db,
      `UPDATE correspondents SET first_sent_at = first_sent_at - interval '400 days' WHERE user_id = $1`,
      [ada.id],
    )
    await receive(app, ada, letterFrom('bob@customer.example', { Date: ago(3 * DAY_MS).toUTCString() }))
    await receive(app, ada, letterFrom('bob@customer.example', { Date: ago(200 * DAY_MS).toUTCString() }))
    const days = await activity()
    expect(days.at(-4)).toMatchObject({
      day: ago(3 * DAY_MS)
        .toISOString()
        .slice(0, 10),
      replies: 1,
    })
    expect(sums(await activity({ days: '90', time_zone: 'UTC' }))).toMatchObject({ replies: 1 })
  })

  test('counts meetings by their start, except cancelled and future ones', async () => {
    ada = await signUp(app.url)
    await meet(ago(2 * DAY_MS))
    await meet(ago(2 * DAY_MS))
    await meet(ago(-3 * DAY_MS))
    const cancelled = await meet(ago(DAY_MS))
    await runSql(app.context.db, `UPDATE meetings SET status = 'cancelled' WHERE user_id = $1 AND id = $2`, [
      ada.id,
      cancelled,
    ])
    expect((await activity()).at(-3)).toMatchObject({ meetings: 2 })
    expect(sums(await activity())).toMatchObject({ meetings: 2 })
  })

  test.each(ZONES)('assigns every quarter of an hour to its day in %s', async (zone) => {
    ada = await signUp(app.url)
    const first = Math.floor(ago(92 * DAY_MS).getTime() / QUARTER_MS) * QUARTER_MS
    const last = first + 94 * 96 * QUARTER_MS
    await runSql(
      app.context.db,
      `INSERT INTO mail_activity (user_id, at, source, sent, replies)
         SELECT $1, date_bin('1 hour', at, 'epoch'), 'left', quarters_of(array_agg(at)), quarters_of(array_agg(at))
         FROM generate_series($2::timestamptz, $3::timestamptz, interval '15 minutes') AS at,
           generate_series(1, (extract(epoch FROM at) / 900)::bigint * 7919 % 5) AS one GROUP BY 2`,
      [ada.id, new Date(first), new Date(last)],
    )
    const calendar = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' })
    const expected = new Map<string, number>()
    for (let at = first; at <= last; at += QUARTER_MS) {
      const day = calendar.format(at)
      expected.set(day, (expected.get(day) ?? 0) + (((at / QUARTER_MS) * 7919) % 5))
    }
    const days = await activity({ days: '90', time_zone: zone })
    expect(days.at(-1)?.day).toBe(calendar.format(app.clock.now()))
    expect(days.map(({ day, sent, replies }) => [day, sent, replies])).toEqual(
      days.map(({ day }) => [day, expected.get(day), expected.get(day)]),
    )
  })

  test.each([
    ['days', '?days=31'],
    ['a zone', '?time_zone=Nowhere/Atall'],
  ])('refuses unknown %s', async (_name, query) => {
    ada = await signUp(app.url)
    const answer = await fetch(`${app.url}/api/v1/dashboard/activity${query}`, {
      headers: { Authorization: `Bearer ${ada.token}` },
    })
    expect(answer.status).toBe(400)
  })
})

describe('today', () => {
  test('is empty on the first day', async () => {
    ada = await signUp(app.url)
    expect(await todayOf()).toEqual({
      overdue_tasks: 0,
      tasks_today: 0,
      meetings_today: 0,
      meetings_to_come: 0,
      overdue_invoices: 0,
      overdue_amounts: [],
      unread_replies: 0,
    })
  })

  test('counts tasks by the day in the time zone', async () => {
    ada = await signUp(app.url)
    const add = (due_date: string | null) =>
      call(app.url, todos.add, { token: ada.token, body: { title: 'Task', due_date } })
    const day = (offset: number) =>
      ago(-offset * DAY_MS)
        .toISOString()
        .slice(0, 10)
    for (const due of [day(-400), day(-2), day(0), day(2), null]) await add(due)
    const { body: done } = await add(day(-3))
    await call(app.url, todos.toggle, { token: ada.token, params: { id: done.id } })
    expect(await todayOf()).toMatchObject({ overdue_tasks: 2, tasks_today: 1 })
    // In a zone where it is already tomorrow, today's task is overdue; where it is still yesterday, it is not due
    // yet.
    const hour = app.clock.now().getUTCHours()
    const [zone, count] =
      hour >= 10
        ? (['Pacific/Kiritimati', { overdue_tasks: 3, tasks_today: 0 }] as const)
        : (['Pacific/Pago_Pago', { overdue_tasks: 2, tasks_today: 0 }] as const)
    expect(await todayOf(zone)).toMatchObject(count)
  })

  test('counts the invoices that are overdue on the day in the time zone, and sums them by currency', async () => {
    ada = await signUp(app.url)
    const { token } = ada
    const day = (offset: number) =>
      ago(-offset * DAY_MS)
        .toISOString()
        .slice(0, 10)
    const add = async (due: string, fields: object = {}) => {
      const body = anInvoice({ issue_date: '2020-01-01', due_date: due, ...fields })
      const { body: draft } = await call(app.url, invoices.add, { token, body })
      return draft.id
    }
    const issue = async (id: number) => void (await call(app.url, invoices.issue, { token, params: { id } }))
    await issue(await add(day(-3)))
    await issue(await add(day(-3), { currency: 'EUR', amount_paid: '30' }))
    await issue(await add(day(2)))
    await add(day(-3))
    expect(await todayOf('UTC')).toMatchObject({
      overdue_invoices: 2,
      overdue_amounts: [
        { currency: 'USD', amount: 23_000 },
        { currency: 'EUR', amount: 20_000 },
      ],
    })
  })

  test('counts the meetings of the day, and those still to come', async () => {
    ada = await signUp(app.url)
    const midnight = new Date(app.clock.now().toISOString().slice(0, 10)).getTime()
    await meet(new Date(midnight), 1)
    await meet(new Date(midnight + DAY_MS - 60_000), 30)
    await meet(new Date(midnight + DAY_MS), 30)
    const { meetings_today, meetings_to_come } = await todayOf()
    expect(meetings_today).toBe(2)
    expect(meetings_to_come).toBe(app.clock.now().getTime() < midnight + 60_000 ? 2 : 1)
  })

  test('counts unread replies', async () => {
    ada = await connectWriter(app, sink)
    await sendAs(app, ada)
    await receive(app, ada, letterFrom('news@shop.example'))
    await call(app.url, contacts.add, {
      token: ada.token,
      body: { name: 'Bob', email: 'bob@customer.example' },
    })
    const id = await receive(app, ada, letterFrom('bob@customer.example'))
    expect(await todayOf()).toMatchObject({ unread_replies: 1 })
    await call(app.url, emails.markRead, { token: ada.token, params: { id } })
    expect(await todayOf()).toMatchObject({ unread_replies: 0 })
  })
})
