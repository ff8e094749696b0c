import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import { emails } from '#contract/mail/emails.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { mailboxOauth } from '#contract/mail/mailbox-oauth.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { mailAccountAt } from '../../../tests/support/mail-account.ts'
import { testMail } from '../../../tests/support/mail-servers.ts'
import { oauthEnvironment } from '../../../tests/support/oauth-issuer.ts'
import {
  connectByOauth,
  consentAs,
  type OauthServers,
  startOauthServers,
} from '../../../tests/support/oauth-mailbox.ts'
import { makeSuspects } from '../emails/sync/suspects.ts'
import { listFolder, readOnce } from '../../../tests/support/reading.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { runSql } from '../../platform/database/transaction.ts'
import { contentOf, type SystemMailRow } from '../../accounts/system-mail/system-mail.ts'
import { imapAccountOf, smtpAccountOf } from './mailboxes.ts'

const ADA = 'ada@muster.example'
const BOB = 'bob@muster.example'
const MINUTE = 60_000

let servers: OauthServers
let app: TestApp

beforeAll(async () => {
  servers = await startOauthServers([ADA, BOB])
  app = await startTestApp({
    roles: ['web'],
    clock: servers.clock,
    environment: {
      ...oauthEnvironment(servers.issuer, servers),
      OAUTH_GOOGLE_CLIENT_ID: 'howl',
      OAUTH_GOOGLE_CLIENT_SECRET: 'never used here',
      PLAN_LIMITS: 'off',
    },
  })
})

afterEach(() => {
  const { issuer } = servers
  Object.assign(issuer, {
    isUp: true,
    slowMs: 0,
    tokenFault: null,
    idTokenFault: null,
    refusesConsent: false,
  })
})

afterAll(async () => {
  await app?.end()
  await servers?.stop()
})

const settings = async ({ token }: TestUser) => (await call(app.url, mailboxes.get, { token })).body
const finish = (
  { token }: Pick<TestUser, 'token'>,
  body: { state: string; code?: string; iss?: string; error?: string },
) => call(app.url, mailboxOauth.finish, { token, body })
const send = ({ token }: TestUser, subject: string) =>
  call(app.url, emails.send, {
    token,
    body: { to: 'kim@people.example', subject, content: 'Hello Kim' },
  })
const sent = (subject: string) =>
  servers.sink.received.filter(({ raw }) => raw.includes(`Subject: ${subject}\r\n`))
/** What Howl itself has written to the user, which no worker sends here. */
const toldByMail = async ({ email }: TestUser) =>
  (await rows('SELECT to_address, content_box FROM system_mails WHERE to_address = $1', [email]))
    .map((row) => contentOf(app.context, row as SystemMailRow)?.text)
    .join('\n')
const rows = async (text: string, values: unknown[]) => (await runSql(app.context.db, text, values)).rows

