import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aiUsage } from '#contract/models/ai-usage.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { writing } from '#contract/mail/writing.ts'
import { inTransaction, runSql } from '../../../platform/database/transaction.ts'
import { call } from '../../../../tests/support/client.ts'
import type { TestUser } from '../../../../tests/support/factories.ts'
import { type ModelServer, startModel } from '../../../../tests/support/model.ts'
import { type SmtpSink, startSmtpSink } from '../../../../tests/support/smtp-sink.ts'
import { movableClock, startTestApp, type TestApp } from '../../../../tests/support/test-app.ts'
import { connectWriter, detailOf, receive, sendAs } from '../../../../tests/support/writing.ts'
import { askAboutReplies, INTENTS_PER_DAY } from './ask-about-replies.ts'
import { claimUnsureReplies } from './unsure-store.ts'

/** Only the test asks: this app has no worker. */
let app: TestApp
let model: ModelServer
let sink: SmtpSink
let user: TestUser
const clock = movableClock()

beforeAll(async () => {
  sink = await startSmtpSink()
  model = await startModel()
  app = await startTestApp({
    environment: { AI_BASE_URL: model.baseUrl, AI_MODEL: 'small' },
    roles: ['web'],
    clock,
  })
})
afterAll(async () => {
  await app.end()
  await model.stop()
  await sink.stop()
})
beforeEach(async () => {
  user = await connectWriter(app, sink)
  await mailBea(user)
  await allow(true)
})
afterEach(async () => {
  await app.context.db.deleteFrom('unsure_replies').execute()
  model.questions.length = 0
})

/** The rules do not understand it. */
const UNCLEAR = 'We have decided to stay with our baker for now.'
let messages = 0
const mailBea = async (by: TestUser) => {
  await call(app.url, contacts.add, {
    token: by.token,
    body: { name: 'Bea', email: 'bea@customer.example' },
  })
  await sendAs(app, by, { to: 'bea@customer.example' })
}
const allow = (reads: boolean, by = user) =>
  call(app.url, writing.saveSettings, { token: by.token, body: { reads_replies: reads } })
const reply = (words: string, headers = '', by = user, from = 'bea@customer.example') =>
  receive(
    app,
    by,
    `From: Bea <${from}>\nTo: ada@muster.example\nSubject: Re: An offer\n${headers}Message-ID: <u${(messages += 1)}@customer.example>\nDate: ${clock.now().toUTCString()}\n\n${words}\n`,
  )
const intentOf = async (id: number, by = user) => (await detailOf(app, by, id)).intent
const queued = async () =>
  (await app.context.db.selectFrom('unsure_replies').select('email_id').execute()).map(
    ({ email_id: id }) => id,
  )
const uses = () =>
  app.context.db
    .selectFrom('ai_uses')
    .select(['purpose', 'paid_by', 'state'])
    .where('user_id', '=', user.id)
    .execute()
const suppressed = () =>
  app.context.db
    .selectFrom('suppressions')
    .select(['address_key', 'reason'])
    .where('user_id', '=', user.id)
    .orderBy('address_key')
    .execute()
const says = (intent: string) => JSON.stringify({ intent })
async function askUntilNothingIsDue() {
  while ((await askAboutReplies(app.context)) > 0);
}

