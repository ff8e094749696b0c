import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ModelQuestion, type ModelServer, startModel } from '../support/model.ts'
import { type Business, seedBusiness } from '../support/muster-business.ts'
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { describeGroup, type GroupName, GROUPS, rightOf, runGroup, scoreOf } from './groups.ts'
import { QUESTIONS, TIMES, WISHES } from './questions.ts'
import { lastMail, THREADS } from './threads.ts'
import { isHeldOut, unseen } from './unseen.ts'

// `npm run evals` asks whatever model is configured. Here it is one whose answers are known: the first case of a group it
// answers right, the second wrong, to all others it says that it does not know.

const UNSURE = 'I cannot say.'

let app: TestApp
let sink: SmtpSink
let business: Business
let model: ModelServer
let isGone = false

beforeAll(async () => {
  sink = await startSmtpSink()
  model = await startModel()
  app = await startTestApp({
    environment: { AI_BASE_URL: model.baseUrl, AI_MODEL: 'tiny', PLAN_LIMITS: 'off' },
  })
  business = await seedBusiness(app, sink)
}, 120_000)
afterAll(async () => {
  await app.end()
  if (!isGone) await model.stop()
  await sink.stop()
})

const run = (name: GroupName) => runGroup(name, { app, business, model: app.context.model })

/** The last question, without the tools that have been called since. */
const asks = ({ prompt }: ModelQuestion, words: string) => prompt.split('\n').at(-1) === words

test('questions: a right answer counts one, a sure wrong one takes one away, an unsure one nothing', async () => {
  const [first, second] = QUESTIONS
  model.answer((question) => {
    if (asks(question, first?.ask ?? ''))
      return 'You have 11 contacts and 2 open invoices, have sent 6 emails, and 3 of 6 contacts (50%) replied.'
    return asks(question, second?.ask ?? '') ? 'You have 99 contacts.' : UNSURE
  })
  const group = await run('questions')
  expect(group.outcomes.map(({ points }) => points)).toEqual([1, -1, ...QUESTIONS.slice(2).map(() => 0)])
  expect(group.tokens).toBeGreaterThan(0)
  expect(describeGroup(group)).toMatch(
    /^questions: 1 of 40 right, 1 wrong; score 0; [\d.]+ s, [\d,]+ tokens\n {2}wrong: How many contacts do I have\?\n {4}expected \/11 contacts\/\n {4}got \(model\) You have 99 contacts\.\n {2}no answer: /,
  )
})

test('a question that the model looks up first is right by what the tool found', async () => {
  const ask = 'How many contacts do I have?'
  model.answer((question) => {
    const messages = question.body['messages'] as { role: string; content: string }[]
    const found = messages.findLast(({ role }) => role === 'tool')
    if (!asks(question, ask)) return UNSURE
    if (found === undefined) return { calls: [{ name: 'read_figures', input: {} }] }
    return `I looked it up: ${/\d+ contacts/.exec(found.content)?.[0]}.`
  })
  const group = await run('questions')
  expect(group.outcomes.find(({ asked }) => asked === ask)).toMatchObject({
    points: 1,
    got: '(model) I looked it up: 11 contacts.',
  })
  expect(rightOf(group)).toBe(1)
})

test('wishes: a card with that content is right, another one is wrong, none is no answer', async () => {
  const sent = sink.received.length
  const flour = 'Put buy flour on my to-do list'
  const insurance = 'Add a task: renew the insurance by 1 February'
  model.answer((question) => {
    const messages = question.body['messages'] as { role: string }[]
    if (messages.at(-1)?.role === 'tool') return 'Please approve it.'
    if (asks(question, flour)) return { calls: [{ name: 'add_task', input: { title: 'Buy flour' } }] }
    if (asks(question, insurance))
      return {
        calls: [{ name: 'add_task', input: { title: 'Renew the insurance', due_date: '2027-02-02' } }],
      }
    return 'I have done it.'
  })
  const group = await run('wishes')
  const points = new Map(group.outcomes.map((each) => [each.asked, each.points]))
  expect(points.size).toBe(WISHES.length)
  expect(points.get(flour)).toBe(1)
  expect(points.get(insurance)).toBe(-1)
  expect([rightOf(group), scoreOf(group)]).toEqual([1, 0])
  expect(sink.received.length).toBe(sent)
})

