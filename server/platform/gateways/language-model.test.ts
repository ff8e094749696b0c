import * as z from 'zod/mini'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startModel, type ModelAnswer, type ModelServer } from '../../../tests/support/model.ts'
import { makeLanguageModel, type LanguageModel } from './language-model.ts'

let server: ModelServer
let model: LanguageModel
/** Gives up soon, for answers that are late. */
let hasty: LanguageModel
const question = { system: 'You write mails.', prompt: 'Write to Bob.', maxOutputTokens: 200 }

beforeAll(async () => {
  server = await startModel()
  const tiny = { baseUrl: server.baseUrl, apiKey: 'secret', name: 'tiny' }
  model = makeLanguageModel(tiny, { deadlineMs: 20_000 })
  hasty = makeLanguageModel(tiny, { deadlineMs: 2000 })
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

const message = (said: object) => JSON.stringify({ choices: [{ message: said, finish_reason: null }] })

test('reads what servers send in their own way: parts, a byte order mark, no reason for the end, no count', async () => {
  const text = [
    { type: 'text', text: 'Dear ' },
    { type: 'thinking', thinking: [{ type: 'text', text: 'Who?' }] },
    { type: 'text', text: 'Bob' },
  ]
  server.answer({ raw: `\uFEFF${message({ content: text, reasoning_content: 'Who is Bob?' })}` })
  const asked = Math.ceil((question.system.length + question.prompt.length) / 4)
  expect(await model.write(question)).toEqual({
    text: 'Dear Bob',
    usage: { inputTokens: asked, outputTokens: 2 },
  })
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
    ['slow: answers late', { text: 'too late', afterMs: 5000 }, 'slow'],
    ['rubbish: no JSON', { raw: '<html>Welcome</html>' }, 'rubbish'],
    ['rubbish: another JSON', { raw: '{"hello":1}' }, 'rubbish'],
    ['rubbish: an error as an answer', { raw: '{"error":{"message":"overloaded"}}' }, 'rubbish'],
    ['rubbish: no answer among its choices', { raw: '{"choices":[]}' }, 'rubbish'],
    ['rubbish: no content', { raw: message({ content: null }) }, 'rubbish'],
    ['rubbish: nothing', '   ', 'rubbish'],
    ['rubbish: cut short', { text: 'Dear B', finishReason: 'length' }, 'rubbish'],
    ['rubbish: a novel', 'x'.repeat(50_000), 'rubbish'],
    ['rubbish: no end to it', { does: 'flood' }, 'rubbish'],
    ['refused: wrong key', { status: 401, message: 'bad key' }, 'refused'],
    ['refused: declined', { text: 'no', finishReason: 'content_filter' }, 'refused'],
    ['refused: declined in its own field', { raw: message({ content: null, refusal: 'No.' }) }, 'refused'],
    ['down: sent elsewhere', { status: 302, headers: { location: 'http://127.0.0.1:9/v1' } }, 'down'],
    ['budget: quota', { status: 429, message: 'quota exceeded' }, 'budget'],
  ]
  test.each(cases)('%s', async (_name, answer, kind) => {
    server.answer(answer)
    const asked = kind === 'slow' ? hasty : model
    await expect(asked.write(question)).rejects.toMatchObject({ name: 'ModelFailure', kind })
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

describe('a conversation', () => {
  const ask = (more: Partial<Parameters<LanguageModel['converse']>[0]> = {}) => {
    const pieces: string[] = []
    const answer = makeLanguageModel({ baseUrl: server.baseUrl, apiKey: 'secret', name: 'tiny' }).converse(
      {
        turns: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Where is Ann?' },
        ],
        tools: [{ name: 'find', description: 'Finds', parameters: { type: 'object' } }],
        maxOutputTokens: 100,
        signal: AbortSignal.timeout(20_000),
        ...more,
      },
      (piece) => pieces.push(piece),
    )
    return { answer, pieces }
  }

  test('comes in pieces, without the reasoning in front, with its cost', async () => {
    server.answer({ text: '<think>Ann, Ann</think>She is here.', usage: [30, 9] })
    const { answer, pieces } = ask()
    expect(await answer).toEqual({
      text: 'She is here.',
      calls: [],
      usage: { inputTokens: 30, outputTokens: 9 },
    })
    expect(pieces.join('')).toBe('She is here.')
    expect(pieces.length).toBeGreaterThan(1)
    expect(server.questions[0]?.body).toMatchObject({
      stream: true,
      max_tokens: 100,
      tools: [{ type: 'function' }],
    })
  })

  test('calls tools, whose input comes in pieces', async () => {
    server.answer({
      calls: [
        { name: 'find', input: { name: 'Ann' } },
        { name: 'find', input: { name: 'Bob' } },
      ],
    })
    const { calls } = await ask().answer
    expect(calls.map((call) => [call.name, JSON.parse(call.arguments)])).toEqual([
      ['find', { name: 'Ann' }],
      ['find', { name: 'Bob' }],
    ])
  })

  const FAILURES: [string, ModelAnswer, string][] = [
    ['cut in the middle', { pieces: ['Half an'], ends: 'cut' }, 'down'],
    ['without an end', { pieces: ['Half an'], ends: 'flood' }, 'rubbish'],
    ['of another kind', { raw: '{"hello":1}' }, 'rubbish'],
    ['of a server that is down', { status: 503 }, 'down'],
    ['over the quota', { status: 429 }, 'budget'],
    ['with the wrong key', { status: 401 }, 'refused'],
  ]
  test.each(FAILURES)('fails by name: %s', async (_, answer, kind) => {
    server.answer(answer)
    await expect(ask().answer).rejects.toMatchObject({ name: 'ModelFailure', kind })
  })

  test('that hangs is slow, and is not asked twice', async () => {
    server.answer({ pieces: ['Half an'], ends: 'hang' })
    const late = new AbortController()
    const { answer, pieces } = ask({ signal: late.signal })
    await expect.poll(() => pieces).toHaveLength(1)
    late.abort(new DOMException('', 'TimeoutError'))
    await expect(answer).rejects.toMatchObject({ kind: 'slow' })
    expect(pieces).toEqual(['Half an'])
    expect(server.questions).toHaveLength(1)
  })

  test('waits for its turn: never more than eight at once', async () => {
    const crowd = await startModel({ text: 'Good.', afterMs: 20 })
    const one = makeLanguageModel({ baseUrl: crowd.baseUrl, apiKey: null, name: 'tiny' })
    const request = { turns: [{ role: 'user', content: 'Hello' }] as const, tools: [], maxOutputTokens: 10 }
    const left = new AbortController()
    const all = Array.from({ length: 40 }, (_, n) =>
      one.converse(
        { ...request, signal: n % 10 === 9 ? left.signal : AbortSignal.timeout(20_000) },
        () => {},
      ),
    )
    left.abort(new Error('gone'))
    const ends = await Promise.allSettled(all)
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(36)
    expect(crowd.mostAtOnce).toBeLessThanOrEqual(8)
    await crowd.stop()
  })
})
