import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import type { BodyInput } from '#contract/platform/endpoint.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { mailAccountAt } from '../../../tests/support/mail-account.ts'
import { type MailServers, startMailServers } from '../../../tests/support/mail-servers.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { runSql } from '../../platform/database/transaction.ts'
import {
  claimDueMailboxes,
  holdsMailbox,
  imapAccountOf,
  loadFolders,
  type MailboxFolder,
  mailboxesOf,
  noteSendOk,
  pauseSending,
  primaryMailbox,
  readSoon,
  releaseMailbox,
  saveFolder,
  smtpAccountOf,
  takeTokens,
} from './mailboxes.ts'

type EmailSettingsInput = BodyInput<typeof mailboxSetup.save>

/** The heartbeat of a worker that nobody but the test removes. */
const STAYS = new Date(Date.now() + 3_600_000)

let app: TestApp
let servers: MailServers

beforeAll(async () => {
  servers = await startMailServers({ users: { ada: 'open sesame', bob: 'another word' } })
  app = await startTestApp({ roles: ['web'] })
})

afterAll(async () => {
  await app?.end()
  await servers?.stop()
})

const account = (over: EmailSettingsInput = {}): EmailSettingsInput => ({
  ...mailAccountAt(servers.sink, { password: 'open sesame', imap: servers.dovecot }),
  ...over,
})

const read = async ({ token }: TestUser) => (await call(app.url, mailboxes.get, { token })).body
const save = ({ token }: TestUser, body: EmailSettingsInput) =>
  call(app.url, mailboxSetup.save, { token, body })
const tryOut = ({ token }: TestUser, body: EmailSettingsInput) =>
  call(app.url, mailboxSetup.test, { token, body })
const sql = async (text: string, values: unknown[]) => (await runSql(app.context.db, text, values)).rows

async function connected(over: EmailSettingsInput = {}): Promise<TestUser> {
  const user = await signUp(app.url)
  const { status, error } = await save(user, account(over))
  expect(status, JSON.stringify(error)).toBe(200)
  return user
}

async function primary(user: TestUser) {
  const row = await primaryMailbox(app.context.db, user.id)
  if (row === undefined) throw new Error('There is no primary mailbox')
  return row
}