test('times: read by the model itself, in the zone of the case', async () => {
  const [first, second] = TIMES
  model.answer(({ prompt }) => {
    const says = (time: typeof first) =>
      prompt.includes(`“${time?.[0]}”`) && prompt.includes(`in ${time?.[1]}`)
    if (says(first)) return `{"time": "${first?.[2]}"}`
    return says(second) ? '```json\n{"time": "2026-11-24T21:00"}\n```' : '{"time": null}'
  })
  const group = await run('times')
  expect(group.outcomes.map(({ points }) => points)).toEqual([1, -1, ...TIMES.slice(2).map(() => 0)])
  expect(group.tokens).toBeGreaterThan(0)
})

test('intents: of the whole conversation', async () => {
  const last = (number: number) => {
    const thread = THREADS[number]
    if (thread === undefined) throw new Error(`There is no thread ${number}`)
    return lastMail(thread, number)
  }
  model.answer(({ prompt }) => {
    if (prompt.includes(last(0))) return '{"intent": "interested"}'
    return prompt.includes(last(1)) ? '{"intent": "unsubscribe"}' : UNSURE
  })
  const group = await run('intents')
  expect(group.outcomes.map(({ points }) => points)).toEqual([1, -1, ...THREADS.slice(2).map(() => 0)])
})

test.each([
  ['unseen', UNSURE],
  ['held out', UNSURE],
  ['unseen', 'I do not know.'],
  ['held out', 'Sorry, I don’t understand.'],
] as const)('%s: “%s” is right only where it cannot be known', async (name, unsure) => {
  model.answer(unsure)
  const group = await run(name)
  const cases = unseen.filter((each) => isHeldOut(each) === (name === 'held out'))
  expect(group.outcomes).toHaveLength(cases.length)
  const cannot = cases.flatMap(({ ask, cannot: is }) => (is === true ? [ask] : []))
  const right = group.outcomes.filter(({ points }) => points === 1).map(({ asked }) => asked)
  expect(right).toEqual(cannot)
  expect(scoreOf(group)).toBe(cannot.length)
})

test('a question that leans on the one before is asked after it', async () => {
  const leaning = unseen.find(({ before }) => before === 'What does Ann owe?')
  model.answer((question) =>
    question.prompt.includes('What does Ann owe?') && asks(question, 'and bob?')
      ? 'Bob owes 1,200 EUR.'
      : UNSURE,
  )
  const group = await run(leaning !== undefined && isHeldOut(leaning) ? 'held out' : 'unseen')
  expect(group.outcomes.find(({ asked }) => asked === 'What does Ann owe? … and bob?')?.points).toBe(1)
})

test('a text that has nothing to do with the question is never right', async () => {
  model.answer('Colourless green ideas sleep furiously.')
  for (const name of GROUPS) {
    const group = await run(name)
    expect([name, rightOf(group)]).toEqual([name, 0])
    expect(scoreOf(group)).toBeLessThanOrEqual(0)
  }
})

/** What a model does that is no model; each group must come to its end all the same. */
const BROKEN = {
  'no chat completions': { raw: '<html><body>It works!</body></html>' },
  'an error': { status: 500 },
  'a broken connection': { does: 'drop' },
} as const

test.each(Object.entries(BROKEN))('%s instead of answers is a score of 0', async (_, broken) => {
  model.answer(broken)
  for (const name of GROUPS) {
    const group = await run(name)
    expect(group.outcomes.length).toBeGreaterThan(0)
    expect([name, rightOf(group), scoreOf(group)]).toEqual([name, 0, 0])
  }
})

test('a model that is gone is a score of 0', async () => {
  await model.stop()
  isGone = true
  for (const name of GROUPS) {
    const group = await run(name)
    expect([name, rightOf(group), scoreOf(group)]).toEqual([name, 0, 0])
  }
})
