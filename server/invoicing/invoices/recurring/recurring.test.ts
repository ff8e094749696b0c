import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import type { BodyInput } from '#contract/platform/endpoint.ts'
import { CATCH_UP_MAX, RECURRING_MAX, recurringInvoices } from '#contract/invoicing/recurring-invoices.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { inTransaction, runSql } from '#server/platform/database/transaction.ts'
import { call } from '../../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../../tests/support/factories.ts'
import { anInvoice } from '../../../../tests/support/invoices.ts'
import { seeded } from '../../../../tests/support/seeded.ts'
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts'
import { makeDueInvoices } from './make-invoices.ts'
import { passOverRecurring } from './change-recurring.ts'
import { datedContent, dateOfPeriod } from './periods.ts'

let app: TestApp
let ada: TestUser

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
  app.clock.stand()
  await goTo('2026-01-20T12:00:00Z')
})
beforeEach(async () => {
  ada = await signUp(app.url)
})
afterAll(() => app?.end())

const ZONE = { 'X-User-Timezone': 'Europe/Berlin' }
const today = () => app.clock.now().toLocaleDateString('sv', { timeZone: 'Europe/Berlin' })

/** Lets the clock stand at this instant, which is later. */
async function goTo(instant: string) {
  app.clock.forward(Date.parse(instant) - app.clock.now().getTime())
}
/** The same in a new session: an old one has expired. */
async function later(instant: string) {
  await goTo(instant)
  const { body } = await call(app.url, auth.login, { body: { email: ada.email, password: ada.password } })
  ada.token = body.token
  await makeDueInvoices(app.context)
}
/** Some years after those of every other test of this file, and no leap year. */
let year = 2031
const nextYear = () => String((year += 10))

const asAda = (id?: number) => ({
  token: ada.token,
  headers: ZONE,
  ...(id === undefined ? {} : { params: { id } }),
})
const draft = async (fields: BodyInput<typeof invoices.add> = {}) =>
  (await call(app.url, invoices.add, { ...asAda(), body: anInvoice(fields) })).body.id
type Fields = Partial<BodyInput<typeof recurringInvoices.add>>
const repeat = async (fields: Fields = {}) =>
  call(app.url, recurringInvoices.add, {
    ...asAda(),
    body: { invoice_id: fields.invoice_id ?? (await draft()), every: 'month', first_on: today(), ...fields },
  })
const change = (id: number, body: BodyInput<typeof recurringInvoices.update>) =>
  call(app.url, recurringInvoices.update, { ...asAda(id), body })
const setState = (id: number, state: 'active' | 'paused' | 'ended') =>
  call(app.url, recurringInvoices.setState, { ...asAda(id), body: { state } })
const list = async () => (await call(app.url, recurringInvoices.list, asAda())).body
const get = async (id: number) => (await list()).find((one) => one.id === id)
/** The documents that a schedule made, the oldest first. */
async function madeBy(id: number) {
  const { rows } = await runSql(
    app.context.db,
    'SELECT id FROM invoices WHERE user_id = $1 AND recurring_id = $2 ORDER BY recurring_period',
    [ada.id, id],
  )
  const ids = (rows as { id: number }[]).map((row) => row.id)
  return Promise.all(ids.map(async (one) => (await call(app.url, invoices.get, asAda(one))).body))
}
const daysOf = async (id: number) => (await madeBy(id)).map(({ issue_date }) => issue_date)

