import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import { newAccounts } from '#contract/accounts/new-accounts.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { emails } from '#contract/mail/emails.ts'
import {
  leaving,
  MAIL_PAUSED,
  MISSING_CUSTOM_REASON,
  MISSING_RATING,
  MISSING_REASON,
} from '#contract/operations/leaving.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { accountCommand } from '../../../tests/support/operator-command.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { dump } from '../../../tests/support/tenant-calls.ts'
import {
  aDoneImport,
  aFirstCode,
  aMail,
  aNewcomer,
  anImport,
  anUpload,
  aTenant,
  mailboxOf,
  stoppedContact,
  type Tenant,
  undoableAct,
} from '../../../tests/support/tenant-rows.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { until } from '../../../tests/support/until.ts'
import { runSql } from '../../platform/database/transaction.ts'
import { unsubscribeUrl } from '../../mail/emails/emails.ts'
import { purgeAccounts } from './purge-accounts.ts'
import { restoreAccount } from './restore-account.ts'

const DAY_MS = 86_400_000

/** Two web processes on one database; the first one's worker sends system mail to the sink. */
let app: TestApp
let other: TestApp
let sink: SmtpSink

beforeAll(async () => {
  sink = await startSmtpSink()
  const environment = { SYSTEM_SMTP_URL: `smtp://127.0.0.1:${sink.port}?from=howl@muster.example` }
  app = await startTestApp({ roles: ['web'], environment })
  other = await startTestApp({ roles: ['web', 'worker'], environment, database: { url: app.databaseUrl } })
})
afterAll(async () => {
  await other?.end()
  await app?.end()
  await sink?.stop()
})

const FEEDBACK = { category: 'pricing', rating: 4, details: 'Too expensive for us' } as const
const giveFeedback = (user: TestUser, body: object) =>
  call(app.url, leaving.giveFeedback, { token: user.token, body: body as never })
const deleteAccount = (user: TestUser, base = app.url) =>
  call(base, leaving.deleteAccount, { token: user.token })
const isSignedIn = async (user: TestUser, base: string) =>
  (await call(base, auth.me, { token: user.token })).status === 200
const query = async <Row>(text: string, ...values: unknown[]) =>
  (await runSql(app.context.db, text, values)).rows as Row[]
/** Mails to an address; the one that every sign-up is followed by is not among them. */
const mailsTo = (address: string) =>
  sink.received.filter(
    ({ envelope, raw }) => envelope.to.includes(address) && !raw.includes('Subject: Please confirm'),
  )

describe('departure feedback', () => {
  it.each([
    [{ ...FEEDBACK, category: undefined }, MISSING_REASON],
    [{ ...FEEDBACK, category: 'nonsense' }, MISSING_REASON],
    [{ ...FEEDBACK, details: '  ' }, MISSING_REASON],
    [{ ...FEEDBACK, details: undefined }, MISSING_REASON],
    [{ ...FEEDBACK, category: 'other' }, MISSING_CUSTOM_REASON],
    [{ ...FEEDBACK, category: 'other', custom_category: ' ' }, MISSING_CUSTOM_REASON],
    [{ ...FEEDBACK, rating: 0 }, MISSING_RATING],
    [{ ...FEEDBACK, rating: undefined }, MISSING_RATING],
    [{ ...FEEDBACK, rating: 6 }, MISSING_RATING],
    [{ ...FEEDBACK, details: 'x'.repeat(5001) }, 'Please keep this under 5000 characters'],
  ])('%j is refused', async (body, sentence) => {
    const user = await signUp(app.url)
    const answer = await giveFeedback(user, body)
    expect(answer).toMatchObject({ status: 400, error: { detail: sentence } })
    expect(await query('SELECT FROM departure_feedback WHERE user_id = $1', user.id)).toEqual([])
  })

  it('is kept once for each account: the second answer replaces the first', async () => {
    const user = await signUp(app.url)
    const body = {
      category: 'other',
      custom_category: 'We merged',
      rating: 5,
      details: 'No need any more',
      improvements: 'None',
      competitor: 'None',
      contact_consent: true,
      contact_method: 'phone',
    }
    expect((await giveFeedback(user, FEEDBACK)).status).toBe(200)
    expect((await giveFeedback(user, body)).status).toBe(200)
    expect(await query('SELECT * FROM departure_feedback WHERE user_id = $1', user.id)).toMatchObject([body])
  })

  it('keeps no contact method without consent, and no reason in own words beside one of the list', async () => {
    const user = await signUp(app.url)
    await giveFeedback(user, { ...FEEDBACK, custom_category: 'Left over', contact_method: 'phone' })
    expect(await query('SELECT * FROM departure_feedback WHERE user_id = $1', user.id)).toMatchObject([
      { custom_category: '', contact_method: null, contact_consent: false },
    ])
  })
})

