import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auth, WRONG_CODE } from '#contract/accounts/auth.ts'
import { emailConfirmation } from '#contract/accounts/email-confirmation.ts'
import { passwordReset } from '#contract/accounts/password-reset.ts'
import { MISSING_CODE, twoStep } from '#contract/accounts/two-step.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { accountCommand } from '../../../tests/support/operator-command.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import {
  confirmationLink,
  newestSystemMail,
  systemMailOn,
  systemMailTo,
} from '../../../tests/support/system-mail.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { codeOf, switchTwoStepOn, wrongCodeOf } from '../../../tests/support/two-step.ts'

const STEP_MS = 30_000
const MINUTE_MS = 60_000
const NEW = 'vortex-Lampe-93'

/** Two web processes on one database, with one clock; RATE_LIMITS is off. */
let app: TestApp
let other: TestApp
let sink: SmtpSink
let ada: TestUser
let serial = 0

const written: string[] = []
const log = pino({ level: 'info', base: null }, { write: (line: string) => void written.push(line) })

beforeAll(async () => {
  sink = await startSmtpSink()
  app = await startTestApp({ environment: systemMailTo(sink), log })
  other = await startTestApp({ roles: ['web'], database: { url: app.databaseUrl } })
  app.clock.stand()
  other.context.clock.now = () => app.clock.now()
})
afterAll(async () => {
  await other?.end()
  await app?.end()
  await sink?.stop()
})
beforeEach(async () => {
  ada = await signUp(app.url)
  app.clock.forward(10 * MINUTE_MS)
})

const now = () => app.clock.now()
const strange = () => ({ 'X-Forwarded-For': `203.0.${(serial += 1) >> 8}.${serial & 255}` })
const switchOn = (user = ada) => switchTwoStepOn(app.url, user, now)
const status = async () => (await call(app.url, twoStep.get, { token: ada.token })).body
const mailOn = (subject: string) => systemMailOn(sink, ada.email, subject)
const eventsOf = (user: TestUser) =>
  written
    .map((line) => JSON.parse(line) as { name?: string; event: string; user: number })
    .filter((line) => line.name === 'security' && line.user === user.id)
    .map(({ event }) => event)

function logIn(
  totp?: string,
  given: { password?: string; headers?: Record<string, string>; base?: string } = {},
) {
  const { password = ada.password, headers = {}, base = app.url } = given
  const body = { email: ada.email, password, ...(totp === undefined ? {} : { totp }) }
  return call(base, auth.login, { body, headers })
}

describe('setting up', () => {
  test('asks for the password, and nothing is on before a code was typed', async () => {
    const { token } = ada
    expect(await status()).toEqual({ on: false, on_since: null, recovery_codes_left: 0 })
    const refused = await call(app.url, twoStep.begin, { token, body: { password: 'something else' } })
    expect(refused).toMatchObject({
      status: 400,
      error: { fields: { password: 'This password is not right' } },
    })
    const early = await call(app.url, twoStep.confirm, { token, body: { code: '123456' } })
    expect(early).toMatchObject({ status: 409, error: { detail: 'This took too long. Please begin again.' } })

    const { body } = await call(app.url, twoStep.begin, { token, body: { password: ada.password } })
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/)
    const uri = new URL(body.uri)
    expect(uri.href).toBe(
      `otpauth://totp/Howl:${encodeURIComponent(ada.email)}?secret=${body.secret}&issuer=Howl`,
    )
    expect((await logIn()).status).toBe(200)
    const wrong = { code: wrongCodeOf(body.secret, now()) }
    expect(await call(app.url, twoStep.confirm, { token, body: wrong })).toMatchObject({
      status: 400,
      error: { fields: { code: WRONG_CODE } },
    })
    expect((await status()).on).toBe(false)

    const right = {
      code: ` ${codeOf(body.secret, now()).slice(0, 3)} ${codeOf(body.secret, now()).slice(3)} `,
    }
    const confirmed = await call(app.url, twoStep.confirm, { token, body: right })
    const codes = confirmed.body.recovery_codes
    expect(codes).toHaveLength(10)
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^[2-9a-hjkmnp-z]{4}(-[2-9a-hjkmnp-z]{4}){2}$/)
    expect(await status()).toEqual({ on: true, on_since: now().toISOString(), recovery_codes_left: 10 })
    const mail = await mailOn('Two-step sign-in is on')
    expect(mail.text).toContain(ada.email)
    expect(eventsOf(ada)).toContain('two_step_on')
  })

  test('again makes a new secret until it is on; then it is refused', async () => {
    const { token, password } = ada
    const begin = () => call(app.url, twoStep.begin, { token, body: { password } })
    const old = (await begin()).body.secret
    const { secret } = (await begin()).body
    const confirm = (of: string) =>
      call(app.url, twoStep.confirm, { token, body: { code: codeOf(of, now()) } })
    expect((await confirm(old)).status).toBe(400)
    expect((await confirm(secret)).status).toBe(200)
    expect(await begin()).toMatchObject({
      status: 409,
      error: { detail: 'Two-step sign-in is on already.' },
    })
    expect((await confirm(secret)).status).toBe(409)
  })

  test('that was left open for an hour has to begin again', async () => {
    const { token, password } = ada
    const { body } = await call(app.url, twoStep.begin, { token, body: { password } })
    app.clock.forward(61 * MINUTE_MS)
    const late = { code: codeOf(body.secret, now()) }
    expect((await call(app.url, twoStep.confirm, { token, body: late })).status).toBe(409)
  })

  test('leaves every session signed in', async () => {
    const phone = (await logIn()).body.token
    await switchOn()
    for (const token of [ada.token, phone]) expect((await call(app.url, auth.me, { token })).status).toBe(200)
  })
})

