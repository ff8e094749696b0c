import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { assistant, type ChatEvent } from '#contract/assistant/assistant.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { type ModelAnswer, type ModelServer, startModel } from '../../../tests/support/model.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'

// Three minutes are six seconds here, and the 20 seconds of a slow model less than one.
// Files share what a worker has loaded: here the app is loaded anew, with what this file puts in, and again after it.
vi.hoisted(() => vi.resetModules())
vi.mock('../deadline.ts', () => ({ DEADLINE_MS: 6000 }))
const SLOW_MS = 700

const TOO_SLOW = 'Wolfy is taking longer than expected. I will keep trying, or you can retry in a moment.'
const BROKEN_OFF = 'Sorry, I encountered an error. Please try again.'

let app: TestApp
let model: ModelServer
let ada: TestUser

beforeAll(async () => {
  model = await startModel()
  app = await startTestApp({ environment: { AI_BASE_URL: model.baseUrl, AI_MODEL: 'small' } })
})
afterAll(async () => {
  await app.end()
  await model.stop()
  vi.resetModules()
})

const ask = (message: string, more: object = {}) =>
  call(app.url, assistant.chat, { token: ada.token, body: { message, ...more } })

async function stream(message: string): Promise<ChatEvent[]> {
  const response = await fetch(app.url + pathOf(assistant.chat), {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${ada.token}`,
      'Content-Type': 'application/json',
      Accept: 'text/event-stream',
    },
    body: JSON.stringify({ message }),
  })
  expect(response.status).toBe(200)
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: '))
  return lines.map((line) => JSON.parse(line.slice(6)) as ChatEvent)
}
const sessions = async () => (await call(app.url, assistant.sessions, { token: ada.token })).body
const messages = async (id: number) =>
  (await call(app.url, assistant.getSession, { token: ada.token, params: { id } })).body.messages
const counted = async () =>
  (
    await runSql(
      app.context.db,
      `SELECT count(*)::int AS n FROM ai_uses WHERE user_id = $1 AND state <> 'failed'`,
      [ada.id],
    )
  ).rows

it('a slow model is waited for, in a stream and without', async () => {
  ada = await signUp(app.url)
  model.answer({ text: 'Slow but sure.', afterMs: SLOW_MS })
  const [whole, events] = await Promise.all([ask('Hello'), stream('Hello')])
  expect(whole.body).toMatchObject({ status: 'done', text: 'Slow but sure.' })
  expect(events.at(-1)).toMatchObject({ event: 'done', reply: { text: 'Slow but sure.' } })
})

const FAILURES: [string, ModelAnswer, string, number, string][] = [
  ['hangs', { does: 'hang' }, TOO_SLOW, 503, ''],
  ['hangs in the middle', { pieces: ['Half an '], ends: 'hang' }, TOO_SLOW, 503, 'Half an'],
  ['is dead', { does: 'drop' }, BROKEN_OFF, 503, ''],
  ['is cut in the middle', { pieces: ['Half an '], ends: 'cut' }, BROKEN_OFF, 503, 'Half an'],
  ['writes rubbish', { raw: '<html>' }, BROKEN_OFF, 503, ''],
]
it.each(FAILURES)(
  'a model that %s says so in both forms; the question stays, nothing is counted, Retry doubles nothing',
  async (_, failing, sentence, status, written) => {
    ada = await signUp(app.url)
    model.answer(failing)
    const [whole, events] = await Promise.all([ask('What now?'), stream('What now?')])
    expect([whole.status, whole.error.detail]).toEqual([status, sentence])
    expect(events[0]?.event).toBe('begun')
    expect(events.at(-1)).toMatchObject({ event: 'failed', detail: sentence, reply: { status: 'failed' } })
    expect(await counted()).toEqual([{ n: 0 }])
    model.answer('Now this.')
    for (const { id } of await sessions()) {
      const before = await messages(id)
      expect(before.map(({ role, status: state, content }) => [role, state, content])).toEqual([
        ['user', 'done', 'What now?'],
        ['assistant', 'failed', written],
      ])
      const again = await ask('What now?', { session_id: id, replaced_id: before[0]?.id })
      expect(again.body.text).toBe('Now this.')
      expect((await messages(id)).map(({ content }) => content)).toEqual(['What now?', 'Now this.'])
    }
    expect(await counted()).toEqual([{ n: 2 }])
  },
)

it('a model that never ends is cut off in both forms', async () => {
  ada = await signUp(app.url)
  model.answer({ pieces: ['Half an '], ends: 'flood' })
  const [whole, events] = await Promise.all([ask('What now?'), stream('What now?')])
  expect([whole.status, whole.error.detail]).toEqual([503, BROKEN_OFF])
  expect(events.at(-1)).toMatchObject({ event: 'failed', detail: BROKEN_OFF })
  for (const { id } of await sessions())
    expect((await messages(id)).at(-1)?.content.length).toBeLessThanOrEqual(20_000)
  expect(await counted()).toEqual([{ n: 0 }])
})
