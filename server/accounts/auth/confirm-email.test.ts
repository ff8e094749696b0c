import PostalMime from 'postal-mime'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import { emailConfirmation } from '#contract/accounts/email-confirmation.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'

let sink: SmtpSink
let app: TestApp

beforeAll(async () => {
  sink = await startSmtpSink()
  app = await startTestApp({
    environment: {
      SYSTEM_SMTP_URL: `smtp://127.0.0.1:${sink.port}?from=howl@house.example`,
      PUBLIC_URL: 'https://house.example',
    },
  })
})
afterAll(async () => {
  await app.end()
  await sink.stop()
})
beforeEach(() => sink.clear())

const isConfirmed = async ({ token }: TestUser) =>
  (await call(app.url, auth.me, { token })).body.email_confirmed
const confirm = (token: string) => call(app.url, emailConfirmation.confirm, { body: { token } })

/** The token in the `n`th mail that came. */
async function tokenInMail(n: number): Promise<string> {
  await sink.waitFor(n)
  const { text = '' } = await PostalMime.parse(sink.received[n - 1]?.raw ?? '')
  return /https:\/\/house\.example\/confirm-email\?token=([\w-]+)/.exec(text)?.[1] ?? ''
}

test('a sign-up is followed by a mail whose link confirms the address, once and for all', async () => {
  const ada = await signUp(app.url, { name: 'Ada Muster' })
  expect(await isConfirmed(ada)).toBe(false)
  const token = await tokenInMail(1)
  const mail = await PostalMime.parse(sink.received[0]?.raw ?? '')
  expect(mail.subject).toBe('Please confirm your email address')
  expect(mail.to?.[0]?.address).toBe(ada.email)
  expect(mail.html).toContain(token)
  // A mail scanner follows the link; only the page's script confirms.
  await fetch(`${app.url}/confirm-email?token=${token}`)
  expect(await isConfirmed(ada)).toBe(false)

  for (let twice = 0; twice < 2; twice += 1) {
    const { status, body } = await confirm(token)
    expect([status, body]).toEqual([200, { email: ada.email }])
  }
  expect(await isConfirmed(ada)).toBe(true)
  const { rows } = await runSql(app.context.db, 'SELECT to_jsonb(c)::text AS row FROM email_confirmations c')
  expect(JSON.stringify(rows)).not.toContain(token)
})

test('only the newest link is good, and for thirty days', async () => {
  const ada = await signUp(app.url)
  const first = await tokenInMail(1)
  const again = await call(app.url, emailConfirmation.request, { token: ada.token })
  expect(again.body).toEqual({ confirmed: false, link_sent: true, printed: false })
  const second = await tokenInMail(2)
  const old = await confirm(first)
  expect([old.status, old.error.detail]).toEqual([
    400,
    'This link is not valid any more. Please use the newest one, or ask for another.',
  ])
  app.clock.forward(29 * 86_400_000)
  const late = await signUp(app.url)
  const lateToken = await tokenInMail(3)
  app.clock.forward(2 * 86_400_000)
  expect((await confirm(second)).status).toBe(400)
  expect((await confirm(lateToken)).status).toBe(200)
  expect((await call(app.url, emailConfirmation.request, { token: late.token })).body).toEqual({
    confirmed: true,
    link_sent: false,
    printed: false,
  })
})

test('five links an hour are mailed, and the last one stays good', async () => {
  const ada = await signUp(app.url)
  const ask = () => call(app.url, emailConfirmation.request, { token: ada.token })
  for (let more = 0; more < 4; more += 1) expect((await ask()).status).toBe(200)
  const refused = await ask()
  expect([refused.status, refused.error.detail]).toEqual([
    429,
    'Too many links were requested. Please try again in an hour.',
  ])
  expect((await confirm(await tokenInMail(5))).status).toBe(200)
})

test.each(['', 'nonsense', 'x'.repeat(200)])('the token %j is refused', async (token) => {
  expect((await confirm(token)).status).toBe(400)
})

test('an address that is taken leaves no mail behind', async () => {
  const ada = await signUp(app.url)
  await expect(signUp(app.url, { email: ada.email })).rejects.toThrow('Email already exists')
  const query = 'SELECT 1 FROM system_mails WHERE to_address = $1'
  expect((await runSql(app.context.db, query, [ada.email])).rows).toHaveLength(1)
})
