import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { contacts } from '#contract/crm/contacts.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { timeline, type TimelineEntry } from '#contract/overview/timeline.ts'
import { todos } from '#contract/crm/todos.ts'
import { runSql, inTransaction } from '#server/platform/database/transaction.ts'
import { addMeeting } from '#server/crm/meetings/meetings.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { anInvoice } from '../../../tests/support/invoices.ts'
import { storeMails } from '../../../tests/support/stored-mails.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'

let app: TestApp
let ada: TestUser
let bea: number

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
})
beforeEach(async () => {
  ada = await signUp(app.url)
  const body = { name: 'Bea', email: 'Bea@x.example' }
  bea = (await call(app.url, contacts.add, { token: ada.token, body })).body.id
})
afterAll(() => app?.end())

const page = (query: object = {}, id = bea) =>
  call(app.url, timeline.ofContact, { token: ada.token, params: { id }, query })
const meeting = (title: string, start: Date) =>
  inTransaction(app.context.db, (tx) =>
    addMeeting(tx, ada.id, { title, start, end: start, attendee: 'BEA@x.example' }, new Date()),
  )
const words = (entry: TimelineEntry) => {
  if (entry.kind === 'email') return entry.subject
  if (entry.kind === 'invoice') return entry.number || 'draft invoice'
  return entry.kind === 'added' ? 'added' : entry.title
}

test('shows mails, meetings and tasks of a contact, newest first, and nobody else’s', async () => {
  const at = (day: number) => new Date(Date.UTC(2026, 4, day))
  await storeMails(app, ada.id, [
    { from: 'bea@x.example', subject: 'Hello', text: 'How are you?', at: at(1), files: ['a.pdf'] },
    { from: 'bea@x.example', subject: 'My answer', direction: 'out', folder: 'sent', at: at(2) },
    { from: 'bea@x.example', subject: 'Gone', folder: 'deleted', at: at(3) },
    { from: 'carl@x.example', subject: 'Other', at: at(4) },
  ])
  await meeting('Breakfast', new Date('2100-01-01'))
  const token = ada.token
  await call(app.url, todos.add, { token, body: { title: 'Send the offer', contact_id: bea } })
  await call(app.url, todos.add, { token, body: { title: 'Something else' } })
  const { body } = await page()
  expect(body.entries.map(words)).toEqual(['Breakfast', 'Send the offer', 'added', 'My answer', 'Hello'])
  expect(body.next).toBe(null)
  expect(body.entries.at(-1)).toMatchObject({
    kind: 'email',
    direction: 'in',
    content: 'How are you?',
    folder: 'inbox',
    has_files: true,
    delivery: null,
  })
})

test('shows the invoices of a contact: drafts where they were written, others where they were issued', async () => {
  const { token } = ada
  const body = anInvoice({ buyer: { email: 'bea@x.example' } })
  const { body: issued } = await call(app.url, invoices.add, { token, body })
  await call(app.url, invoices.add, { token, body })
  await call(app.url, invoices.add, { token, body: anInvoice({ buyer: { email: 'carl@x.example' } }) })
  await call(app.url, invoices.issue, { token, params: { id: issued.id } })
  await call(app.url, todos.add, { token, body: { title: 'Send the offer', contact_id: bea } })
  const { body: all } = await page()
  expect(all.entries.map(words)).toEqual([
    'Send the offer',
    expect.stringMatching(/^INV-\d{4}-0001$/),
    'draft invoice',
    'added',
  ])
  expect(all.entries[1]).toMatchObject({
    kind: 'invoice',
    document: 'invoice',
    status: 'issued',
    currency: 'USD',
    total: 23_000,
    due: 23_000,
  })
  // One after the other, by pages of one.
  const seen: string[] = []
  let after: string | null = ''
  while (after !== null) {
    const { body: one }: Awaited<ReturnType<typeof page>> = await page({
      limit: 1,
      ...(after === '' ? {} : { after }),
    })
    seen.push(...one.entries.map(words))
    after = one.next
  }
  expect(seen).toEqual(all.entries.map(words))
})

test('comes in pages without gaps or repeats, even for simultaneous entries', async () => {
  const at = new Date(Date.UTC(2026, 4, 1))
  await storeMails(
    app,
    ada.id,
    Array.from({ length: 7 }, (_, index) => ({ from: 'bea@x.example', subject: `Mail ${index}`, at })),
  )
  for (let number = 0; number < 5; number++) await meeting(`Meeting ${number}`, at)
  await runSql(
    app.context.db,
    `INSERT INTO todos (user_id, title, contact_id, created_at, updated_at)
     SELECT $1, 'Task ' || n, $2, $3, $3 FROM generate_series(0, 5) n`,
    [ada.id, bea, at],
  )
  const whole = (await page()).body.entries.map(words)
  expect(whole).toHaveLength(19)
  for (const limit of [1, 2, 5]) {
    const seen: string[] = []
    let after: string | null = null
    do {
      const { body } = await page({ limit, ...(after === null ? {} : { after }) })
      expect(body.entries.length).toBeLessThanOrEqual(limit)
      seen.push(...body.entries.map(words))
      after = body.next
    } while (after !== null)
    expect(seen).toEqual(whole)
  }
})

test('refuses an invalid position, and another user’s contact', async () => {
  expect((await page({ after: 'nonsense' })).status).toBe(400)
  expect((await page({ after: '1.email.99999999999999999999' })).status).toBe(400)
  expect((await page({ limit: 1000 })).status).toBe(400)
  const eve = await signUp(app.url)
  const theirs = await call(app.url, timeline.ofContact, { token: eve.token, params: { id: bea } })
  expect([theirs.status, theirs.error.detail]).toEqual([404, 'This contact does not exist.'])
})
