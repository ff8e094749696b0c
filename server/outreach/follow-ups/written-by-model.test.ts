import { Temporal } from 'temporal-polyfill'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { startDelivering } from '#server/mail/emails/delivery/delivery-loop.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { call } from '../../../tests/support/client.ts'
import type { TestUser } from '../../../tests/support/factories.ts'
import { type ModelServer, startModel } from '../../../tests/support/model.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { movableClock, startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { connectWriter, parsed, sendAs } from '../../../tests/support/writing.ts'
import { planFollowUps } from './plan-follow-ups.ts'
import { runDays } from './run-day.ts'
import { settleDays } from './settle-days.ts'
import { until } from '../../../tests/support/until.ts'

const ZONE = 'Europe/Berlin'
const clock = movableClock()
let app: TestApp
let model: ModelServer
let sink: SmtpSink
let ada: TestUser
let begin: Temporal.PlainDate
let year = 2031

beforeAll(async () => {
  clock.stand()
  model = await startModel()
  app = await startTestApp({
    clock,
    loops: startDelivering,
    environment: { AI_BASE_URL: model.baseUrl, AI_MODEL: 'tiny', AI_API_KEY: 'key', PLAN_LIMITS: 'on' },
  })
  sink = await startSmtpSink()
})
afterAll(async () => {
  await app?.end()
  await model?.stop()
  await sink?.stop()
})
beforeEach(async () => {
  year += 1
  begin = Temporal.PlainDate.from({ year, month: 1, day: 12 })
  goTo(0, '12:00')
  ada = await connectWriter(app, sink)
  await sql('UPDATE users SET time_zone = $2 WHERE id = $1', [ada.id, ZONE])
  await save(true)
  await planFollowUps(app.context)
  sink.clear()
  model.questions.length = 0
})

const sql = async (text: string, values: readonly unknown[] = []) =>
  (await runSql(app.context.db, text, values)).rows as Record<string, unknown>[]
function goTo(days: number, time: string) {
  const at = begin.add({ days }).toZonedDateTime({ timeZone: ZONE, plainTime: time })
  clock.forward(at.epochMilliseconds - clock.now().getTime())
}
async function save(isOn: boolean) {
  const { body } = await call(app.url, auth.login, { body: { email: ada.email, password: ada.password } })
  ada.token = body.token
  const saved = { auto_followup_enabled: isOn }
  expect((await call(app.url, mailboxSetup.save, { token: ada.token, body: saved })).status).toBe(200)
}
async function mailed(...names: string[]) {
  for (const name of names) {
    const email = `${name.toLowerCase()}@customer.example`
    await call(app.url, contacts.add, { token: ada.token, body: { name: `${name} Baker`, email } })
    await sendAs(app, ada, {
      to: email,
      subject: 'An offer',
      content: `Hello ${name},\n\nmay I bake for you?`,
    })
  }
  await left()
  sink.clear()
}
async function left() {
  await until(async () =>
    expect(await sql('SELECT FROM deliveries WHERE user_id = $1 AND queue IS NOT NULL', [ada.id])).toEqual(
      [],
    ),
  )
}
async function dayThree() {
  goTo(3, '09:00')
  await planFollowUps(app.context)
  await until(async () => {
    await runDays(app.context)
    const open = await sql('SELECT FROM follow_up_days WHERE user_id = $1 AND finished_at IS NULL', [ada.id])
    expect(open).toEqual([])
  })
  await left()
  await settleDays(app.context)
}
const aiUses = () => sql(`SELECT purpose, state FROM ai_uses WHERE user_id = $1`, [ada.id])
const letter = (words: string) => JSON.stringify({ body: `${words}\n\nKind regards,\nAda Muster` })

test('the model writes from the earlier mail, and a day costs one AI request', async () => {
  const names = [
    'Ann',
    'Bea',
    'Cem',
    'Dan',
    'Eve',
    'Fay',
    'Gus',
    'Hal',
    'Ida',
    'Jan',
    'Kim',
    'Lee',
    'Mia',
    'Ned',
  ]
  await mailed(...names)
  model.answer(letter('did you think about the bread that I may bake for you?'))
  await dayThree()
  expect(sink.received).toHaveLength(names.length)
  const { text = '' } = await parsed(sink.received[0])
  expect(text).toContain('did you think about the bread')
  expect(text).toContain('You do not want such mail?')
  expect(model.questions).toHaveLength(names.length)
  expect(model.questions[0]?.prompt).toContain('may I bake for you?')
  expect(await aiUses()).toEqual([{ purpose: 'follow_up', state: 'used' }])
})

test('a text that cannot be sent, and a day without AI requests, use the template and count as warnings', async () => {
  await mailed('Ann', 'Bea')
  model.answer(letter('please have a look at https://bread.example before we speak again'))
  await dayThree()
  const { text = '' } = await parsed(sink.received[0])
  expect(text).toContain('I wanted to come back to my mail “An offer”')
  expect(
    await sql('SELECT sent, templated FROM follow_up_days WHERE user_id = $1 AND queued > 0', [ada.id]),
  ).toEqual([{ sent: 2, templated: 2 }])

  // Five questions to Wolfy are being answered at that moment: that is all of the plan's day.
  goTo(6, '09:00')
  for (let used = 0; used < 5; used += 1)
    await sql(
      `INSERT INTO ai_uses (user_id, day, purpose, model, is_own, paid_by, state, started_at)
       VALUES ($1, $2, 'chat', 'tiny', false, 'plan', 'open', $3)`,
      [ada.id, begin.add({ days: 6 }).toString(), clock.now()],
    )
  model.questions.length = 0
  sink.clear()
  begin = begin.add({ days: 3 })
  await dayThree()
  expect(sink.received).toHaveLength(2)
  expect(model.questions).toEqual([])
})

test('who unsubscribes while their mail is being written gets none, nor does anybody once it is switched off', async () => {
  await mailed('Ann', 'Bea')
  const words = letter('did you think about the bread that I may bake for you?')
  let unsubscribed: Promise<unknown> | undefined
  model.answer(async () => {
    await (unsubscribed ??= sql(
      `INSERT INTO suppressions (user_id, address_key, reason, created_at) VALUES ($1, 'ann@customer.example', 'unsubscribed', $2)`,
      [ada.id, clock.now()],
    ))
    return words
  })
  await dayThree()
  expect(sink.received.map(({ envelope }) => envelope.to[0])).toEqual(['bea@customer.example'])

  sink.clear()
  model.questions.length = 0
  const switchedOff = Promise.withResolvers<void>()
  model.answer(() => switchedOff.promise.then(() => words))
  goTo(6, '09:00')
  await planFollowUps(app.context)
  const running = runDays(app.context)
  await expect.poll(() => model.questions).toHaveLength(1)
  await sql('UPDATE follow_up_settings SET enabled = false WHERE user_id = $1', [ada.id])
  switchedOff.resolve()
  await running
  begin = begin.add({ days: 3 })
  await dayThree()
  expect(sink.received).toEqual([])
})
