import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type BodyInput, pathOf } from '#contract/platform/endpoint.ts'
import { invoiceMail } from '#contract/invoicing/invoice-mail.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { sharedInvoices } from '#contract/invoicing/shared-invoices.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { anInvoice } from '../../../tests/support/invoices.ts'
import { readPdf } from '../../../tests/support/read-pdf.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { invoiceToken } from './invoice-link.ts'

let app: TestApp
let ada: TestUser

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
})
beforeEach(async () => {
  ada = await signUp(app.url)
})
afterAll(() => app?.end())

const as = (user: TestUser, id: number) => ({ token: user.token, params: { id } })
const IBAN = 'DE89 3704 0044 0532 0130 00'
const NOT_VALID = 'This link is not valid. Please ask the sender for a new one.'

async function issued(fields: BodyInput<typeof invoices.add> = {}) {
  const { body } = await call(app.url, invoices.add, {
    token: ada.token,
    body: anInvoice({
      currency: 'EUR',
      seller: { name: 'Ada Muster', business_name: 'Muster Bakery', iban: IBAN, bic: 'COBADEFFXXX' },
      ...fields,
    }),
  })
  const answer = await call(app.url, invoices.issue, as(ada, body.id))
  expect(answer.status).toBe(200)
  return answer.body
}
async function tokenOf(id: number): Promise<string> {
  const { body } = await call(app.url, invoiceMail.link, as(ada, id))
  return body.url?.split('/i/')[1] ?? ''
}
const show = (token: string) => call(app.url, sharedInvoices.show, { params: { token } })
const viewed = (token: string, by?: TestUser) =>
  call(app.url, sharedInvoices.viewed, {
    params: { token },
    ...(by === undefined ? {} : { token: by.token }),
  })
const get = async (id: number) => (await call(app.url, invoices.get, as(ada, id))).body
const change = (id: number, what: 'off' | 'on' | 'new') =>
  call(app.url, invoiceMail.changeLink, { ...as(ada, id), body: { change: what } })

test('a link shows the document and how to pay it, without a session', async () => {
  const invoice = await issued({ due_date: '2020-01-02', issue_date: '2020-01-01', notes: 'Thank you' })
  await call(app.url, invoices.addPayment, { ...as(ada, invoice.id), body: { amount: '30', note: 'Secret' } })
  const token = await tokenOf(invoice.id)
  const { status, body, headers } = await show(token)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    kind: 'invoice',
    number: invoice.number,
    status: 'overdue',
    due_date: '2020-01-02',
    total: 23_000,
    paid: 3000,
    due: 20_000,
    customer: 'Bea Ltd',
    seller: { name: 'Muster Bakery' },
    account: {
      holder: 'Muster Bakery',
      iban: IBAN,
      bic: 'COBADEFFXXX',
      reference: invoice.number,
      epc: `BCD\n002\n1\nSCT\nCOBADEFFXXX\nMuster Bakery\nDE89370400440532013000\nEUR200.00\n\n\n${invoice.number}`,
    },
    document: { draft: { notes: 'Thank you' }, rate: 1 },
  })
  expect(body.payments).toEqual([{ amount: 3000, paid_on: expect.any(String) }])
  // What is the owner's own is not told: notes of payments, the contact, ids.
  expect(JSON.stringify(body)).not.toMatch(/Secret|contact|"id"|user_id/)
  expect(headers.get('x-robots-tag')).toContain('noindex')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('cache-control')).toBe('no-store')

  const answer = await fetch(app.url + pathOf(sharedInvoices.pdf, { token }))
  expect(answer.headers.get('content-disposition')).toContain(`invoice-${invoice.number}.pdf`)
  expect(answer.headers.get('x-robots-tag')).toContain('noindex')
  const [page] = await readPdf(new Uint8Array(await answer.arrayBuffer()))
  expect(page?.text).toContain(invoice.number)
})

