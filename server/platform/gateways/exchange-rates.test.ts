import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  goodRates,
  type RatesAnswer,
  type RatesService,
  startRatesService,
} from '../../../tests/support/rates-source.ts'
import { fetchRates } from './exchange-rates.ts'

const NOW = new Date('2026-11-23T12:00:00Z')
const TODAY = new Date('2026-11-23T00:02:31Z')
let service: RatesService

beforeAll(async () => {
  service = await startRatesService()
})
afterAll(() => service.stop())

const ask = (answer: RatesAnswer) => {
  service.answer(answer)
  return fetchRates(service.url, NOW, { deadlineMs: answer === 'hang' ? 400 : 20_000 })
}

describe('exchange rates of a public service', () => {
  test('are read for our currencies, with their date', async () => {
    expect(await ask(goodRates(TODAY))).toEqual({
      rates: { USD: 1, EUR: 0.92, GBP: 0.79, INR: 83.125, AED: 3.6725, JPY: 151.2 },
      asOf: TODAY,
    })
  })

  test('are read in the shape of other services', async () => {
    const daily = await ask({ json: { base: 'USD', date: '2026-11-20', rates: { EUR: 0.9 } } })
    expect(daily).toEqual({ rates: { USD: 1, EUR: 0.9 }, asOf: new Date('2026-11-20') })
    const stamped = await ask({
      json: { timestamp: TODAY.getTime() / 1000, base: 'USD', rates: { JPY: 150 } },
    })
    expect(stamped.rates).toEqual({ USD: 1, JPY: 150 })
  })

  const refused: [string, RatesAnswer, RegExp][] = [
    ['a page', { text: '<!doctype html><title>Welcome</title>' }, /no JSON/],
    ['nothing', { text: '' }, /no JSON/],
    ['a list', { json: [1, 2] }, /another shape/],
    ['null', { json: null }, /another shape/],
    ['no rates', { json: { base: 'USD', date: '2026-11-23' } }, /another shape/],
    ['rates of nothing we know', { json: { date: '2026-11-23', rates: { XYZ: 3 } } }, /no rates/],
    ['a negative rate', goodRates(TODAY, { EUR: -0.92 }), /rate of EUR/],
    ['a rate of 0', goodRates(TODAY, { INR: 0 }), /rate of INR/],
    ['a rate that is a text', goodRates(TODAY, { INR: '83' }), /rate of INR/],
    ['a rate beyond reason', goodRates(TODAY, { JPY: 1e300 }), /rate of JPY/],
    ['rates of the euro', { json: { base: 'EUR', date: '2026-11-23', rates: { USD: 1.08 } } }, /US dollar/],
    ['rates of 1970', goodRates(new Date(0)), /1970-01-01/],
    ['rates of next year', goodRates(new Date('2027-11-23')), /future/],
    ['rates without a date', { json: { base: 'USD', rates: { EUR: 1 } } }, /no date/],
    ['an error', { status: 500 }, /answered 500/],
    ['a redirect', 'redirect', /no connection/],
    ['ten megabytes and more', 'flood', /far too long/],
    ['silence', 'hang', /too long/],
    ['hanging up', 'drop', /no connection/],
  ]
  test.each(refused)('are refused: %s', async (_name, answer, words) => {
    await expect(ask(answer)).rejects.toMatchObject({
      name: 'RatesFailure',
      message: expect.stringMatching(words),
    })
  })

  test('are missed where nobody listens', async () => {
    await expect(fetchRates('http://127.0.0.1:1/', NOW)).rejects.toThrow(/no connection/)
  })
})
