import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { contacts } from '#contract/crm/contacts.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { ownModel } from '#contract/models/own-model.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { call } from '../../../tests/support/client.ts'
import { freshDatabase, type TestDatabase } from '../../../tests/support/database.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { mailAccountAt } from '../../../tests/support/mail-account.ts'
import {
  type ModelAnswer,
  type ModelQuestion,
  type ModelServer,
  startModel,
} from '../../../tests/support/model.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { movableClock, startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { until } from '../../../tests/support/until.ts'
import { findBatch } from './store.ts'

// Runs whose model fails for a while, over the network. Only the test moves the clock.

const SECOND = 1000
const DAY = 86_400 * SECOND
const QUESTION = 'One honest question'
const MAIL = JSON.stringify({
  subject: QUESTION,
  body: 'Hello, I would like to ask you one honest question about your work this autumn.',
})
const LIMIT = 'Rate limit reached for tiny.'
const later = (seconds: number): ModelAnswer => ({
  status: 429,
  message: LIMIT,
  headers: { 'retry-after': String(seconds) },
})

const clock = movableClock()
let database: TestDatabase
let app: TestApp
let model: ModelServer
let sink: SmtpSink
let user: TestUser

const start = () =>
  startTestApp({
    clock,
    database: { url: database.url },
    environment: { AI_BASE_URL: model.baseUrl, AI_MODEL: 'tiny' },
  })

beforeAll(async () => {
  clock.stand()
  database = await freshDatabase()
  model = await startModel()
  sink = await startSmtpSink()
  app = await start()
})
let day = Date.parse('2031-01-13T10:00:00Z')
beforeEach(async () => {
  // Each test has a day of its own: a clock only goes forward.
  clock.forward(day - clock.now().getTime())
  day += DAY
  user = await signUp(app.url)
  const body = mailAccountAt(sink, { from: `${user.username}@muster.example` })
  await call(app.url, mailboxSetup.save, { token: user.token, body })
})
afterEach(() => sink.clear())
afterAll(async () => {
  await app.end()
  await model.stop()
  await sink.stop()
  await database.drop()
})

async function addContacts(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const body = { name: `Person ${index}`, email: `person${index}@${user.username}.example` }
    expect((await call(app.url, contacts.add, { token: user.token, body })).status).toBe(200)
  }
}

const run = async () => (await call(app.url, outreach.generateAndSend, { token: user.token })).body
async function current() {
  const { body } = await call(app.url, outreach.current, { token: user.token })
  if (body === null) throw new Error('There is no run')
  return body
}
const act = async (endpoint: typeof outreach.pause) =>
  call(app.url, endpoint, { token: user.token, params: { id: (await current()).batch_id } })

/** Until the run waits for the model, or is over; for how many seconds it waits then. */
const waited = () =>
  until(async () => {
    const { done, waits } = await current()
    const seconds = (Date.parse(waits?.until ?? '') - clock.now().getTime()) / SECOND
    if (done) return null
    if (waits?.kind === 'model' && seconds > 0) return seconds
    throw new Error('It is under way')
  })

/** Lets a run wait as often as it has to; returns for how many seconds each time. */
async function waitToTheEnd(each: (waits: number) => Promise<void> | void = () => {}): Promise<number[]> {
  const pauses: number[] = []
  for (let pause = await waited(); pause !== null; pause = await waited()) {
    pauses.push(pause)
    await each(pauses.length)
    clock.forward(pause * SECOND)
  }
  return pauses
}

const addressees = () => sink.received.map(({ envelope }) => envelope.to[0])
const byModel = () => sink.received.filter(({ raw }) => raw.toString().includes(QUESTION)).length

it('waits as long as the model’s server asks for, says so, and has all mails written by the model', async () => {
  await addContacts(6)
  const asked = new Set<number>()
  const begun = clock.now().getTime()
  model.answer(() => {
    const seconds = (clock.now().getTime() - begun) / SECOND
    asked.add(seconds)
    return seconds < 180 ? later(90) : MAIL
  })
  expect(await run()).toMatchObject({
    state: 'running',
    waiting_for:
      'The language model is busy (Rate limit reached for tiny). Your emails will wait, and Howl tries again today at 15:31.',
    waits: { kind: 'model', until: new Date(begun + 90 * SECOND).toISOString() },
    summary: { total: 6, sent: 0, pending: 6, unwritten: 6, warnings: 0 },
  })
  expect(await waitToTheEnd()).toEqual([90, 90])
  expect([...asked]).toEqual([0, 90, 180])
  expect(await current()).toMatchObject({
    state: 'done',
    waiting_for: null,
    waits: null,
    summary: { sent: 6, warnings: 0, errors: 0, pending: 0 },
  })
  expect([byModel(), new Set(addressees()).size]).toEqual([6, 6])
})

