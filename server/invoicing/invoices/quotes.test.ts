import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contacts } from '#contract/crm/contacts.ts'
import { type BodyInput, pathOf } from '#contract/platform/endpoint.ts'
import { events } from '#contract/platform/events.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { timeline } from '#contract/overview/timeline.ts'
import { inTransaction, runSql } from '#server/platform/database/transaction.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { anInvoice } from '../../../tests/support/invoices.ts'
import { readPdf } from '../../../tests/support/read-pdf.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { type Answer, answerQuote } from './answer-quote.ts'

let app: TestApp
let ada: TestUser
const TODAY = '2026-03-09'

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
  app.clock.stand()
})
beforeEach(async () => {
  app.clock.forward(Date.parse(`${TODAY}T12:00:00Z`) - app.clock.now().getTime())
  ada = await signUp(app.url)
})
afterAll(() => app?.end())

type Fields = BodyInput<typeof invoices.add>
const asAda = (id?: number) => ({
  token: ada.token,
  headers: { 'X-User-Timezone': 'Europe/Berlin' },
  ...(id === undefined ? {} : { params: { id } }),
})
const add = (fields: Fields = {}) =>
  call(app.url, invoices.add, { ...asAda(), body: anInvoice({ kind: 'quote', ...fields }) })
const issue = (id: number) => call(app.url, invoices.issue, asAda(id))
const get = async (id: number) => (await call(app.url, invoices.get, asAda(id))).body
const accept = (id: number, name = 'Jana Berg') =>
  call(app.url, invoices.accept, { ...asAda(id), body: { name } })
const decline = (id: number, reason = '') =>
  call(app.url, invoices.decline, { ...asAda(id), body: { reason } })
const takeBack = (id: number) => call(app.url, invoices.takeAnswerBack, asAda(id))
const makeInvoice = (id: number) => call(app.url, invoices.makeInvoice, asAda(id))
const list = (query: object = {}) => call(app.url, invoices.list, { ...asAda(), query })
const numbers = async (query: object = {}) => (await list(query)).body.map(({ number }) => number)
const totals = async () => (await call(app.url, invoices.totals, asAda())).body
async function issued(fields: Fields = {}) {
  const answer = await issue((await add(fields)).body.id)
  expect(answer.status).toBe(200)
  return answer.body
}
/** What the customer's page does. */
const byCustomer = (id: number, answer: Answer) =>
  inTransaction(app.context.db, (tx) =>
    answerQuote(app.context, tx, { id: ada.id, timeZone: 'Europe/Berlin' }, id, answer),
  )
/** Opens the stream of live events, as Ada's browser does; the result waits until one of this topic arrives. */
async function listen(topic: string): Promise<() => Promise<void>> {
  const stream = await fetch(app.url + pathOf(events.stream), {
    headers: { Authorization: `Bearer ${ada.token}` },
  })
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
  return async () => {
    let text = ''
    while (!text.includes(`"topic":"${topic}"`)) text += (await reader?.read())?.value ?? ''
    await reader?.cancel()
  }
}
/** A refusal with this sentence. */
const refused = (detail: string, status = 409) => ({ status, error: { detail } })
const days = (count: number) => app.clock.forward(count * 24 * 60 * 60_000)

