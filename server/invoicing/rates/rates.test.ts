import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { exchangeRates, NO_RATES } from '#contract/invoicing/exchange-rates.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { goodRates, type RatesService, startRatesService } from '../../../tests/support/rates-source.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'

const HOUR_MS = 60 * 60_000
let service: RatesService
let app: TestApp
let ada: TestUser

beforeAll(async () => {
  service = await startRatesService()
  app = await startTestApp({ roles: ['web'], environment: { EXCHANGE_RATES_URL: service.url } })
  ada = await signUp(app.url)
})
afterAll(async () => {
  await app?.end()
  await service.stop()
})
beforeEach(async () => {
  await renewed()
  await runSql(app.context.db, 'DELETE FROM exchange_rates', [])
})

const ask = async () => (await call(app.url, exchangeRates.get, { token: ada.token })).body
/** The service has been asked this often, and its answer is kept. */
const renewed = () => app.context.memory.renewingRates ?? Promise.resolve()

describe('GET /exchange-rates', () => {
  test('tells what a dollar is worth, asks the service hourly, and only once for all who ask', async () => {
    service.answer(goodRates(app.clock.now()))
    const before = service.asked
    const answers = await Promise.all([ask(), ask(), ask(), ask()])
    expect(answers[0]).toMatchObject({
      base: 'USD',
      rates: { USD: 1, EUR: 0.92, JPY: 151.2 },
      source: '127.0.0.1',
      stale: false,
    })
    for (const answer of answers) expect(answer).toEqual(answers[0])
    await ask()
    await renewed()
    expect(service.asked - before).toBe(1)
    app.clock.forward(HOUR_MS + 1000)
    const gate = Promise.withResolvers<undefined>()
    service.answer({ ...goodRates(app.clock.now(), { EUR: 0.95 }), when: gate.promise })
    // Nobody waits for the service as long as anything is known.
    expect((await ask()).rates['EUR']).toBe(0.92)
    gate.resolve(undefined)
    await renewed()
    expect((await ask()).rates['EUR']).toBe(0.95)
    expect(service.asked - before).toBe(2)
  })

  test('keeps the last known rates, with their date, while the service misbehaves', async () => {
    const made = app.clock.now()
    service.answer(goodRates(made))
    await ask()
    for (const answer of [{ text: '<html>' }, goodRates(made, { EUR: -1 }), 'drop'] as const) {
      service.answer(answer)
      app.clock.forward(2 * HOUR_MS)
      await ask()
      await renewed()
    }
    expect(await ask()).toMatchObject({ rates: { EUR: 0.92 }, stale: false })
    app.clock.forward(24 * HOUR_MS)
    const stale = await ask()
    expect(stale).toMatchObject({ rates: { EUR: 0.92 }, stale: true })
    expect(stale.as_of?.slice(0, 19)).toBe(made.toISOString().slice(0, 19))
  })

  test('answers 1 for every currency while nothing is known, and asks again after five minutes', async () => {
    service.answer({ status: 503 })
    const before = service.asked
    expect(await ask()).toEqual({ base: 'USD', rates: NO_RATES, as_of: null, source: null, stale: true })
    await ask()
    expect(service.asked - before).toBe(1)
    app.clock.forward(5 * 60_000 + 1000)
    service.answer(goodRates(app.clock.now()))
    expect(await ask()).toMatchObject({ rates: { EUR: 0.92 }, stale: false })
  })

  test('asks nobody where the operator has switched it off, and wants a session', async () => {
    const quiet = await startTestApp({ roles: ['web'] })
    const { token } = await signUp(quiet.url)
    expect((await call(quiet.url, exchangeRates.get, { token })).body).toMatchObject({
      as_of: null,
      stale: true,
    })
    expect((await call(quiet.url, exchangeRates.get)).status).toBe(401)
    await quiet.end()
  })
})
