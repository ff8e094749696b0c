import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contacts } from '#contract/crm/contacts.ts'
import type { BodyInput } from '#contract/platform/endpoint.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { anInvoice } from '../../../tests/support/invoices.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { forgetDeleted } from './store.ts'

let app: TestApp
let ada: TestUser

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
  app.clock.stand()
  app.clock.forward(Date.parse('2026-03-09T12:00:00Z') - app.clock.now().getTime())
})
beforeEach(async () => {
  ada = await signUp(app.url)
})
afterAll(() => app?.end())

type Fields = BodyInput<typeof invoices.add>
const asAda = (id?: number) => ({
  token: ada.token,
  headers: { 'X-User-Timezone': 'Europe/Berlin' },
  ...(id === undefined ? {} : { params: { id } }),
})
const add = (fields: Fields = {}) => call(app.url, invoices.add, { ...asAda(), body: anInvoice(fields) })
const issue = (id: number) => call(app.url, invoices.issue, asAda(id))
const get = async (id: number) => (await call(app.url, invoices.get, asAda(id))).body
const pay = (id: number, amount: string | number, fields: object = {}) =>
  call(app.url, invoices.addPayment, { ...asAda(id), body: { amount, ...fields } })
const list = (query: object = {}) => call(app.url, invoices.list, { ...asAda(), query })
const numbers = async (query: object = {}) => (await list(query)).body.map(({ number }) => number)
const totals = async () => (await call(app.url, invoices.totals, asAda())).body
async function issued(fields: Fields = {}) {
  const answer = await issue((await add(fields)).body.id)
  expect(answer.status).toBe(200)
  return answer.body
}