test.each([
  ['in another currency', { currency: 'USD' as const }],
  ['with a slip in the IBAN', { seller: { name: 'Ada', iban: 'DE98 3704 0044 0532 0130 00' } }],
])('there is no code for banking apps %s', async (_what, fields) => {
  // A later version refuses such an IBAN; documents with one are there.
  const { id } = await issued({ ...fields, seller: { name: 'Ada', iban: IBAN } })
  if ('seller' in fields) {
    const { db } = app.context
    await runSql(db, 'ALTER TABLE invoices DISABLE TRIGGER invoices_locked')
    await runSql(
      db,
      `UPDATE invoices SET content = jsonb_set(content, '{seller,iban}', to_jsonb($3::text)) WHERE user_id = $1 AND id = $2`,
      [ada.id, id, fields.seller.iban],
    )
    await runSql(db, 'ALTER TABLE invoices ENABLE TRIGGER invoices_locked')
  }
  expect((await show(await tokenOf(id))).body.account).toMatchObject({ epc: null, iban: expect.any(String) })
})

test('what is paid, credited or a credit note asks for no money', async () => {
  const paid = await issued()
  await call(app.url, invoices.addPayment, { ...as(ada, paid.id), body: { amount: '230' } })
  expect((await show(await tokenOf(paid.id))).body).toMatchObject({ status: 'paid', due: 0, account: null })
  const credited = await issued()
  const { body: note } = await call(app.url, invoices.credit, as(ada, credited.id))
  await call(app.url, invoices.issue, as(ada, note.id))
  expect((await show(await tokenOf(credited.id))).body).toMatchObject({
    status: 'credited',
    due: 0,
    account: null,
    credit_notes: [{ number: expect.stringMatching(/^CN-/), total: 23_000 }],
  })
  expect((await show(await tokenOf(note.id))).body).toMatchObject({
    kind: 'credit_note',
    credits: credited.number,
    account: null,
  })
})

test('only the script of the page notes a look, and not that of the owner', async () => {
  const { id } = await issued()
  const token = await tokenOf(id)
  const address = app.url + pathOf(sharedInvoices.viewed, { token })
  await show(token)
  await fetch(app.url + pathOf(sharedInvoices.pdf, { token }))
  // Scanners of mail open links, and try what they find.
  for (const method of ['GET', 'HEAD']) expect((await fetch(address, { method })).status).toBe(404)
  expect((await viewed(token, ada)).status).toBe(200)
  expect(await get(id)).toMatchObject({ status: 'issued', viewed_at: null })
  // Another user of Howl is a customer like any other.
  const bob = await signUp(app.url)
  expect((await viewed(token, bob)).status).toBe(200)
  const { viewed_at: first, status } = await get(id)
  expect(status).toBe('viewed')
  app.clock.forward(60_000)
  await viewed(token)
  expect((await get(id)).viewed_at).toBe(first)
})

test('a link that is forged, off, replaced or of a draft says the same, whatever there is', async () => {
  const { id } = await issued()
  const token = await tokenOf(id)
  const { body: draft } = await call(app.url, invoices.add, { token: ada.token, body: anInvoice({}) })
  const [user = '', invoice = '', version = '', signature = ''] = token.split('.')
  const forged = [
    '',
    'x',
    '....',
    `${user}.${invoice}.${version}`,
    `${token}.1`,
    `${token}a`,
    [user, (id + 1).toString(36), version, signature].join('.'),
    [user, invoice, '2', signature].join('.'),
    // A signature of ours, for a draft and for what never was.
    invoiceToken(app.context, { userId: ada.id, invoiceId: draft.id, version: 1 }),
    invoiceToken(app.context, { userId: ada.id, invoiceId: 987_654_321, version: 1 }),
    invoiceToken(app.context, { userId: 987_654_321, invoiceId: id, version: 1 }),
  ]
  const isGone = async (one: string) => {
    for (const endpoint of [sharedInvoices.show, sharedInvoices.viewed]) {
      const answer = await call(app.url, endpoint, { params: { token: one } })
      if (one === '') expect(answer.status).toBe(404)
      else expect(answer).toMatchObject({ status: 404, error: { detail: NOT_VALID } })
    }
    if (one !== '')
      expect((await fetch(app.url + pathOf(sharedInvoices.pdf, { token: one }))).status).toBe(404)
  }
  for (const one of forged) await isGone(one)
  await change(id, 'off')
  await isGone(token)
  await change(id, 'on')
  expect((await show(token)).status).toBe(200)
  await change(id, 'new')
  await isGone(token)
  const renewed = await tokenOf(id)
  expect((await show(renewed)).status).toBe(200)
  // A link that is off stays off for a new version that is guessed.
  await change(id, 'off')
  await isGone(renewed)
  expect(await get(id)).toMatchObject({ viewed_at: null })
})

