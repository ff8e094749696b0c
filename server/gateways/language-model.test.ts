import * as z from 'zod/mini'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startModel, type ModelAnswer, type ModelServer } from '../../tests/support/model.ts'
import { makeLanguageModel, type LanguageModel } from './language-model.ts'

let server: ModelServer
let model: LanguageModel
const question = { system: 'You write mails.', prompt: 'Write to Bob.', maxOutputTokens: 200 }

beforeAll(async () => {
  server = await startModel()
  model = makeLanguageModel({ baseUrl: server.baseUrl, apiKey: 'secret', name: 'tiny' }, { deadlineMs: 400 })
})
beforeEach(() => {
  server.questions.length = 0
})
afterAll(() => server.stop())

test('sends one request with our messages in their roles, and returns the text with its cost', async () => {
  server.answer({ text: '  Dear Bob,\n\nhello. ', usage: [12, 5] })
  const answer = await model.write(question)
  expect(answer).toEqual({ text: 'Dear Bob,\n\nhello.', usage: { inputTokens: 12, outputTokens: 5 } })
  expect(server.questions).toMatchObject([
    { model: 'tiny', system: 'You write mails.', prompt: 'Write to Bob.', body: { max_tokens: 200 } },
  ])
})

test('removes the model’s visible reasoning', async () => {
  server.answer('<think>Who is Bob?</think>Dear Bob')
  expect((await model.write(question)).text).toBe('Dear Bob')
})

test('returns an object that the schema accepted, even from chatter and code fences', async () => {
  server.answer('Sure! Here it is:\n```json\n{"intent":"question","sure":0.8}\n```')
  const schema = z.object({ intent: z.enum(['question', 'other']), sure: z.number() })
  const { object } = await model.write({ ...question, schema })
  expect(object.intent).toBe('question')
  expect(server.questions[0]?.system).toContain('"enum":["question","other"]')
})

describe('fails by name', () => {
  const cases: [string, ModelAnswer, string][] = [
    ['down: an error of its own', { status: 500 }, 'down'],
    ['down: hung up', { does: 'drop' }, 'down'],
    ['slow: never answers', { does: 'hang' }, 'slow'],
    ['slow: answers late', { text: 'too late', afterMs: 1000 }, 'slow'],
    ['rubbish: no JSON', { raw: '<html>Welcome</html>' }, 'rubbish'],
    ['rubbish: another JSON', { raw: '{"hello":1}' }, 'rubbish'],
    ['rubbish: nothing', '   ', 'rubbish'],
    ['rubbish: cut short', { text: 'Dear B', finishReason: 'length' }, 'rubbish'],
    ['rubbish: a novel', 'x'.repeat(50_000), 'rubbish'],
    ['rubbish: no end to it', { does: 'flood' }, 'rubbish'],
    ['refused: wrong key', { status: 401, message: 'bad key' }, 'refused'],
    ['refused: declined', { text: 'no', finishReason: 'content_filter' }, 'refused'],
    ['budget: quota', { status: 429, message: 'quota exceeded' }, 'budget'],
  ]
  test.each(cases)('%s', async (_name, answer, kind) => {
    server.answer(answer)
    await expect(model.write(question)).rejects.toMatchObject({ name: 'ModelFailure', kind })
    expect(server.questions).toHaveLength(1)
  })

  test('rubbish: an object of another shape', async () => {
    server.answer('{"intent":"pizza"}')
    const schema = z.object({ intent: z.enum(['question', 'other']) })
    await expect(model.write({ ...question, schema })).rejects.toMatchObject({ kind: 'rubbish' })
  })

  test('down: nobody listens, or none is configured', async () => {
    const gone = makeLanguageModel({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: null, name: 'tiny' })
    await expect(gone.write(question)).rejects.toMatchObject({ kind: 'down' })
    const none = makeLanguageModel(null)
    expect(none.available).toBe(false)
    await expect(none.write(question)).rejects.toMatchObject({ kind: 'down' })
  })
})

test('stops at once when the caller does', async () => {
  server.answer({ does: 'hang' })
  const caller = new AbortController()
  const answer = model.write({ ...question, signal: caller.signal })
  caller.abort(new Error('the user left'))
  await expect(answer).rejects.toThrow('the user left')
})
