import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aiUsage } from '#contract/models/ai-usage.ts'
import { assistant } from '#contract/assistant/assistant.ts'
import { auth } from '#contract/accounts/auth.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { profile } from '#contract/accounts/profile.ts'
import { inTransaction, runSql } from '#server/platform/database/transaction.ts'
import { call } from '../../../tests/support/client.ts'
import type { TestUser } from '../../../tests/support/factories.ts'
import { type ModelServer, startModel } from '../../../tests/support/model.ts'
import { setPlan } from '../../../tests/support/plans.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { connectWriter } from '../../../tests/support/writing.ts'
import { settleUses } from './settle-uses.ts'
import { type AiRequest, endAiRequest, spendAiRequest, takeAiRequest } from './take-ai-request.ts'

const DAY_MS = 24 * 3_600_000
const HOUSE = { name: 'small', isOwn: false }
const OWN = { name: 'mine', isOwn: true }
const NOTHING = { inputTokens: 0, outputTokens: 0 }

let app: TestApp
let model: ModelServer
let sink: SmtpSink
let ada: TestUser

beforeAll(async () => {
  sink = await startSmtpSink()
  model = await startModel()
  app = await startTestApp({
    environment: {
      AI_BASE_URL: model.baseUrl,
      AI_MODEL: 'small-2',
      AI_PRICES: '{"small": {"input": 2, "output": 10}}',
    },
  })
})
afterAll(async () => {
  await app.end()
  await model.stop()
  await sink.stop()
})
beforeEach(async () => {
  model.answer('Yes.')
  ada = await connectWriter(app, sink)
  await setPlan(app, ada, 'enterprise')
})

const ask = (message = 'Hello', by = ada, at = app) =>
  call(at.url, assistant.chat, { token: by.token, body: { message } })
const usage = async (by = ada, at = app) => (await call(at.url, aiUsage.get, { token: by.token })).body
const saveCap = (requests: number | null, by = ada) =>
  call(app.url, aiUsage.saveCap, { token: by.token, body: { requests_a_day: requests } })
const take = (asked = HOUSE, by = ada, at = app) => takeAiRequest(at.context, by.id, 'chat', asked)
const uses = async () => {
  const { rows } = await runSql(app.context.db, 'SELECT * FROM ai_uses WHERE user_id = $1 ORDER BY id', [
    ada.id,
  ])
  return rows as Record<string, unknown>[]
}
/** Of calls at once: how many were taken, and what the others were told. */
async function outcome(calls: Promise<unknown>[]): Promise<{ taken: number; words: string[] }> {
  const all = await Promise.allSettled(calls)
  const refused = all.filter((one) => one.status === 'rejected')
  return {
    taken: all.length - refused.length,
    words: [...new Set(refused.map(({ reason }) => (reason as Error).message))],
  }
}
const times = (count: number, what: () => Promise<unknown>) => Array.from({ length: count }, what)
async function giveCredits(amount: number): Promise<void> {
  const now = app.clock.now()
  await runSql(app.context.db, 'UPDATE users SET email_confirmed_at = $2 WHERE id = $1', [ada.id, now])
  await runSql(
    app.context.db,
    `INSERT INTO credit_entries (user_id, kind, amount, reason, created_at, expires_at) VALUES ($1, 'earned', $2, 'x', $3, $4)`,
    [ada.id, amount, now, new Date(now.getTime() + DAY_MS)],
  )
}