describe('connecting', () => {
  test('a mailbox is connected without a password, sends and reads, and its tokens are sealed', async () => {
    const user = await signUp(app.url)
    const offered = await call(app.url, mailboxOauth.providers, { token: user.token })
    expect(offered.body).toEqual([
      { id: 'google', name: 'Google' },
      { id: 'other', name: 'Muster' },
    ])
    const box = await connectByOauth(app, servers, user, ADA)
    expect(await settings(user)).toMatchObject({
      configured: true,
      smtp_from: ADA,
      smtp_username: ADA,
      smtp_password_set: false,
      oauth: { provider: 'other', name: 'Muster', withdrawn: false },
    })
    const { status, error } = await send(user, 'By token')
    expect(status, JSON.stringify(error)).toBe(200)
    expect(sent('By token')).toMatchObject([{ username: ADA, envelope: { from: ADA } }])

    await servers.dovecot.deliver(ADA, 'INBOX', testMail({ Subject: 'Read by token', To: ADA }))
    await readOnce(app, { ...user, mailboxId: box.id, suspects: makeSuspects() })
    expect((await listFolder(app, user)).map(({ subject }) => subject)).toContain('Read by token')

    const stored = JSON.stringify(await rows('SELECT * FROM mailbox_grants WHERE user_id = $1', [user.id]))
    const token = (await smtpAccountOf(app.context, box).accessToken?.()) ?? ''
    expect(token).toMatch(/^access-/)
    expect(stored).not.toContain(token)
    expect(stored).not.toContain('refresh-')
    expect(await toldByMail(user)).toContain('connected')
  })

  test('an address that signs in by password signs in by token from then on, and the other way round', async () => {
    const user = await signUp(app.url)
    const account = mailAccountAt(servers.sink, { login: ADA, password: `password of ${ADA}`, from: ADA })
    await call(app.url, mailboxSetup.save, { token: user.token, body: account })
    const before = (await call(app.url, mailboxes.accounts, { token: user.token })).body
    const box = await connectByOauth(app, servers, user, ADA)
    expect(before.map(({ id }) => id)).toEqual([box.id])
    expect(await settings(user)).toMatchObject({ smtp_password_set: false, oauth: { name: 'Muster' } })

    const save = (body: object) => call(app.url, mailboxSetup.save, { token: user.token, body })
    // The token goes to no other server, and a limit needs no password.
    expect((await save({ smtp_host: 'smtp.elsewhere.example' })).error.fields).toMatchObject({
      smtp_password: 'Please enter the SMTP password',
      imap_password: 'Please enter the IMAP password',
    })
    expect((await save({ hourly_limit: 100, smtp_from: 'sales@muster.example' })).status).toBe(200)
    expect(await settings(user)).toMatchObject({
      oauth: { name: 'Muster' },
      smtp_from: 'sales@muster.example',
    })

    const { status, error } = await save({ ...account, imap_password: `password of ${ADA}` })
    expect(status, JSON.stringify(error)).toBe(200)
    expect(await settings(user)).toMatchObject({
      smtp_password_set: true,
      imap_password_set: true,
      oauth: null,
    })
    expect(await rows('SELECT * FROM mailbox_grants WHERE user_id = $1', [user.id])).toEqual([])
    expect((await send(user, 'By password again')).status).toBe(200)
  })

  test('the test of the settings signs in by token too', async () => {
    const user = await signUp(app.url)
    await connectByOauth(app, servers, user, ADA)
    const { body } = await call(app.url, mailboxSetup.test, { token: user.token, body: {} })
    expect(body, JSON.stringify(body)).toMatchObject({ smtp: { ok: true }, imap: { ok: true } })
  })

  test('an address at a provider that Howl is registered with is led to its button', async () => {
    const { token } = await signUp(app.url)
    const look = async (email: string) =>
      (await call(app.url, mailboxSetup.discover, { token, query: { email } })).body.oauth
    expect(await look('kim@gmail.com')).toBe('Google')
    // Nobody has registered Howl with Microsoft.
    expect(await look('kim@outlook.com')).toBeNull()
  })

  test('disconnecting ends the consent at the issuer, unless another mailbox lives on it', async () => {
    const [user, other] = [await signUp(app.url), await signUp(app.url)]
    await connectByOauth(app, servers, user, BOB)
    await connectByOauth(app, servers, other, BOB)
    const before = servers.issuer.revoked.length
    await call(app.url, mailboxSetup.remove, { token: other.token })
    expect(await settings(other)).toMatchObject({ configured: false, oauth: null })
    expect((await send(user, 'Still connected')).status).toBe(200)
    expect(servers.issuer.revoked.length).toBe(before)
    await call(app.url, mailboxSetup.remove, { token: user.token })
    await expect.poll(() => servers.issuer.revoked.length).toBe(before + 1)
    expect(await rows('SELECT * FROM mailbox_grants WHERE user_id = $1', [user.id])).toEqual([])
  })

  test('a person who refuses, an expired request and an unknown provider each get their sentence', async () => {
    const user = await signUp(app.url)
    const answer = await consentAs(app, servers, user, ADA)
    const refused = await finish(user, { state: answer.state, error: 'access_denied' })
    expect(refused.error.detail).toBe('Howl was not allowed to use your mailbox, so nothing was connected.')

    const late = await consentAs(app, servers, user, ADA)
    servers.clock.forward(11 * MINUTE)
    expect((await finish(user, late)).error.detail).toContain('has expired or was used already')

    const microsoft = { provider: 'microsoft' }
    expect((await call(app.url, mailboxOauth.start, { token: user.token, body: microsoft })).status).toBe(404)
    servers.issuer.isUp = false
    servers.clock.forward(MINUTE)
    const down = await call(app.url, mailboxOauth.start, {
      token: user.token,
      body: { provider: 'other' },
    })
    expect(down).toMatchObject({ status: 503, error: { code: 'UNAVAILABLE' } })
    expect(await settings(user)).toMatchObject({ configured: false })
  })
})