describe('deleting an account', () => {
  it('ends every session in every process, and tells by mail how to get it back', async () => {
    const user = await signUp(app.url)
    const { body: elsewhere } = await call(other.url, auth.login, { body: user })
    const second = { ...user, token: elsewhere.token }
    expect(await isSignedIn(second, other.url)).toBe(true)
    const { status, body } = await deleteAccount(user)
    expect(status).toBe(200)
    const until = new Date(body.restorable_until)
    expect(until.getTime() - app.clock.now().getTime()).toBeGreaterThan(30 * DAY_MS - 60_000)
    expect(await isSignedIn(user, app.url)).toBe(false)
    await expect.poll(() => isSignedIn(second, other.url)).toBe(false)

    await expect.poll(() => mailsTo(user.email).length).toBe(1)
    const text = mailsTo(user.email)[0]?.raw.toString().replaceAll(/=\r\n/g, '').replaceAll(/\s+/g, ' ')
    const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(until)
    expect(text).toContain('Subject: Your Howl account was deleted')
    expect(text).toContain(`It can be restored until ${day}.`)
    expect(text).toContain('Ask whoever runs Howl')
  })

  it('refuses to log in and to sign up with the address, in words', async () => {
    const user = await signUp(app.url)
    await deleteAccount(user)
    expect(await call(app.url, auth.login, { body: user })).toMatchObject({
      status: 401,
      error: { detail: 'Wrong username or email or password' },
    })
    const registration = {
      email: user.email.toUpperCase(),
      username: `${user.username}again`,
      password: 'correct horse battery',
      name: 'Ada Again',
    }
    const { status, error } = await call(app.url, newAccounts.register, { body: registration })
    expect(status).toBe(400)
    expect(error.fields?.['email']).toMatch(
      /^An account with this email was deleted\. Whoever runs this Howl can restore it until \d+ \w+ \d{4}\. After that day you can sign up with it again\.$/,
    )
  })

  it('pressed twice at once deletes once, with one mail', async () => {
    const user = await signUp(app.url)
    const answers = await Promise.all(Array.from({ length: 4 }, () => deleteAccount(user)))
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    expect(answers.every(({ status }) => status === 200 || status === 401)).toBe(true)
    await expect.poll(() => mailsTo(user.email).length).toBeGreaterThan(0)
    const outbox = await query<{ count: number }>(
      'SELECT count(*) AS count FROM system_mails WHERE to_address = $1',
      user.email,
    )
    // The other one followed the sign-up.
    expect(outbox).toEqual([{ count: 2 }])
  })

  it('leaves the unsubscribe links of sent mail working', async () => {
    const tenant = await aTenant(app, 'kestrel')
    const [mail] = await query<{ id: number }>(
      `SELECT id FROM emails WHERE user_id = $1 AND folder = 'sent' AND to_line LIKE 'kim@%' ORDER BY id LIMIT 1`,
      tenant.id,
    )
    await deleteAccount(tenant)
    const link = new URL(unsubscribeUrl(app.context, tenant.id, mail?.id ?? 0))
    const token = link.pathname.split('/').at(-1) ?? ''
    const page = await call(app.url, emails.unsubscribePage, { params: { token } })
    expect(page).toMatchObject({ status: 200, body: { unsubscribed: false } })
    const clicked = await call(app.url, emails.unsubscribe, { params: { token } })
    expect(clicked).toMatchObject({ status: 200, body: { unsubscribed: true } })
    const kept = await query(
      'SELECT reason FROM suppressions WHERE user_id = $1 AND email_id = $2',
      [tenant.id][0],
      mail?.id,
    )
    expect(kept).toEqual([{ reason: 'unsubscribed' }])
  })
})

