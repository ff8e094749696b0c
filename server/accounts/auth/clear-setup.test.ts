import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import { emailConfirmation } from '#contract/accounts/email-confirmation.ts'
import { invoiceMail } from '#contract/invoicing/invoice-mail.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { ownModel } from '#contract/models/own-model.ts'
import { passwordReset } from '#contract/accounts/password-reset.ts'
import { paymentReminders } from '#contract/invoicing/payment-reminders.ts'
import { recurringInvoices } from '#contract/invoicing/recurring-invoices.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { sequences } from '#contract/outreach/sequences.ts'
import { sharedInvoices } from '#contract/invoicing/shared-invoices.ts'
import { twoStep } from '#contract/accounts/two-step.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { anInvoice } from '../../../tests/support/invoices.ts'
import { type ModelServer, startModel } from '../../../tests/support/model.ts'
import { listFolder } from '../../../tests/support/reading.ts'
import { ALWAYS, mail } from '../../../tests/support/sequence-days.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import {
  confirmationLink,
  newestSystemMail,
  systemMailOn,
  systemMailTo,
} from '../../../tests/support/system-mail.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { switchTwoStepOn } from '../../../tests/support/two-step.ts'
import { connectTo, sendAs } from '../../../tests/support/writing.ts'

const NEW = 'vortex-Lampe-93'
const DAY_MS = 86_400_000

let app: TestApp
let sink: SmtpSink
let model: ModelServer
/** Opened by a stranger with the address of somebody who does not know Howl yet. */
let taken: TestUser

beforeAll(async () => {
  sink = await startSmtpSink()
  model = await startModel()
  app = await startTestApp({ environment: { RATE_LIMITS: 'on', ...systemMailTo(sink) } })
  app.clock.stand()
})
beforeEach(async () => {
  taken = await signUp(app.url)
})
afterAll(async () => {
  await app?.end()
  await Promise.all([sink?.stop(), model?.stop()])
})

const as = (user: TestUser) => ({ token: user.token })
const logIn = (password = NEW, headers = {}) =>
  call(app.url, auth.login, { body: { email: taken.email, password }, headers })
const shown = (token: string) => call(app.url, sharedInvoices.show, { params: { token } })

/** `mails`: how many have come to the address before. */
async function resetByCode(mails: number, token?: string) {
  await call(app.url, passwordReset.requestOtp, { body: { email: taken.email } })
  const { text } = await newestSystemMail(sink, taken.email, mails + 1)
  const otp = /Your code is (\w{6})\./.exec(text)?.[1] ?? ''
  const body = { email: taken.email, otp, new_password: NEW, confirm_password: NEW }
  return call(app.url, passwordReset.resetByOtp, { body, ...(token === undefined ? {} : { token }) })
}
async function resetByLink() {
  await call(app.url, passwordReset.requestLink, { body: { email: taken.email } })
  const { text } = await systemMailOn(sink, taken.email, 'Set a new Howl password')
  const token = /token=([\w-]+)/.exec(text)?.[1] ?? ''
  return call(app.url, passwordReset.resetByToken, { body: { token, new_password: NEW } })
}

/** Mails that come to the address while an account is set up. */
const MAILS = 2
/** What somebody can leave behind in an account. Returns the token of a shared link. */
async function setUp(user: TestUser): Promise<string> {
  const ok = async <T>(answer: Promise<{ status: number; body: T; error: unknown }>): Promise<T> => {
    const { status, body, error } = await answer
    expect(status, JSON.stringify(error)).toBe(200)
    return body
  }
  await ok(connectTo(app, sink, user))
  await ok(
    call(app.url, ownModel.save, {
      ...as(user),
      body: { base_url: model.baseUrl, model: 'tiny', api_key: 'sk-of-a-stranger' },
    }),
  )
  await switchTwoStepOn(app.url, user, () => app.clock.now())
  const schedule_at = new Date(app.clock.now().getTime() + DAY_MS).toISOString()
  await ok(sendAs(app, user, { schedule_at }))
  const { id } = await ok(call(app.url, invoices.add, { ...as(user), body: anInvoice() }))
  await ok(call(app.url, invoices.issue, { ...as(user), params: { id } }))
  const first_on = new Date(app.clock.now().getTime() + 2 * DAY_MS).toISOString().slice(0, 10)
  await ok(
    call(app.url, recurringInvoices.add, { ...as(user), body: { invoice_id: id, every: 'month', first_on } }),
  )
  await ok(call(app.url, paymentReminders.saveSettings, { ...as(user), body: { on: true } }))
  const sequence = await ok(
    call(app.url, sequences.add, {
      ...as(user),
      body: { name: 'Spam', steps: [mail(1, 'Hello')], hours: ALWAYS, starts: [] },
    }),
  )
  await ok(call(app.url, sequences.start, { ...as(user), params: { id: sequence.id } }))
  const link = await ok(call(app.url, invoiceMail.link, { ...as(user), params: { id } }))
  await newestSystemMail(sink, user.email, MAILS)
  return link.url?.split('/i/')[1] ?? ''
}