describe('an invoice', () => {
  test('goes from draft to paid', async () => {
    const { body: draft } = await add({ due_date: '2026-03-20' })
    expect(draft).toMatchObject({
      kind: 'invoice',
      status: 'draft',
      number: '',
      customer: 'Bea Ltd',
      issue_date: '2026-03-09',
      sums: { net: 20_000, tax: 3800, discount: 800, total: 23_000, paid: 0, due: 23_000 },
    })
    const { body: open } = await issue(draft.id)
    expect(open).toMatchObject({
      status: 'issued',
      number: 'INV-2026-0001',
      issued_at: '2026-03-09T12:00:00.000Z',
    })

    const { body: part } = await pay(draft.id, '30.50', { paid_on: '2026-03-08', note: 'By bank' })
    expect(part).toMatchObject({
      status: 'part_paid',
      sums: { paid: 3050, due: 19_950 },
      payments: [{ amount: 3050, paid_on: '2026-03-08', note: 'By bank' }],
    })
    const { body: paid } = await pay(draft.id, 199.5)
    expect(paid).toMatchObject({ status: 'paid', sums: { paid: 23_000, due: 0 } })
    expect(paid.payments[0]?.paid_on).toBe('2026-03-09')

    // A payment that was recorded by mistake is taken off again.
    const params = { id: draft.id, payment_id: paid.payments[0]?.id ?? 0 }
    const undone = await call(app.url, invoices.removePayment, { token: ada.token, params })
    expect(undone.body).toMatchObject({ status: 'part_paid', sums: { due: 19_950 } })
    expect((await call(app.url, invoices.removePayment, { token: ada.token, params })).status).toBe(404)
  })

  test('keeps bank details and places, and is not issued with an IBAN that is wrong', async () => {
    const seller = { iban: 'DE89 3704 0044 0532 0130 01', bic: 'COBADEFFXXX', city: 'Berlin' }
    const { body: draft } = await add({ seller: { ...anInvoice().seller, ...seller } })
    expect(draft.seller).toMatchObject({ ...seller, post_code: '', country_code: '' })
    expect(await issue(draft.id)).toMatchObject({
      status: 400,
      error: { detail: 'Please check this IBAN: a character is wrong' },
    })
    const body = { version: draft.version, seller: { iban: 'DE89370400440532013000', country_code: 'DE' } }
    expect((await call(app.url, invoices.update, { ...asAda(draft.id), body })).body.seller).toMatchObject({
      iban: 'DE89370400440532013000',
      city: 'Berlin',
      country_code: 'DE',
    })
    expect((await issue(draft.id)).status).toBe(200)
    const wrong = { seller: { country_code: 'Germany' } }
    expect((await call(app.url, invoices.add, { ...asAda(), body: wrong })).status).toBe(400)
  })

  test('that was stored before there were places is read with none', async () => {
    const { id } = await issued()
    for (const statement of [
      'ALTER TABLE invoices DISABLE TRIGGER invoices_locked',
      `UPDATE invoices SET content = content #- '{seller,city}' #- '{buyer,country_code}' WHERE id = ${id}`,
      'ALTER TABLE invoices ENABLE TRIGGER invoices_locked',
    ])
      await runSql(app.context.db, statement)
    expect(await get(id)).toMatchObject({ seller: { city: '' }, buyer: { country_code: '' } })
  })

  test('is overdue from the day after its due date, in the zone of the user', async () => {
    const { id } = await issued({ issue_date: '2026-02-01', due_date: '2026-03-08' })
    const { id: today } = await issued({ due_date: '2026-03-09' })
    const statusIn = async (zone: string, of: number) =>
      (await call(app.url, invoices.get, { ...asAda(of), headers: { 'X-User-Timezone': zone } })).body.status
    expect(await statusIn('Europe/Berlin', id)).toBe('overdue')
    expect(await statusIn('Europe/Berlin', today)).toBe('issued')
    // There it is the tenth already.
    expect(await statusIn('Pacific/Kiritimati', today)).toBe('overdue')
    expect(await numbers({ status: 'overdue' })).toEqual(['INV-2026-0001'])
    expect(await numbers({ status: 'open' })).toEqual(['INV-2026-0002', 'INV-2026-0001'])
    expect(await numbers({ status: 'issued' })).toEqual(['INV-2026-0002'])
    await pay(id, 230)
    expect(await get(id)).toMatchObject({ status: 'paid' })
  })

  test('is locked once it is issued', async () => {
    const { id, version } = await issued()
    const changed = await call(app.url, invoices.update, { ...asAda(id), body: { version, notes: 'Other' } })
    expect(changed).toMatchObject({
      status: 409,
      error: { detail: 'This invoice has been issued and stays as it is. A credit note can take it back.' },
    })
    const removed = await call(app.url, invoices.remove, asAda(id))
    expect(removed).toMatchObject({
      status: 409,
      error: {
        detail:
          'An issued document cannot be deleted, because its number is taken. A credit note takes it back.',
      },
    })
    // Not even a mistake in our own code gets past the table.
    const others = {
      kind: 'quote',
      number: 'X',
      credits_id: 1,
      currency: 'JPY',
      rate: 2,
      rate_date: '2030-01-01',
      issue_date: '2030-01-01',
      due_date: '2030-01-01',
      content: '{}',
      net: 1,
      tax: 1,
      discount: 1,
      total: 1,
      issued_at: '2030-01-01',
    }
    for (const statement of [
      ...Object.entries(others).map(([column, value]) => `UPDATE invoices SET ${column} = '${value}'`),
      'DELETE FROM invoices',
    ]) {
      const done = runSql(app.context.db, `${statement} WHERE user_id = $1`, [ada.id]).then(
        () => 'done',
        String,
      )
      expect(await done, statement).toContain('issued invoices are locked')
    }
    expect(await get(id)).toMatchObject({ number: 'INV-2026-0001', sums: { total: 23_000 } })
  })

  test('keeps the rate of the day it was issued', async () => {
    const rate = (usd: number) =>
      runSql(
        app.context.db,
        `INSERT INTO exchange_rates (base, rates, as_of, fetched_at, next_try_at) VALUES ('USD', jsonb_build_object('EUR', $1::float8), $2, $2, $2)
         ON CONFLICT (base) DO UPDATE SET rates = excluded.rates`,
        [usd, app.clock.now()],
      )
    await rate(0.9)
    const fields: Fields = {
      convert: true,
      currency: 'EUR',
      discount: '',
      items: [{ description: 'Bread', unit_price: 10 }],
    }
    const { body: draft } = await add(fields)
    expect(draft).toMatchObject({ rate: 0.9, sums: { total: 900 } })
    await rate(0.8)
    const done = await issue(draft.id)
    expect(done.body).toMatchObject({
      rate: 0.8,
      rate_date: '2026-03-09T12:00:00.000Z',
      sums: { total: 800 },
    })
    await rate(0.5)
    expect(await get(draft.id)).toMatchObject({ rate: 0.8, sums: { total: 800, due: 800 } })
    const copy = await call(app.url, invoices.duplicate, asAda(draft.id))
    expect(copy.body).toMatchObject({ status: 'draft', rate: 0.5, sums: { total: 500 } })
    await runSql(app.context.db, 'DELETE FROM exchange_rates')
  })

  test('that was paid in part before its issue has that payment', async () => {
    const { body: draft } = await add({ amount_paid: '30' })
    expect(draft).toMatchObject({ status: 'draft', sums: { paid: 3000, due: 20_000 }, payments: [] })
    expect((await issue(draft.id)).body).toMatchObject({
      status: 'part_paid',
      payments: [{ amount: 3000, note: 'Paid before the invoice was issued' }],
    })
  })

  test('keeps what was written', async () => {
    const content: Fields = {
      po_number: 'PO 7',
      currency: 'JPY',
      issue_date: '2026-02-01',
      due_date: '2026-02-15',
      service_start: '2026-01-01',
      service_end: '2026-01-31',
      delivery_date: '2026-01-20',
      seller: { name: 'Ada', iban: 'DE02 1203 0000 0000 2020 51', bic: 'BYLADEM1001' },
      buyer: { name: 'شركة النور', business_name: '', address: 'Street 1\nCity' },
      items: [
        {
          description: 'Bread\nsliced',
          quantity: 1.5,
          unit_price: '200',
          discount_pct: '10',
          tax_pct: '7.7',
        },
      ],
      discount: '3',
      notes: 'Thank you\nso much',
      country: 'JP',
      sector: 'saas',
      layout: 'modern',
      tax_category: 'AE',
      tax_reason: 'Reverse charge',
      buyer_reference: 'Cost centre 4',
    }
    const { body } = await add(content)
    expect(body).toMatchObject({
      ...content,
      customer: 'شركة النور',
      items: [
        {
          description: 'Bread\nsliced',
          quantity: '1.5',
          unit_price: '200',
          discount_pct: '10',
          tax_pct: '7.7',
        },
      ],
      sums: { net: 270, tax: 21, discount: 3, total: 288 },
    })
    expect(await get(body.id)).toEqual(body)
  })
})