describe('saving', () => {
  test('a new user has no account, and the defaults of the form', async () => {
    expect(await read(await signUp(app.url))).toMatchObject({
      configured: false,
      practice: false,
      smtp_host: '',
      smtp_use_tls: true,
      imap_use_ssl: true,
      smtp_password_set: false,
      hourly_limit: null,
      auto_followup_enabled: false,
      auto_followup_max_days: 14,
      auto_followup_daily_hour: 9,
      folders: [],
    })
  })

  test('saved settings are returned, but never a password, neither in a reply nor readable in the table', async () => {
    const user = await signUp(app.url)
    const { body } = await save(user, account({ hourly_limit: 200 }))
    expect(body).toMatchObject({
      configured: true,
      smtp_from: 'ada@muster.example',
      smtp_port: servers.sink.port,
      smtp_password_set: true,
      imap_password_set: true,
      hourly_limit: 200,
    })
    expect(await read(user)).toEqual(body)
    expect(JSON.stringify(body)).not.toContain('sesame')
    const [row] = await sql('SELECT * FROM mailboxes WHERE user_id = $1', [user.id])
    expect(JSON.stringify(row)).not.toContain('sesame')
    const stored = await primary(user)
    expect(smtpAccountOf(app.context, stored).password).toBe('open sesame')
    expect(imapAccountOf(app.context, stored)).toMatchObject({ username: 'ada', password: 'open sesame' })
    const moved = { ...stored, user_id: user.id + 1 }
    expect(() => smtpAccountOf(app.context, moved)).toThrow('cannot be read')
  })

  test('an absent field and an absent or empty password are kept', async () => {
    const user = await connected()
    const { body } = await save(user, { smtp_from: 'sales@muster.example', smtp_password: '' })
    expect(body).toMatchObject({
      smtp_from: 'sales@muster.example',
      smtp_username: 'ada',
      smtp_password_set: true,
    })
    expect(smtpAccountOf(app.context, await primary(user)).password).toBe('open sesame')
  })

  test('says which required fields are missing; IMAP is optional, but not half of it', async () => {
    const user = await signUp(app.url)
    const { status, error } = await save(user, { smtp_host: 'smtp.example.com' })
    expect(status).toBe(400)
    expect(Object.keys(error.fields ?? {}).sort()).toEqual([
      'smtp_from',
      'smtp_password',
      'smtp_port',
      'smtp_username',
    ])
    const { imap_port: _, imap_password: __, ...half } = account()
    expect((await save(user, half)).error.fields).toEqual({
      imap_port: 'Please enter the IMAP port',
      imap_password: 'Please enter the IMAP password',
    })
    expect((await save(user, account({ imap_host: '' }))).body).toMatchObject({
      configured: true,
      imap_host: '',
      imap_password_set: false,
    })
    expect((await save(user, account({ smtp_port: 99_999 }))).error.fields).toEqual({
      smtp_port: 'Ports end at 65535',
    })
  })

  test.each([
    ['smtp', { smtp_host: 'evil.example.com' }],
    ['smtp', { smtp_port: 2525 }],
    ['smtp', { smtp_username: 'eve' }],
    ['imap', { imap_host: 'evil.example.com' }],
  ] as const)('the saved %s password never goes to another server: %o', async (use, change) => {
    const user = await connected()
    const field = { [`${use}_password`]: 'Please enter the password again for the new server' }
    for (const answer of [await save(user, change), await tryOut(user, change)]) {
      expect(answer.status).toBe(400)
      expect(answer.error.fields).toMatchObject(field)
    }
    const { status } = await save(user, { ...change, [`${use}_password`]: 'typed again' })
    expect(status).toBe(200)
  })

  test('follow-ups can be saved without an account, and do not affect an account', async () => {
    const user = await signUp(app.url)
    await save(user, { auto_followup_enabled: true, auto_followup_daily_hour: 7 })
    expect(await read(user)).toMatchObject({
      configured: false,
      auto_followup_enabled: true,
      auto_followup_daily_hour: 7,
    })
    expect((await save(user, { auto_followup_max_days: 61 })).error.fields).toEqual({
      auto_followup_max_days: 'From 1 to 60 days',
    })
    await save(user, account())
    expect(await read(user)).toMatchObject({ configured: true, auto_followup_daily_hour: 7 })
  })

  test('users cannot see each other’s settings', async () => {
    const ada = await connected()
    const bob = await signUp(app.url)
    expect(await read(bob)).toMatchObject({ configured: false, smtp_host: '', smtp_password_set: false })
    await save(
      bob,
      account({ smtp_username: 'bob', smtp_password: 'another word', smtp_from: 'bob@x.example' }),
    )
    await call(app.url, mailboxSetup.remove, { token: bob.token })
    expect(await read(ada)).toMatchObject({ configured: true, smtp_username: 'ada' })
    expect(await read(bob)).toMatchObject({ configured: false })
    expect((await call(app.url, mailboxes.get)).status).toBe(401)
  })

  test('simultaneous saves leave one account in use', async () => {
    const user = await signUp(app.url)
    const token = user.token
    const answers = await Promise.all([
      ...[1, 2, 3, 4].map(() => save(user, account())),
      ...[1, 2].map(() => call(app.url, mailboxSetup.practice, { token })),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    const all = await mailboxesOf(app.context.db, user.id)
    expect(all.filter((row) => row.is_primary)).toHaveLength(1)
    expect(all.map((row) => row.is_practice).sort()).toEqual([false, true])
  })
})

describe('testing', () => {
  test('signs in to both servers with what was typed, and with what was saved', async () => {
    const user = await signUp(app.url)
    const good = {
      smtp: { ok: true, detail: 'Connected and signed in.' },
      imap: { ok: true, detail: expect.stringMatching(/^Connected and signed in\./) },
    }
    expect((await tryOut(user, account())).body).toEqual(good)
    expect(await read(user)).toMatchObject({ configured: false })
    await save(user, account())
    expect((await tryOut(user, {})).body).toEqual(good)
  })

  test('quotes what each server says is wrong', async () => {
    const user = await connected()
    const { body } = await tryOut(user, { smtp_password: 'wrong', imap_password: 'wrong' })
    expect(body.smtp).toEqual({
      ok: false,
      detail: 'The server did not accept the user name and password. (535 5.7.8 Authentication failed)',
    })
    expect(body.imap.ok).toBe(false)
    expect(body.imap.detail).toMatch(/user name and password/)
    expect(JSON.stringify(body)).not.toContain('sesame')
  })

  test('says what is missing', async () => {
    const { body } = await tryOut(await signUp(app.url), {})
    expect(body.smtp).toEqual({ ok: false, detail: 'Enter the SMTP host and port first.' })
    expect(body.imap.detail).toMatch(/No IMAP server is set/)
  })

  test('dials nothing inside the network unless that is allowed', async () => {
    const strict = await startTestApp({
      roles: ['web'],
      environment: { ALLOW_PRIVATE_MAIL_HOSTS: 'off' },
    })
    try {
      const user = await signUp(strict.url)
      const { body } = await call(strict.url, mailboxSetup.test, { token: user.token, body: account() })
      expect(body.smtp.detail).toMatch(/^This host or port may not be used for mail\./)
      expect(body.imap.detail).toMatch(/^This host or port may not be used for mail\./)
      await call(strict.url, mailboxSetup.practice, { token: user.token })
      const practice = await call(strict.url, mailboxSetup.test, { token: user.token, body: {} })
      expect(practice.body.smtp.ok).toBe(true)
    } finally {
      await strict.end()
    }
  })
})

test('behind a proxy the test cannot be used to read internal services', async () => {
  const inner = createServer((socket) => void socket.on('error', () => {}).write('SSH-2.0 inner-secret\r\n'))
  inner.listen(0, '127.0.0.1')
  await once(inner, 'listening')
  const { port } = inner.address() as AddressInfo
  const body = mailAccountAt({ port }, { login: 'a', password: 'b', imap: { port } })
  const open = await startTestApp({
    roles: ['web'],
    environment: { HOST: '127.0.0.1', PUBLIC_URL: 'https://howl.muster.example' },
  })
  try {
    const { token } = await signUp(open.url)
    const { body: said } = await call(open.url, mailboxSetup.test, { token, body })
    expect(said.smtp.detail).toMatch(/^This host or port may not be used for mail\./)
    expect(said.imap.detail).toMatch(/^This host or port may not be used for mail\./)
  } finally {
    await open.end()
    inner.close()
  }
})

describe('the practice mailbox', () => {
  test('takes one click, and the user’s own account is still there afterwards', async () => {
    const user = await connected({ hourly_limit: 50 })
    const own = await primary(user)
    const { body } = await call(app.url, mailboxSetup.practice, { token: user.token })
    expect(body).toMatchObject({
      configured: true,
      practice: true,
      smtp_host: '127.0.0.1',
      smtp_username: 'ada',
    })
    expect(await primary(user)).toMatchObject({ is_practice: true, address: user.email })
    expect((await tryOut(user, {})).body.smtp).toEqual({ ok: true, detail: 'Connected and signed in.' })

    const back = await save(user, account())
    expect(back.body).toMatchObject({ configured: true, practice: false })
    expect((await primary(user)).id).toBe(own.id)
    await call(app.url, mailboxSetup.practice, { token: user.token })
    await call(app.url, mailboxSetup.remove, { token: user.token })
    expect(await read(user)).toMatchObject({ configured: true, practice: false, smtp_password_set: true })
    expect(await mailboxesOf(app.context.db, user.id)).toHaveLength(2)
  })

  test('follow-ups that were on while practising do not write to real people', async () => {
    const user = await connected()
    await call(app.url, mailboxSetup.practice, { token: user.token })
    expect((await save(user, { auto_followup_enabled: true })).body).toMatchObject({
      practice: true,
      auto_followup_enabled: true,
    })
    expect((await save(user, account())).body).toMatchObject({
      practice: false,
      auto_followup_enabled: false,
    })
  })
})

describe('disconnecting', () => {
  test('an address whose mailbox has moved to another server keeps its row, and is read anew', async () => {
    const user = await connected()
    const before = await primary(user)
    await saveFolder(app.context.db, folder(before))
    await call(app.url, mailboxSetup.remove, { token: user.token })
    await save(user, account({ imap_host: 'imap.other.example', imap_username: 'ada' }))
    expect((await primary(user)).id).toBe(before.id)
    expect(await loadFolders(app.context.db, user.id, before.id)).toEqual([])
  })

  test('deletes passwords and keeps the row, which the same account reuses', async () => {
    const user = await connected()
    const before = await primary(user)
    await saveFolder(app.context.db, folder(before))
    const { body } = await call(app.url, mailboxSetup.remove, { token: user.token })
    expect(body).toMatchObject({ configured: false, smtp_host: '', smtp_password_set: false })
    const [row] = await mailboxesOf(app.context.db, user.id)
    expect(row).toMatchObject({ id: before.id, smtp_password_box: null, imap_password_box: null })
    expect((await call(app.url, mailboxSetup.remove, { token: user.token })).status).toBe(200)

    await save(user, account())
    expect((await primary(user)).id).toBe(before.id)
    expect(await loadFolders(app.context.db, user.id, before.id)).toHaveLength(1)
    await call(app.url, mailboxSetup.remove, { token: user.token })
    await save(user, account({ smtp_from: 'other@muster.example' }))
    expect((await primary(user)).id).not.toBe(before.id)
  })
})

const folder = (row: { user_id: number; id: number }, over: Partial<MailboxFolder> = {}): MailboxFolder => ({
  user_id: row.user_id,
  mailbox_id: row.id,
  path: 'INBOX',
  role: 'inbox',
  uid_validity: '17',
  low_uid: 5,
  high_uid: 90,
  mod_seq: '4711',
  behind: 4,
  last_read_at: new Date('2026-01-01T10:00:00Z'),
  last_error: null,
  ...over,
})

describe('reading', () => {
  test('the page shows the state of each folder', async () => {
    const user = await connected()
    const row = await primary(user)
    await saveFolder(app.context.db, folder(row))
    await saveFolder(app.context.db, folder(row, { behind: 0, high_uid: 91 }))
    await saveFolder(app.context.db, folder(row, { path: 'Archive', role: 'archive' }))
    await saveFolder(
      app.context.db,
      folder(row, { path: 'Sent', role: 'sent', last_error: 'NO [SERVERBUG]' }),
    )
    await sql(
      `INSERT INTO quarantined_mails (user_id, mailbox_id, path, uid_validity, uid, reason, put_aside_at)
       VALUES ($1, $2, 'INBOX', '17', 8, 'unreadable', $3), ($1, $2, 'INBOX', '17', 9, 'unreadable', $3)`,
      [user.id, row.id, new Date()],
    )
    const common = {
      behind: 4,
      quarantined: 0,
      quarantine_reason: null,
      last_error: null,
      last_read_at: '2026-01-01T10:00:00.000Z',
    }
    expect((await read(user)).folders).toEqual([
      { ...common, path: 'INBOX', role: 'inbox', behind: 0, quarantined: 2, quarantine_reason: 'unreadable' },
      { ...common, path: 'Sent', role: 'sent', last_error: 'NO [SERVERBUG]' },
      { ...common, path: 'Archive', role: 'archive' },
    ])
    const inbox = (await loadFolders(app.context.db, user.id, row.id)).find(({ path }) => path === 'INBOX')
    expect(inbox).toMatchObject({ high_uid: 91, mod_seq: '4711' })
  })

  test('another account starts from nothing, and the worker of the old one loses its claim', async () => {
    const user = await connected()
    const { db } = app.context
    const row = await primary(user)
    await sql(`INSERT INTO workers VALUES ('reader', $1, $1) ON CONFLICT DO NOTHING`, [STAYS])
    await sql(`UPDATE mailboxes SET reader_id = 'reader' WHERE user_id = $1`, [user.id])
    await saveFolder(db, folder(row))
    await save(user, account({ imap_username: 'bob', imap_password: 'another word' }))
    expect(await loadFolders(db, user.id, row.id)).toEqual([])
    expect(await db.transaction().execute((tx) => holdsMailbox(tx, user.id, row.id, 'reader'))).toBe(false)
    await releaseMailbox(db, user.id, row.id, 'reader', new Date('2030-01-01'), {
      kind: 'timeout',
      sentence: 'too late',
    })
    expect((await primary(user)).read_error).toBeNull()
  })

  test('an account is synced by one worker, until that releases it or dies', async () => {
    const { db } = app.context
    const users = [await connected(), await connected({ imap_host: '' })]
    await sql('UPDATE mailboxes SET next_read_at = NULL WHERE user_id <> ALL($1)', [
      users.map(({ id }) => id),
    ])
    for (const id of ['one', 'two']) {
      await sql('INSERT INTO workers VALUES ($1, $2, $2) ON CONFLICT DO NOTHING', [id, STAYS])
    }
    const soon = new Date(Date.now() + 60_000)
    const claims = await Promise.all([
      claimDueMailboxes(db, 'one', soon, 10),
      claimDueMailboxes(db, 'two', soon, 10),
    ])
    const [mine] = claims.flat()
    expect(claims.flat()).toHaveLength(1)
    expect(mine).toMatchObject({ user_id: users[0]?.id, read_failures: 0 })
    const holder = mine?.reader_id ?? ''
    expect(await claimDueMailboxes(db, 'third', soon, 10)).toEqual([])

    await sql('DELETE FROM workers WHERE id = $1', [holder])
    const [again] = await claimDueMailboxes(db, 'third', soon, 10)
    expect(again).toMatchObject({ id: mine?.id, reader_id: 'third' })
    const [userId, id] = [again?.user_id ?? 0, again?.id ?? 0]
    expect(await releaseMailbox(db, userId, id, holder, soon, null)).toBe(false)
    const failure = { kind: 'gone', sentence: 'The server hung up.' } as const
    expect(await releaseMailbox(db, userId, id, 'third', soon, failure)).toBe(true)
    expect(await claimDueMailboxes(db, 'one', new Date(), 10)).toEqual([])
    expect((await read(users[0] as TestUser)).last_error).toBe('The server hung up.')
    expect(await readSoon(db, userId, new Date())).toBe(true)
    expect(await readSoon(db, users[1]?.id ?? 0, new Date())).toBe(false)
    const [third] = await claimDueMailboxes(db, 'one', new Date(), 10)
    expect(third).toMatchObject({ id, read_failures: 1 })
  })
})

describe('sending', () => {
  test('a pause gives its reason, and ends with the first mail that leaves', async () => {
    const user = await connected()
    const { db } = app.context
    const { id } = await primary(user)
    const until = new Date(Date.now() + 60_000)
    expect(await pauseSending(db, user.id, id, until, '451 try later')).toBe(true)
    expect(await pauseSending(db, user.id, id, until, '451 try later')).toBe(false)
    expect((await read(user)).last_error).toBe('451 try later')
    expect(await noteSendOk(db, user.id, id)).toBe(true)
    expect(await noteSendOk(db, user.id, id)).toBe(false)
    expect(await primary(user)).toMatchObject({ send_pause_until: null, last_error: null })
  })

  test('simultaneous workers never get more than the limit together', async () => {
    const user = await connected({ hourly_limit: 600 })
    const { id } = await primary(user)
    const now = new Date('2026-05-05T12:00:00Z')
    const take = (at: Date) =>
      app.context.db.transaction().execute((tx) => takeTokens(tx, user.id, id, 3, at))
    const taken = await Promise.all(Array.from({ length: 8 }, () => take(now)))
    expect(taken.reduce((sum, { granted }) => sum + granted, 0)).toBe(10)
    const later = taken.find(({ granted }) => granted === 0)?.nextAt
    expect(later?.getTime()).toBeGreaterThan(now.getTime())
    expect((await take(later as Date)).granted).toBe(1)
    await save(user, { hourly_limit: null })
    expect(await take(now)).toEqual({ granted: 3, nextAt: null })
  })
})

test('a proposal requires an address, and knows the common providers', async () => {
  const { token } = await signUp(app.url)
  const { body } = await call(app.url, mailboxSetup.discover, { token, query: { email: 'ada@gmail.com' } })
  expect(body).toMatchObject({
    source: 'table',
    provider: 'Gmail',
    smtp_host: 'smtp.gmail.com',
    imap_port: 993,
  })
  expect((await call(app.url, mailboxSetup.discover, { token, query: { email: 'ada' } })).status).toBe(400)
})