describe('log-in', () => {
  test('asks for a code once the password is right, and takes each code once', async () => {
    const { secret } = await switchOn()
    for (const missing of [undefined, '', ' '])
      expect(await logIn(missing)).toMatchObject({
        status: 400,
        error: { code: 'TOTP_REQUIRED', detail: MISSING_CODE },
      })
    const code = codeOf(secret, now())
    expect((await logIn(code)).status).toBe(200)
    const again = await logIn(code)
    expect(again).toMatchObject({
      status: 400,
      error: { code: 'INVALID_INPUT', detail: WRONG_CODE, fields: { totp: WRONG_CODE } },
    })
    // Nor does one from before it, or from long ago.
    expect((await logIn(codeOf(secret, now(), -1))).status).toBe(400)
    app.clock.forward(2 * STEP_MS)
    expect((await logIn(code)).status).toBe(400)
    // Clocks may differ by a step.
    expect((await logIn(codeOf(secret, now(), 1))).status).toBe(200)
    expect(eventsOf(ada)).toEqual(expect.arrayContaining(['two_step_asked', 'two_step_failed', 'log_in']))
  })

  test('with a wrong password says the same whether or not it is on, with and without a code', async () => {
    const seen = async () => {
      const answers = [await logIn(undefined, { password: 'x' }), await logIn('123456', { password: 'x' })]
      return answers.map(({ status: code, error }) => ({ code, error }))
    }
    const off = await seen()
    const { secret } = await switchOn()
    expect(await seen()).toEqual(off)
    expect((await logIn(codeOf(secret, now()), { password: 'x' })).error).toEqual(off[0]?.error)
    // That used up nothing.
    expect((await logIn(codeOf(secret, now()))).status).toBe(200)
  })

  test('takes a code of an account without two-step sign-in for nothing', async () => {
    expect((await logIn('123456')).status).toBe(200)
  })

  test.each(['app', 'recovery'])(
    'of four at once with one %s code, one gets in, in two processes',
    async (kind) => {
      const { secret, recoveryCodes } = await switchOn()
      const code = kind === 'app' ? codeOf(secret, now()) : (recoveryCodes[3] ?? '')
      const answers = await Promise.all(
        Array.from({ length: 4 }, (_, n) => logIn(code, { base: n % 2 === 0 ? app.url : other.url })),
      )
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400, 400, 400])
    },
  )

  test('waits after five wrong codes, whatever RATE_LIMITS says and from wherever, and the owner is told', async () => {
    const { secret } = await switchOn()
    const wrong = wrongCodeOf(secret, now())
    for (let n = 0; n < 5; n++) expect((await logIn(wrong, { headers: strange() })).status).toBe(400)
    const waiting = await logIn(codeOf(secret, now()), { headers: strange(), base: other.url })
    expect(waiting).toMatchObject({
      status: 429,
      error: { detail: 'Too many wrong codes. Please wait a while and try again.' },
    })
    expect(waiting.headers.get('Retry-After')).toBe('60')
    await mailOn('Somebody may know your Howl password')
    const waits: number[] = []
    for (let n = 0; n < 8; n++) {
      const held = await logIn(wrong, { headers: strange() })
      const seconds = Number(held.headers.get('Retry-After'))
      waits.push(seconds)
      app.clock.forward(seconds * 1000)
      expect((await logIn(wrongCodeOf(secret, now()), { headers: strange() })).status).toBe(400)
    }
    expect(waits).toEqual([60, 120, 240, 480, 960, 1920, 3600, 3600])
    app.clock.forward(3_600_000)
    expect((await logIn(codeOf(secret, now()), { headers: strange() })).status).toBe(200)
  })

  test('at a place where it worked before does not wait for strangers', async () => {
    const { secret } = await switchOn()
    const home = strange()
    expect((await logIn(codeOf(secret, now()), { headers: home })).status).toBe(200)
    for (let n = 0; n < 5; n++)
      expect((await logIn(wrongCodeOf(secret, now()), { headers: strange() })).status).toBe(400)
    app.clock.forward(STEP_MS)
    expect((await logIn(codeOf(secret, now()), { headers: strange() })).status).toBe(429)
    expect((await logIn(codeOf(secret, now()), { headers: home })).status).toBe(200)
  })
})