describe('a hostile answer connects nothing', () => {
  const FOREIGN = 'does not fit what Howl asked for'
  const AWAY = 'does not answer as it should'
  const refusedWith = async (
    user: TestUser,
    body: { state: string; code: string; iss?: string },
    words: string,
  ) => {
    const { status, error } = await finish(user, body)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(error.detail).toContain(words)
    expect(await settings(user)).toMatchObject({ configured: false })
  }

  test('a state that is unknown, used, of another session or of another user', async () => {
    const [user, other] = [await signUp(app.url), await signUp(app.url)]
    const answer = await consentAs(app, servers, user, ADA)
    const used = 'has expired or was used already'
    await refusedWith(user, { ...answer, state: 'made up' }, used)
    await refusedWith(other, answer, used)
    const again = await call(app.url, auth.login, { body: { email: user.email, password: user.password } })
    await refusedWith({ ...user, token: again.body.token }, answer, used)
    // None of them has used it up.
    expect((await finish(user, answer)).status).toBe(200)
    await call(app.url, mailboxSetup.remove, { token: user.token })
    await refusedWith(user, answer, used)
  })

  test('a code that was used, and one that belongs to another request', async () => {
    const user = await signUp(app.url)
    const [first, second] = [
      await consentAs(app, servers, user, ADA),
      await consentAs(app, servers, user, ADA),
    ]
    await refusedWith(user, { ...first, code: second.code }, 'has expired or was used already')
  })

  test('another issuer in the answer', async () => {
    const user = await signUp(app.url)
    const answer = await consentAs(app, servers, user, ADA)
    await refusedWith(user, { ...answer, iss: 'https://accounts.google.com' }, FOREIGN)
  })

  test.each(['nonce', 'audience', 'issuer', 'signature'] as const)(
    'an id token with a wrong %s',
    async (fault) => {
      const user = await signUp(app.url)
      const answer = await consentAs(app, servers, user, ADA)
      servers.issuer.idTokenFault = fault
      await refusedWith(user, answer, FOREIGN)
    },
  )

  test('an id token without an address', async () => {
    const user = await signUp(app.url)
    const answer = await consentAs(app, servers, user, ADA)
    servers.issuer.idTokenFault = 'no address'
    await refusedWith(user, answer, 'did not say which address')
  })

  test.each(['html', 'huge', { error: 'server_error', status: 500 }] as const)(
    'a token endpoint that answers %j',
    async (fault) => {
      const user = await signUp(app.url)
      const answer = await consentAs(app, servers, user, ADA)
      servers.issuer.tokenFault = fault
      await refusedWith(user, answer, AWAY)
    },
  )

  test('another person’s consent for a mailbox that is connected again', async () => {
    const user = await signUp(app.url)
    const box = await connectByOauth(app, servers, user, ADA)
    const answer = await consentAs(app, servers, user, BOB, box.id)
    const { error } = await finish(user, answer)
    expect(error.detail).toContain(`You signed in as ${BOB}, but this mailbox is ${ADA}.`)
    expect((await send(user, 'Untouched')).status).toBe(200)
  })
})