describe('a recurring invoice', () => {
  test('is a draft on its day, with its content, and says what made it', async () => {
    const y = nextYear()
    await later(`${y}-01-20T12:00:00Z`)
    const source = await draft({
      number: 'R-7',
      issue_date: `${y}-01-20`,
      due_date: `${y}-02-03`,
      service_start: `${y}-01-01`,
      service_end: `${y}-01-31`,
      notes: 'Thank you',
    })
    const { status, body } = await repeat({ invoice_id: source, first_on: `${y}-02-20` })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      every: 'month',
      makes: 'draft',
      state: 'active',
      customer: 'Bea Ltd',
      currency: 'USD',
      total: 23_000,
      next_on: `${y}-02-20`,
      ends_on: null,
      times: null,
      made: 0,
      last: null,
    })
    // The source may go: the content was copied.
    await call(app.url, invoices.remove, asAda(source))
    // The day begins in Berlin at 23:00 of the day before, in universal time.
    await later(`${y}-02-19T22:59:59Z`)
    expect(await madeBy(body.id)).toEqual([])
    await later(`${y}-02-19T23:00:00Z`)
    const [made] = await madeBy(body.id)
    expect(made).toMatchObject({
      status: 'draft',
      number: '',
      issue_date: `${y}-02-20`,
      due_date: `${y}-03-06`,
      service_start: `${y}-02-01`,
      service_end: `${y}-02-28`,
      notes: 'Thank you',
      sums: { total: 23_000, due: 23_000 },
      recurring: { id: body.id, every: 'month', customer: 'Bea Ltd' },
    })
    expect(await get(body.id)).toMatchObject({
      next_on: `${y}-03-20`,
      made: 1,
      last: { id: made?.id, status: 'draft', issue_date: `${y}-02-20` },
    })
    await makeDueInvoices(app.context)
    expect(await madeBy(body.id)).toHaveLength(1)
  })

  test('is issued with the number of its year, if that was chosen', async () => {
    const y = nextYear()
    await later(`${y}-11-30T12:00:00Z`)
    const { body } = await repeat({ makes: 'issued', first_on: `${y}-11-30` })
    await later(`${Number(y) + 1}-01-30T12:00:00Z`)
    const made = await madeBy(body.id)
    expect(made.map(({ number, status }) => `${number} ${status}`)).toEqual([
      `INV-${y}-0001 overdue`,
      `INV-${y}-0002 overdue`,
      `INV-${Number(y) + 1}-0001 issued`,
    ])
  })

  test('of the 31st comes on the last day of short months, and on the 31st again', async () => {
    const y = nextYear()
    await later(`${y}-01-31T12:00:00Z`)
    const { body } = await repeat({ times: 4 })
    await later(`${y}-12-31T12:00:00Z`)
    expect(await daysOf(body.id)).toEqual([`${y}-01-31`, `${y}-02-28`, `${y}-03-31`, `${y}-04-30`])
    expect(await get(body.id)).toMatchObject({ state: 'ended', made: 4, times: 4 })
  })

  test('is made up for after a stop, each once, and the latest of very many', async () => {
    const y = nextYear()
    await later(`${y}-03-01T12:00:00Z`)
    const { body: few } = await repeat({ ends_on: `${y}-06-30` })
    const { body: many } = await repeat()
    await later(`${Number(y) + 3}-03-01T12:00:00Z`)
    await Promise.all([makeDueInvoices(app.context), makeDueInvoices(app.context)])
    expect(await daysOf(few.id)).toEqual([`${y}-03-01`, `${y}-04-01`, `${y}-05-01`, `${y}-06-01`])
    const days = await daysOf(many.id)
    expect(days).toHaveLength(CATCH_UP_MAX)
    expect(new Set(days).size).toBe(CATCH_UP_MAX)
    expect(days.at(-1)).toBe(`${Number(y) + 3}-03-01`)
    expect(days[0]).toBe(`${Number(y) + 1}-04-01`)
  })

  test('is made once by ten workers at the same moment', async () => {
    const y = nextYear()
    await later(`${y}-03-01T12:00:00Z`)
    const ids = await Promise.all(
      Array.from({ length: 10 }, async () => (await repeat({ makes: 'issued' })).body.id),
    )
    await goTo(`${y}-03-10T12:00:00Z`)
    await Promise.all(Array.from({ length: 10 }, () => makeDueInvoices(app.context)))
    for (const id of ids) expect(await daysOf(id)).toEqual([`${y}-03-01`])
  })

  test('does not make while it is paused, nor afterwards what it missed', async () => {
    const y = nextYear()
    await later(`${y}-01-10T12:00:00Z`)
    const { body } = await repeat()
    await later(`${y}-01-11T12:00:00Z`)
    expect((await setState(body.id, 'paused')).body).toMatchObject({ state: 'paused', next_on: `${y}-02-10` })
    await later(`${y}-04-10T12:00:00Z`)
    expect(await daysOf(body.id)).toEqual([`${y}-01-10`])
    expect((await setState(body.id, 'active')).body).toMatchObject({ state: 'active', next_on: `${y}-04-10` })
    await makeDueInvoices(app.context)
    expect(await daysOf(body.id)).toEqual([`${y}-01-10`, `${y}-04-10`])
    // Once more on the same day, by a pause and its end.
    await setState(body.id, 'ended')
    expect((await setState(body.id, 'active')).body.next_on).toBe(`${y}-05-10`)
  })

  test('passes over what was due by a time, and counts it as made', async () => {
    const y = nextYear()
    await later(`${y}-01-10T12:00:00Z`)
    const { body: endless } = await repeat({ first_on: `${y}-01-20` })
    const { body: four } = await repeat({ first_on: `${y}-01-20`, times: 4 })
    const { body: two } = await repeat({ first_on: `${y}-01-20`, times: 2 })
    const { body: upcoming } = await repeat({ first_on: `${y}-03-21` })
    await goTo(`${y}-03-20T12:00:00Z`)
    const now = app.clock.now()
    await inTransaction(app.context.db, (tx) => passOverRecurring(tx, ada.id, now, now))
    await later(`${y}-03-20T13:00:00Z`)
    expect(await get(endless.id)).toMatchObject({ state: 'active', made: 3, next_on: `${y}-04-20` })
    expect(await get(four.id)).toMatchObject({ state: 'active', made: 3, next_on: `${y}-04-20` })
    expect(await get(two.id)).toMatchObject({ state: 'ended', made: 2 })
    expect(await get(upcoming.id)).toMatchObject({ state: 'active', made: 0, next_on: `${y}-03-21` })
    await later(`${y}-04-20T12:00:00Z`)
    expect(await daysOf(endless.id)).toEqual([`${y}-04-20`])
    expect(await daysOf(four.id)).toEqual([`${y}-04-20`])
    expect(await get(four.id)).toMatchObject({ state: 'ended', made: 4 })
    expect(await daysOf(two.id)).toEqual([])
  })

  test('is changed: how often, from when on, and what it contains', async () => {
    const y = nextYear()
    await later(`${y}-01-31T12:00:00Z`)
    const { body } = await repeat()
    await makeDueInvoices(app.context)
    const dearer = await draft({
      issue_date: `${y}-01-31`,
      items: [{ description: 'Cake', quantity: '1', unit_price: '300' }],
      discount: '',
    })
    const changed = await change(body.id, {
      every: 'year',
      next_on: `${y}-03-15`,
      invoice_id: dearer,
      times: 3,
    })
    expect(changed.body).toMatchObject({ every: 'year', next_on: `${y}-03-15`, total: 30_000, times: 3 })
    await later(`${Number(y) + 2}-04-15T12:00:00Z`)
    expect(await daysOf(body.id)).toEqual([`${y}-01-31`, `${y}-03-15`, `${Number(y) + 1}-03-15`])
    expect((await madeBy(body.id)).map(({ sums }) => sums.total)).toEqual([23_000, 30_000, 30_000])

    // All were made: it goes on only with a higher number.
    expect(await setState(body.id, 'active')).toMatchObject({
      status: 409,
      error: { detail: 'All of its invoices have been made. Please change how long it goes on first.' },
    })
    expect((await change(body.id, { times: 3 })).error.fields).toEqual({
      times: '3 have been made already. Please enter more',
    })
    expect((await change(body.id, { times: null })).status).toBe(200)
    expect((await setState(body.id, 'active')).body.next_on).toBe(`${Number(y) + 3}-03-15`)
  })

  test('waits while its account is deleted, and is not lost', async () => {
    const y = nextYear()
    await later(`${y}-01-31T12:00:00Z`)
    const { body } = await repeat({ first_on: `${y}-02-01` })
    const set = (at: Date | null) =>
      runSql(app.context.db, 'UPDATE users SET deleted_at = $2 WHERE id = $1', [ada.id, at])
    await set(app.clock.now())
    await goTo(`${y}-02-02T12:00:00Z`)
    await makeDueInvoices(app.context)
    await set(null)
    expect(await daysOf(body.id)).toEqual([])
    await makeDueInvoices(app.context)
    expect(await daysOf(body.id)).toEqual([`${y}-02-01`])
  })

  test('that can no longer be issued stays a draft, and says why', async () => {
    const y = nextYear()
    await later(`${y}-01-31T12:00:00Z`)
    const { body } = await repeat({ makes: 'issued' })
    await runSql(
      app.context.db,
      `UPDATE recurring_invoices SET content = jsonb_set(content, '{items}', '[]') WHERE user_id = $1`,
      [ada.id],
    )
    await makeDueInvoices(app.context)
    expect(await get(body.id)).toMatchObject({
      fault: 'Please add a line',
      last: { status: 'draft' },
      made: 1,
    })
  })
})

