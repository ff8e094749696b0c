import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import { passwordReset } from '#contract/accounts/password-reset.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { startSmtpSink, type SmtpSink } from '../../../tests/support/smtp-sink.ts'
import { newestSystemMail, systemMailTo } from '../../../tests/support/system-mail.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'

const PUBLIC_URL = 'https://howl.muster.example'
const MINUTE_MS = 60_000
const NEW = 'vortex-Lampe-93'
const EXPIRED = 'Invalid or expired OTP'

let app: TestApp
let sink: SmtpSink
let ada: TestUser

beforeAll(async () => {
  sink = await startSmtpSink()
  app = await startTestApp({ environment: { PUBLIC_URL, ...systemMailTo(sink) } })
  app.clock.stand()
})
afterAll(async () => {
  await app?.end()
  await sink?.stop()
})
beforeEach(async () => {
  ada = await signUp(app.url)
})

const requestOtp = (email: string, headers = {}) =>
  call(app.url, passwordReset.requestOtp, { body: { email }, headers })
const verify = (email: string, otp: string, headers = {}) =>
  call(app.url, passwordReset.verifyOtp, { body: { email, otp }, headers })
const reset = (email: string, otp: string, password = NEW, token?: string) =>
  call(app.url, passwordReset.resetByOtp, {
    body: { email, otp, new_password: password, confirm_password: password },
    ...(token === undefined ? {} : { token }),
  })
const requestLink = (email: string, headers = {}) =>
  call(app.url, passwordReset.requestLink, { body: { email }, headers })
const resetByToken = (token: string, new_password = NEW) =>
  call(app.url, passwordReset.resetByToken, { body: { token, new_password } })
const logIn = (email: string, password: string) => call(app.url, auth.login, { body: { email, password } })

/** Asks for a code and reads it in the mail. */
async function codeOf(email: string, count = 1): Promise<string> {
  expect((await requestOtp(email)).body).toEqual({ exists: true, otp_sent: true, printed: false })
  const { text } = await newestSystemMail(sink, email, count)
  return /Your code is (\w{6})\./.exec(text)?.[1] ?? ''
}

async function linkOf(email: string, count = 1): Promise<URL> {
  expect((await requestLink(email)).body).toEqual({ exists: true, link_sent: true, printed: false })
  const { text } = await newestSystemMail(sink, email, count)
  return new URL(/https?:\S+/.exec(text)?.[0] ?? '')
}