/** A tenant with rows in nearly every table, and files. */
async function aFullTenant(at: TestApp, mark: string): Promise<Tenant> {
  const tenant = await aTenant(at, mark)
  await anUpload(tenant)
  await anImport(tenant)
  await aDoneImport(tenant)
  await undoableAct(tenant)
  await stoppedContact(tenant)
  await aMail(tenant, { direction: 'out', purpose: 'compose', folder: 'sent' }, { state: 'queued' })
  await call(at.url, emails.saveDraft, {
    token: tenant.token,
    body: { to: 'lee@people.example', subject: mark, content: `Draft of ${mark}` },
  })
  const details = `I am Sam ${mark}, write to ${tenant.email} or call +49 170 1234567. The ${mark} was slow.`
  const body = { ...FEEDBACK, details, contact_consent: true, contact_method: 'email' } as const
  await call(at.url, leaving.giveFeedback, { token: tenant.token, body })
  await aFirstCode(tenant)
  await runSql(at.context.db, `INSERT INTO recovery_codes (user_id, signature) VALUES ($1, 'a signature')`, [
    tenant.id,
  ])
  return tenant
}

describe('restoring an account', () => {
  /** No worker runs here: a row that changes was changed by a call. */
  let still: TestApp
  beforeAll(async () => {
    still = await startTestApp({ roles: ['web'] })
  })
  afterAll(() => still?.end())

  it('brings back every row as it was, with mail paused until the user resumes it', async () => {
    const tenant = await aFullTenant(still, 'nightingale')
    const before = await dump(tenant)
    await deleteAccount(tenant, still.url)
    await restoreAccount(still.context, ` ${tenant.email.toUpperCase()} `)
    const after = await dump(tenant)
    expect(Object.keys(after)).toEqual(Object.keys(before))
    for (const [table, rows] of Object.entries(before)) {
      // The activity log says that the account was deleted and restored.
      if (table === 'sessions' || table === 'activities') continue
      const now = table === 'users' ? (after[table] ?? []).map(withoutPause) : after[table]
      expect({ table, rows: now }).toEqual({ table, rows: table === 'users' ? rows.map(withoutPause) : rows })
    }
    expect(Object.values(before).filter((rows) => rows.length > 0).length).toBeGreaterThan(25)

    const login = { email: tenant.email, password: tenant.password }
    const { body: session } = await call(still.url, auth.login, { body: login })
    const { token } = session
    const paused = await call(still.url, leaving.mailPause, { token })
    expect(paused.body.paused_at).not.toBeNull()
    expect(paused.body.waiting).toBeGreaterThan(0)
    const letter = { to: 'lee@people.example', subject: 'Hello', content: 'Hello' }
    const refused = { status: 409, error: { detail: MAIL_PAUSED } }
    expect(await call(still.url, emails.send, { token, body: letter })).toMatchObject(refused)
    expect(await call(still.url, outreach.generateAndSend, { token })).toMatchObject(refused)

    expect((await call(still.url, leaving.resumeMail, { token })).status).toBe(200)
    expect((await call(still.url, leaving.mailPause, { token })).body).toEqual({
      paused_at: null,
      waiting: 0,
    })
    expect((await call(still.url, emails.send, { token, body: letter })).status).toBe(200)
  })

  it('is a command of the operator, while Howl runs', async () => {
    const user = await signUp(app.url)
    const run = (...args: string[]) => accountCommand(app, ...args)
    expect(await run('restore', user.email)).toMatchObject({
      code: 1,
      said: `There is no deleted account with the address ${user.email}.\n`,
    })
    await deleteAccount(user)
    expect(await run('restore', user.email)).toEqual({
      code: 0,
      said: `The account ${user.email} is restored. Its mail stays paused until its owner presses “Resume mail”.\n`,
    })
    expect((await call(app.url, auth.login, { body: user })).status).toBe(200)
    expect(await run('nonsense')).toMatchObject({ code: 1, said: expect.stringMatching(/^Usage: /) })
  })
})