describe('what cannot be is refused', () => {
  test.each<[string, Fields, Record<string, string>]>([
    ['a day that has passed', { first_on: '2020-01-01' }, { first_on: 'Please choose today or a later day' }],
    ['no day', { first_on: '2026-02-30' }, { first_on: 'Please enter a date up to 2199' }],
    ['a day far away', { first_on: '2200-01-01' }, { first_on: 'Please enter a date up to 2199' }],
    [
      'an end before the beginning',
      { first_on: '2190-01-01', ends_on: '2189-12-31' },
      { ends_on: 'The last day is before the next invoice' },
    ],
    [
      'two ends',
      { first_on: '2190-01-01', ends_on: '2199-01-01', times: 3 },
      { times: 'Please choose either a last day or a number of invoices' },
    ],
    ['a number of 0', { times: 0 }, { times: 'Please enter a whole number from 1 to 600' }],
    ['half a number', { times: 1.5 }, { times: 'Please enter a whole number from 1 to 600' }],
  ])('%s', async (_name, fields, faults) => {
    const { status, error } = await repeat(fields)
    expect(status).toBe(400)
    expect(error.fields).toEqual(faults)
  })

  test('a document that is not there, is a credit note, or is incomplete', async () => {
    expect((await repeat({ invoice_id: 987_654_321 })).status).toBe(404)
    const issued = (await call(app.url, invoices.issue, asAda(await draft()))).body.id
    const note = (await call(app.url, invoices.credit, asAda(issued))).body.id
    expect(await repeat({ invoice_id: note })).toMatchObject({
      status: 409,
      error: { detail: 'Only an invoice can be repeated.' },
    })
    const incomplete = await draft({ items: [] })
    expect((await repeat({ invoice_id: incomplete, makes: 'issued' })).error.fields).toEqual({
      items: 'Please add a line',
    })
    const { body } = await repeat({ invoice_id: incomplete })
    expect((await change(body.id, { makes: 'issued' })).error.fields).toEqual({ items: 'Please add a line' })
    expect((await change(body.id, { next_on: '2020-01-01' })).status).toBe(400)
    expect((await change(987_654_321, {})).status).toBe(404)
    expect((await setState(987_654_321, 'paused')).status).toBe(404)
  })

  test('more than the limit', async () => {
    const { body } = await repeat({ first_on: '2199-01-01' })
    await runSql(
      app.context.db,
      `INSERT INTO recurring_invoices (user_id, every, makes, state, time_zone, anchor_on, anchor_period, next_period, next_on,
         due_at, currency, customer, content, created_at, updated_at)
       SELECT user_id, every, makes, state, time_zone, anchor_on, anchor_period, next_period, next_on, due_at, currency,
         customer, content, created_at, updated_at
       FROM recurring_invoices, generate_series(2, $2) WHERE user_id = $1`,
      [ada.id, RECURRING_MAX],
    )
    const refused = {
      status: 409,
      error: { detail: 'You have 200 recurring invoices. Please end one of them first.' },
    }
    expect(await repeat()).toMatchObject(refused)
    await setState(body.id, 'ended')
    expect((await repeat()).status).toBe(200)
    expect(await setState(body.id, 'active')).toMatchObject(refused)
  })
})