describe('a code', () => {
  test('is mailed, sets a new password, and ends every session', async () => {
    const code = await codeOf(ada.email)
    expect(code).toMatch(/^[ACDEFGHJKMNPQRTUVWXYa-z2-9]{6}$/)
    expect(code.replaceAll(/\D/g, '')).toHaveLength(2)
    expect((await verify(ada.email, code)).body).toEqual({ valid: true })
    expect((await reset(ada.email, code)).body).toEqual({ ok: true })
    expect((await call(app.url, auth.me, { token: ada.token })).status).toBe(401)
    expect((await logIn(ada.email, ada.password)).status).toBe(401)
    expect((await logIn(ada.email, NEW)).status).toBe(200)
    const notice = await newestSystemMail(sink, ada.email, 2)
    expect(notice.subject).toBe('Your Howl password was changed')
    expect(notice.text).toContain(ada.email)
  })

  test('comes as text and HTML from the operator’s address, and says that a machine wrote it', async () => {
    const code = await codeOf(ada.email)
    const { from, html, autoSubmitted } = await newestSystemMail(sink, ada.email)
    expect(from).toMatchObject({ name: 'Howl', address: 'howl@muster.example' })
    expect(html).toContain(code)
    expect(autoSubmitted).toBe('auto-generated')
  })

  test('keeps the session of the user who changes the password in the settings', async () => {
    const other = (await logIn(ada.email, ada.password)).body.token
    const code = await codeOf(ada.email)
    expect((await reset(ada.email, code, NEW, ada.token)).status).toBe(200)
    expect((await call(app.url, auth.me, { token: ada.token })).status).toBe(200)
    expect((await call(app.url, auth.me, { token: other })).status).toBe(401)
  })

  test('may be typed in small or capital letters, with blanks around it', async () => {
    const code = await codeOf(ada.email)
    expect((await verify(ada.email.toUpperCase(), ` ${code.toLowerCase()} `)).status).toBe(200)
    expect((await verify(ada.email, code.toUpperCase())).status).toBe(200)
  })

  test('works once, also when it is sent twice at the same time', async () => {
    const code = await codeOf(ada.email)
    const answers = await Promise.all([
      reset(ada.email, code),
      reset(ada.email, code),
      reset(ada.email, code),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    expect((await reset(ada.email, code)).error.detail).toBe(EXPIRED)
  })

  test('is dead after ten minutes, and as soon as there is a newer one', async () => {
    const old = await codeOf(ada.email)
    const newer = await codeOf(ada.email, 2)
    expect((await verify(ada.email, old)).error.detail).toBe(EXPIRED)
    app.clock.forward(9 * MINUTE_MS)
    expect((await verify(ada.email, newer)).status).toBe(200)
    app.clock.forward(1.1 * MINUTE_MS)
    expect((await verify(ada.email, newer)).error.detail).toBe(EXPIRED)
    expect((await reset(ada.email, newer)).error.detail).toBe(EXPIRED)
  })

  test('of somebody else is of no use', async () => {
    const bea = await signUp(app.url)
    const code = await codeOf(ada.email)
    expect((await reset(bea.email, code)).error.detail).toBe(EXPIRED)
    expect((await verify('nobody@far.example', code)).error.detail).toBe(EXPIRED)
    expect((await verify(ada.email, code)).status).toBe(200)
  })

  test('is guessed at five times, from wherever, and then it is dead', async () => {
    const code = await codeOf(ada.email)
    const wrong = (n: number) => `aa${String(n).padStart(4, '0')}`
    const guesses = Array.from({ length: 100 }, (_, n) =>
      verify(ada.email, wrong(n), { 'X-Forwarded-For': `203.0.0.${n}` }),
    )
    const answers = await Promise.all(guesses)
    expect(answers.every(({ status }) => status === 400)).toBe(true)
    expect((await verify(ada.email, code, { 'X-Forwarded-For': '203.0.9.9' })).error.detail).toBe(EXPIRED)
    // Nor does a new code give more than five tries.
    const next = await codeOf(ada.email, 2)
    for (let n = 0; n < 4; n++) expect((await verify(ada.email, wrong(n))).status).toBe(400)
    expect((await reset(ada.email, next)).status).toBe(200)
    const last = await codeOf(ada.email, 3)
    for (let n = 0; n < 5; n++) await verify(ada.email, wrong(n))
    expect((await verify(ada.email, last)).error.detail).toBe(EXPIRED)
  })

  test('is not used up by strangers where the account is known, and by nobody else five times', async () => {
    const proved = 'UPDATE users SET email_proved_at = now() WHERE id = $1'
    await runSql(app.context.db, proved, [ada.id])
    const code = await codeOf(ada.email)
    const strange = (n: number) => ({ 'X-Forwarded-For': `203.4.1.${n}` })
    const guesses = Array.from({ length: 20 }, (_, n) => verify(ada.email, 'aa0000', strange(n)))
    await Promise.all(guesses)
    // Dead for them, and not where the account was opened.
    expect((await verify(ada.email, code, strange(21))).error.detail).toBe(EXPIRED)
    expect((await verify(ada.email, code)).body).toEqual({ valid: true })
    // Nor in a session of the account, wherever it is; one of another account is nobody's here.
    const signedIn = (token: string) => ({ ...strange(22), Authorization: `Bearer ${token}` })
    expect((await verify(ada.email, code, signedIn(ada.token))).body).toEqual({ valid: true })
    expect((await verify(ada.email, code, signedIn((await signUp(app.url)).token))).status).toBe(400)
    for (let n = 0; n < 4; n++) expect((await verify(ada.email, 'aa0000')).status).toBe(400)
    expect((await verify(ada.email, code)).status).toBe(200)
    await verify(ada.email, 'aa0000')
    expect((await verify(ada.email, code)).error.detail).toBe(EXPIRED)

    const next = await codeOf(ada.email, 2)
    expect((await verify(ada.email, next, strange(23))).status).toBe(200)
    await Promise.all(Array.from({ length: 5 }, (_, n) => verify(ada.email, 'aa0000', strange(n))))
    expect((await reset(ada.email, next)).status).toBe(200)
  })

  test('is used up by whoever opened the account as by any stranger while the address is not proved', async () => {
    const code = await codeOf(ada.email)
    for (let n = 0; n < 5; n++) await verify(ada.email, 'aa0000')
    // The owner is somewhere else, where the code was not tried.
    expect((await verify(ada.email, code, { 'X-Forwarded-For': '203.4.2.1' })).error.detail).toBe(EXPIRED)
  })

  test('lets the owner in where it was used, though others have guessed at the account', async () => {
    const limited = await startTestApp({ environment: { RATE_LIMITS: 'on', ...systemMailTo(sink) } })
    try {
      const { email } = await signUp(limited.url)
      const logInFrom = (ip: string, password: string) =>
        call(limited.url, auth.login, { body: { email, password }, headers: { 'X-Forwarded-For': ip } })
      for (let n = 0; n < 6; n++) await logInFrom(`203.1.1.${n}`, 'guessed')
      expect((await logInFrom('203.1.2.1', NEW)).status).toBe(429)
      const headers = { 'X-Forwarded-For': '203.1.2.1' }
      await call(limited.url, passwordReset.requestOtp, { body: { email }, headers })
      const { text } = await newestSystemMail(sink, email)
      const otp = /Your code is (\w{6})\./.exec(text)?.[1] ?? ''
      const body = { email, otp, new_password: NEW, confirm_password: NEW }
      expect((await call(limited.url, passwordReset.resetByOtp, { body, headers })).status).toBe(200)
      expect((await logInFrom('203.1.2.1', NEW)).status).toBe(200)
    } finally {
      await limited.end()
    }
  })

  test('is mailed five times an hour at most', async () => {
    for (let n = 1; n <= 5; n++) await codeOf(ada.email, n)
    const refused = await requestOtp(ada.email)
    expect(refused.status).toBe(429)
    expect(refused.error.detail).toBe(
      'Too many codes were requested for this account. Please try again in an hour.',
    )
    app.clock.forward(61 * MINUTE_MS)
    await codeOf(ada.email, 6)
  })

  test.each([
    ['code', requestOtp, 'otp_sent'],
    ['link', requestLink, 'link_sent'],
  ] as const)(
    'that strangers ask for (%s) leaves two for where the account is known',
    async (_, ask, sent) => {
      const from = (ip: string) => ({ 'X-Forwarded-For': ip })
      /** Of requests at once: how many are answered, and how many refused. */
      const outcome = async (count: number, headers: () => object, email = ada.email) => {
        const asked = await Promise.all(Array.from({ length: count }, () => ask(email, headers())))
        return [200, 429].map((wanted) => asked.filter(({ status }) => status === wanted).length)
      }
      let place = 0
      const strangers = () => from(`203.3.1.${(place += 1)}`)
      expect(await outcome(7, strangers)).toEqual([5, 2])
      // Where the account was opened.
      expect(await outcome(4, () => ({}))).toEqual([2, 2])

      // Signed in, from a new place; another account's session is nobody's here.
      const [eve, other] = [await signUp(app.url), await signUp(app.url)]
      const signedIn = (token: string) => ({ ...from('203.3.2.1'), Authorization: `Bearer ${token}` })
      expect(await outcome(5, strangers, eve.email)).toEqual([5, 0])
      expect(await outcome(1, () => signedIn(other.token), eve.email)).toEqual([0, 1])
      const { status, body } = await ask(eve.email, signedIn(eve.token))
      expect([status, body]).toEqual([200, { exists: true, [sent]: true, printed: false }])
    },
  )

  test('that is right and comes with a weak password stays good', async () => {
    const code = await codeOf(ada.email)
    const short = await reset(ada.email, code, '12345')
    expect(short.error.fields).toEqual({ new_password: 'Password must be at least 6 characters long' })
    const common = await reset(ada.email, code, 'password1')
    expect(common.status).toBe(400)
    expect(common.error.detail).toContain('most common')
    const body = { email: ada.email, otp: code, new_password: NEW, confirm_password: `${NEW}x` }
    const different = await call(app.url, passwordReset.resetByOtp, { body })
    expect(different.error.fields).toEqual({ confirm_password: 'Passwords do not match' })
    expect((await reset(ada.email, code)).status).toBe(200)
  })

  test('has six letters or digits', async () => {
    for (const otp of ['12345', '1234567', '12-456', '<b>abc', 'ÄÖÜabc']) {
      const { error } = await verify(ada.email, otp)
      expect(error.fields).toEqual({
        otp: 'Please enter a valid 6-character OTP (letters and numbers only)',
      })
    }
  })
})

describe('a link', () => {
  test('leads to the public address, whatever the request says, and sets a password once', async () => {
    const headers = { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' }
    await requestLink(ada.email, headers)
    const { text } = await newestSystemMail(sink, ada.email)
    expect(text).not.toContain('evil')
    const link = new URL(/https?:\S+/.exec(text)?.[0] ?? '')
    expect(link.origin + link.pathname).toBe(`${PUBLIC_URL}/reset-password`)
    const token = link.searchParams.get('token') ?? ''
    expect((await resetByToken(token)).body).toEqual({ ok: true })
    expect((await logIn(ada.email, NEW)).status).toBe(200)
    const again = await resetByToken(token)
    expect(again.error.detail).toBe('This link is not valid any more. Please request a new one.')
  })

  test('is dead after an hour, when there is a newer one, and when a code has set a password', async () => {
    const old = (await linkOf(ada.email)).searchParams.get('token') ?? ''
    const newer = (await linkOf(ada.email, 2)).searchParams.get('token') ?? ''
    expect((await resetByToken(old)).status).toBe(400)
    const code = await codeOf(ada.email, 3)
    await reset(ada.email, code)
    expect((await resetByToken(newer)).status).toBe(400)
    const last = (await linkOf(ada.email, 5)).searchParams.get('token') ?? ''
    app.clock.forward(61 * MINUTE_MS)
    expect((await resetByToken(last)).status).toBe(400)
    expect((await resetByToken('x'.repeat(200))).status).toBe(400)
  })
})

test('an unknown address is told so, and gets no mail', async () => {
  expect((await requestOtp('nobody@far.example')).body).toEqual({
    exists: false,
    otp_sent: false,
    printed: false,
  })
  expect((await requestLink('nobody@far.example')).body).toEqual({
    exists: false,
    link_sent: false,
    printed: false,
  })
  expect(sink.received.flatMap(({ envelope }) => envelope.to)).not.toContain('nobody@far.example')
})

test('a mail that the server does not take is said to be not sent', async () => {
  sink.setScript(({ step }) => (step === 'rcpt' ? { reply: '550 5.7.1 Not from here' } : undefined))
  try {
    expect((await requestOtp(ada.email)).body).toEqual({ exists: true, otp_sent: false, printed: false })
    expect((await requestLink(ada.email)).body).toEqual({ exists: true, link_sent: false, printed: false })
  } finally {
    sink.setScript(undefined)
  }
})

test('nothing of a code or link stays readable', async () => {
  const code = await codeOf(ada.email)
  const token = (await linkOf(ada.email, 2)).searchParams.get('token') ?? ''
  const { rows: tables } = await runSql(
    app.context.db,
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  )
  for (const { name } of tables as { name: string }[]) {
    const { rows } = await runSql(
      app.context.db,
      `SELECT count(*)::int AS n FROM "${name}" t WHERE t::text LIKE ANY($1)`,
      [[`%${code}%`, `%${token}%`]],
    )
    expect({ name, ...(rows[0] as object) }).toEqual({ name, n: 0 })
  }
})

test('a deleted account is none', async () => {
  await runSql(app.context.db, 'UPDATE users SET deleted_at = $1 WHERE id = $2', [app.clock.now(), ada.id])
  expect((await requestOtp(ada.email)).body).toMatchObject({ exists: false })
})
