import PostalMime, { type Email } from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newAccounts } from '#contract/accounts/new-accounts.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { emailConfirmation } from '#contract/accounts/email-confirmation.ts'
import { referrals } from '#contract/operations/referrals.ts'
import { inTransaction, runSql } from '#server/platform/database/transaction.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { addUser, type UserRow } from '../../accounts/auth/store.ts'
import { balanceOf, expireCredits, spendCredits } from '../../accounts/credits/ledger.ts'

const DAY_MS = 86_400_000

let sink: SmtpSink
let app: TestApp
let serial = 0

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
beforeEach(() => sink.setScript(undefined))

const newAddress = () => `friend${(serial += 1)}@people.example`
const codeOf = async ({ token }: TestUser) => (await call(app.url, referrals.myCode, { token })).body.code
const statsOf = async ({ token }: TestUser) => (await call(app.url, referrals.stats, { token })).body
const creditsOf = async ({ token }: TestUser) => (await call(app.url, referrals.balance, { token })).body
const invite = ({ token }: TestUser, email: string, personal_message: string | null = null) =>
  call(app.url, referrals.invite, { token, body: { email, personal_message } })

/** Signs a friend up with a code. */
async function joinWith(code: string, email = newAddress()) {
  serial += 1
  const username = `joined${process.pid}x${serial}`
  const body = { email, username, password: 'correct horse battery', name: 'Kim Berg', referral_code: code }
  return call(app.url, newAccounts.register, { body })
}

/** The newest mail to an address whose subject contains these words, once it is there. */
async function mailTo(address: string, words: string): Promise<Email> {
  for (let seen = 0; ; seen += 1) {
    await sink.waitFor(seen)
    const raw = sink.received.findLast(
      (mail) => mail.envelope.to.includes(address) && mail.raw.toString('latin1').includes(words),
    )?.raw
    if (raw !== undefined) return PostalMime.parse(raw)
    seen = Math.max(seen, sink.count)
  }
}

async function confirm(address: string): Promise<void> {
  const { text = '' } = await mailTo(address, 'Please confirm')
  const token = /confirm-email\?token=([\w-]+)/.exec(text)?.[1] ?? ''
  expect((await call(app.url, emailConfirmation.confirm, { body: { token } })).body).toEqual({
    email: address,
  })
}

const tokenIn = ({ text = '' }: Email) => /invitation=([\w-]+)/.exec(text)?.[1] ?? ''

