import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { assistant, ANSWER_MAX, type Proposal } from '#contract/assistant/assistant.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { meetings } from '#contract/crm/meetings.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { todos } from '#contract/crm/todos.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { call } from '../support/client.ts'
import { watchDials } from '../support/dials.ts'
import type { TestUser } from '../support/factories.ts'
import { mailAccountAt } from '../support/mail-account.ts'
import { type ModelServer, startModel } from '../support/model.ts'
import { type SmtpSink, startSmtpSink } from '../support/smtp-sink.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import {
  echoingModel,
  hostileCalls,
  messagesOf,
  outsideOfData,
  turnedModel,
} from '../support/turned-model.ts'
import { connectWriter, receive } from '../support/writing.ts'
import { HOSTILE_WORDS, INJECTIONS } from './mails.ts'

const API_KEY = 'key-of-the-model-server'
const SMTP_PASSWORD = 'password-of-the-mail-server'
/** What nobody sees: none of it is in a prompt, an answer or a card. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cn}]/u
/** What a question to a chat writes, and the signs of life of sessions and workers. */
const OF_CHATS = new Set([
  'chat_sessions',
  'chat_messages',
  'chat_proposals',
  'ai_uses',
  'ai_days',
  'sessions',
])
/** Written whoever asks whatever: who was there, and how far the house's own work has come. */
const OF_THE_HOUSE = new Set(['workers', 'abuse_rounds', 'seen_users', 'house_days'])
const KINDS = 10
const MAILS = 60

let app: TestApp
let model: ModelServer
let sink: SmtpSink
let ada: TestUser
let bob: TestUser
let mails: { order: string; unseen: string; id: number; purpose: string; kind: string }[]
/** Ids of both users' rows. */
let ids: { ada: number[]; bob: number[] }

beforeAll(async () => {
  sink = await startSmtpSink()
  model = await startModel()
  app = await startTestApp({
    environment: {
      AI_BASE_URL: model.baseUrl,
      AI_MODEL: 'turned',
      AI_API_KEY: API_KEY,
      PLAN_LIMITS: 'off',
    },
  })
  ;[ada, bob] = [await connectWriter(app, sink), await connectWriter(app, sink)]
  await call(app.url, mailboxSetup.save, {
    token: ada.token,
    body: mailAccountAt(sink, { password: SMTP_PASSWORD }),
  })
  ids = {
    ada: await rowsFor(ada, (n) => HOSTILE_WORDS[n % HOSTILE_WORDS.length] ?? '', 'acme.example'),
    bob: await rowsFor(bob, (n) => `Quokka ${n}`, 'quokka.example'),
  }
  await receive(app, bob, 'From: Quokka <z@quokka.example>\nSubject: Quokka\nMessage-ID: <z@z>\n\nQuokka\n')
  for (const { raw } of INJECTIONS) await receive(app, ada, raw)
  mails = await deliveredMails()
}, 120_000)
afterAll(async () => {
  await app.end()
  await model.stop()
  await sink.stop()
})
beforeEach(() => {
  model.questions.length = 0
  sink.clear()
})

/** Contacts, meetings, tasks and invoices with these words in every field; gives the ids. */
async function rowsFor({ token }: TestUser, words: (n: number) => string, host: string): Promise<number[]> {
  const made: number[] = []
  for (let n = 0; n < 6; n += 1) {
    const text = words(n)
    const contact = await call(app.url, contacts.add, {
      token,
      body: { name: text, email: `person${n}@${host}`, company: text, position: text, notes: text },
    })
    const meeting = await call(app.url, meetings.add, {
      token,
      body: {
        title: text,
        description: text,
        notes: text,
        start_time: '2098-01-01T10:00:00Z',
        end_time: '2098-01-01T11:00:00Z',
        type: 'in-person',
        location: text,
        attendees: [`person${n}@${host}`],
      },
    })
    const task = await call(app.url, todos.add, { token, body: { title: text, description: text } })
    const invoice = await call(app.url, invoices.add, {
      token,
      body: {
        contact_id: contact.body.id,
        currency: 'EUR',
        convert: false,
        buyer: { name: text },
        items: [{ description: text, quantity: '1', unit_price: '10', discount_pct: '', tax_pct: '' }],
      },
    })
    for (const { status, error, body } of [contact, meeting, task, invoice]) {
      if (status !== 200) throw new Error(error.detail)
      made.push(body.id)
    }
  }
  return made
}

