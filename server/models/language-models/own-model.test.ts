import { Writable } from 'node:stream'
import { type Logger, pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { assistant } from '#contract/assistant/assistant.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { emails } from '#contract/mail/emails.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { ownModel } from '#contract/models/own-model.ts'
import type { BodyInput } from '#contract/platform/endpoint.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { makeDialGuard } from '#server/platform/security/addresses.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { type ModelAnswer, type ModelServer, startModel } from '../../../tests/support/model.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { connectWriter, receive } from '../../../tests/support/writing.ts'

const QUESTION =
  'From: kim@people.example\nTo: ada@example.com\nSubject: Soap\nMessage-ID: <soap@people.example>\n\nHow much is the soap, and when could you send it?\n'
const KEY = 'sk-the-key-of-ada-4711'

let app: TestApp
let house: ModelServer
let own: ModelServer
let sink: SmtpSink
let ada: TestUser
let logged = ''

beforeAll(async () => {
  house = await startModel('The house speaks.')
  own = await startModel()
  sink = await startSmtpSink()
  const lines = new Writable({
    write: (line: Buffer, _, done) => {
      logged += line.toString()
      done()
    },
  })
  const log: Logger = pino({ level: 'trace' }, lines)
  const environment = { AI_BASE_URL: house.baseUrl, AI_MODEL: 'house-model' }
  app = await startTestApp({ environment, log })
})
afterAll(async () => {
  await app.end()
  await Promise.all([house.stop(), own.stop(), sink.stop()])
})
beforeEach(async () => {
  house.questions.length = 0
  own.questions.length = 0
  own.answer('My own model speaks.')
  own.models.splice(0, Infinity, 'tiny')
  ada = await connectWriter(app, sink)
})

const save = (body: Partial<BodyInput<typeof ownModel.save>> = {}, by = ada, at = app) =>
  call(at.url, ownModel.save, {
    token: by.token,
    body: { base_url: own.baseUrl, model: 'tiny', api_key: KEY, ...body },
  })
const settings = async (by = ada) => (await call(app.url, ownModel.get, { token: by.token })).body
const remove = (by = ada) => call(app.url, ownModel.remove, { token: by.token })
const test = (body: Partial<BodyInput<typeof ownModel.save>> = {}, by = ada, at = app) =>
  call(at.url, ownModel.test, { token: by.token, body: { base_url: own.baseUrl, model: 'tiny', ...body } })
const models = (body: { base_url: string; api_key?: string }, by = ada) =>
  call(app.url, ownModel.models, { token: by.token, body })
const ask = (message = 'Write me a poem about soap.', by = ada) =>
  call(app.url, assistant.chat, { token: by.token, body: { message } })
const uses = async (by: { id: number } = ada) => {
  const { rows } = await runSql(
    app.context.db,
    'SELECT model, paid_by, state FROM ai_uses WHERE user_id = $1 ORDER BY id',
    [by.id],
  )
  return rows as { model: string; paid_by: string; state: string }[]
}
/** Whether each check of a test went well, and its sentence, by name. */
async function checked(answer: ModelAnswer | Parameters<ModelServer['answer']>[0]) {
  own.answer(answer)
  const { body } = await test()
  return {
    ok: Object.fromEntries(body.checks.map((check) => [check.name, check.ok])),
    words: Object.fromEntries(body.checks.map((check) => [check.name, check.detail])),
    firstWords: body.first_words_ms,
  }
}

describe('one’s own model', () => {
  it('answers in place of the house’s from its saving to its removal, and is asked with its key', async () => {
    expect(await settings()).toMatchObject({ answers: 'house', house: 'house-model', own: null })
    expect((await save()).body).toMatchObject({
      answers: 'own',
      own: { base_url: own.baseUrl, model: 'tiny', api_key_set: true, problem: null },
    })
    const answer = await ask()
    expect(answer.body).toMatchObject({ text: 'My own model speaks.' })
    expect(answer.body.message.message_metadata).toMatchObject({ by: 'model', model: 'tiny' })
    expect(own.questions.map(({ model, authorization }) => [model, authorization])).toEqual([
      ['tiny', `Bearer ${KEY}`],
    ])
    expect(house.questions).toEqual([])
    expect((await remove()).body).toMatchObject({ answers: 'house', own: null })
    expect((await ask()).body).toMatchObject({ text: 'The house speaks.' })
    expect(own.questions).toHaveLength(1)
  })

  it('costs no AI request: the plan’s five stay, and each use is noted', async () => {
    await save()
    for (let n = 0; n < 7; n += 1) expect((await ask()).status).toBe(200)
    expect(await uses()).toEqual(
      Array.from({ length: 7 }, () => ({ model: 'tiny', paid_by: 'nothing', state: 'used' })),
    )
    await remove()
    for (let n = 0; n < 5; n += 1) expect((await ask()).status).toBe(200)
    expect(await ask()).toMatchObject({
      status: 429,
      error: { detail: 'You have used your 5 AI requests for today.' },
    })
    await save()
    expect((await ask()).body.text).toBe('My own model speaks.')
  })

  it('writes replies, follow-ups and bulk mails', async () => {
    await save()
    const words = 'Hello, thank you for your question about soap. We will answer it soon. Kind regards, Ada'
    own.answer(JSON.stringify({ subject: 'About soap', body: words, intent: 'question' }))
    const id = await receive(app, ada, QUESTION)
    const reply = await call(app.url, emails.replyPreview, { token: ada.token, body: { email_id: id } })
    expect(reply.body.body).toBe(words)
    const body = { to: 'kim@people.example' }
    const followUp = await call(app.url, emails.followUpPreview, { token: ada.token, body })
    expect(followUp.body.body).toBe(words)
    for (const name of ['Kim', 'Lee'])
      await call(app.url, contacts.add, { token: ada.token, body: { name, email: `${name}@people.example` } })
    expect((await call(app.url, outreach.estimate, { token: ada.token })).body).toMatchObject({
      uses_model: true,
      model: 'tiny',
    })
    const run = await call(app.url, outreach.generateAndSend, { token: ada.token })
    expect(run.body.summary).toMatchObject({ sent: 2, warnings: 0 })
    expect(house.questions).toEqual([])
    expect((await uses()).map((use) => use.paid_by)).toEqual(['nothing', 'nothing', 'nothing'])
  })

  describe('removed in the middle of a bulk run', () => {
    const mail = JSON.stringify({
      subject: 'About soap',
      body: 'Hello, we make soap by hand and would like to hear what you think of it. Kind regards, Ada',
    })
    /** A run of 14 mails, 12 of which are begun while the own model answers. */
    async function runAndRemove() {
      await save()
      let removed: Promise<unknown> | undefined
      own.answer(async () => {
        await (removed ??= remove())
        return mail
      })
      for (let n = 1; n <= 14; n += 1)
        await call(app.url, contacts.add, {
          token: ada.token,
          body: { name: `Person ${n}`, email: `person${n}@people.example` },
        })
      const { body } = await call(app.url, outreach.generateAndSend, { token: ada.token })
      await removed
      expect(own.questions).toHaveLength(12)
      return body.summary
    }

    it('leaves the rest to the house’s, for an AI request of the plan', async () => {
      house.answer(mail)
      expect(await runAndRemove()).toMatchObject({ sent: 14, warnings: 0 })
      house.answer('The house speaks.')
      expect(house.questions).toHaveLength(2)
      expect(await uses()).toEqual([
        { model: 'tiny', paid_by: 'nothing', state: 'used' },
        { model: 'house-model', paid_by: 'plan', state: 'used' },
      ])
    })

    it('leaves it to the template once the plan’s are used', async () => {
      for (let n = 0; n < 5; n += 1) expect((await ask()).status).toBe(200)
      house.questions.length = 0
      expect(await runAndRemove()).toMatchObject({ sent: 14, warnings: 2 })
      expect(house.questions).toEqual([])
    })
  })

  it('that counts tokens as it likes stops no work', async () => {
    await save()
    const body = 'Hello, we make soap by hand and would like to hear what you think of it. Kind regards, Ada'
    for (const usage of [
      [1e300, 0.5],
      [-5, 2 ** 60],
    ] as [number, number][]) {
      own.answer({ text: JSON.stringify({ subject: 'About soap', body }), usage })
      await call(app.url, contacts.add, {
        token: ada.token,
        body: { name: 'Kim', email: `kim${usage[1]}@people.example` },
      })
      const run = await call(app.url, outreach.generateAndSend, { token: ada.token })
      expect(run.body).toMatchObject({ done: true, summary: { pending: 0, errors: 0 } })
      expect((await ask()).status).toBe(200)
    }
  })

  it('that fails is not replaced by the house’s: the chat says why, a reply comes from the template', async () => {
    await save()
    own.answer({ status: 401, message: `Incorrect API key provided: ${KEY}` })
    expect(await ask()).toMatchObject({
      status: 503,
      error: {
        detail:
          'Sorry, I encountered an error. Please try again. Your own AI model did not answer. The server refuses the key. Check it. (Incorrect API key provided: …)',
      },
    })
    const id = await receive(app, ada, QUESTION)
    const reply = await call(app.url, emails.replyPreview, { token: ada.token, body: { email_id: id } })
    expect(reply.status).toBe(200)
    expect(reply.body.body).not.toContain('house')
    expect(house.questions).toEqual([])
    expect((await uses()).map((use) => use.state)).toEqual(['failed', 'failed'])
  })

  it('of two users is asked for its own user only', async () => {
    const second = await startModel('The second model speaks.')
    const bob = await signUp(app.url)
    await save()
    await save({ base_url: second.baseUrl, api_key: 'sk-of-bob' }, bob)
    await Promise.all([ask('Ada asks about soap.'), ask('Bob asks about tea.', bob)])
    expect(own.questions.map(({ prompt, authorization }) => [prompt, authorization])).toEqual([
      ['Ada asks about soap.', `Bearer ${KEY}`],
    ])
    expect(second.questions.map(({ prompt, authorization }) => [prompt, authorization])).toEqual([
      ['Bob asks about tea.', 'Bearer sk-of-bob'],
    ])
    expect(await settings(bob)).toMatchObject({ own: { base_url: second.baseUrl } })
    await second.stop()
  })

  it('is left alone after five failures in a row, until it is saved anew', async () => {
    await save()
    own.answer({ status: 500 })
    for (let n = 0; n < 5; n += 1) await ask()
    const asked = own.questions.length
    expect((await ask()).error.detail).toContain('left alone for a minute')
    expect(own.questions).toHaveLength(asked)
    own.answer('Back again.')
    await save({ api_key: 'sk-new' })
    expect((await ask()).body.text).toBe('Back again.')
  })
})

describe('the key', () => {
  it('is sealed in the database, never sent back, and never logged, even where the server repeats it', async () => {
    const answer = await save()
    own.answer({ status: 400, message: `You sent ${KEY}` })
    await ask()
    await test({ api_key: KEY })
    own.answer(`{"${KEY}`)
    await receive(app, ada, QUESTION)
    await call(app.url, emails.followUpPreview, { token: ada.token, body: { to: 'kim@people.example' } })
    expect(JSON.stringify([answer.body, await settings()])).not.toContain(KEY)
    const { rows } = await runSql(app.context.db, 'SELECT * FROM own_models WHERE user_id = $1', [ada.id])
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(KEY)
    expect(logged).toContain('own_model_changed')
    expect(logged).not.toContain(KEY)
  })

  it('is kept while the field stays empty and the address stays', async () => {
    await save()
    await save({ api_key: '', model: 'other' })
    expect(await settings()).toMatchObject({ own: { model: 'other', api_key_set: true } })
    await ask()
    expect(own.questions.at(-1)?.authorization).toBe(`Bearer ${KEY}`)
    await test()
    expect(own.questions.at(-1)?.authorization).toBe(`Bearer ${KEY}`)
  })

  it('never goes to another address: neither by a test, a list of models, nor by saving', async () => {
    const stranger = await startModel('Give me the key.')
    await save()
    for (const base_url of [stranger.baseUrl, stranger.baseUrl.replace('/v1', '/v2')]) {
      await test({ base_url })
      await models({ base_url })
      await save({ base_url, api_key: '' })
      expect(await settings()).toMatchObject({ own: { base_url, api_key_set: false } })
      await ask()
      await save()
    }
    expect(stranger.questions.length).toBeGreaterThan(4)
    expect(stranger.questions.filter(({ authorization }) => authorization !== null)).toEqual([])
    // Another path of the same server is another address too.
    await test({ base_url: own.baseUrl.replace('/v1', '/elsewhere') })
    expect(own.questions.at(-1)?.authorization).toBeNull()
    await stranger.stop()
  })

  it('that cannot be read any more is said, and nothing is asked without it', async () => {
    await save()
    await runSql(app.context.db, 'UPDATE own_models SET base_url = $2 WHERE user_id = $1', [
      ada.id,
      `${own.baseUrl}/moved`,
    ])
    expect(await settings()).toMatchObject({
      own: { problem: 'The saved key cannot be read any more. Please enter it again.' },
    })
    expect((await ask()).error.detail).toContain('The saved key cannot be read any more.')
    expect([...own.questions, ...house.questions]).toEqual([])
  })
})

describe('where an own model may be', () => {
  const whole = { answers: true, streams: true, calls_tools: true, keeps_to_json: true }

  it('is checked at each connection: a name that later leads inside gets no question', async () => {
    let inside = false
    const lookUp = async () => [{ address: inside ? '127.0.0.1' : '93.184.216.34', family: 4 }]
    const before = app.context.modelGuard
    const port = Number(new URL(own.baseUrl).port)
    app.context.modelGuard = makeDialGuard({ allowPrivate: false, ports: new Set([port]), lookUp })
    try {
      await save({ base_url: `http://model.example:${port}/v1` })
      inside = true
      expect((await ask()).error.detail).toContain('This address may not be used for a model.')
      const { body } = await test({ base_url: `http://model.example:${port}/v1` })
      expect(body.checks[0]).toMatchObject({ ok: false, detail: expect.stringContaining('may not be used') })
      expect((await models({ base_url: `http://127.0.0.1:${port}/v1` })).body.detail).toContain(
        'may not be used',
      )
      expect(own.questions).toEqual([])
    } finally {
      app.context.modelGuard = before
    }
  })

  it('is spoken to in plain text only inside the network', async () => {
    const before = app.context.modelGuard
    const lookUp = async () => [{ address: '93.184.216.34', family: 4 }]
    app.context.modelGuard = makeDialGuard({ allowPrivate: true, ports: new Set([80]), lookUp })
    try {
      const { body } = await test({ base_url: 'http://model.example/v1' })
      expect(body.checks[0]?.detail).toContain('Please begin the address with https://')
    } finally {
      app.context.modelGuard = before
    }
  })

  it('is nowhere on this machine or on a strange port once Howl serves others', async () => {
    const environment = { PUBLIC_URL: 'https://howl.example', AI_PORTS: '8443' }
    const served = await startTestApp({ environment })
    try {
      const bob = await signUp(served.url)
      for (const base_url of [
        own.baseUrl,
        'http://localhost:11434',
        'https://10.0.0.7',
        'https://1.1.1.1:22',
      ]) {
        const { body } = await test({ base_url }, bob, served)
        expect(body.checks[0]?.detail).toContain('This address may not be used for a model.')
      }
      expect((await call(served.url, ownModel.find, { token: bob.token })).body).toEqual([])
      expect((await call(served.url, ownModel.get, { token: bob.token })).body.finds).toBe(false)
      expect(own.questions).toEqual([])
      expect([...served.context.config.ownModels.ports]).toEqual([443, 8443])
    } finally {
      await served.end()
    }
  })

  it('is not where a server sends us on to', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      own.answer({ status, headers: { location: `${house.baseUrl}/chat/completions` } })
      const { body } = await test()
      expect(body.checks[0]).toMatchObject({
        ok: false,
        detail: 'The server sends us on to another address. Enter that address itself.',
      })
      expect((await models({ base_url: own.baseUrl })).body.detail).toContain('sends us on')
    }
    expect(house.questions).toEqual([])
    own.answer('Hello.')
    expect((await checked(everything)).ok).toEqual(whole)
  })

  it('is written as people write it, and anything else is refused with a sentence', async () => {
    const { origin } = new URL(own.baseUrl)
    for (const typed of [origin, `${origin}/`, `${origin}/v1/`, ` ${origin}/v1/chat/completions `])
      expect((await save({ base_url: typed })).body.own?.base_url).toBe(own.baseUrl)
    const refused = {
      '': 'Please enter the address',
      'api.model.example': 'Please begin the address with https:// or http://',
      'ftp://api.model.example': 'Please begin the address with https:// or http://',
      'https://': 'This is not an address',
      'https://me:secret@api.model.example/v1': 'Please put the key into its own field, not into the address',
      'https://api.model.example/v1?key=1': 'Please leave out everything from ? or # on',
      'https://api.model.example/v1#key': 'Please leave out everything from ? or # on',
      [`https://${'a'.repeat(500)}.example`]: 'Please keep this under 500 characters',
    }
    for (const [base_url, why] of Object.entries(refused))
      expect((await save({ base_url })).error.fields).toMatchObject({ base_url: why })
    expect((await save({ model: ' ' })).error.fields).toEqual({ model: 'Please choose or enter the model' })
    expect((await save({ api_key: 'two words' })).error.fields?.['api_key']).toContain('without blanks')
    expect((await settings()).own?.base_url).toBe(own.baseUrl)
  })
})