describe('an invitation', () => {
  test('is mailed in the inviter’s words, and its way is told: sent, opened, joined', async () => {
    const ada = await signUp(app.url, { name: 'Ada Muster' })
    const code = await codeOf(ada)
    const friend = newAddress()
    const message = 'Come & see <b>this</b>,\nit is "good".'
    const answer = await invite(ada, ` ${friend} `, message)
    expect([answer.status, answer.body]).toEqual([200, { credits_earned: 0, printed: false }])

    const mail = await mailTo(friend, 'Ada Muster invites you')
    expect(mail.subject).toBe('Ada Muster invites you to Howl')
    expect(mail.from?.address).toBe('howl@house.example')
    expect(mail.text).toContain(`Ada Muster writes:\n\n${message}`)
    expect(mail.text).toContain(`sign up with the code ${code}`)
    expect(mail.html).toContain('Come &amp; see &lt;b&gt;this&lt;/b&gt;,<br>it is &quot;good&quot;.')
    expect(mail.text).toContain(`https://house.example/?ref=${code}&invitation=`)
    expect((await statsOf(ada)).recent_activity).toEqual([
      { email: friend, status: 'sent', created_at: expect.any(String), credits_earned: 0, failed: false },
    ])

    await call(app.url, referrals.noteOpened, { body: { token: 'nonsense' } })
    expect((await statsOf(ada)).recent_activity[0]?.status).toBe('sent')
    await call(app.url, referrals.noteOpened, { body: { token: tokenIn(mail) } })
    expect((await statsOf(ada)).recent_activity[0]?.status).toBe('opened')

    expect((await joinWith(` ${code.toLowerCase()} `, friend)).status).toBe(200)
    expect(await statsOf(ada)).toMatchObject({
      total_invitations: 1,
      successful_signups: 1,
      conversion_rate: 100,
      total_credits_earned: 50,
      recent_activity: [{ email: friend, status: 'signed_up', credits_earned: 50 }],
    })
    // Following the link once more does not take the friend back.
    await call(app.url, referrals.noteOpened, { body: { token: tokenIn(mail) } })
    expect((await statsOf(ada)).recent_activity[0]?.status).toBe('signed_up')
    expect((await invite(ada, friend)).error.detail).toBe('This friend has joined already.')
  })

  test('is not followed by a mail scanner: a GET of its link opens nothing', async () => {
    const ada = await signUp(app.url)
    const friend = newAddress()
    await invite(ada, friend)
    const link = /https:\S+invitation=\S+/.exec((await mailTo(friend, 'invites you')).text ?? '')?.[0] ?? ''
    const { pathname, search } = new URL(link)
    await fetch(app.url + pathname + search)
    expect((await statsOf(ada)).recent_activity[0]?.status).toBe('sent')
  })

  test('to somebody with an account looks the same, and the mail tells them so', async () => {
    const ada = await signUp(app.url, { name: 'Ada Muster' })
    const bea = await signUp(app.url, { email: newAddress() })
    const stranger = newAddress()
    const known = await invite(ada, bea.email, 'Hello')
    const unknown = await invite(ada, stranger, 'Hello')
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
    const [first, second] = (await statsOf(ada)).recent_activity
    expect(first).toEqual({ ...second, email: stranger, created_at: first?.created_at })
    const { text } = await mailTo(bea.email, 'invites you')
    expect(text).toContain('You have an account already, so there is nothing to do.')
    expect(text).not.toContain('ref=')
  })

  test('to oneself, under whatever tag, is refused', async () => {
    const ada = await signUp(app.url, { email: `ada.m${(serial += 1)}@gmail.com` })
    for (const own of [ada.email, ada.email.replace('.', '').replace('@gmail', '+x@googlemail')]) {
      const { status, error } = await invite(ada, own)
      expect([status, error.detail]).toEqual([
        400,
        'This is your own address. Please enter the address of a friend.',
      ])
    }
  })

  test('to an address that gets no more mail from the user is refused', async () => {
    const ada = await signUp(app.url)
    const friend = newAddress()
    const { body } = await call(app.url, contacts.add, {
      token: ada.token,
      body: { name: 'Kim', email: friend },
    })
    await call(app.url, contacts.stopMailing, { token: ada.token, body: { ids: [body.id] } })
    const { status, error } = await invite(ada, friend)
    expect([status, error.detail]).toEqual([
      400,
      'This address gets no more mail from you. Nothing was sent.',
    ])
  })

  test('goes out once a day to an address, however often and in parallel it is asked for', async () => {
    const ada = await signUp(app.url)
    const friend = newAddress()
    const answers = await Promise.all(Array.from({ length: 5 }, () => invite(ada, friend)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400])
    const again = await invite(ada, friend.replace('@', '+again@'))
    expect(again.error.detail).toBe(
      'You invited this address less than a day ago. Please wait before you invite it again.',
    )
    const invitations = sink.received.filter(
      ({ envelope, raw }) => envelope.to.includes(friend) && raw.includes('invites you'),
    )
    expect(invitations).toHaveLength(1)
    app.clock.forward(DAY_MS + 1000)
    expect((await invite(ada, friend)).status).toBe(200)
    expect((await statsOf(ada)).total_invitations).toBe(1)
  })

  test('is the last of a day after twenty', async () => {
    const ada = await signUp(app.url)
    const many = await Promise.all(Array.from({ length: 22 }, () => invite(ada, newAddress())))
    expect(many.filter(({ status }) => status === 200)).toHaveLength(20)
    const refused = many.find(({ status }) => status === 429)
    expect(refused?.error.detail).toBe(
      'You have sent 20 invitations within a day. Please try again tomorrow.',
    )
    expect(await statsOf(ada)).toMatchObject({ total_invitations: 20, recent_activity: { length: 5 } })
    app.clock.forward(DAY_MS + 1000)
    expect((await invite(ada, newAddress())).status).toBe(200)
  })

  test('that no server takes is told at once, and can be repeated at once', async () => {
    const ada = await signUp(app.url)
    const friend = newAddress()
    for (const reply of ['550 5.1.1 No such user', '451 4.7.1 Greylisted']) {
      const refused = Promise.withResolvers<void>()
      sink.setScript(({ step, address }) => {
        if (step !== 'rcpt' || address !== friend) return undefined
        refused.resolve()
        return { reply }
      })
      const invited = invite(ada, friend)
      await refused.promise
      // What is put off for longer is given up.
      app.clock.forward(9000)
      const { status, error } = await invited
      expect([status, error.detail, error.code]).toEqual([
        400,
        'Failed to send invitation. Please try again.',
        'MAIL_SERVER',
      ])
    }
    expect(await statsOf(ada)).toMatchObject({
      total_invitations: 0,
      recent_activity: [{ email: friend, status: 'pending', failed: true }],
    })
    sink.setScript(undefined)
    expect((await invite(ada, friend)).status).toBe(200)
    expect((await statsOf(ada)).recent_activity).toMatchObject([{ status: 'sent', failed: false }])
  })

  test.each([
    ['', 'Please enter an email address'],
    ['   ', 'Please enter an email address'],
    ['kim', 'Please enter a valid email address'],
    [`kim@${'x'.repeat(10_000)}.example`, 'Please enter a valid email address'],
    ['kim@people.example\r\nBcc: all@people.example', 'Please enter a valid email address'],
  ])('to %j is refused with the form’s sentence', async (email, sentence) => {
    const { status, error } = await invite(await signUp(app.url), email)
    expect([status, error.fields]).toEqual([400, { email: sentence }])
  })

  test('holds 200 characters of message, and no more', async () => {
    const ada = await signUp(app.url)
    expect((await invite(ada, newAddress(), 'x'.repeat(201))).error.fields).toEqual({
      personal_message: 'Please keep the message under 201 characters',
    })
    expect((await invite(ada, newAddress(), 'x'.repeat(200))).status).toBe(200)
  })
})