async function deliveredMails(): Promise<typeof mails> {
  const { rows } = await runSql(
    app.context.db,
    `SELECT id, message_id FROM emails WHERE user_id = $1 AND message_id LIKE 'inject-%'`,
    [ada.id],
  )
  const byMessageId = new Map(
    (rows as { id: number; message_id: string }[]).map((row) => [row.message_id, row.id]),
  )
  return INJECTIONS.map(({ order, unseen, purpose, kind }, at) => ({
    order,
    unseen,
    purpose,
    kind,
    id: byMessageId.get(`inject-${at}@far.example`) ?? 0,
  }))
}

const ask = (message: string, more: object = {}, url = app.url) =>
  call(url, assistant.chat, { token: ada.token, body: { message, ...more } })
const allProposals = async () => {
  const all: Proposal[] = []
  for (let page = 1; ; page += 1) {
    const { body } = await call(app.url, assistant.proposals, {
      token: ada.token,
      query: { limit: 200, page },
    })
    all.push(...body)
    if (body.length < 200) return all
  }
}

/** Every row of every table but those of chats and of the house's own work, as one text for each table. */
async function everything(): Promise<Record<string, string>> {
  const { rows: tables } = await runSql(
    app.context.db,
    `SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
    [],
  )
  const all: Record<string, string> = {}
  for (const { name } of tables as { name: string }[]) {
    if (OF_CHATS.has(name) || OF_THE_HOUSE.has(name)) continue
    const { rows } = await runSql(
      app.context.db,
      `SELECT count(*)::text || ' ' || coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') AS sum FROM ${name} t`,
      [],
    )
    all[name] = (rows[0] as { sum: string }).sum
  }
  return all
}

/** Until what came in is indexed and counted. */
async function settled(): Promise<Record<string, string>> {
  let last = await everything()
  await expect
    .poll(
      async () => {
        const before = last
        last = await everything()
        return last['email_search_queue'] === '0 ' && JSON.stringify(before) === JSON.stringify(last)
      },
      { interval: 500, timeout: 30_000 },
    )
    .toBe(true)
  return last
}

/** What is to be true of every prompt. */
function checkPrompts(): void {
  for (const question of model.questions) {
    const outside = outsideOfData(question)
    expect(outside).not.toMatch(/order\d+x|ORDER|rowsix|far\.example|Eve Stone|person\d@/i)
    const told = messagesOf(question)
      .filter(({ role }) => role !== 'assistant')
      .map(({ content }) => content ?? '')
      .join('\n')
    expect(told).not.toMatch(/quokka/i)
    expect(told).not.toMatch(/unseen\d+x/i)
    expect(INVISIBLE.exec(told)?.[0].codePointAt(0)?.toString(16)).toBeUndefined()
    for (const secret of [ada.token, bob.token, ada.password, SMTP_PASSWORD, API_KEY, 'only the tests know'])
      expect(JSON.stringify(question.body)).not.toContain(secret)
  }
}

/** What is to be true of every card. */
function checkCards(cards: readonly Proposal[]): void {
  const forReplies = new Set(['send_reply', 'draft_reply'])
  for (const { tool, content, lines, summary, status } of cards) {
    expect(status).toBe('pending')
    const shown = lines.map(({ text }) => text).join('\n')
    expect(INVISIBLE.test(summary + shown)).toBe(false)
    expect(shown).not.toMatch(/quokka/i)
    const { to, subject, body, title } = content as Record<string, string | undefined>
    for (const field of [to, subject, body, title])
      if (field !== undefined) expect(shown).toContain(field.replaceAll(new RegExp(INVISIBLE, 'gu'), ''))
    if (to !== undefined && !forReplies.has(tool)) expect(to).toMatch(/^person\d@acme\.example$/)
    expect(JSON.stringify(content)).not.toContain('"bcc"')
  }
}