const withoutPause = (row: string) => row.replace(/"mail_paused_at": (null|"[^"]*")/, '')

/** The worker writes index entries whenever it gets to them. */
const withoutIndexes = (rows: Record<string, string[]>) =>
  Object.fromEntries(Object.entries(rows).filter(([table]) => !table.includes('search')))

/** A stop signal that is set after being asked `times` times: the purge ends at that point as if it were killed there. */
function stopsAfter(times: number): AbortSignal {
  let left = times
  return {
    get aborted() {
      left -= 1
      return left < 0
    },
  } as AbortSignal
}

/** Every place that can name a user: columns called `user_id` and references to `users`, in every table. */
async function rowsOf(userId: number): Promise<Record<string, number>> {
  const places = await query<{ table: string; column: string }>(`
    SELECT table_name AS table, column_name AS column FROM information_schema.columns
      JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND column_name = 'user_id' AND table_type = 'BASE TABLE'
    UNION
    SELECT u.table_name, u.column_name FROM information_schema.referential_constraints r
      JOIN information_schema.key_column_usage u USING (constraint_schema, constraint_name)
      JOIN information_schema.constraint_column_usage o USING (constraint_schema, constraint_name)
    WHERE r.constraint_schema = 'public' AND o.table_name = 'users' AND o.column_name = 'id'
    UNION SELECT 'users', 'id' ORDER BY 1, 2`)
  const found: Record<string, number> = {}
  for (const { table, column } of places) {
    const [row] = await query<{ count: number }>(
      `SELECT count(*) AS count FROM ${table} WHERE ${column} = $1`,
      userId,
    )
    if (row !== undefined && row.count > 0) found[`${table}.${column}`] = row.count
  }
  return found
}

/** The tables of the database in which a text occurs. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await query(`SELECT FROM ${name} t WHERE to_jsonb(t)::text ILIKE $1 LIMIT 1`, `%${text}%`)
    if (rows.length > 0) found.push(name)
  }
  return found
}

async function filesOf({ dataDir }: TestApp, userId: number): Promise<string[]> {
  const all = await readdir(path.join(dataDir, 'blobs'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  )
  return all
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => file.split(path.sep).includes(String(userId)))
}

describe('30 days later', () => {
  it('every row and file is gone, wherever the work is interrupted; others lose nothing', async () => {
    const gone = await aFullTenant(app, 'kingfisher')
    const stays = await aFullTenant(app, 'oystercatcher')
    // A file beside those that the fixtures keep in their rows.
    await app.context.blobs.put(`raw/${gone.id}/15`, Buffer.from('a long mail'))
    expect(Object.keys(await rowsOf(gone.id)).length).toBeGreaterThan(25)
    expect(await filesOf(app, gone.id)).not.toEqual([])
    // Nobody answers them meanwhile: the worker of the other process would store the answer between the two dumps.
    await runSql(app.context.db, 'DELETE FROM practice_answers WHERE user_id = $1', [stays.id])
    // The worker chains activities and indexes invoices a moment after they were written.
    const others = await until(async () => {
      const rows = withoutIndexes(await dump(stays))
      expect(JSON.stringify([rows['activities'], rows['invoices']])).not.toMatch(/"(link|words)\\": null/)
      return rows
    })
    const othersFiles = await filesOf(app, stays.id)
    const { suppressed } = (
      await query<{ suppressed: number }>(
        'SELECT count(*) AS suppressed FROM suppressions WHERE user_id = $1',
        gone.id,
      )
    )[0] ?? { suppressed: 0 }
    expect(suppressed).toBeGreaterThan(0)
    await deleteAccount(gone)
    await expect.poll(() => mailsTo(gone.email).length).toBe(1)

    const late = (signal: AbortSignal, days: number) =>
      purgeAccounts({
        ...app.context,
        stopping: signal,
        clock: { now: () => new Date(Date.now() + days * DAY_MS) },
      })
    await late(new AbortController().signal, 29.9)
    expect(Object.keys(await rowsOf(gone.id)).length).toBeGreaterThan(25)
    const isThere = async () => (await query('SELECT FROM users WHERE id = $1', gone.id)).length === 1
    for (let times = 0; await isThere(); times++) {
      expect(times).toBeLessThan(2000)
      await late(stopsAfter(times), 30.1)
      if (times === 3)
        await expect(restoreAccount(app.context, gone.email)).rejects.toThrow('was deleted too long ago')
    }
    expect(await rowsOf(gone.id)).toEqual({})
    expect(await filesOf(app, gone.id)).toEqual([])
    // The outbox forgets its mails ten minutes after they left.
    await runSql(app.context.db, `DELETE FROM system_mails WHERE state = 'sent'`)
    expect(await tablesWith(gone.email)).toEqual([])
    expect(await tablesWith(gone.mark)).toEqual([])
    expect(withoutIndexes(await dump(stays))).toEqual(others)
    expect(await filesOf(app, stays.id)).toEqual(othersFiles)

    const feedback = await query<{ details: string; deleted_at: Date | null }>(
      `SELECT * FROM departure_feedback WHERE user_id IS NULL`,
    )
    expect(feedback).toMatchObject([
      { category: 'pricing', rating: 4, pricing_tier: 'free', account_age_days: 0, contact_consent: true },
    ])
    expect(feedback[0]?.details).toMatch(
      /^I am \[removed\], write to \[removed\] or call \[removed\]. The \[removed\] was slow\.$/,
    )
    expect(feedback[0]?.deleted_at).not.toBeNull()
    const [kept] = await query<{ count: number }>('SELECT count(*) AS count FROM kept_suppressions')
    expect(kept?.count).toBe(suppressed)
  })

  it('a new account with the same address mails nobody who was suppressed for the old one; others may', async () => {
    const old = await aNewcomer(app, 'wagtail')
    await call(app.url, mailboxSetup.practice, { token: old.token })
    await stoppedContact(old)
    const [row] = await query<{ address_key: string }>(
      'SELECT address_key FROM suppressions WHERE user_id = $1',
      old.id,
    )
    const to = row?.address_key ?? ''
    await deleteAccount(old)
    await purgeAccounts({
      ...app.context,
      clock: { now: () => new Date(Date.now() + 30.1 * DAY_MS) },
    })
    const again = await signUp(app.url, { email: old.email })
    const stranger = await signUp(app.url)
    const letter = { to, subject: 'Hello', content: 'Hello' }
    for (const { token } of [again, stranger]) await call(app.url, mailboxSetup.practice, { token })
    expect((await call(app.url, emails.send, { token: stranger.token, body: letter })).status).toBe(200)
    expect(await call(app.url, emails.send, { token: again.token, body: letter })).toMatchObject({
      status: 400,
      error: { detail: `${to} is on your do-not-mail list. Nothing was sent.` },
    })
    const added = await call(app.url, contacts.add, { token: again.token, body: { name: 'Row', email: to } })
    const run = await call(app.url, outreach.generateAndSend, { token: again.token })
    expect(run.body.summary).toMatchObject({ sent: 0, skipped: 1 })
    await call(app.url, contacts.liftMailing, { token: again.token, body: { ids: [added.body.id] } })
    expect((await call(app.url, emails.send, { token: again.token, body: letter })).status).toBe(200)
    expect(await mailboxOf({ ...old, id: again.id })).toBeGreaterThan(0)
  })
})
