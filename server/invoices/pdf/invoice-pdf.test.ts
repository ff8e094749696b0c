import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BodyInput } from '#contract/endpoint.ts'
import { countInvoice, invoiceDraft } from '#contract/invoices.ts'
import { invoices } from '#contract/saved-invoices.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { anInvoice } from '../../../tests/support/invoices.ts'
import { invoicePdf as drawn } from '../../../tests/support/invoice-pdf.ts'
import { readPdf } from '../../../tests/support/read-pdf.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { invoicePdf } from './invoice-pdf.ts'

let app: TestApp
let ada: TestUser

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
})
beforeEach(async () => {
  ada = await signUp(app.url)
})
afterAll(() => app?.end())

type Fields = BodyInput<typeof invoices.add>
async function issued(fields: Fields = {}, user = ada) {
  const { body } = await call(app.url, invoices.add, { token: user.token, body: anInvoice(fields) })
  const answer = await call(app.url, invoices.issue, { token: user.token, params: { id: body.id } })
  expect(answer.status).toBe(200)
  return answer.body
}
const fetchPdf = (id: number, user = ada) =>
  fetch(`${app.url}/api/v1/invoices/${id}/pdf`, { headers: { Authorization: `Bearer ${user.token}` } })
const line = (description: string) => ({ description, quantity: '2', unit_price: '100', tax_pct: '19' })

test('a stored document is a PDF with the text that browsers print', async () => {
  const invoice = await issued({
    buyer: { business_name: 'شركة النور', address: 'Ulica Łódzka 1\nŁódź' },
    items: [line('Brot'), line('Ψωμί'), line('Хлеб')],
    notes: 'Thank you',
  })
  const answer = await fetchPdf(invoice.id)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  expect(answer.headers.get('content-disposition')).toContain(
    `attachment; filename="invoice-${invoice.number}.pdf"`,
  )
  const bytes = new Uint8Array(await answer.arrayBuffer())
  const draft = invoiceDraft.parse(invoice)
  expect(countInvoice(draft, 1).sums?.total).toBe(invoice.sums.total)
  const browsers = await drawn(draft)
  expect(await readPdf(bytes)).toEqual(await readPdf(browsers.bytes))
  // A customer who downloads it twice has the same file twice.
  expect(new Uint8Array(await (await fetchPdf(invoice.id)).arrayBuffer())).toEqual(bytes)
})

test('a credit note names its invoice, in its file name too', async () => {
  const invoice = await issued()
  const { body: draft } = await call(app.url, invoices.credit, {
    token: ada.token,
    params: { id: invoice.id },
  })
  const { body: note } = await call(app.url, invoices.issue, { token: ada.token, params: { id: draft.id } })
  const answer = await fetchPdf(note.id)
  expect(answer.headers.get('content-disposition')).toContain(`credit-note-${note.number}.pdf`)
  const [page] = await readPdf(new Uint8Array(await answer.arrayBuffer()))
  expect(page?.text).toContain(invoice.number)
  expect(page?.text).toMatch(/credit note/i)
})

test('nobody else gets it', async () => {
  const { id } = await issued()
  const bea = await signUp(app.url)
  expect((await fetchPdf(id, bea)).status).toBe(404)
  expect((await fetchPdf(987_654_321)).status).toBe(404)
})

test('files are inside, when a caller adds them', async () => {
  const invoice = await issued()
  const bytes = await invoicePdf(ada.id, invoice, {
    subset: 'PDF/A-3b',
    attachments: [
      { name: 'figures.xml', bytes: Buffer.from('<a/>'), type: 'text/xml', relationship: 'Alternative' },
    ],
    xmp: '<rdf:Description rdf:about="" xmlns:our="urn:our#"><our:mark>42</our:mark></rdf:Description>',
  })
  const text = bytes.toString('latin1')
  expect(text).toContain('/AFRelationship /Alternative')
  expect(text).toContain('figures.xml')
  expect(text).toContain('<pdfaid:part>3</pdfaid:part>')
  expect(text).toContain('<our:mark>42</our:mark>')
  expect(text).not.toContain('/Helvetica')
})

test('somebody who has many made leaves a turn for the others', { timeout: 120_000 }, async () => {
  const long = await issued({ items: Array.from({ length: 200 }, (_, index) => line(`Loaf ${index}`)) })
  const bea = await signUp(app.url)
  const short = await issued({}, bea)
  const ended: string[] = []
  const ask = async (name: string, id: number, user: TestUser) => {
    const { status } = await fetchPdf(id, user)
    ended.push(name)
    return status
  }
  const all = Promise.all(Array.from({ length: 6 }, () => ask('long', long.id, ada)))
  expect(await ask('short', short.id, bea)).toBe(200)
  expect(ended.filter((name) => name === 'long').length).toBeLessThan(6)
  expect(await all).toEqual([200, 200, 200, 200, 200, 200])
})

test('of one user so many wait, and no more', async () => {
  const invoice = await issued()
  const outcomes = await Promise.allSettled(Array.from({ length: 35 }, () => invoicePdf(ada.id, invoice)))
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]?.reason).toMatchObject({
    status: 429,
    message: 'Other PDFs are still being made. Please try again in a moment.',
  })
})