test('the link of a deleted account leads nowhere; that of a banned user goes on', async () => {
  const { id } = await issued()
  const token = await tokenOf(id)
  const set = (columns: string) =>
    runSql(app.context.db, `UPDATE users SET ${columns} WHERE id = $1`, [ada.id])
  await set(`deleted_at = created_at`)
  expect((await show(token)).error.detail).toBe(NOT_VALID)
  await set('deleted_at = NULL, is_active = false')
  expect((await show(token)).status).toBe(200)
  await set('is_active = true')
})

test('PDFs for customers are limited', async () => {
  const limited = await startTestApp({ roles: ['web'], environment: { RATE_LIMITS: 'on' } })
  try {
    const statuses: number[] = []
    for (let count = 0; count < 62; count += 1)
      statuses.push((await fetch(limited.url + pathOf(sharedInvoices.pdf, { token: 'x' }))).status)
    expect(statuses.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 404))
    expect(statuses.slice(60)).toEqual([429, 429])
  } finally {
    await limited.end()
  }
})

describe('a quote', () => {
  const quoted = (fields: BodyInput<typeof invoices.add> = {}) => issued({ kind: 'quote', ...fields })
  const accept = (token: string, name: string, by?: TestUser) =>
    call(app.url, sharedInvoices.accept, {
      params: { token },
      body: { name },
      ...(by === undefined ? {} : { token: by.token }),
    })
  const decline = (token: string, reason = '') =>
    call(app.url, sharedInvoices.decline, { params: { token }, body: { reason } })

  test('is accepted by its link with a name, once, without a session', async () => {
    const quote = await quoted()
    const token = await tokenOf(quote.id)
    expect((await show(token)).body).toMatchObject({ kind: 'quote', status: 'issued', due: 0, account: null })
    expect(await accept(token, ' ')).toMatchObject({
      status: 400,
      error: { fields: { name: 'Please enter your name' } },
    })
    const answers = await Promise.all([accept(token, 'Jana'), accept(token, 'Jana'), accept(token, 'Jana')])
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(body).toMatchObject({ status: 'accepted', accepted_by: 'Jana' })
    }
    expect(await decline(token)).toMatchObject({
      status: 409,
      error: { detail: 'This quote has been accepted already.' },
    })
    expect(await get(quote.id)).toMatchObject({
      status: 'accepted',
      accepted_by: 'Jana',
      answered_by_customer: true,
    })
  })

  test('is declined with a reason that only its owner reads', async () => {
    const quote = await quoted()
    const token = await tokenOf(quote.id)
    const { body } = await decline(token, 'Too expensive')
    expect(body).toMatchObject({ status: 'declined' })
    expect(JSON.stringify(body)).not.toContain('Too expensive')
    expect(await get(quote.id)).toMatchObject({ declined_reason: 'Too expensive' })
  })

  test('is not answered when it has expired, by its owner, by a link that is off, or if it is an invoice', async () => {
    const late = await tokenOf((await quoted({ issue_date: '2020-01-01', due_date: '2020-01-02' })).id)
    for (const answer of [await accept(late, 'Jana'), await decline(late)])
      expect(answer).toMatchObject({
        status: 409,
        error: { detail: 'This quote has expired. Please ask for a new one.' },
      })
    const quote = await quoted()
    const token = await tokenOf(quote.id)
    expect(await accept(token, 'Ada', ada)).toMatchObject({
      status: 409,
      error: {
        detail: 'This is your own quote. Note the answer of your customer on the page of the quote.',
      },
    })
    await change(quote.id, 'off')
    expect(await accept(token, 'Jana')).toMatchObject({ status: 404, error: { detail: NOT_VALID } })
    expect((await get(quote.id)).status).toBe('issued')
    const invoice = await tokenOf((await issued()).id)
    expect((await accept(invoice, 'Jana')).status).toBe(409)
  })

  test('is mailed in its own words', async () => {
    const quote = await quoted({ due_date: '2026-12-24', issue_date: '2026-11-23' })
    const { body } = await call(app.url, invoiceMail.proposal, as(ada, quote.id))
    expect(body).toMatchObject({
      subject: `Quote ${quote.number} from Muster Bakery`,
      file_name: `quote-${quote.number}.pdf`,
    })
    expect(body.text).toContain(`please find attached quote ${quote.number}.`)
    expect(body.text).toContain('Total: €230.00\nValid until: 24 Dec 2026')
    expect(body.text).not.toMatch(/invoice|Amount due|paid/i)
  })
})