describe('a use of the model', () => {
  it('is a row with its tokens, its time and what it is thought to cost', async () => {
    model.answer({ text: 'Yes.', usage: [1000, 100], afterMs: 20 })
    await ask()
    expect(await uses()).toMatchObject([
      {
        purpose: 'chat',
        model: 'small-2',
        is_own: false,
        state: 'used',
        input_tokens: 1000,
        output_tokens: 100,
        cost: 3000,
      },
    ])
    const { today, month, purposes, model: who } = await usage()
    expect(today).toMatchObject({
      requests: 1,
      failed: 0,
      input_tokens: 1000,
      output_tokens: 100,
      cost: 3000,
    })
    expect(today).toEqual(month)
    expect(purposes).toEqual([{ purpose: 'chat', today, month }])
    expect(who).toEqual({ name: 'small-2', is_own: false })
  })

  it('that failed costs no request, but its tokens are noted', async () => {
    await setPlan(app, ada, 'free')
    model.answer({ pieces: ['Half an answer '], ends: 'cut' })
    expect((await ask()).status).toBe(503)
    const [row] = await uses()
    expect(row).toMatchObject({ state: 'failed', paid_by: 'plan', output_tokens: 4 })
    expect(row?.['input_tokens']).toBeGreaterThan(100)
    expect(row?.['cost']).toBeGreaterThan(200)
    const { today, plan } = await usage()
    expect(plan).toEqual({ requests_a_day: 5, left: 5 })
    expect(today).toMatchObject({ requests: 0, failed: 1, cost: row?.['cost'], cost_is_partial: false })
  })

  it('that never reached the model has no tokens', async () => {
    model.answer({ status: 500 })
    expect((await ask()).status).toBe(503)
    expect(await uses()).toMatchObject([{ state: 'failed', input_tokens: 0, output_tokens: 0, cost: 0 }])
  })

  it('whose price is unknown makes the sum a part of the truth, and alone it is unknown', async () => {
    const note = async (name: string, tokens: number) =>
      endAiRequest(app.context, await take({ name, isOwn: true }), true, {
        inputTokens: tokens,
        outputTokens: 0,
      })
    await note('mystery', 500)
    expect((await usage()).today).toMatchObject({ cost: null, cost_is_partial: true, input_tokens: 500 })
    await note('small', 500)
    expect((await usage()).today).toMatchObject({ cost: 1000, cost_is_partial: true, input_tokens: 1000 })
  })

  it('is noted whatever a server says that it has counted', async () => {
    for (const inputTokens of [Number.NaN, -5, 1e300, 1.5])
      await endAiRequest(app.context, await take(), true, { inputTokens, outputTokens: 0 })
    expect((await uses()).map((row) => row['input_tokens'])).toEqual([0, 0, 1_000_000_000, 2])
  })

  it('for a bulk run gets the tokens of its mails', async () => {
    const { token } = ada
    for (const name of ['Ann', 'Bob'])
      await call(app.url, contacts.add, { token, body: { name, email: `${name}@far.example` } })
    const mail = {
      subject: 'Good morning',
      body: 'Hello, this is Ada of Muster. May I show you our lamps next week?',
    }
    model.answer({ text: JSON.stringify(mail), usage: [100, 50] })
    expect((await call(app.url, outreach.generateAndSend, { token, body: {} })).body.summary.sent).toBe(2)
    expect(await uses()).toMatchObject([
      { purpose: 'outreach', state: 'used', input_tokens: 200, output_tokens: 100, cost: 1400 },
    ])
    const { today } = await usage()
    expect(today).toMatchObject({ requests: 1, input_tokens: 200, output_tokens: 100, cost: 1400 })
  })

  it('belongs to the day and the month of the account’s zone', async () => {
    const { token } = ada
    await call(app.url, profile.update, { token, body: { time_zone: 'Pacific/Kiritimati' } })
    const before = (await usage()).day
    await ask()
    app.clock.forward(DAY_MS)
    const after = await usage()
    expect(after.day > before).toBe(true)
    expect(after.today.requests).toBe(0)
    expect(after.month.requests).toBe(after.day.slice(0, 7) === before.slice(0, 7) ? 1 : 0)
    app.clock.forward(31 * DAY_MS)
    const { email, password } = ada
    const { token: again } = (await call(app.url, auth.login, { body: { email, password } })).body
    expect(await usage({ ...ada, token: again })).toMatchObject({
      month: { requests: 0, cost: 0 },
      purposes: [],
    })
  })
})

