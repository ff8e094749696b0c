import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BodyInput } from '#contract/platform/endpoint.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { anInvoice } from '../../../tests/support/invoices.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { indexSomeInvoices } from './index-invoices.ts'

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
const asAda = (id?: number) => ({ token: ada.token, ...(id === undefined ? {} : { params: { id } }) })
const add = (fields: Fields = {}) => call(app.url, invoices.add, { ...asAda(), body: anInvoice(fields) })
const list = (query: object) => call(app.url, invoices.list, { ...asAda(), query })
const issued = async (fields: Fields) => call(app.url, invoices.issue, asAda((await add(fields)).body.id))
const indexAll = async () => {
  while ((await indexSomeInvoices(app.context)) > 0);
}

test.each(['before', 'after'])('words are found %s a worker has written them', async (when) => {
  const indexed = async () => {
    if (when === 'after') await indexAll()
  }
  const { id, version } = (
    await add({ buyer: { name: 'Zoë Büchner', business_name: '', email: 'zoe@far.example' } })
  ).body
  await issued({ buyer: { business_name: 'Bright Ltd' }, po_number: 'PO-77' })
  await indexed()
  const found = async (search: string) =>
    (await list({ search })).body.map(({ customer }) => customer).toSorted()
  expect(await found('buch ZOE')).toEqual(['Zoë Büchner'])
  expect(await found('@far.example')).toEqual(['Zoë Büchner'])
  expect(await found('inv-2026-1')).toEqual(['Bright Ltd'])
  expect(await found('77 bright')).toEqual(['Bright Ltd'])
  expect(await found('77 zoe')).toEqual([])
  expect(await found('%')).toEqual([])
  expect(await found("o'hara\\ & | ! :*")).toEqual([])
  // What was changed is found by its new name, and not by its old one.
  const body = { version, buyer: { name: 'Yara' } }
  await call(app.url, invoices.update, { ...asAda(id), body })
  await indexed()
  expect(await found('yara')).toEqual(['Yara'])
  expect(await found('buchner')).toEqual([])
})

test('a word that many have is found beside words that few have, and counted up to a thousand', async () => {
  await runSql(
    app.context.db,
    `INSERT INTO invoices (user_id, kind, currency, rate, issue_date, due_date, content, customer, search, net, tax, discount,
       total, created_at, updated_at)
     SELECT $1, 'invoice', 'EUR', 1, '2026-03-09', '', '{"number": ""}', 'Many ' || n,
       'many ' || n || CASE WHEN n % 500 = 0 THEN ' rare' ELSE '' END, 1, 0, 0, n, now(), now()
     FROM generate_series(1, 1005) n`,
    [ada.id],
  )
  await indexAll()
  const { body: unwritten } = await add({ buyer: { name: 'many more', business_name: '' } })
  const found = async (query: object) => {
    const { body, headers } = await list({ page_size: 3, ...query })
    return [body.map(({ customer }) => customer), Number(headers.get('X-Total-Count'))]
  }
  expect(await found({ search: 'many' })).toEqual([['many more', 'Many 1005', 'Many 1004'], 1001])
  expect(await found({ search: 'many', sort: 'total' })).toEqual([['Many 1', 'Many 2', 'Many 3'], 1001])
  expect(await found({ search: 'many', page: 336 })).toEqual([['Many 1'], 1001])
  expect(await found({ search: 'many rare' })).toEqual([['Many 1000', 'Many 500'], 2])
  expect(await found({ search: 'more many' })).toEqual([['many more'], 1])
  expect(await found({ search: 'many', status: 'paid' })).toEqual([[], 0])
  expect(unwritten.customer).toBe('many more')
})