describe('renewing', () => {
  test('many sessions at once in two processes renew once, and all get the new token', async () => {
    const user = await signUp(app.url)
    const box = await connectByOauth(app, servers, user, ADA)
    const second = await startTestApp({
      roles: ['web'],
      clock: servers.clock,
      database: { url: app.databaseUrl },
      environment: oauthEnvironment(servers.issuer, servers),
    })
    try {
      servers.clock.forward(6 * MINUTE)
      servers.issuer.slowMs = 200
      const before = servers.issuer.refreshes.get(ADA) ?? 0
      const tokens = await Promise.all(
        Array.from({ length: 20 }, async (_, i) =>
          smtpAccountOf((i % 2 === 0 ? app : second).context, box).accessToken?.(),
        ),
      )
      expect(new Set(tokens).size).toBe(1)
      expect(servers.issuer.personOf(tokens[0] ?? '')).toBe(ADA)
      expect((servers.issuer.refreshes.get(ADA) ?? 0) - before).toBe(1)
      expect(servers.issuer).toMatchObject({ reused: 0, mostRefreshesAtOnce: 1 })
    } finally {
      await second.end()
    }
  })

  test('a token that a server no longer takes is renewed once, for mail and for reading', async () => {
    const user = await signUp(app.url)
    const box = await connectByOauth(app, servers, user, BOB)
    const token = await smtpAccountOf(app.context, box).accessToken?.()
    expect(await imapAccountOf(app.context, box)?.accessToken?.(token)).not.toBe(token)
  })

  test('while the issuer is down the token is used until it ends; then mail waits, and leaves afterwards', async () => {
    const user = await signUp(app.url)
    const box = await connectByOauth(app, servers, user, ADA)
    const account = smtpAccountOf(app.context, box)
    const token = await account.accessToken?.()
    servers.issuer.isUp = false
    servers.clock.forward(4 * MINUTE)
    expect(await account.accessToken?.()).toBe(token)
    servers.clock.forward(2 * MINUTE)
    const waiting = await send(user, 'Waits for the issuer')
    expect(waiting.status).toBe(200)
    expect(sent('Waits for the issuer')).toEqual([])
    expect((await settings(user)).last_error).toContain('Signing in with Muster does not work at the moment')
    servers.issuer.isUp = true
    servers.clock.forward(6 * MINUTE)
    expect(await account.accessToken?.()).toMatch(/^access-/)
    expect((await settings(user)).last_error).toBeNull()
  })

  test('a withdrawn consent is told on the page and by mail, and ends when the user connects again', async () => {
    const user = await signUp(app.url)
    const box = await connectByOauth(app, servers, user, BOB)
    servers.issuer.withdraw(BOB)
    await send(user, 'Waits for consent')
    expect(sent('Waits for consent')).toEqual([])
    const told = await settings(user)
    expect(told.oauth).toMatchObject({ withdrawn: true })
    expect(told.last_error).toBe(
      'Muster no longer lets Howl use this mailbox (The consent was withdrawn). Please connect it again. Your emails wait until then.',
    )
    expect(await toldByMail(user)).toContain('no longer lets Howl use this mailbox')
    const again = await connectByOauth(app, servers, user, BOB, box.id)
    expect(again.id).toBe(box.id)
    expect(await settings(user)).toMatchObject({ last_error: null, oauth: { withdrawn: false } })
    expect((await send(user, 'After consent')).status).toBe(200)
    expect(sent('After consent')).toHaveLength(1)
  })

  test.each(['html', 'huge', { error: 'invalid_client', status: 401 }] as const)(
    'a renewal that is answered with %j is tried again, and no consent is taken as withdrawn',
    async (fault) => {
      const user = await signUp(app.url)
      const box = await connectByOauth(app, servers, user, ADA)
      servers.clock.forward(6 * MINUTE)
      servers.issuer.tokenFault = fault
      const account = smtpAccountOf(app.context, box)
      await expect(account.accessToken?.()).rejects.toMatchObject({ kind: 'later' })
      expect(await settings(user)).toMatchObject({ oauth: { withdrawn: false } })
      servers.issuer.tokenFault = null
      servers.clock.forward(MINUTE)
      expect(await account.accessToken?.()).toMatch(/^access-/)
    },
  )
})