describe('a quote', () => {
  test('goes from draft to a paid invoice', async () => {
    const { body: draft } = await add({ notes: undefined })
    expect(draft).toMatchObject({
      kind: 'quote',
      status: 'draft',
      number: '',
      due_date: '2026-04-08',
      notes: 'This offer holds until the date above. We would be glad to work for you.',
      sums: { total: 23_000, paid: 0, due: 0 },
    })
    expect((await issue(draft.id)).body).toMatchObject({ status: 'issued', number: 'QUO-2026-0001' })
    days(1)
    expect((await accept(draft.id)).body).toMatchObject({
      status: 'accepted',
      accepted_by: 'Jana Berg',
      accepted_at: '2026-03-10T12:00:00.000Z',
      answered_by_customer: false,
      invoice: null,
    })
    const { body: made } = await makeInvoice(draft.id)
    expect(made).toMatchObject({
      kind: 'invoice',
      status: 'draft',
      number: '',
      quote: { id: draft.id, number: 'QUO-2026-0001' },
      issue_date: '2026-03-10',
      due_date: '2026-04-09',
      notes: 'Payment due within 30 days. Thank you for your business.',
      customer: 'Bea Ltd',
      sums: { total: 23_000, due: 23_000 },
    })
    // Until it is issued the quote is only accepted.
    expect(await get(draft.id)).toMatchObject({
      status: 'accepted',
      invoice: { id: made.id, number: '', status: 'draft' },
    })
    expect((await issue(made.id)).body).toMatchObject({ status: 'issued', number: 'INV-2026-0001' })
    expect(await get(draft.id)).toMatchObject({
      status: 'invoiced',
      sums: { due: 0 },
      invoice: { id: made.id, number: 'INV-2026-0001', status: 'issued' },
    })
    await call(app.url, invoices.addPayment, { ...asAda(made.id), body: { amount: '230' } })
    expect(await get(draft.id)).toMatchObject({ status: 'invoiced', invoice: { status: 'paid' } })
  })

  test('becomes one invoice, however often somebody clicks', async () => {
    const { id } = await issued()
    const answers = await Promise.all(Array.from({ length: 20 }, () => makeInvoice(id)))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
    expect(await numbers()).toHaveLength(2)
    // A draft that was deleted frees the quote, and comes back only while there is no other.
    const first = answers[0]?.body.id ?? 0
    await call(app.url, invoices.remove, asAda(first))
    expect((await get(id)).invoice).toBeNull()
    const { body: second } = await makeInvoice(id)
    expect(second.id).not.toBe(first)
    expect(await call(app.url, invoices.restore, asAda(first))).toMatchObject(
      refused('Another invoice has been made from its quote since.'),
    )
    await call(app.url, invoices.remove, asAda(second.id))
    expect((await call(app.url, invoices.restore, asAda(first))).status).toBe(200)
    expect((await makeInvoice(id)).body.id).toBe(first)
  })

  test('that was accepted is invoiced at its own rate', async () => {
    const rate = (usd: number) =>
      runSql(
        app.context.db,
        `INSERT INTO exchange_rates (base, rates, as_of, fetched_at, next_try_at) VALUES ('USD', jsonb_build_object('EUR', $1::float8), $2, $2, $2)
         ON CONFLICT (base) DO UPDATE SET rates = excluded.rates`,
        [usd, app.clock.now()],
      )
    await rate(0.9)
    const items = [{ description: 'Bread', unit_price: '10' }]
    const quote = await issued({ convert: true, currency: 'EUR', discount: '', items })
    await rate(0.5)
    await accept(quote.id)
    const { body: made } = await makeInvoice(quote.id)
    expect(made).toMatchObject({ rate: 0.9, sums: { total: 900 } })
    const change = (version: number, fields: Fields) =>
      call(app.url, invoices.update, { ...asAda(made.id), body: { version, ...fields } })
    const { body: changed } = await change(made.version, { po_number: 'PO 7' })
    expect(changed).toMatchObject({ rate: 0.9, sums: { total: 900 } })
    expect((await issue(made.id)).body).toMatchObject({ rate: 0.9, sums: { total: 900 } })
    // Nobody promised the rate to an invoice in another currency.
    const other = await issued({ convert: true, currency: 'EUR', discount: '', items })
    const { body: again } = await makeInvoice(other.id)
    const dollars = await call(app.url, invoices.update, {
      ...asAda(again.id),
      body: { version: again.version, currency: 'USD' },
    })
    expect(dollars.body).toMatchObject({ rate: 1, sums: { total: 1000 } })
    await runSql(app.context.db, 'DELETE FROM exchange_rates')
  })

  test('expires after its last day in the zone of the user, unless it was accepted', async () => {
    const { id } = await issued({ due_date: TODAY })
    const { id: accepted } = await issued({ due_date: TODAY })
    await accept(accepted)
    const statusIn = async (zone: string, of: number) =>
      (await call(app.url, invoices.get, { ...asAda(of), headers: { 'X-User-Timezone': zone } })).body.status
    expect(await statusIn('Europe/Berlin', id)).toBe('issued')
    // There it is the tenth already.
    expect(await statusIn('Pacific/Kiritimati', id)).toBe('expired')
    expect(await statusIn('Pacific/Kiritimati', accepted)).toBe('accepted')
    expect(await numbers({ status: 'expired' })).toEqual([])
    days(1)
    expect(await numbers({ status: 'expired' })).toEqual(['QUO-2026-0001'])
    expect(await numbers({ status: 'issued' })).toEqual([])
    expect(await numbers({ status: 'accepted' })).toEqual(['QUO-2026-0002'])
    // The customer called in time; it was only noted late.
    expect((await accept(id)).body.status).toBe('accepted')
    expect(await numbers({ status: 'expired' })).toEqual([])
  })

  test('is opened again, as long as no invoice of it was issued', async () => {
    const { id } = await issued()
    await decline(id, 'Too expensive')
    expect(await get(id)).toMatchObject({
      status: 'declined',
      declined_reason: 'Too expensive',
      declined_at: '2026-03-09T12:00:00.000Z',
    })
    expect(await makeInvoice(id)).toMatchObject(
      refused('This quote was declined. Open it again first, or duplicate it.'),
    )
    expect((await takeBack(id)).body).toMatchObject({
      status: 'issued',
      declined_reason: '',
      declined_at: null,
    })
    await accept(id)
    const { body: made } = await makeInvoice(id)
    expect((await takeBack(id)).body).toMatchObject({ status: 'issued', accepted_by: '', accepted_at: null })
    await accept(id, 'Kim')
    await issue(made.id)
    for (const answer of [await takeBack(id), await decline(id)])
      expect(answer).toMatchObject(refused('This quote has been invoiced already.'))
    expect(await get(id)).toMatchObject({ status: 'invoiced', accepted_by: 'Kim' })
  })

  test('is answered once: the first answer counts', async () => {
    const { id } = await issued()
    const answers = await Promise.all([accept(id, 'Jana'), accept(id, 'Kim'), decline(id), decline(id)])
    const { status } = await get(id)
    const words = { accepted: 'accepted', declined: 'declined' }[status as 'accepted' | 'declined']
    for (const answer of answers)
      if (answer.status === 200) expect(answer.body.status).toBe(status)
      else expect(answer).toMatchObject(refused(`This quote has been ${words} already.`))
    const other = await issued()
    await accept(other.id, 'Jana')
    expect((await accept(other.id, 'Kim')).body.accepted_by).toBe('Jana')
  })

  test('is no invoice: it is neither paid nor credited, nor is an invoice accepted', async () => {
    const { id } = await issued()
    const pay = (body: { amount: string }) => call(app.url, invoices.addPayment, { ...asAda(id), body })
    expect(await pay({ amount: '1' })).toMatchObject(
      refused('Payments are recorded on invoices, not on quotes.'),
    )
    expect(await call(app.url, invoices.credit, asAda(id))).toMatchObject(
      refused('A quote cannot be credited.'),
    )
    expect(await add({ amount_paid: '5' })).toMatchObject({
      status: 400,
      error: { fields: { amount_paid: 'A quote is not paid. Please leave this empty' } },
    })
    const { id: invoice } = await issued({ kind: 'invoice' })
    for (const answer of [await accept(invoice), await decline(invoice), await takeBack(invoice)])
      expect(answer).toMatchObject(refused('Only a quote is accepted or declined.'))
    expect(await makeInvoice(invoice)).toMatchObject(refused('Only a quote becomes an invoice.'))
    const { body: draft } = await add()
    for (const answer of [await accept(draft.id), await decline(draft.id)])
      expect(answer).toMatchObject(refused('Please issue this quote first.'))
    expect(await makeInvoice(draft.id)).toMatchObject(
      refused('Please issue this quote first, so that it has a number.'),
    )
    // Credit notes are made from invoices only.
    const asked = await fetch(`${app.url}/api/v1/invoices/`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${ada.token}`, 'Content-Type': 'application/json' },
      body: '{"kind":"credit_note"}',
    })
    expect(asked.status).toBe(400)
  })

  test('is locked once it is issued', async () => {
    const { id, version } = await issued()
    expect(
      await call(app.url, invoices.update, { ...asAda(id), body: { version, notes: 'x' } }),
    ).toMatchObject(
      refused('This quote has been issued and stays as it is. Duplicate it to offer something else.'),
    )
    expect(await call(app.url, invoices.remove, asAda(id))).toMatchObject(
      refused(
        'An issued quote cannot be deleted, because its number is taken. Mark it as declined if it no longer counts.',
      ),
    )
    const { body: made } = await makeInvoice(id)
    await issue(made.id)
    await expect(
      runSql(app.context.db, 'UPDATE invoices SET quote_id = NULL WHERE user_id = $1', [ada.id]),
    ).rejects.toThrow('issued invoices are locked')
  })

  test('is duplicated as a quote, with as many days to decide', async () => {
    const { id } = await issued({ issue_date: '2026-01-10', due_date: '2026-01-24' })
    await decline(id, 'Not now')
    const { body } = await call(app.url, invoices.duplicate, asAda(id))
    expect(body).toMatchObject({
      kind: 'quote',
      status: 'draft',
      due_date: '2026-03-23',
      declined_at: null,
      declined_reason: '',
    })
  })

  test('says what is missing in its own words', async () => {
    const { body: none } = await add({ due_date: '' })
    expect((await issue(none.id)).error.fields).toEqual({
      due_date: 'Please enter until when the quote is valid',
    })
    const { body: early } = await add({ due_date: '2026-01-01' })
    expect((await issue(early.id)).error.fields).toEqual({ due_date: 'This day is before the issue date' })
    const { id } = await issued()
    for (const [name, why] of [
      ['', 'Please enter the name of who accepts'],
      [' \t ', 'Please enter the name of who accepts'],
      ['a\nb', 'Please use one line, without control characters'],
      ['x'.repeat(201), 'Please keep this under 200 characters'],
    ] as const)
      expect(await accept(id, name)).toMatchObject({ status: 400, error: { fields: { name: why } } })
    expect(await decline(id, 'x'.repeat(501))).toMatchObject({
      status: 400,
      error: { fields: { reason: 'Please keep this under 500 characters' } },
    })
    expect((await get(id)).status).toBe('issued')
  })

  test('has a series and a PDF of its own', async () => {
    await issued({ kind: 'invoice' })
    const quote = await issued()
    expect(quote.number).toBe('QUO-2026-0001')
    const next = await call(app.url, invoices.nextNumber, { ...asAda(), query: { kind: 'quote' } })
    expect(next.body.number).toBe('QUO-2026-0002')
    const pdf = await fetch(`${app.url}/api/v1/invoices/${quote.id}/pdf`, {
      headers: { Authorization: `Bearer ${ada.token}` },
    })
    expect(pdf.headers.get('content-disposition')).toContain('quote-QUO-2026-0001.pdf')
    const [page] = await readPdf(new Uint8Array(await pdf.arrayBuffer()))
    expect(page?.text).toMatch(/Valid until/)
    expect(page?.text).not.toMatch(/Amount due|Due date/)
  })
})

test('a quote and an invoice never take numbers from one another', async () => {
  const typed = await add({ number: 'INV-2026-0005' })
  expect(await issue(typed.body.id)).toMatchObject({
    status: 400,
    error: { fields: { number: 'Numbers like this one are given to invoices only' } },
  })
  const body = { kind: 'quote', pattern: 'INV-{year}-{01}' } as const
  expect(await call(app.url, invoices.saveSeries, { ...asAda(), body })).toMatchObject({
    status: 400,
    error: { fields: { pattern: 'The numbers of invoices look like this already' } },
  })
  expect((await issue(typed.body.id)).status).toBe(400)
})

describe('a customer', () => {
  test('accepts a quote until the end of its last day, with their name', async () => {
    const { id } = await issued({ due_date: TODAY })
    const { id: late } = await issued({ due_date: TODAY })
    await byCustomer(id, { act: 'accept', name: 'Jana' })
    // A second click, or a second person, changes nothing.
    await byCustomer(id, { act: 'accept', name: 'Kim' })
    expect(await get(id)).toMatchObject({
      status: 'accepted',
      accepted_by: 'Jana',
      answered_by_customer: true,
    })
    await expect(byCustomer(id, { act: 'decline', reason: '' })).rejects.toThrow(
      'This quote has been accepted already.',
    )
    days(1)
    for (const answer of [
      { act: 'accept', name: 'Jana' },
      { act: 'decline', reason: '' },
    ] as const)
      await expect(byCustomer(late, answer)).rejects.toThrow(
        'This quote has expired. Please ask for a new one.',
      )
    expect((await get(late)).status).toBe('expired')
  })

  test('declines a quote with a reason; one that was invoiced is settled', async () => {
    const { id } = await issued()
    await byCustomer(id, { act: 'decline', reason: 'Too late' })
    expect(await get(id)).toMatchObject({
      status: 'declined',
      declined_reason: 'Too late',
      answered_by_customer: true,
    })
    const { id: other } = await issued()
    await issue((await makeInvoice(other)).body.id)
    await expect(byCustomer(other, { act: 'accept', name: 'Jana' })).rejects.toThrow(
      'This quote has been invoiced already.',
    )
  })

  test('who has declined meanwhile gets no invoice unasked', async () => {
    const quote = await issued()
    const { body: draft } = await makeInvoice(quote.id)
    await byCustomer(quote.id, { act: 'decline', reason: 'Too dear' })
    expect(await issue(draft.id)).toMatchObject(
      refused(`Quote ${quote.number} was declined. Please open it again before you issue its invoice.`),
    )
    expect((await get(quote.id)).status).toBe('declined')
    await takeBack(quote.id)
    expect((await issue(draft.id)).status).toBe(200)
    expect((await get(quote.id)).status).toBe('invoiced')
  })

  test('tells the owner at once, and on the timeline', async () => {
    const { body: bea } = await call(app.url, contacts.add, {
      token: ada.token,
      body: { name: 'Bea', email: 'bea@x.example' },
    })
    const { id } = await issued({ buyer: { email: 'bea@x.example' } })
    const heard = await listen('invoices')
    await byCustomer(id, { act: 'accept', name: 'Jana' })
    await heard()
    const { body } = await call(app.url, timeline.ofContact, asAda(bea.id))
    expect(body.entries[0]).toMatchObject({
      document: 'quote',
      status: 'accepted',
      number: 'QUO-2026-0001',
      accepted_by: 'Jana',
    })
  })
})

describe('totals', () => {
  test('quotes have a tab, and no part in the money', async () => {
    await issued({ due_date: TODAY })
    await issued({ kind: 'invoice', items: [{ description: 'Bread', unit_price: '9' }], discount: '' })
    await add()
    await accept((await issued()).id)
    days(1)
    expect(await totals()).toEqual({
      counts: { all: 4, draft: 1, open: 1, overdue: 0, paid: 0, credit_notes: 0, quotes: 3 },
      currencies: [{ currency: 'USD', outstanding: 900, overdue: 0, paid: 0 }],
    })
    expect(await numbers({ status: 'quotes' })).toEqual(['QUO-2026-0002', '', 'QUO-2026-0001'])
    expect(await numbers({ status: 'quotes', search: '0001' })).toEqual(['QUO-2026-0001'])
    expect(await numbers({ status: 'quotes', sort: 'due_date' })).toEqual([
      'QUO-2026-0001',
      '',
      'QUO-2026-0002',
    ])
    expect(await numbers({ status: 'open' })).toEqual(['INV-2026-0001'])
    expect(await numbers({ status: 'expired' })).toEqual(['QUO-2026-0001'])
    expect((await list({ status: 'expired' })).headers.get('X-Total-Count')).toBe('1')
  })

  const act = fc.record({
    what: fc.constantFrom('issue', 'accept', 'decline', 'takeBack', 'makeInvoice', 'remove', 'duplicate'),
    which: fc.nat({ max: 3 }),
  })
  test('never count a quote, whatever happens to it, and are those of the rows', () =>
    fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
        ada = await signUp(app.url)
        const quotes: number[] = []
        for (const due_date of [TODAY, '2026-12-24']) quotes.push((await add({ due_date })).body.id)
        const acting = {
          issue,
          accept: (id: number) => accept(id),
          decline: (id: number) => decline(id),
          takeBack,
          makeInvoice,
          remove: (id: number) => call(app.url, invoices.remove, asAda(id)),
          duplicate: (id: number) => call(app.url, invoices.duplicate, asAda(id)),
        }
        for (const { what, which } of acts) {
          const answer = await acting[what](quotes[which % quotes.length] ?? 0)
          expect([200, 404, 409]).toContain(answer.status)
          if (what === 'duplicate' && answer.status === 200)
            quotes.push((answer as { body: { id: number } }).body.id)
        }
        days(1)
        const { currencies, counts } = await totals()
        expect(currencies).toEqual([])
        expect(counts).toMatchObject({ open: 0, overdue: 0, paid: 0 })
        for (const status of ['issued', 'expired', 'accepted', 'declined', 'quotes', 'draft'] as const) {
          const { body, headers } = await list({ status, page_size: 100 })
          expect(headers.get('X-Total-Count'), status).toBe(String(body.length))
        }
        app.clock.forward(-24 * 60 * 60_000)
      }),
      { numRuns: 25 },
    ))
})