describe('a sign-up with a code', () => {
  test('earns both 50, spendable once the friend has confirmed the address', async () => {
    const ada = await signUp(app.url)
    const friend = newAddress()
    const { body } = await joinWith(await codeOf(ada), friend)
    const kim = { ...ada, id: body.user.id, token: body.token }
    const waiting = { available_credits: 50, total_credits: 50, waiting_credits: 50 }
    expect([await creditsOf(ada), await creditsOf(kim)]).toEqual([waiting, waiting])
    expect(await spendCredits(app.context, app.context.db, ada.id, 1, 'test')).toBe(false)
    expect(await spendCredits(app.context, app.context.db, kim.id, 1, 'test')).toBe(false)
    // Whoever comes without an invitation has not given the inviter the address.
    expect((await statsOf(ada)).recent_activity).toMatchObject([
      { email: 'f…@people.example', status: 'signed_up', credits_earned: 50 },
    ])
    await confirm(friend)
    expect(await creditsOf(ada)).toEqual({ ...waiting, waiting_credits: 0 })
    expect(await creditsOf(kim)).toEqual({ ...waiting, waiting_credits: 0 })
    expect(await spendCredits(app.context, app.context.db, ada.id, 50, 'test')).toBe(true)
    expect(await spendCredits(app.context, app.context.db, kim.id, 20, 'test')).toBe(true)
    expect(await creditsOf(kim)).toMatchObject({ available_credits: 30, total_credits: 50 })
  })

  test('of thirty friends at once earns thirty times 50', async () => {
    const ada = await signUp(app.url)
    const code = await codeOf(ada)
    const all = await Promise.all(Array.from({ length: 30 }, () => joinWith(code)))
    expect(all.every(({ status }) => status === 200)).toBe(true)
    expect(await creditsOf(ada)).toMatchObject({ available_credits: 1500, total_credits: 1500 })
    expect((await statsOf(ada)).successful_signups).toBe(30)
  })

  test('of one friend ten times at once earns once, with the same address or with tags', async () => {
    const ada = await signUp(app.url)
    const code = await codeOf(ada)
    const same = newAddress()
    const tagged = `kim.berg${(serial += 1)}@gmail.com`
    const tags = Array.from({ length: 10 }, (_, n) => {
      const name = n % 2 === 0 ? tagged : tagged.replace('kim.', 'k.im')
      return name.replace('@', `+${n}@`)
    })
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => joinWith(code, same)),
      ...tags.map((address) => joinWith(code, address)),
    ])
    // Accounts under tags may be opened; they only earn nothing.
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(11)
    expect(await creditsOf(ada)).toMatchObject({ total_credits: 100 })
    expect((await statsOf(ada)).successful_signups).toBe(2)
  })

  test('of one mailbox at the very same moment fails nobody', async () => {
    const { db } = app.context
    const ada = await signUp(app.url)
    const code = await codeOf(ada)
    const { rows } = await runSql(db, 'SELECT * FROM users WHERE id = $1', [ada.id])
    const { id: _id, ...columns } = rows[0] as UserRow
    for (let round = 1; round <= 20; round += 1) {
      const join = (n: number) => {
        const username = `kim${round}x${n}`
        const email = `kim${round}+${n}@gmail.com`
        const keys = { email_key: email, username_key: username }
        return addUser(db, { ...columns, ...keys, email, username, referred_by_code: code })
      }
      // All of them get as far as the referral, and go on together.
      const joined = await inTransaction(db, async (tx) => {
        await runSql(tx, 'LOCK TABLE referrals IN SHARE MODE')
        const all = Array.from({ length: 12 }, (_, n) => join(n))
        await expect
          .poll(() =>
            runSql(tx, `SELECT FROM pg_locks WHERE NOT granted AND relation = 'referrals'::regclass`),
          )
          .toMatchObject({ rows: { length: 12 } })
        return { all }
      })
      await Promise.all(joined.all)
      expect((await statsOf(ada)).successful_signups).toBe(round)
    }
  })

  test('of the inviter under a second address earns nothing', async () => {
    const ada = await signUp(app.url, { email: newAddress() })
    const { body } = await joinWith(await codeOf(ada), ada.email.replace('@', '+me@'))
    expect(await creditsOf(ada)).toMatchObject({ total_credits: 0 })
    expect(await creditsOf({ ...ada, token: body.token })).toMatchObject({ total_credits: 0 })
  })

  test.each(['WRONGONE', '💥', 'x'.repeat(60), "'; DROP TABLE users; --"])(
    'is not stopped by the wrong code %j',
    async (code) => {
      const { status, body } = await joinWith(code)
      expect(status).toBe(200)
      expect((await call(app.url, referrals.balance, { token: body.token })).body.total_credits).toBe(0)
    },
  )

  test('earns nothing with the code of a deleted account', async () => {
    const ada = await signUp(app.url)
    const code = await codeOf(ada)
    await runSql(app.context.db, 'UPDATE users SET deleted_at = $2 WHERE id = $1', [ada.id, app.clock.now()])
    const { body } = await joinWith(code)
    expect((await call(app.url, referrals.balance, { token: body.token })).body.total_credits).toBe(0)
    expect((await balanceOf(app.context, ada.id)).total).toBe(0)
  })
})

