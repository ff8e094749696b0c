import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { assistant, type ChatEvent } from '#contract/assistant/assistant.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { forgetOldCalls } from '#server/platform/http/idempotency.ts'
import { call } from '../../tests/support/client.ts'
import { signUp, type TestUser } from '../../tests/support/factories.ts'
import { type ModelServer, startModel } from '../../tests/support/model.ts'
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts'

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
})
beforeEach(async () => {
  model.answer({ text: 'It is done.', afterMs: 200 })
  ada = await signUp(app.url)
  model.questions.length = 0
})

const ask = (key: string, message = 'Hello', by = ada) =>
  call(app.url, assistant.chat, { token: by.token, body: { message }, headers: { 'Idempotency-Key': key } })

async function stream(key: string, message = 'Hello'): Promise<{ type: string | null; events: ChatEvent[] }> {
  const response = await fetch(app.url + pathOf(assistant.chat), {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${ada.token}`,
      'Content-Type': 'application/json',
      Accept: 'text/event-stream',
      'Idempotency-Key': key,
    },
    body: JSON.stringify({ message }),
  })
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: '))
  return {
    type: response.headers.get('Content-Type'),
    events: lines.map((line) => JSON.parse(line.slice(6)) as ChatEvent),
  }
}
const sessions = async () => (await call(app.url, assistant.sessions, { token: ada.token })).body
const counted = async () =>
  (
    await runSql(
      app.context.db,
      `SELECT state, count(*)::int AS n FROM ai_uses WHERE user_id = $1 GROUP BY 1`,
      [ada.id],
    )
  ).rows

describe('a question with an Idempotency-Key', () => {
  it('is asked once and answered the same, one after the other and two at once', async () => {
    const [first, second] = await Promise.all([ask('a'), ask('a')])
    const third = await ask('a')
    expect([first.status, second.status, third.status]).toEqual([200, 200, 200])
    expect(first.body.text).toBe('It is done.')
    expect(second.body).toEqual(first.body)
    expect(third.body).toEqual(first.body)
    expect(model.questions).toHaveLength(1)
    expect(await sessions()).toHaveLength(1)
    expect(await counted()).toEqual([{ state: 'used', n: 1 }])
  })

  it('is the same question however the answer is sent', async () => {
    const [first, second] = await Promise.all([stream('a'), stream('a')])
    const third = await ask('a')
    for (const { type, events } of [first, second]) {
      expect(type).toMatch(/^text\/event-stream/)
      expect(events[0]?.event).toBe('begun')
      expect(events.flatMap((event) => (event.event === 'text' ? [event.text] : [])).join('')).toBe(
        'It is done.',
      )
      expect(events.at(-1)).toEqual({ event: 'done', reply: third.body })
    }
    expect(model.questions).toHaveLength(1)
    expect(await sessions()).toHaveLength(1)
  })

  it('is another one with other words, another key or another user', async () => {
    const bob = await signUp(app.url)
    const answers = [
      await ask('a'),
      await ask('a', 'Hello again'),
      await ask('b'),
      await ask('a', 'Hello', bob),
    ]
    expect(new Set(answers.map(({ body }) => body.session_id)).size).toBe(4)
    expect(model.questions).toHaveLength(4)
  })

  it('that failed is asked again at the next click, and told to those who waited', async () => {
    model.answer({ raw: 'rubbish' })
    const failed = await Promise.all([ask('a'), ask('a')])
    for (const { status, error } of failed)
      expect([status, error.detail]).toEqual([503, 'Sorry, I encountered an error. Please try again.'])
    const events = (await stream('b')).events
    expect(events.at(-1)).toMatchObject({ event: 'failed' })
    model.answer('Now.')
    expect((await ask('a')).body.text).toBe('Now.')
    expect((await stream('b')).events.at(-1)).toMatchObject({ event: 'done', reply: { text: 'Now.' } })
    expect(await counted()).toEqual(expect.arrayContaining([{ state: 'used', n: 2 }]))
  })

  /** A question whose answer takes so long, until it is stopped. */
  async function askLong(
    milliseconds: number,
    meanwhile: () => Promise<unknown> | undefined = () => undefined,
  ) {
    const asked = new Promise<void>((resolve) =>
      model.answer(() => {
        resolve()
        return { pieces: ['One '], ends: 'hang' }
      }),
    )
    const first = ask('a')
    await asked
    app.clock.forward(milliseconds)
    const other = meanwhile()
    await expect.poll(async () => (await sessions())[0]?.id).toBeDefined()
    await call(app.url, assistant.stop, { token: ada.token, params: { id: (await sessions())[0]?.id ?? 0 } })
    await other
    return (await first).body
  }

  it('is not asked again while its answer is still being written, however long that takes', async () => {
    let second: ReturnType<typeof ask> | undefined
    const answer = await askLong(150_000, () => (second = ask('a')))
    expect((await second)?.body).toEqual(answer)
    expect(model.questions).toHaveLength(1)
  })

  it('is answered the same for two minutes after a long answer, also when old calls are forgotten', async () => {
    const answer = await askLong(170_000)
    app.clock.forward(100_000)
    await forgetOldCalls(app.context)
    expect((await ask('a')).body).toEqual(answer)
    expect(model.questions).toHaveLength(1)
  })
})