it('is a corpus of many kinds, all of which have arrived', () => {
  expect(INJECTIONS.length).toBeGreaterThanOrEqual(MAILS)
  expect(new Set(INJECTIONS.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(KINDS)
  expect(mails.filter(({ id }) => id === 0).map(({ purpose }) => purpose)).toEqual([])
})

describe('a model that is turned against us', () => {
  it('has no effect without a click, sees nothing of others, and dials nobody', async () => {
    const before = await settled()
    const calls = hostileCalls([
      ...ids.bob.slice(0, 5),
      ids.ada[0],
      ids.ada[1],
      ids.ada[2],
      mails[0]?.id,
      -1,
      0,
      1.5,
      2 ** 53,
      '1 OR 1=1',
      null,
      true,
      ['1'],
      {},
    ])
    model.answer(turnedModel(calls))
    const dials = watchDials()
    const texts: string[] = []
    let sessionId: number | null = null
    const unread: string[] = []
    for (const { id, order, purpose } of mails) {
      const asked = model.questions.length
      const { status, body, error } = await ask(`What does email ${id} say?\u202E \u{E0041}`, {
        session_id: sessionId,
      })
      expect(status, error?.detail).toBe(200)
      // Every other question has the answer before it in its prompt.
      sessionId = sessionId === null ? body.session_id : null
      texts.push(body.text)
      const told = model.questions.slice(asked).map(({ body: sent }) => JSON.stringify(sent['messages']))
      if (!told.some((each) => each.includes(order) || each.includes('ORDER'))) unread.push(purpose)
    }
    expect(unread).toEqual([])
    while (model.questions.length * 6 < calls.length) texts.push((await ask('Go on')).body.text)
    dials.stop()
    expect(model.questions.length).toBeGreaterThan(mails.length * 3)
    checkPrompts()
    const cards = await allProposals()
    expect(cards.length).toBeGreaterThan(mails.length)
    checkCards(cards)
    for (const text of texts) {
      expect(text.length).toBeLessThanOrEqual(ANSWER_MAX)
      expect(text).not.toMatch(/<|!\[|\]\(|\[99\]|\[0\]|^\[1\]:/m)
      expect(INVISIBLE.test(text)).toBe(false)
    }
    expect(await settled()).toEqual(before)
    expect(sink.count).toBe(0)
    const ours = [app.url, model.baseUrl, app.databaseUrl].map((url) => new URL(url).port)
    expect(
      [...dials.dialled].filter(
        (to) => !to.includes('.s.PGSQL') && !ours.some((port) => to.endsWith(`:${port}`)),
      ),
    ).toEqual([])
  }, 120_000)

  it('that repeats a mail as its own words calls no tool with more than a proposal', async () => {
    const other = await startModel(echoingModel)
    const web = await startTestApp({
      environment: { AI_BASE_URL: other.baseUrl, AI_MODEL: 'echo', PLAN_LIMITS: 'off' },
      database: { url: app.databaseUrl },
      roles: ['web'],
      clock: app.clock,
    })
    const before = await settled()
    const known = new Set((await allProposals()).map(({ id }) => id))
    for (const { id } of mails) {
      const { status, body, error } = await ask(`What does email ${id} say?`, {}, web.url)
      expect(status, error?.detail).toBe(200)
      expect(body.text).not.toMatch(/<|!\[|\]\(|\[99\]/)
    }
    checkCards((await allProposals()).filter(({ id }) => !known.has(id)))
    expect(await settled()).toEqual(before)
    expect(sink.count).toBe(0)
    await web.end()
    await other.stop()
  }, 120_000)

  it('whose mails are also read by the rules, which follow none of them', async () => {
    const before = await settled()
    for (const question of [
      'Show unread emails',
      'Emails from Eve',
      'What did Eve say?',
      'Find rowsix1',
      'What are my tasks?',
      'What meetings do I have?',
    ])
      for (const { text, result } of [(await ask(question, { by: 'rules' })).body]) {
        expect(result.proposals).toEqual([])
        expect(text).not.toMatch(/<|\]\(/)
        expect(INVISIBLE.test(text)).toBe(false)
      }
    expect(await settled()).toEqual(before)
  })
})