describe('of 25 at once', () => {
  it('a plan of 5 answers exactly 5 and refuses 20 in the words of the plan', async () => {
    await setPlan(app, ada, 'free')
    const answers = await Promise.all(Array.from({ length: 25 }, () => ask()))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(20)
    expect(new Set(refused.map(({ error }) => error.detail))).toEqual(
      new Set(['You have used your 5 AI requests for today.']),
    )
    expect(await usage()).toMatchObject({ left: 0, plan: { left: 0 }, today: { requests: 5 } })
  })

  it('the user’s own limit lets exactly as many through, of whichever model', async () => {
    expect((await saveCap(7)).body).toMatchObject({ left: 7, cap: { requests_a_day: 7, left: 7 } })
    const mixed = Array.from({ length: 25 }, (_, n) => take(n % 2 === 0 ? HOUSE : OWN))
    expect(await outcome(mixed)).toEqual({
      taken: 7,
      words: [
        'You have reached your own limit of 7 AI requests for today. You can change it in your profile.',
      ],
    })
    expect((await ask()).status).toBe(429)
    expect(
      (await call(app.url, assistant.chat, { token: ada.token, body: { message: 'Hello', by: 'rules' } }))
        .body.result.by,
    ).toBe('rules')
    expect((await saveCap(null)).body).toMatchObject({
      left: null,
      cap: { requests_a_day: null, left: null },
    })
    expect((await ask()).status).toBe(200)
  })

  it('those with credits pay with exactly what there is, each once', async () => {
    await setPlan(app, ada, 'free')
    await giveCredits(3)
    const taken = await Promise.allSettled(times(25, () => take()))
    const open = taken.filter((one) => one.status === 'fulfilled').map(({ value }) => value as AiRequest)
    expect(open).toHaveLength(8)
    expect((await usage()).credits).toBe(0)
    // One that failed gives its credit back, and only one can have it.
    const onCredit = (await uses()).filter((row) => row['paid_by'] === 'credit').map(({ id }) => id)
    expect(onCredit).toHaveLength(3)
    const [failing, ...answered] = open.toSorted(
      (one, other) => Number(onCredit.includes(other.id)) - Number(onCredit.includes(one.id)),
    )
    await endAiRequest(app.context, failing as AiRequest, false, NOTHING)
    expect((await outcome(times(25, () => take()))).taken).toBe(1)
    await Promise.all(answered.map((request) => endAiRequest(app.context, request, true, NOTHING)))
    const { rows } = await runSql(
      app.context.db,
      `SELECT kind, sum(amount)::int AS sum FROM credit_entries WHERE user_id = $1 GROUP BY 1 ORDER BY 1`,
      [ada.id],
    )
    expect(rows).toEqual([
      { kind: 'earned', sum: 3 },
      { kind: 'spent', sum: -2 },
    ])
  })

  it('bulk runs that cannot begin leave nothing behind', async () => {
    await setPlan(app, ada, 'free')
    const spend = () =>
      inTransaction(app.context.db, (tx) => spendAiRequest(app.context, tx, ada.id, 'outreach', HOUSE))
    expect(await outcome(times(25, spend))).toEqual({
      taken: 5,
      words: ['You have used your 5 AI requests for today.'],
    })
    const undone = inTransaction(app.context.db, async (tx) => {
      await spendAiRequest(app.context, tx, ada.id, 'outreach', OWN)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await uses()).toHaveLength(5)
  })
})

it('a changed time zone gives no second day', async () => {
  await setPlan(app, ada, 'free')
  const moveTo = (time_zone: string) =>
    call(app.url, profile.update, { token: ada.token, body: { time_zone } })
  // Midnight is far in all of these zones.
  const hour = 3_600_000
  app.clock.forward((37 * hour - (app.clock.now().getTime() % DAY_MS)) % DAY_MS)
  await moveTo('Pacific/Pago_Pago')
  expect((await outcome(times(20, () => take()))).taken).toBe(5)
  for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Europe/Berlin', 'Pacific/Kiritimati']) {
    expect((await moveTo(zone)).status).toBe(200)
    expect((await outcome(times(20, () => take()))).taken).toBe(0)
    expect((await usage()).plan.left).toBe(0)
  }
  app.clock.forward(DAY_MS)
  expect((await outcome(times(20, () => take()))).taken).toBe(5)
})

