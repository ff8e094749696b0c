import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tax } from '#contract/invoicing/tax.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'

let app: TestApp
let ada: TestUser

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
  ada = await signUp(app.url)
})
afterAll(() => app?.end())

/** The call as any client makes it: a query of texts. */
const ask = async (query: Record<string, string>) => {
  const response = await fetch(`${app.url}/api/v1/tax/compute?${new URLSearchParams(query)}`, {
    headers: { Authorization: `Bearer ${ada.token}` },
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('the tax of an invoice', () => {
  test('is told for a country, a sector and a tax number', async () => {
    const seller = { price: '100', country_code: 'IN', tax_id: '27AAPFU0939F1ZV' }
    expect((await ask({ ...seller, sector: 'healthcare' })).body).toEqual({ tax_percent: 5, tax_name: 'GST' })
    expect((await ask({ ...seller, sector: 'other' })).body).toEqual({ tax_percent: 18, tax_name: 'GST' })
    expect((await ask({ ...seller, tax_id: '' })).body).toEqual({ tax_percent: 0, tax_name: 'NONE' })
    expect((await ask({ country_code: 'gb', tax_id: '123456789' })).body).toEqual({
      tax_percent: 20,
      tax_name: 'VAT',
    })
  })

  test('is refused where the question makes no sense', async () => {
    expect(await ask({ country_code: 'IN', price: '-1' })).toMatchObject({
      status: 400,
      body: { fields: { price: 'A price cannot be below 0' } },
    })
    expect((await ask({ country_code: 'IN', price: 'NaN' })).status).toBe(400)
    expect((await ask({ country_code: 'India' })).body['fields']).toEqual({
      country_code: 'Please give a country as two letters',
    })
    expect((await ask({ country_code: 'IN', sector: 'space' })).status).toBe(400)
  })

  test('wants a session', async () => {
    expect((await call(app.url, tax.compute, { query: { country_code: 'IN' } })).status).toBe(401)
  })
})