/** A model that can do everything, by what it is asked. */
const everything: Parameters<ModelServer['answer']>[0] = ({ body, prompt }) => {
  if (Array.isArray(body['tools'])) return { calls: [{ name: 'find_contact', input: { name: 'Ann Lee' } }] }
  return prompt.includes('Berlin') ? '{"city": "Berlin", "days": 3}' : 'one two three'
}

describe('a test', () => {
  it('names what a model can do, and how long the first words took', async () => {
    const { ok, words, firstWords } = await checked(everything)
    expect(ok).toEqual({ answers: true, streams: true, calls_tools: true, keeps_to_json: true })
    expect(words['streams']).toMatch(/^Its answer comes word by word; the first words took \d+\.\d s\.$/)
    expect(firstWords).toBeGreaterThanOrEqual(0)
    // Nothing of the user is in it.
    expect(JSON.stringify(own.questions)).not.toContain(ada.email)
  })

  it('names what it cannot do, each by itself', async () => {
    const { ok, words } = await checked(({ body, prompt }) =>
      Array.isArray(body['tools'])
        ? { status: 400, message: 'tools are not supported' }
        : prompt.includes('Berlin')
          ? 'Three days in Berlin!'
          : 'hello',
    )
    expect(ok).toEqual({ answers: true, streams: false, calls_tools: false, keeps_to_json: false })
    expect(words).toMatchObject({
      streams: 'Its whole answer comes at once, so you see nothing of it before.',
      calls_tools: expect.stringContaining('did not call a tool'),
      keeps_to_json: expect.stringContaining('did not keep to the asked form'),
    })
  })

  it.each<[string, ModelAnswer, RegExp]>([
    [
      'refuses the key',
      { status: 401, message: 'bad key' },
      /^The server refuses the key\. Check it\. \(bad key\)$/,
    ],
    [
      'does not know the model',
      { status: 404, message: 'no such model' },
      /does not know this model.*\(no such model\)/,
    ],
    ['has no credit left', { status: 429, message: 'quota' }, /takes no more requests for now/],
    ['is broken', { status: 500, message: 'out of memory' }, /answered with an error.*\(out of memory\)/],
    ['drops the connection', { does: 'drop' }, /^The server could not be reached/],
    ['is a web page', { raw: '<html>hello</html>' }, /could not be used|broke off/],
    ['floods', { does: 'flood' }, /far too long/],
  ])('says of a server that %s what to do', async (_, answer, sentence) => {
    const { ok, words, firstWords } = await checked(answer)
    expect(ok).toEqual({ answers: false, streams: false, calls_tools: false, keeps_to_json: false })
    expect(words['answers']).toMatch(sentence)
    expect(words['streams']).toBe('Not tried, as it did not answer.')
    expect(firstWords).toBeNull()
  })

  it('says of nobody at the address that it could not be reached', async () => {
    const gone = await startModel()
    await gone.stop()
    const { body } = await test({ base_url: gone.baseUrl })
    expect(body.checks[0]?.detail).toBe('The server could not be reached. Check the address.')
  })

  it('is limited, as is looking for servers', async () => {
    const limited = await startTestApp({ environment: { RATE_LIMITS: 'on' } })
    try {
      const bob = await signUp(limited.url)
      const find = () => call(limited.url, ownModel.find, { token: bob.token })
      const answers = await Promise.all(Array.from({ length: 61 }, find))
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
    } finally {
      await limited.end()
    }
  })
})