describe('a recovery code', () => {
  test('works once in place of a code, however it is typed, and a mail tells of it', async () => {
    const { secret, recoveryCodes } = await switchOn()
    const [first = '', second = ''] = recoveryCodes
    expect((await logIn(` ${first.toUpperCase().replaceAll('-', ' ')} `)).status).toBe(200)
    expect((await status()).recovery_codes_left).toBe(9)
    const mail = await mailOn('A recovery code was used')
    expect(mail.text).toContain('9 of 10 are left.')
    expect((await logIn(first)).error.detail).toBe(WRONG_CODE)
    expect((await logIn(second)).status).toBe(200)
    expect((await logIn(codeOf(secret, now()))).status).toBe(200)
    expect(eventsOf(ada)).toContain('recovery_code_used')
  })

  test('of somebody else is of no use', async () => {
    const { recoveryCodes } = await switchOn()
    const bea = await signUp(app.url)
    await switchOn(bea)
    const body = { email: bea.email, password: bea.password, totp: recoveryCodes[0] }
    expect((await call(app.url, auth.login, { body })).status).toBe(400)
  })

  test('is void once there are new ones, which take the password and a code', async () => {
    const { secret, recoveryCodes } = await switchOn()
    const { token, password } = ada
    const renew = (proof: { password: string; code: string }) =>
      call(app.url, twoStep.renewCodes, { token, body: proof })
    const code = codeOf(secret, now())
    expect((await renew({ password: 'x', code })).error.fields).toEqual({
      password: 'This password is not right',
    })
    expect((await renew({ password, code: wrongCodeOf(secret, now()) })).error.fields).toEqual({
      code: WRONG_CODE,
    })
    expect((await renew({ password, code: '' })).error.fields).toEqual({ code: MISSING_CODE })
    // The wrong password has used no code up.
    const renewed = await renew({ password, code })
    expect(renewed.status).toBe(200)
    expect((await logIn(recoveryCodes[0])).status).toBe(400)
    expect((await logIn(renewed.body.recovery_codes[0])).status).toBe(200)
    await mailOn('You have new recovery codes')
    expect(eventsOf(ada)).toContain('recovery_codes_renewed')
  })
})

describe('switching off', () => {
  test('takes the password and a code, and then the password alone is enough', async () => {
    const { secret } = await switchOn()
    const { token, password } = ada
    const switchOff = (proof: { password: string; code: string }) =>
      call(app.url, twoStep.switchOff, { token, body: proof })
    const code = codeOf(secret, now())
    expect((await switchOff({ password: 'x', code })).status).toBe(400)
    expect((await switchOff({ password, code: '' })).status).toBe(400)
    expect((await switchOff({ password, code: wrongCodeOf(secret, now()) })).status).toBe(400)
    expect((await status()).on).toBe(true)
    expect((await switchOff({ password, code })).body).toEqual({ ok: true })
    expect(await status()).toEqual({ on: false, on_since: null, recovery_codes_left: 0 })
    expect((await logIn()).status).toBe(200)
    await mailOn('Two-step sign-in is off')
    expect((await switchOff({ password, code })).status).toBe(409)
    expect(eventsOf(ada)).toContain('two_step_off')
  })

  test('works with a recovery code where the phone is lost', async () => {
    const { recoveryCodes } = await switchOn()
    const body = { password: ada.password, code: recoveryCodes[0] ?? '' }
    expect((await call(app.url, twoStep.switchOff, { token: ada.token, body })).status).toBe(200)
    expect((await logIn()).status).toBe(200)
  })

  test('waits after five wrong passwords, also for the right one', async () => {
    const { secret } = await switchOn()
    const off = (password: string) =>
      call(app.url, twoStep.switchOff, {
        token: ada.token,
        body: { password, code: codeOf(secret, now()) },
        headers: strange(),
      })
    for (let n = 0; n < 5; n++) expect((await off(`guess ${n}`)).status).toBe(400)
    expect(await off(ada.password)).toMatchObject({
      status: 429,
      error: { detail: 'Too many wrong passwords. Please wait a while and try again.' },
    })
    app.clock.forward(MINUTE_MS)
    expect((await off(ada.password)).status).toBe(200)
  })

  test('is no part of a new password, by code or by link', async () => {
    const link = await confirmationLink(sink, ada.email)
    const body = { token: /token=([\w-]+)/.exec(link)?.[1] ?? '' }
    expect((await call(app.url, emailConfirmation.confirm, { token: ada.token, body })).status).toBe(200)
    const { secret } = await switchOn()
    await mailOn('Two-step sign-in is on')
    await call(app.url, passwordReset.requestOtp, { body: { email: ada.email } })
    const { text } = await newestSystemMail(sink, ada.email, 2)
    const otp = /Your code is (\w{6})\./.exec(text)?.[1] ?? ''
    const byCode = { email: ada.email, otp, new_password: NEW, confirm_password: NEW }
    expect((await call(app.url, passwordReset.resetByOtp, { body: byCode })).status).toBe(200)
    expect((await logIn(undefined, { password: NEW })).error.code).toBe('TOTP_REQUIRED')

    await call(app.url, passwordReset.requestLink, { body: { email: ada.email } })
    const { text: linkText } = await mailOn('Set a new Howl password')
    const token = /token=([\w-]+)/.exec(linkText)?.[1] ?? ''
    const byLink = { token, new_password: `${NEW}!` }
    expect((await call(app.url, passwordReset.resetByToken, { body: byLink })).status).toBe(200)
    expect((await logIn(undefined, { password: `${NEW}!` })).error.code).toBe('TOTP_REQUIRED')
    expect((await logIn(codeOf(secret, now()), { password: `${NEW}!` })).status).toBe(200)
  })

  test('is a command of the operator for somebody who has lost everything', async () => {
    const remove = (email: string) => accountCommand(app, 'remove-two-step', email)
    expect(await remove(ada.email)).toEqual({
      code: 1,
      said: `Two-step sign-in of ${ada.email} is off: there is nothing to remove.\n`,
    })
    await switchOn()
    expect(await remove(ada.email.toUpperCase())).toEqual({
      code: 0,
      said: `Two-step sign-in of ${ada.email} is removed, and a mail tells its owner.\n`,
    })
    expect((await logIn()).status).toBe(200)
    const mail = await mailOn('Two-step sign-in was removed')
    expect(mail.text).toContain('Whoever runs this Howl has removed')
    expect(await remove('nobody@far.example')).toEqual({
      code: 1,
      said: 'There is no account with the address nobody@far.example.\n',
    })
  })
})