/** The same as an owner sees it. */
async function setUpOf(user: TestUser) {
  const [accounts, models, second, recurring, reminders, all, me] = await Promise.all([
    call(app.url, mailboxes.accounts, as(user)),
    call(app.url, ownModel.get, as(user)),
    call(app.url, twoStep.get, as(user)),
    call(app.url, recurringInvoices.list, as(user)),
    call(app.url, paymentReminders.settings, as(user)),
    call(app.url, sequences.list, as(user)),
    call(app.url, auth.me, as(user)),
  ])
  return {
    accounts: accounts.body.filter(({ connected }) => connected).map(({ address }) => address),
    model: models.body.own?.base_url ?? null,
    twoStep: second.body.on,
    scheduled: (await listFolder(app, user, 'scheduled')).length,
    drafts: (await listFolder(app, user, 'drafts')).map(({ subject }) => subject),
    recurring: recurring.body.map(({ state }) => state),
    reminders: reminders.body.on,
    sequences: all.body.map(({ state }) => state),
    confirmed: me.body.email_confirmed,
  }
}

const AS_SET_UP = () => ({
  accounts: ['ada@muster.example'],
  model: model.baseUrl,
  twoStep: true,
  scheduled: 1,
  drafts: [],
  recurring: ['active'],
  reminders: true,
  sequences: ['running'],
})

describe('the first new password of an account whose address nobody has confirmed', () => {
  test.each([
    ['code', resetByCode],
    ['link', resetByLink],
  ] as const)(
    'clears by a %s what a stranger has set up, says so, and confirms the address',
    async (_, reset) => {
      const link = await setUp(taken)
      expect((await shown(link)).status).toBe(200)
      expect(await setUpOf(taken)).toEqual({ ...AS_SET_UP(), confirmed: false })

      const { status, body } = await reset(MAILS)
      expect(status).toBe(200)
      const told = [
        'Two-step sign-in is off.',
        '1 sequence is paused.',
        'Payment reminders are off.',
        '1 recurring invoice is paused.',
        '1 email waiting to be sent is a draft again.',
        'The email account ada@muster.example was disconnected.',
        `The AI model at ${new URL(model.baseUrl).host} was removed.`,
        '1 shared document link no longer works.',
      ]
      expect(body).toEqual({ ok: true, cleared: told, printed: false })
      const notice = await systemMailOn(sink, taken.email, 'Your Howl password was changed')
      expect(notice.text).toContain('Your email address is confirmed now.')
      for (const sentence of told) expect(notice.text).toContain(`• ${sentence}`)

      expect((await call(app.url, auth.me, as(taken))).status).toBe(401)
      expect((await shown(link)).status).toBe(404)
      const owner = await logIn()
      expect(owner.status).toBe(200)
      taken.token = owner.body.token
      expect(await setUpOf(taken)).toEqual({
        accounts: [],
        model: null,
        twoStep: false,
        scheduled: 0,
        drafts: ['An offer'],
        recurring: ['paused'],
        reminders: false,
        sequences: ['paused'],
        confirmed: true,
      })
    },
  )

  test('gives a document that is shared again a link of its own', async () => {
    const link = await setUp(taken)
    await resetByCode(MAILS)
    taken.token = (await logIn()).body.token
    const [document] = (await call(app.url, invoices.list, as(taken))).body
    const params = { id: document?.id ?? 0 }
    const { body } = await call(app.url, invoiceMail.changeLink, {
      ...as(taken),
      params,
      body: { change: 'on' },
    })
    expect((await shown(body.url?.split('/i/')[1] ?? '')).status).toBe(200)
    expect((await shown(link)).status).toBe(404)
  })

  test('forgets the places that a stranger has logged in from', async () => {
    const stranger = { 'X-Forwarded-For': '203.7.1.1' }
    expect((await logIn(taken.password, stranger)).status).toBe(200)
    await resetByCode(0)
    for (let n = 0; n < 5; n++) await logIn('guessed', { 'X-Forwarded-For': `203.7.2.${n}` })
    // Where the account was known, there would be tries of its own.
    expect((await logIn('guessed', stranger)).status).toBe(429)
  })

  test('clears nothing of somebody who is signed in: they have set it up', async () => {
    const link = await setUp(taken)
    expect((await resetByCode(MAILS, taken.token)).body).toEqual({ ok: true })
    expect(await setUpOf(taken)).toEqual({ ...AS_SET_UP(), confirmed: true })
    expect((await shown(link)).status).toBe(200)
  })

  test('switches follow-ups off that were switched on without an account', async () => {
    const body = { auto_followup_enabled: true }
    expect((await call(app.url, mailboxSetup.save, { ...as(taken), body })).status).toBe(200)
    expect((await resetByCode(0)).body.cleared).toEqual(['Automatic follow-ups are off.'])
    taken.token = (await logIn()).body.token
    expect((await call(app.url, mailboxes.get, as(taken))).body.auto_followup_enabled).toBe(false)
  })

  test('takes a session of another account for none', async () => {
    await setUp(taken)
    const stranger = await signUp(app.url)
    expect((await resetByCode(MAILS, stranger.token)).body.cleared).toHaveLength(8)
  })
})