it('writes 50 mails by a server that takes three a window, each contact one, over a restart', async () => {
  await addContacts(50)
  const windows = new Map<number, number>()
  model.answer(() => {
    const window = clock.now().getTime()
    const asked = (windows.get(window) ?? 0) + 1
    windows.set(window, asked)
    return asked <= 3 ? MAIL : later(20)
  })
  await run()
  const pauses = await waitToTheEnd(async (waits) => {
    if (waits !== 5) return
    expect((await current()).summary).toMatchObject({ total: 50, warnings: 0 })
    await app.end()
    app = await start()
    expect(await waited()).toBe(20)
  })
  expect(new Set(pauses)).toEqual(new Set([20]))
  // Once it refuses, it hears only the questions that were under way by then.
  expect(Math.max(...windows.values())).toBeLessThanOrEqual(3 + 4)
  expect((await current()).summary).toMatchObject({ sent: 50, warnings: 0, pending: 0 })
  expect([byModel(), addressees().length, new Set(addressees()).size]).toEqual([50, 50, 50])
})

it.each<[string, ModelAnswer]>([
  ['answers with errors', { status: 503, message: 'Overloaded' }],
  ['breaks connections off', { does: 'drop' }],
])('waits longer each time for a server that %s', async (_, failure) => {
  await addContacts(2)
  model.answer(failure)
  await run()
  const pauses = await waitToTheEnd((waits) => {
    if (waits === 5) model.answer(MAIL)
  })
  expect(pauses).toEqual([5, 15, 60, 300, 300])
  expect((await current()).summary).toMatchObject({ sent: 2, warnings: 0 })
})

it('goes on from the template once the user has chosen that, and says why', async () => {
  await addContacts(6)
  let left = 3
  model.answer(() => (left-- > 0 ? MAIL : later(600)))
  await run()
  expect(await waited()).toBe(600)
  await until(async () => expect((await current()).summary).toMatchObject({ sent: 3, pending: 3 }))
  // Whatever the order, and however often.
  await act(outreach.pause)
  for (let clicks = 0; clicks < 2; clicks += 1)
    expect((await act(outreach.withoutModel)).body).toMatchObject({ state: 'paused', waits: null })
  expect(await row()).toEqual({ waits_for: null, model_failures: 0 })
  const asked = model.questions.length
  expect((await act(outreach.resume)).status).toBe(200)
  expect(await waited()).toBeNull()
  expect(model.questions).toHaveLength(asked)
  const id = (await current()).batch_id
  const { body } = await call(app.url, outreach.get, { token: user.token, params: { id } })
  expect(body.summary).toMatchObject({ sent: 6, warnings: 3 })
  expect(new Set(body.results.map(({ reason }) => reason))).toEqual(
    new Set([null, 'Sent with the template. You chose to go on without the language model.']),
  )
  expect([byModel(), new Set(addressees()).size]).toEqual([3, 6])
  expect((await act(outreach.withoutModel)).status).toBe(409)
})

it('goes on at once when it is chosen while the run waits', async () => {
  await addContacts(2)
  model.answer(later(600))
  await run()
  expect(await waited()).toBe(600)
  expect((await act(outreach.withoutModel)).body).toMatchObject({ state: 'running', waits: null })
  expect(await waited()).toBeNull()
  expect((await current()).summary).toMatchObject({ sent: 2, warnings: 2 })
})

it('can be paused, tried again and cancelled while it waits', async () => {
  await addContacts(2)
  model.answer(later(600))
  await run()
  expect((await act(outreach.pause)).body).toMatchObject({
    waiting_for: 'You have paused this run.',
    waits: null,
  })
  const asked = model.questions.length
  await act(outreach.resume)
  await until(() => expect(model.questions.length).toBeGreaterThan(asked))
  expect(await waited()).toBe(600)
  expect((await act(outreach.cancel)).body).toMatchObject({ state: 'cancelled', summary: { skipped: 2 } })
  expect(sink.count).toBe(0)
})

it('goes on at once with a model of the user’s own, and waits for that one as long as it asks for', async () => {
  await addContacts(2)
  model.answer(later(600))
  await run()
  const own = await startModel(later(120))
  const body = { base_url: own.baseUrl, model: 'tiny' }
  expect((await call(app.url, ownModel.save, { token: user.token, body })).status).toBe(200)
  expect(await waited()).toBe(120)
  own.answer(MAIL)
  expect(await waitToTheEnd()).toEqual([120])
  expect((await current()).summary).toMatchObject({ sent: 2, warnings: 0 })
  await own.stop()
})