describe('two tabs', () => {
  test('lose nothing: the second hears that the draft has changed', async () => {
    const { body: draft } = await add()
    const change = (version: number, fields: Fields) =>
      call(app.url, invoices.update, { ...asAda(draft.id), body: { version, ...fields } })
    const first = await change(draft.version, { buyer: { phone: '123' } })
    // Fields that were not given stay.
    expect(first.body).toMatchObject({ buyer: { name: 'Bea', phone: '123' }, version: draft.version + 1 })
    expect(await change(draft.version, { buyer: { phone: '456' } })).toMatchObject({
      status: 409,
      error: {
        detail:
          'This draft was changed elsewhere in the meantime. Please reload it, and make your change again.',
      },
    })
    expect((await change(first.body.version, { po_number: 'PO 9' })).body).toMatchObject({
      po_number: 'PO 9',
      buyer: { phone: '123' },
    })
  })
})

describe('numbers', () => {
  test('are consecutive when fifty invoices are issued at once', async () => {
    const drafts = await Promise.all(Array.from({ length: 50 }, () => add()))
    // Some cannot be issued, and use no number.
    const broken = await Promise.all(
      Array.from({ length: 10 }, () => add({ buyer: { name: '', business_name: '' } })),
    )
    const answers = await Promise.all([...drafts, ...broken].map(({ body }) => issue(body.id)))
    expect(answers.map(({ status }) => status).filter((status) => status === 400)).toHaveLength(10)
    const given = answers.flatMap(({ body, status }) => (status === 200 ? [body.number] : [])).toSorted()
    expect(given).toEqual(
      Array.from({ length: 50 }, (_, at) => `INV-2026-${String(at + 1).padStart(4, '0')}`),
    )
  })

  test('are used once, however often somebody clicks', async () => {
    const { body: draft } = await add()
    const answers = await Promise.all(Array.from({ length: 20 }, () => issue(draft.id)))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.number}`))).toEqual(
      new Set(['200 INV-2026-0001']),
    )
    expect((await issued()).number).toBe('INV-2026-0002')
  })

  test('are proposed without being used up, and begin anew each year', async () => {
    const next = async (query: object = {}) =>
      (await call(app.url, invoices.nextNumber, { ...asAda(), query })).body.number
    expect(await next()).toBe('INV-2026-0001')
    expect(await next()).toBe('INV-2026-0001')
    await issued()
    expect(await next()).toBe('INV-2026-0002')
    expect(await next({ kind: 'credit_note' })).toBe('CN-2026-0001')
    expect(await next({ issue_date: '2027-01-01' })).toBe('INV-2027-0001')
    expect((await issued({ issue_date: '2025-12-31' })).number).toBe('INV-2025-0001')
    expect((await issued()).number).toBe('INV-2026-0002')
  })

  test('that were typed are taken, unless the series gives such numbers itself', async () => {
    expect((await issued({ number: 'R 77/3' })).number).toBe('R 77/3')
    expect((await issued({ number: 'INV-2026-0500' })).number).toBe('INV-2026-0001')
    const { body: again } = await add({ number: 'R 77/3' })
    expect(await issue(again.id)).toMatchObject({
      status: 400,
      error: { fields: { number: 'Another document has this number already' } },
    })
    expect(await get(again.id)).toMatchObject({ status: 'draft', number: 'R 77/3' })
  })

  test('that were typed twice and issued at once are given once', async () => {
    const drafts = await Promise.all([1, 2, 3, 4].map(() => add({ number: 'R 1' })))
    const answers = await Promise.all(drafts.map(({ body }) => issue(body.id)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400])
  })

  test('follow a pattern of one’s own, from a count of one’s own', async () => {
    const save = (body: BodyInput<typeof invoices.saveSeries>) =>
      call(app.url, invoices.saveSeries, { ...asAda(), body })
    await issued({ number: 'R-2026/03-043' })
    expect((await save({ pattern: 'R-{year}/{month}-{001}', next: 42 })).body).toEqual([
      { kind: 'invoice', pattern: 'R-{year}/{month}-{001}', next_number: 'R-2026/03-042', next: 42 },
      { kind: 'credit_note', pattern: 'CN-{year}-{0001}', next_number: 'CN-2026-0001', next: 1 },
      { kind: 'quote', pattern: 'QUO-{year}-{0001}', next_number: 'QUO-2026-0001', next: 1 },
    ])
    expect((await issued()).number).toBe('R-2026/03-042')
    // 043 was typed before.
    expect((await issued()).number).toBe('R-2026/03-044')
    expect((await issued({ issue_date: '2026-04-01', due_date: '2026-05-01' })).number).toBe('R-2026/04-001')
    expect(await save({ pattern: 'R-{year}/{month}-{001}', next: 42 })).toMatchObject({
      status: 400,
      error: { fields: { next: 'This number has been used already' } },
    })
  })

  test.each([
    ['INV-{year}', 'Please put the counter in once, as {0001}'],
    ['{0001}-{0001}', 'Please put the counter in once, as {0001}'],
    ['INV-{day}-{0001}', '{day} is not known. Use {year}, {month} and {0001}'],
    ['INV-{month}-{0001}', 'Please put {year} in beside {month}'],
    ['INV-{0001', 'Please close each brace, as in {year}'],
    ['', 'Please enter a pattern of 60 characters at most'],
    ['x'.repeat(56) + '{0001}', 'Please enter a pattern of 60 characters at most'],
    [`${'x'.repeat(53)}{0001}`, 'Please keep numbers under 60 characters'],
  ])('refuse the pattern %s', async (pattern, why) => {
    const answer = await call(app.url, invoices.saveSeries, { ...asAda(), body: { pattern } })
    expect(answer).toMatchObject({ status: 400, error: { fields: { pattern: why } } })
  })
})

describe('a credit note', () => {
  test('names its invoice and takes it back, all or part of it', async () => {
    const { id } = await issued({ issue_date: '2026-02-01', due_date: '2026-03-01' })
    const credit = () => call(app.url, invoices.credit, asAda(id))
    const { body: note } = await credit()
    expect(note).toMatchObject({
      kind: 'credit_note',
      status: 'draft',
      credits: { id, number: 'INV-2026-0001' },
      notes: 'Credit note for invoice INV-2026-0001',
      sums: { total: 23_000, due: 0 },
    })
    // A second click answers the same draft.
    expect((await credit()).body.id).toBe(note.id)

    const items = [{ description: 'One loaf too many', unit_price: '30' }]
    const lowered = await call(app.url, invoices.update, {
      ...asAda(note.id),
      body: { version: note.version, items, discount: '' },
    })
    expect(lowered.body.sums.total).toBe(3000)
    expect((await issue(note.id)).body).toMatchObject({ status: 'issued', number: 'CN-2026-0001' })
    expect(await get(id)).toMatchObject({
      status: 'overdue',
      sums: { credited: 3000, due: 20_000 },
      credit_notes: [{ id: note.id, number: 'CN-2026-0001', total: 3000 }],
    })
    const { body: second } = await credit()
    expect(await issue(second.id)).toMatchObject({
      status: 409,
      error: {
        detail: 'Of invoice INV-2026-0001 at most $200.00 can be credited. Please lower the amounts.',
      },
    })
    const rest = [{ description: 'The rest', unit_price: '200' }]
    await call(app.url, invoices.update, {
      ...asAda(second.id),
      body: { version: second.version, items: rest, discount: '' },
    })
    await issue(second.id)
    expect(await get(id)).toMatchObject({ status: 'credited', sums: { credited: 23_000, due: 0 } })
    expect(await credit()).toMatchObject({
      status: 409,
      error: { detail: 'All of this invoice has been credited already.' },
    })
    expect(await numbers({ status: 'credit_notes' })).toEqual(['CN-2026-0002', 'CN-2026-0001'])
  })

  test('is not made of a draft or of a credit note, and is not paid', async () => {
    const { body: draft } = await add()
    expect((await call(app.url, invoices.credit, asAda(draft.id))).status).toBe(409)
    const { id } = await issued()
    const { body: note } = await call(app.url, invoices.credit, asAda(id))
    const other = { version: note.version, currency: 'EUR' as const }
    expect(await call(app.url, invoices.update, { ...asAda(note.id), body: other })).toMatchObject({
      status: 400,
      error: { fields: { currency: 'A credit note has the currency of its invoice' } },
    })
    await issue(note.id)
    expect((await call(app.url, invoices.credit, asAda(note.id))).status).toBe(409)
    expect((await pay(note.id, 1)).status).toBe(409)
  })
})

describe('a draft', () => {
  test('is deleted and brought back', async () => {
    const { body: draft } = await add()
    const restore = () => call(app.url, invoices.restore, asAda(draft.id))
    expect((await call(app.url, invoices.remove, asAda(draft.id))).body).toEqual({ ok: true })
    expect((await call(app.url, invoices.get, asAda(draft.id))).status).toBe(404)
    expect((await issue(draft.id)).status).toBe(404)
    expect(await numbers()).toEqual([])
    expect((await totals()).counts.all).toBe(0)
    expect((await restore()).body).toMatchObject({ id: draft.id, status: 'draft', customer: 'Bea Ltd' })
    expect((await totals()).counts).toMatchObject({ all: 1, draft: 1 })
    expect(await restore()).toMatchObject({ status: 404, error: { detail: 'This can no longer be undone.' } })
  })

  test('that was deleted is removed after an hour; what was issued stays', async () => {
    const { body: draft } = await add()
    const { id } = await issued()
    await call(app.url, invoices.remove, asAda(draft.id))
    const now = app.clock.now()
    expect(await forgetDeleted(app.context.db, now, 10)).toBe(0)
    expect(await forgetDeleted(app.context.db, new Date(now.getTime() + 1), 10)).toBe(1)
    expect((await call(app.url, invoices.restore, asAda(draft.id))).status).toBe(404)
    expect(await get(id)).toMatchObject({ status: 'issued' })
    expect((await totals()).counts).toMatchObject({ all: 1, open: 1 })
  })

  test('takes the number of days to pay along when it is duplicated', async () => {
    const { id } = await issued({ issue_date: '2026-01-10', due_date: '2026-01-24', amount_paid: '5' })
    const { body } = await call(app.url, invoices.duplicate, asAda(id))
    expect(body).toMatchObject({
      status: 'draft',
      number: '',
      issue_date: '2026-03-09',
      due_date: '2026-03-23',
      amount_paid: '',
      customer: 'Bea Ltd',
      sums: { total: 23_000, paid: 0 },
    })
  })

  test('belongs to the contact with the buyer’s address, until that is deleted', async () => {
    const { body: bea } = await call(app.url, contacts.add, {
      token: ada.token,
      body: { name: 'Bea Berg', email: 'Bea@far.example' },
    })
    const { body: draft } = await add({ buyer: { email: 'bea@Far.example' } })
    expect(draft).toMatchObject({ contact_id: bea.id, contact: { id: bea.id, name: 'Bea Berg' } })
    const { body: gone } = await call(app.url, contacts.remove, { token: ada.token, params: { id: bea.id } })
    expect(await get(draft.id)).toMatchObject({ contact_id: null, contact: null, customer: 'Bea Ltd' })
    await call(app.url, contacts.undoMany, { token: ada.token, params: { id: gone.undo_id ?? 0 } })
    expect(await get(draft.id)).toMatchObject({ contact: { id: bea.id } })
    const unlinked = await call(app.url, invoices.update, {
      ...asAda(draft.id),
      body: { version: draft.version, contact_id: null },
    })
    expect(unlinked.body.contact).toBeNull()
  })

  test('says what is missing before it is issued, and keeps the rest', async () => {
    const { body: draft } = await call(app.url, invoices.add, { ...asAda(), body: {} })
    expect(draft).toMatchObject({ status: 'draft', due_date: '2026-04-08', sums: { total: 0 } })
    expect((await issue(draft.id)).error.fields).toEqual({
      'seller.name': 'Please enter your name or business name',
      'buyer.name': 'Please enter the customer’s name',
      items: 'Please add a line',
    })
    const { body: late } = await add({
      due_date: '2026-01-01',
      buyer: { email: 'nobody' },
      items: [{ unit_price: '1' }],
    })
    expect((await issue(late.id)).error.fields).toEqual({
      'buyer.email': 'Please enter a valid email address',
      'items.0.description': 'Please say what this line is for',
      due_date: 'The due date is before the issue date',
    })
    expect(await call(app.url, invoices.nextNumber, asAda())).toMatchObject({
      body: { number: 'INV-2026-0001' },
    })
  })
})

describe('the list', () => {
  test('is searched, filtered, sorted and paged', async () => {
    const buyer = (name: string) => ({
      buyer: { name, business_name: '', email: `${name.slice(0, 3)}@far.example` },
    })
    const one = await issued({
      ...buyer('zoe'),
      items: [{ description: 'a', unit_price: '3' }],
      discount: '',
    })
    await issued({ ...buyer('Bob 100%'), due_date: '2026-03-01', issue_date: '2026-02-01' })
    await add({ ...buyer('carl'), po_number: 'PO-77', number: 'My own' })
    expect(await numbers()).toEqual(['My own', 'INV-2026-0002', 'INV-2026-0001'])
    expect(await numbers({ sort: 'customer' })).toEqual(['INV-2026-0002', 'My own', 'INV-2026-0001'])
    expect(await numbers({ sort: 'total' })).toEqual(['INV-2026-0001', 'INV-2026-0002', 'My own'])
    expect(await numbers({ sort: 'due_date' })).toEqual(['INV-2026-0002', 'INV-2026-0001', 'My own'])
    expect(await numbers({ sort: '-issue_date' })).toEqual(['My own', 'INV-2026-0001', 'INV-2026-0002'])
    expect(await numbers({ status: 'draft' })).toEqual(['My own'])
    expect(await numbers({ search: 'po-77' })).toEqual(['My own'])
    expect(await numbers({ search: 'FAR zoe' })).toEqual(['INV-2026-0001'])
    expect(await numbers({ search: '0002' })).toEqual(['INV-2026-0002'])
    expect(await numbers({ search: '100%' })).toEqual(['INV-2026-0002'])
    expect(await numbers({ search: 'zoe', status: 'draft' })).toEqual([])
    await pay(one.id, 3)
    expect(await numbers({ status: 'paid' })).toEqual(['INV-2026-0001'])
    const second = await list({ page: 2, page_size: 2 })
    expect(second.headers.get('X-Total-Count')).toBe('3')
    expect(second.body.map(({ number }) => number)).toEqual(['INV-2026-0001'])
    expect((await list({ search: 'far', page_size: 1 })).headers.get('X-Total-Count')).toBe('3')
  })

  test('has totals by currency and counts by status', async () => {
    expect(await totals()).toEqual({
      counts: { all: 0, draft: 0, open: 0, overdue: 0, paid: 0, credit_notes: 0, quotes: 0 },
      currencies: [],
    })
    const cost = (unit_price: string) => ({ items: [{ description: 'Bread', unit_price }], discount: '' })
    await add(cost('7'))
    await issued({ ...cost('100'), currency: 'EUR', due_date: '2026-03-01', issue_date: '2026-02-01' })
    const { id } = await issued({ ...cost('50'), currency: 'EUR' })
    await issued({ ...cost('20'), currency: 'JPY' })
    const { id: paid } = await issued(cost('9'))
    await pay(id, '20')
    await pay(paid, '9')
    await call(app.url, invoices.credit, asAda(id))
    expect(await totals()).toEqual({
      counts: { all: 6, draft: 2, open: 3, overdue: 1, paid: 1, credit_notes: 1, quotes: 0 },
      currencies: [
        { currency: 'EUR', outstanding: 13_000, overdue: 10_000, paid: 2000 },
        { currency: 'JPY', outstanding: 20, overdue: 0, paid: 0 },
        { currency: 'USD', outstanding: 0, overdue: 0, paid: 900 },
      ],
    })
    // The counts that triggers keep are those of the rows themselves.
    const { rows } = await runSql(
      app.context.db,
      `SELECT kind, currency, phase, sum(invoices) AS n, sum(paid) AS paid, sum(due) AS due FROM invoice_totals
       WHERE user_id = $1 AND invoices <> 0 GROUP BY 1, 2, 3
       EXCEPT SELECT kind, currency, phase, count(*), sum(paid), sum(due) FROM invoices
       WHERE user_id = $1 GROUP BY 1, 2, 3`,
      [ada.id],
    )
    expect(rows).toEqual([])
  })
})

describe('odd values are refused beside their field', () => {
  const line = (fields: object) => ({ items: [{ description: 'Bread', unit_price: '1', ...fields }] })
  test.each<[name: string, fields: object, field: string, why: string]>([
    ['a negative price', line({ unit_price: -1 }), 'items.0.unit_price', 'This cannot be below 0'],
    ['a negative quantity', line({ quantity: '-2' }), 'items.0.quantity', 'This cannot be below 0'],
    ['a huge price', line({ unit_price: '99999999999.99' }), 'items.0.unit_price', 'At most 10000000000'],
    ['no number', line({ unit_price: 'NaN' }), 'items.0.unit_price', 'Please enter a number'],
    ['an endless number', line({ quantity: '1e309' }), 'items.0.quantity', 'Please enter a number'],
    [
      'a comma',
      line({ unit_price: '12,5' }),
      'items.0.unit_price',
      'Please use a point for decimals, as in 12.50',
    ],
    ['too many decimals', line({ unit_price: '1.005' }), 'items.0.unit_price', 'At most 2 decimals'],
    ['too much tax', line({ tax_pct: '101' }), 'items.0.tax_pct', 'At most 100'],
    [
      'a number of 31 digits',
      line({ quantity: '1'.repeat(31) }),
      'items.0.quantity',
      'This number is too long',
    ],
    [
      'too large a product',
      line({ unit_price: '9999999999', quantity: '999999' }),
      'items',
      'These amounts are too large for one invoice',
    ],
    [
      '10,000 lines',
      { items: Array.from({ length: 10_000 }, () => ({})) },
      'items',
      'Please keep this under 500 lines',
    ],
    [
      'a currency that is gone',
      { currency: 'DEM' },
      'currency',
      'This currency is not offered. Please choose another one',
    ],
    ['a day that is not', { due_date: '2026-02-30' }, 'due_date', 'Please enter a date from 1970 to 2199'],
    [
      'a control character',
      { buyer: { name: 'Be\u0007a' } },
      'buyer.name',
      'Please use one line, without control characters',
    ],
    [
      'a picture that is none',
      { seller: { logo: 'data:text/html,x' } },
      'seller.logo',
      'Please choose an image file',
    ],
    ['endless notes', { notes: 'x'.repeat(4001) }, 'notes', 'Please keep this under 4000 characters'],
  ])('%s', async (_name, fields, field, why) => {
    const answer = await add(fields)
    expect(answer.status).toBe(400)
    expect(answer.error.fields).toMatchObject({ [field]: why })
    expect(await numbers()).toEqual([])
  })

  test('a number beyond all numbers in JSON', async () => {
    const response = await fetch(`${app.url}/api/v1/invoices/`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${ada.token}`, 'Content-Type': 'application/json' },
      body: '{"items":[{"description":"x","quantity":1e309}],"discount":null}',
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ fields: { 'items.0.quantity': expect.any(String) } })
  })

  test.each<[name: string, amount: string | number, fields: object, field: string, why: string]>([
    ['nothing', '', {}, 'amount', 'Please enter an amount above 0'],
    ['less than nothing', '-5', {}, 'amount', 'This cannot be below 0'],
    ['more than is left', '230.01', {}, 'amount', 'Only $230.00 is left to pay'],
    ['not a number', 'ten', {}, 'amount', 'Please enter a number'],
    ['tomorrow', '5', { paid_on: '2026-03-10' }, 'paid_on', 'This day has not come yet'],
    ['no day', '5', { paid_on: '2026-02-30' }, 'paid_on', 'Please enter a date from 1970 to 2199'],
    ['a note in lines', '5', { note: 'a\nb' }, 'note', 'Please use one line, without control characters'],
  ])('a payment of %s', async (_name, amount, fields, field, why) => {
    const { id } = await issued()
    const answer = await pay(id, amount, fields)
    expect(answer).toMatchObject({ status: 400, error: { fields: { [field]: why } } })
    expect((await get(id)).payments).toEqual([])
  })

  test('payments at once do not pay more than is due', async () => {
    const { id } = await issued()
    const answers = await Promise.all(Array.from({ length: 10 }, () => pay(id, '100')))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(await get(id)).toMatchObject({ sums: { paid: 20_000, due: 3000 } })
  })

  test('a payment of a draft', async () => {
    const { body } = await add()
    expect(await pay(body.id, 1)).toMatchObject({
      status: 409,
      error: { detail: 'Please issue this invoice before you record a payment.' },
    })
  })
})