/** Follows the link of the confirmation mail and confirms: signed in with this session, or with none. */
async function confirm(session?: string): Promise<void> {
  const token = /token=([\w-]+)/.exec(await confirmationLink(sink, taken.email))?.[1] ?? ''
  const by = session === undefined ? {} : { token: session }
  expect((await call(app.url, emailConfirmation.confirm, { ...by, body: { token } })).status).toBe(200)
}

describe('an address that was confirmed by somebody who was not signed in', () => {
  test.each([
    ['signed out', async () => undefined],
    ['in another account', async () => (await signUp(app.url)).token],
  ])('is not proved: the first new password clears, and says so (%s)', async (_, session) => {
    const link = await setUp(taken)
    await confirm(await session())
    expect(await setUpOf(taken)).toEqual({ ...AS_SET_UP(), confirmed: true })
    const { body } = await resetByLink()
    expect(body.cleared).toHaveLength(8)
    const { text } = await systemMailOn(sink, taken.email, 'Your Howl password was changed')
    expect(text).toContain('Nobody had confirmed this address while signed in')
    expect(text).not.toContain('Your email address is confirmed now.')
    expect((await shown(link)).status).toBe(404)
    taken.token = (await logIn()).body.token
    expect(await setUpOf(taken)).toMatchObject({ accounts: [], model: null, twoStep: false, confirmed: true })
  })

  test('is proved by the same link once its user is signed in, and by a new password', async () => {
    await confirm()
    await confirm(taken.token)
    await setUp(taken)
    expect((await resetByCode(MAILS)).body).toEqual({ ok: true })

    taken = await signUp(app.url)
    await confirm()
    expect((await resetByCode(0)).body).toEqual({ ok: true })
    taken = { ...taken, password: NEW, token: (await logIn()).body.token }
    await setUp(taken)
    expect((await resetByLink()).body).toEqual({ ok: true })
  })
})

test('a new password of an account that was confirmed while signed in clears nothing', async () => {
  const link = await setUp(taken)
  await confirm(taken.token)
  const before = await setUpOf(taken)
  expect((await resetByLink()).body).toEqual({ ok: true })
  expect((await logIn()).error.code).toBe('TOTP_REQUIRED')
  expect((await shown(link)).status).toBe(200)
  expect(before).toEqual({ ...AS_SET_UP(), confirmed: true })
})
