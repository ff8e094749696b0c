import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BodyInput } from '#contract/platform/endpoint.ts'
import { countInvoice, invoiceDraft } from '#contract/invoicing/invoices.ts'
import { type Invoice, invoices } from '#contract/invoicing/saved-invoices.ts'
import { call } from '../../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../../tests/support/factories.ts'
import { anInvoice } from '../../../../tests/support/invoices.ts'
import { invoicePdf as drawn } from '../../../../tests/support/invoice-pdf.ts'
import { readPdf } from '../../../../tests/support/read-pdf.ts'
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts'
import { BlobNotFound } from '../../../platform/gateways/blobs.ts'
import { invoicePdf } from './invoice-pdf.ts'
import { keptPdfKey } from './kept-pdf.ts'

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
async function drafted(fields: Fields = {}, user = ada) {
  return (await call(app.url, invoices.add, { token: user.token, body: anInvoice(fields) })).body
}
async function issued(fields: Fields = {}, user = ada) {
  const body = await drafted(fields, user)
  const answer = await call(app.url, invoices.issue, { token: user.token, params: { id: body.id } })
  expect(answer.status).toBe(200)
  return answer.body
}
const fetchPdf = (id: number, user = ada) =>
  fetch(`${app.url}/api/v1/invoices/${id}/pdf`, { headers: { Authorization: `Bearer ${user.token}` } })
const bytesOf = async (id: number, user = ada) => Buffer.from(await (await fetchPdf(id, user)).arrayBuffer())
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
  const bytes = await invoicePdf(app.context, ada.id, invoice, {
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

test('the PDF of an issued document is made once and kept, in each of its forms', async () => {
  const invoice = await issued()
  const first = await bytesOf(invoice.id)
  const key = keptPdfKey(ada.id, invoice.id)
  const { blobs } = app.context
  // What is kept is what is sent from now on: a mark at its end shows that nothing was drawn.
  const kept = await blobs.get(key)
  await blobs.put(key, Buffer.concat([kept, Buffer.from('% kept')]))
  expect((await bytesOf(invoice.id)).toString('latin1')).toBe(`${first.toString('latin1')}% kept`)
  // Of a file that was drawn from anything else nothing is sent; it is replaced.
  await blobs.put(key, Buffer.concat([Buffer.alloc(32), kept.subarray(32), Buffer.from('% stale')]))
  expect(await bytesOf(invoice.id)).toEqual(first)
  expect(await blobs.get(key)).toEqual(kept)
  const asData = await invoicePdf(app.context, ada.id, invoice, { subset: 'PDF/A-3b' })
  expect(asData.toString('latin1')).toContain('<pdfaid:part>3</pdfaid:part>')
  expect(await blobs.get(key)).toEqual(kept)
  // It goes with the account.
  await blobs.deleteAllOf(String(ada.id))
  await expect(blobs.get(key)).rejects.toThrow(BlobNotFound)
  expect(await bytesOf(invoice.id)).toEqual(first)
})

test('payments and credit notes change nothing on an issued document; of a draft nothing is kept', async () => {
  const invoice = await issued()
  const first = await bytesOf(invoice.id)
  await call(app.url, invoices.addPayment, {
    token: ada.token,
    params: { id: invoice.id },
    body: { amount: '50' },
  })
  expect(await bytesOf(invoice.id)).toEqual(first)
  const { body: draft } = await call(app.url, invoices.add, { token: ada.token, body: anInvoice() })
  await bytesOf(draft.id)
  await expect(app.context.blobs.get(keptPdfKey(ada.id, draft.id))).rejects.toThrow(BlobNotFound)
  const { id, version } = draft
  const body = { version, notes: 'Thank you, Bea' }
  await call(app.url, invoices.update, { token: ada.token, params: { id }, body })
  const [page] = await readPdf(new Uint8Array(await bytesOf(id)))
  expect(page?.text).toContain('Thank you, Bea')
})

test('many customers who open the same document at once have it made once; who hangs up stops nobody', async () => {
  const invoice = await issued()
  const caller = new AbortController()
  let reads = 0
  const get = (key: string) => {
    reads += 1
    return app.context.blobs.get(key)
  }
  const context = { ...app.context, blobs: { ...app.context.blobs, get } }
  const given = invoicePdf(context, ada.id, invoice, { signal: caller.signal })
  // One user may have thirty PDFs waiting.
  const all = Promise.all(Array.from({ length: 50 }, () => invoicePdf(context, ada.id, invoice)))
  caller.abort(new Error('hung up'))
  await given.catch(() => {})
  const [first, ...others] = await all
  for (const other of others) expect(other).toEqual(first)
  // By the one who hung up, and by one for all the others.
  expect(reads).toBeLessThanOrEqual(2)
})

test('a PDF that cannot be kept is sent all the same', async () => {
  const invoice = await issued()
  const full = Object.assign(new Error('no room'), { code: 'ENOSPC' })
  const blobs = { ...app.context.blobs, put: () => Promise.reject(full), get: () => Promise.reject(full) }
  const pdf = await invoicePdf({ ...app.context, blobs }, ada.id, invoice)
  expect(pdf).toEqual(await bytesOf(invoice.id))
})

test('the descriptions of a document have an end', async () => {
  const lines = (count: number) => ({ items: Array.from({ length: count }, () => line('x'.repeat(1000))) })
  const refused = {
    code: 'INVALID_INPUT',
    fields: { items: 'The descriptions have 51,000 characters in all. Please shorten them to 50,000' },
  }
  const add = (count: number) =>
    call(app.url, invoices.add, { token: ada.token, body: anInvoice(lines(count)) })
  expect((await add(51)).error).toMatchObject(refused)
  const { body: draft } = await add(50)
  const { id, version } = draft
  const change = (count: number) =>
    call(app.url, invoices.update, {
      token: ada.token,
      params: { id },
      body: { version, ...lines(count) },
    })
  expect((await change(51)).error).toMatchObject(refused)
  expect((await change(49)).status).toBe(200)
})

test('one with a few lines waits for none of the long ones of others', async () => {
  const others = await Promise.all(Array.from({ length: 6 }, () => signUp(app.url)))
  const items = Array.from({ length: 100 }, (_, index) => line(`Loaf ${index}, ताज़ा रोटी हर हफ्ते`))
  const long = await Promise.all(others.map((user) => drafted({ items }, user)))
  const short = await drafted()
  const ended: string[] = []
  const ask = async (name: string, user: TestUser, invoice: Invoice) => {
    const pdf = await invoicePdf(app.context, user.id, invoice)
    ended.push(name)
    return pdf
  }
  const all = Promise.all(long.map((invoice, index) => ask('long', others[index] ?? ada, invoice)))
  await ask('short', ada, short)
  // With turns alone it would be the seventh.
  expect(ended.length).toBeLessThan(6)
  expect(await all).toHaveLength(6)
})

test('of one user so many wait, and no more', async () => {
  const draft = await drafted()
  const outcomes = await Promise.allSettled(
    Array.from({ length: 35 }, () => invoicePdf(app.context, ada.id, draft)),
  )
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]?.reason).toMatchObject({
    status: 429,
    message: 'Other PDFs are still being made. Please try again in a moment.',
  })
})