test('every period has the day of its anchor, or the last of a shorter month', () => {
  const random = seeded(20_261_123)
  const to = (limit: number) => Math.floor(random() * limit)
  for (let n = 0; n < 2000; n++) {
    const month = to(12) + 1
    const anchor = new Date(Date.UTC(2020 + to(60), month - 1, to(31) + 1)).toISOString().slice(0, 10)
    const every = random() < 0.7 ? 'month' : 'year'
    const period = to(400)
    const date = dateOfPeriod({ every, anchor_on: anchor, anchor_period: 1 }, 1 + period)
    const months = every === 'month' ? period : period * 12
    const [y = 0, m = 0, d = 0] = anchor.split('-').map(Number)
    const last = new Date(Date.UTC(y, m + months, 0))
    const expected = new Date(Date.UTC(y, m - 1 + months, Math.min(d, last.getUTCDate())))
    expect(date, `${anchor}, ${every} ${period}`).toBe(expected.toISOString().slice(0, 10))
  }
})

test('the days of a service keep to the ends of their months', () => {
  const content = {
    issue_date: '2026-01-31',
    due_date: '2026-02-14',
    service_start: '2026-01-01',
    service_end: '2026-01-31',
    delivery_date: '',
  } as Parameters<typeof datedContent>[0]
  expect(datedContent(content, '2026-02-28')).toEqual({
    issue_date: '2026-02-28',
    due_date: '2026-03-14',
    service_start: '2026-02-01',
    service_end: '2026-02-28',
    delivery_date: '',
  })
  const april = {
    ...content,
    issue_date: '2026-04-30',
    service_start: '2026-04-01',
    service_end: '2026-04-30',
  }
  expect(datedContent(april, '2026-05-30')).toMatchObject({
    service_start: '2026-05-01',
    service_end: '2026-05-31',
  })
})