describe('the ledger', () => {
  /** A user with confirmed credits of two friends, the second a month after the first. */
  async function twoFriends(): Promise<TestUser> {
    const ada = await signUp(app.url)
    const code = await codeOf(ada)
    for (const friend of [newAddress(), newAddress()]) {
      await joinWith(code, friend)
      await confirm(friend)
      app.clock.forward(30 * DAY_MS)
    }
    return ada
  }
  const entriesOf = async (userId: number) => {
    const found = await runSql(
      app.context.db,
      'SELECT kind, amount FROM credit_entries WHERE user_id = $1 ORDER BY id',
      [userId],
    )
    return (found.rows as { kind: string; amount: number }[]).map(({ kind, amount }) => `${kind} ${amount}`)
  }
  const balance = ({ id }: TestUser) => balanceOf(app.context, id)

  test('spends the oldest first, and writes off what is left of it after twelve months', async () => {
    const ada = await twoFriends()
    expect(await spendCredits(app.context, app.context.db, ada.id, 30, 'test')).toBe(true)
    // Sixty days have gone since the first friend came.
    app.clock.forward(305 * DAY_MS - 3_600_000)
    expect(await balance(ada)).toMatchObject({ available: 70, total: 100 })
    app.clock.forward(2 * DAY_MS)
    expect(await balance(ada)).toMatchObject({ available: 50, total: 100 })
    expect(await spendCredits(app.context, app.context.db, ada.id, 51, 'test')).toBe(false)
    expect(await spendCredits(app.context, app.context.db, ada.id, 10, 'test')).toBe(true)
    app.clock.forward(30 * DAY_MS)
    await Promise.all([expireCredits(app.context), expireCredits(app.context), balance(ada)])
    expect(await balance(ada)).toMatchObject({ available: 0, total: 100 })
    expect(await entriesOf(ada.id)).toEqual([
      'earned 50',
      'earned 50',
      'spent -30',
      'expired -20',
      'spent -10',
      'expired -40',
    ])
  })

  test('gives no credit twice to those who spend at once, also across two grants', async () => {
    const ada = await twoFriends()
    const spent = await Promise.all(
      Array.from({ length: 12 }, () => spendCredits(app.context, app.context.db, ada.id, 9, 'test')),
    )
    expect(spent.filter(Boolean)).toHaveLength(11)
    expect(await balance(ada)).toMatchObject({ available: 1 })
  })

  test('refuses changes and deletions, but those of a deleted account', async () => {
    const ada = await twoFriends()
    const { db } = app.context
    const own = 'FROM credit_entries WHERE user_id = $1'
    await expect(
      runSql(db, 'UPDATE credit_entries SET amount = 99 WHERE user_id = $1', [ada.id]),
    ).rejects.toThrow('append-only')
    await expect(runSql(db, `DELETE ${own}`, [ada.id])).rejects.toThrow('append-only')
    await expect(runSql(db, 'TRUNCATE credit_entries CASCADE')).rejects.toThrow('append-only')
    expect(await balance(ada)).toMatchObject({ available: 100 })
    await runSql(db, 'DELETE FROM users WHERE id = $1', [ada.id])
    expect((await runSql(db, `SELECT 1 ${own}`, [ada.id])).rows).toEqual([])
  })
})