describe('the models of a server', () => {
  it('are listed with the typed key, in order of name, made fit to show', async () => {
    own.models.splice(0, Infinity, 'zeta', 'alpha', 'alpha', 'with\nline', '', 'x'.repeat(300))
    expect((await models({ base_url: own.baseUrl, api_key: KEY })).body).toEqual({
      models: ['alpha', 'with line', 'zeta'],
      detail: null,
    })
    own.models.splice(0, Infinity)
    expect((await models({ base_url: own.baseUrl })).body).toEqual({
      models: [],
      detail: 'The server has no models yet.',
    })
  })

  it('are found beside Howl on a person’s own machine, where there are any', async () => {
    const empty = await startModel()
    empty.models.length = 0
    const { ownModels } = app.context.config
    const before = ownModels.beside
    expect(before.map(({ name }) => name)).toEqual(['Ollama', 'LM Studio', 'llama.cpp'])
    ownModels.beside = [
      { name: 'Ollama', baseUrl: own.baseUrl },
      { name: 'LM Studio', baseUrl: empty.baseUrl },
      { name: 'llama.cpp', baseUrl: 'http://127.0.0.1:9/v1' },
    ]
    try {
      expect((await call(app.url, ownModel.find, { token: ada.token })).body).toEqual([
        { name: 'Ollama', base_url: own.baseUrl, models: ['tiny'] },
      ])
    } finally {
      ownModels.beside = before
      await empty.stop()
    }
  })
})