test('with RATE_LIMITS, wrong codes do not count as wrong passwords', async () => {
  const limited = await startTestApp({
    roles: ['web'],
    environment: { RATE_LIMITS: 'on' },
    database: { url: app.databaseUrl },
  })
  limited.context.clock.now = now
  try {
    const { secret } = await switchOn()
    const base = limited.url
    for (let n = 0; n < 4; n++) {
      expect((await logIn(undefined, { base, headers: strange() })).error.code).toBe('TOTP_REQUIRED')
      const wrong = await logIn(wrongCodeOf(secret, now()), { base, headers: strange() })
      expect(wrong.error.detail).toBe(WRONG_CODE)
    }
    // Wrong passwords among them still do, and a right one does not end the wait that they brought about.
    for (let n = 0; n < 5; n++)
      expect((await logIn(undefined, { base, password: `x${n}`, headers: strange() })).status).toBe(401)
    expect((await logIn(undefined, { base, headers: strange() })).status).toBe(429)
    app.clock.forward(1000)
    expect((await logIn(undefined, { base, headers: strange() })).error.code).toBe('TOTP_REQUIRED')
    expect((await logIn(undefined, { base, password: 'x', headers: strange() })).status).toBe(401)
    expect((await logIn(undefined, { base, headers: strange() })).status).toBe(429)
  } finally {
    await limited.end()
  }
})

test('neither secret nor codes can be read in the database or in the log', async () => {
  const { secret, recoveryCodes } = await switchOn()
  const code = codeOf(secret, now())
  await logIn(code)
  await logIn(recoveryCodes[0])
  const bare = recoveryCodes.map((each) => each.replaceAll('-', ''))
  const hidden = [secret, ...recoveryCodes, ...bare]
  const { rows: tables } = await runSql(
    app.context.db,
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  )
  for (const { name } of tables as { name: string }[]) {
    const { rows } = await runSql(
      app.context.db,
      `SELECT count(*)::int AS n FROM "${name}" t WHERE t::text LIKE ANY($1)`,
      [hidden.map((each) => `%${each}%`)],
    )
    expect({ name, ...(rows[0] as object) }).toEqual({ name, n: 0 })
  }
  for (const each of [...hidden, code]) expect(written.join('')).not.toContain(`"${each}"`)
})

test('with another secret key, log-in says whom to ask', async () => {
  await switchOn()
  await runSql(app.context.db, `UPDATE two_step SET secret_box = 'AAAA' || secret_box WHERE user_id = $1`, [
    ada.id,
  ])
  expect(await logIn('123456')).toMatchObject({
    status: 409,
    error: { detail: expect.stringContaining('ask whoever runs this Howl') as string },
  })
})