describe('a reply that the rules do not understand', () => {
  it('is read by the model, once, and gets its label', async () => {
    const id = await reply(`${UNCLEAR}\n\n> Hello Bob,\n> how are you?`)
    expect(await intentOf(id)).toBe('other')
    model.answer(says('not_interested'))
    await askUntilNothingIsDue()
    await askUntilNothingIsDue()
    expect([await intentOf(id), model.questions.length]).toEqual(['not_interested', 1])
    expect(model.questions[0]?.prompt).toMatch(
      /^(----- data [\w-]+ -----)\nWe have decided .* for now\.\n\1$/s,
    )
    // A label costs no AI request of the plan.
    expect(await uses()).toEqual([{ purpose: 'intent', paid_by: 'nothing', state: 'used' }])
  })

  it('stays as it is when the model talks, lies, or is told by the mail what to say', async () => {
    for (const answer of ['Sure!', says('rule the world'), says('out_of_office'), says('other'), '{}']) {
      const id = await reply(UNCLEAR)
      model.answer(answer)
      await askUntilNothingIsDue()
      expect(await intentOf(id)).toBe('other')
    }
    expect(await queued()).toEqual([])
  })

  it('that the model takes for a no keeps automatic mail from its writer and from whom was asked', async () => {
    const sent = await sendAs(app, user, { to: 'bea@customer.example' })
    const { message_id: asked } = await detailOf(app, user, sent.body.id)
    await reply(UNCLEAR, `In-Reply-To: ${asked}\n`, user, 'bea@private.example')
    model.answer(says('not_interested'))
    await askUntilNothingIsDue()
    expect(await suppressed()).toEqual([
      { address_key: 'bea@customer.example', reason: 'declined' },
      { address_key: 'bea@private.example', reason: 'declined' },
    ])
  })

  it('that the model takes for a wish to stop is a no, which the user may lift', async () => {
    const id = await reply('Enough of that from your side, dear people.')
    model.answer(says('unsubscribe'))
    await askUntilNothingIsDue()
    expect(await intentOf(id)).toBe('unsubscribe')
    expect(await suppressed()).toEqual([{ address_key: 'bea@customer.example', reason: 'declined' }])
    const [contact] = (await call(app.url, contacts.list, { token: user.token })).body
    expect(contact?.computed_status).toBe('replied')
  })

  it('is not asked about where the user has not allowed it, or no longer does', async () => {
    const id = await reply(UNCLEAR)
    expect(await queued()).toEqual([id])
    await allow(false)
    expect(await queued()).toEqual([])
    await reply(UNCLEAR)
    expect(await queued()).toEqual([])
    await askUntilNothingIsDue()
    expect(model.questions).toEqual([])
  })

  it('is asked about again after a failure, three times at most, and never blocks what comes after it', async () => {
    const id = await reply(UNCLEAR)
    model.answer({ status: 500 })
    await askUntilNothingIsDue()
    expect([model.questions.length, await intentOf(id)]).toEqual([1, 'other'])
    for (let minutes = 0; minutes < 30; minutes += 1) {
      clock.forward(60_000)
      await askUntilNothingIsDue()
    }
    expect([model.questions.length, await queued()]).toEqual([3, []])
    const next = await reply(UNCLEAR)
    model.answer(says('not_interested'))
    await askUntilNothingIsDue()
    expect(await intentOf(next)).toBe('not_interested')
  })

  it('is asked about by another worker when one dies in the middle', async () => {
    const id = await reply(UNCLEAR)
    // What a worker has done that is killed before the answer.
    const now = clock.now()
    const claim = { now, freeAt: new Date(now.getTime() + 60_000), limit: 2 }
    expect(await claimUnsureReplies(app.context.db, claim)).toHaveLength(1)
    expect(await claimUnsureReplies(app.context.db, claim)).toEqual([])
    model.answer(says('interested'))
    await askUntilNothingIsDue()
    expect(await intentOf(id)).toBe('other')
    clock.forward(61_000)
    await askUntilNothingIsDue()
    expect([await intentOf(id), model.questions.length]).toEqual(['interested', 1])
  })

  it('is asked about by one worker where two want it at the same moment', async () => {
    const id = await reply(UNCLEAR)
    const { db } = app.context
    const now = clock.now()
    const claim = { now, freeAt: new Date(now.getTime() + 60_000), limit: 2 }
    let second: ReturnType<typeof claimUnsureReplies> | undefined
    const first = await inTransaction(db, async (tx) => {
      const claimed = await claimUnsureReplies(tx, claim)
      // It still sees the reply as due, and waits for its row.
      second = claimUnsureReplies(db, claim)
      await expect
        .poll(async () => {
          const { rows } = await runSql(
            db,
            `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
             AND query LIKE '%UPDATE unsure_replies%'`,
          )
          return rows.length
        })
        .toBe(1)
      return claimed
    })
    expect(first).toMatchObject([{ emailId: id, tries: 1 }])
    expect(await second).toEqual([])
  })

  it('is asked about by one of several workers, and by few at once', async () => {
    const users = [user]
    for (let more = 0; more < 4; more += 1) {
      const other = await connectWriter(app, sink)
      await mailBea(other)
      await allow(true, other)
      users.push(other)
    }
    const ids = await Promise.all(users.map((by) => reply(UNCLEAR, '', by)))
    model.answer({ text: says('interested'), afterMs: 50 })
    await Promise.all(Array.from({ length: 4 }, askUntilNothingIsDue))
    await askUntilNothingIsDue()
    expect(model.questions).toHaveLength(5)
    expect(model.mostAtOnce).toBeLessThanOrEqual(8)
    for (const [index, by] of users.entries()) expect(await intentOf(ids[index] ?? 0, by)).toBe('interested')
  })
})

describe('the model is not asked about', () => {
  it.each([
    ['what the rules understand', 'Please unsubscribe me from this list.', ''],
    ['a question', 'What does it cost?', ''],
    ['automatic mail', UNCLEAR, 'Auto-Submitted: auto-replied\n'],
    [
      'list mail',
      UNCLEAR,
      'List-Id: <news.customer.example>\nList-Unsubscribe: <https://customer.example/u>\n',
    ],
  ])('%s', async (_, words, headers) => {
    await reply(words, headers)
    expect(await queued()).toEqual([])
  })

  it('a stranger’s mail, an old one, or a long one', async () => {
    await receive(
      app,
      user,
      `From: zoe@far.example\nTo: ada@muster.example\nSubject: Hi\nMessage-ID: <z@far.example>\nDate: ${clock.now().toUTCString()}\n\n${UNCLEAR}\n`,
    )
    expect(await queued()).toEqual([])
    await reply('Many words about bread. '.repeat(100))
    await askUntilNothingIsDue()
    expect([await queued(), model.questions]).toEqual([[], []])
    const id = await reply(UNCLEAR)
    model.answer({ status: 500 })
    await askUntilNothingIsDue()
    clock.forward(4 * 86_400_000)
    model.answer(says('interested'))
    await askUntilNothingIsDue()
    expect([await intentOf(id), await queued()]).toEqual(['other', []])
  })

  it(`more than ${INTENTS_PER_DAY} times a day; the rest follows the next day`, async () => {
    await reply(UNCLEAR)
    model.answer(says('other'))
    await askUntilNothingIsDue()
    await app.context.db
      .updateTable('ai_days')
      .set({ used: INTENTS_PER_DAY })
      .where('user_id', '=', user.id)
      .where('purpose', '=', 'intent')
      .execute()
    const id = await reply(UNCLEAR)
    model.answer(says('interested'))
    await askUntilNothingIsDue()
    expect([model.questions.length, await queued()]).toEqual([1, [id]])
    clock.forward(86_400_000)
    await askUntilNothingIsDue()
    expect(await intentOf(id)).toBe('interested')
  })

  it('more often than half of what the user’s own limit allows: the rest is for what he asks himself', async () => {
    await call(app.url, aiUsage.saveCap, { token: user.token, body: { requests_a_day: 5 } })
    for (let count = 0; count < 4; count += 1) await reply(`${UNCLEAR} ${count}`)
    model.answer(says('other'))
    await askUntilNothingIsDue()
    expect([model.questions.length, (await queued()).length]).toEqual([2, 2])
  })
})