describe('a place that is held', () => {
  it('by a process that died is free after six minutes, with its credit', async () => {
    await setPlan(app, ada, 'free')
    await giveCredits(1)
    await Promise.all(times(6, () => take()))
    await expect(take()).rejects.toThrow('You have used your 5 AI requests for today.')
    app.clock.forward(5 * 60_000)
    await expect(take()).rejects.toThrow('You have used your 5 AI requests for today.')
    app.clock.forward(60_000)
    expect((await outcome(times(10, () => take()))).taken).toBe(6)
    await settleUses(app.context)
    const states = (await uses()).map(({ state }) => state)
    expect(states.filter((state) => state === 'failed')).toHaveLength(6)
    expect(states.filter((state) => state === 'open')).toHaveLength(6)
  })

  it('is ended once, however often it is told', async () => {
    await setPlan(app, ada, 'free')
    await giveCredits(2)
    for (const request of await Promise.all(times(5, () => take())))
      await endAiRequest(app.context, request as never, true, NOTHING)
    const request = await take()
    await Promise.all(times(10, () => endAiRequest(app.context, request, true, NOTHING)))
    expect(await usage()).toMatchObject({ credits: 1, today: { requests: 6 } })
  })
})

describe('the operator’s limits', () => {
  it('hold for each user and for all together, and not for a model of one’s own', async () => {
    const house = await startTestApp({
      environment: { PLAN_LIMITS: 'off', AI_DAILY_CAP: '10', AI_DAILY_CAP_TOTAL: '15' },
    })
    const [ann, bob] = [await connectWriter(house, sink), await connectWriter(house, sink)]
    const first = await Promise.allSettled(times(50, () => take(HOUSE, ann, house)))
    const open = first.filter((one) => one.status === 'fulfilled').map(({ value }) => value as never)
    expect(open).toHaveLength(10)
    await expect(take(HOUSE, ann, house)).rejects.toThrow(
      'You have used the 10 AI requests that this server allows you for today.',
    )
    expect(await usage(ann, house)).toMatchObject({
      left: 0,
      server: { requests_a_day: 10, left: 0, is_used_up: false },
    })
    expect(await outcome(times(50, () => take(HOUSE, bob, house)))).toEqual({
      taken: 5,
      words: ['This server has used all its AI requests for today.'],
    })
    expect(await usage(bob, house)).toMatchObject({ left: 0, server: { left: 5, is_used_up: true } })
    expect((await outcome(times(20, () => take(OWN, bob, house)))).taken).toBe(20)
    // What never reached the model is given back; what it had begun to work on is on the bill.
    await endAiRequest(house.context, open[0] as never, false, NOTHING)
    await endAiRequest(house.context, open[1] as never, false, { inputTokens: 9, outputTokens: 0 })
    // A model of one's own took nothing of the house, and gives it nothing back.
    await endAiRequest(house.context, await take(OWN, bob, house), false, NOTHING)
    expect((await outcome(times(5, () => take(HOUSE, bob, house)))).taken).toBe(1)
    house.clock.forward(7 * 60_000)
    await settleUses(house.context)
    expect((await outcome(times(50, () => take(HOUSE, bob, house)))).taken).toBe(10)
    await house.end()
  })
})

it('work that nobody asked for costs nothing, and is done so often a day at most', async () => {
  await setPlan(app, ada, 'free')
  const aside = () => takeAiRequest(app.context, ada.id, 'intent', HOUSE, { most: 3 })
  expect(await outcome(times(20, aside))).toEqual({
    taken: 3,
    words: ['The AI model is asked 3 times a day for this at most.'],
  })
  expect((await outcome(times(20, () => take()))).taken).toBe(5)
})

describe('the user’s own limit', () => {
  it.each([0, -1, 1.5, 10_001])('is refused as %d, and the old one stays', async (requests) => {
    await saveCap(9)
    const { status, error } = await saveCap(requests)
    expect(status).toBe(400)
    expect(error.fields?.['requests_a_day']).toBe(
      'Please enter a whole number from 1 to 10,000, or leave it empty',
    )
    expect((await usage()).cap.requests_a_day).toBe(9)
  })
})

it('uses are cleared away after 13 months', async () => {
  await ask()
  app.clock.forward(390 * DAY_MS)
  await settleUses(app.context)
  expect(await uses()).toHaveLength(1)
  app.clock.forward(10 * DAY_MS)
  await settleUses(app.context)
  expect(await uses()).toHaveLength(0)
  const { rows } = await runSql(app.context.db, 'SELECT 1 FROM ai_days WHERE user_id = $1', [ada.id])
  expect(rows).toHaveLength(0)
})