/** Answers all but the questions about these contacts. */
const failsFor =
  (indexes: readonly number[], failure: ModelAnswer) =>
  ({ prompt }: ModelQuestion): ModelAnswer =>
    indexes.some((index) => prompt.includes(`"Person ${index}"`)) ? failure : MAIL

const DOWN: ModelAnswer = { status: 503, message: 'Overloaded' }

/** The reasons of the results of a run, without those that have none. */
async function reasons() {
  const params = { id: (await current()).batch_id }
  const { body } = await call(app.url, outreach.get, { token: user.token, params })
  return body.results.flatMap(({ reason }) => reason ?? [])
}

/** What a run notes of its model. */
async function row() {
  const { batch_id: id } = await current()
  const { waits_for, model_failures } = (await findBatch(app.context.db, user.id, id)) ?? {}
  return { waits_for, model_failures }
}

it.each<[string, number]>([
  ['the first', 0],
  ['the last of a round', 11],
])('does not wait for one question that always fails: %s', async (_, index) => {
  await addContacts(14)
  model.answer(failsFor([index], DOWN))
  await run()
  // Only at the end of a run nobody else can show that the server works.
  const isFirst = index === 0
  expect(await waitToTheEnd()).toEqual(isFirst ? [] : [5, 15, 60, 300, 300, 300])
  expect((await current()).summary).toMatchObject({ sent: 14, warnings: 1 })
  expect(await reasons()).toEqual(['Sent with the template. Overloaded'])
})

it('writes to the others meanwhile where several questions fail in a row', async () => {
  await addContacts(14)
  model.answer(failsFor([0, 1, 2, 3], DOWN))
  await run()
  await waitToTheEnd()
  expect((await current()).summary).toMatchObject({ sent: 14, warnings: 4 })
})

it('waits for a server that is down, however long, for as long as it has not been asked for everyone', async () => {
  await addContacts(14)
  let left = 3
  model.answer(() => (left-- > 0 ? MAIL : DOWN))
  await run()
  const pauses = await waitToTheEnd((waits) => {
    if (waits === 8) model.answer(MAIL)
  })
  expect(pauses).toHaveLength(8)
  expect((await current()).summary).toMatchObject({ sent: 14, warnings: 0 })
})

it('does not wait for an account without credit', async () => {
  await addContacts(2)
  model.answer({ status: 429, message: 'No quota.', code: 'insufficient_quota' })
  await run()
  expect(await waited()).toBeNull()
  expect(await reasons()).toEqual(Array.from({ length: 2 }, () => 'Sent with the template. No quota.'))
})

/** Begins a run, does something while the model is being asked, and only then has it ask for a long pause. */
async function meanwhile(act_: () => Promise<unknown>): Promise<void> {
  const asked = model.questions.length
  const gate = Promise.withResolvers<void>()
  model.answer(async () => {
    await gate.promise
    return later(600)
  })
  const begun = run()
  await until(() => expect(model.questions.length).toBeGreaterThan(asked))
  await act_()
  gate.resolve()
  await begun
}

it('asks a model at once that was saved while the old one was being asked', async () => {
  await addContacts(2)
  const own = await startModel(MAIL)
  const body = { base_url: own.baseUrl, model: 'tiny' }
  await meanwhile(() => call(app.url, ownModel.save, { token: user.token, body }))
  expect(await waited()).toBeNull()
  expect([own.questions.length, byModel()]).toEqual([2, 2])
  await own.stop()
})

it('asks at once after a pause and a resumption while the model was being asked', async () => {
  await addContacts(2)
  await meanwhile(async () => {
    await act(outreach.pause)
    await act(outreach.resume)
    model.answer(MAIL)
  })
  expect(await waited()).toBeNull()
  expect(byModel()).toBe(2)
})

it('says no more that it waits for the model after a round that needed none', async () => {
  // One more than a round has.
  await addContacts(13)
  model.answer(later(600))
  await run()
  expect(await waited()).toBe(600)
  const { body } = await call(app.url, contacts.list, { token: user.token })
  const inOrder = body.map(({ id }) => id).toSorted((a, b) => a - b)
  for (const id of inOrder.slice(0, 12))
    await call(app.url, contacts.remove, { token: user.token, params: { id } })
  const gate = Promise.withResolvers<ModelAnswer>()
  const asked = model.questions.length
  model.answer(() => gate.promise)
  clock.forward(600 * SECOND)
  await until(() => expect(model.questions.length).toBeGreaterThan(asked))
  expect(await row()).toEqual({ waits_for: null, model_failures: 0 })
  gate.resolve(MAIL)
  expect(await waited()).toBeNull()
  expect((await current()).summary).toMatchObject({ sent: 1, skipped: 12 })
})
