import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { abuse } from '#contract/operations/abuse.ts'
import { auth } from '#contract/accounts/auth.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { notifications } from '#contract/accounts/notifications.ts'
import { adminAuth } from '#contract/accounts/admin-auth.ts'
import {
  adminTokenOf,
  anAdministrator,
  setAdmin,
  type TestAdministrator,
} from '../../../tests/support/administrators.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { systemMailOn, systemMailTo } from '../../../tests/support/system-mail.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { connectWriter, receive, sendAs } from '../../../tests/support/writing.ts'
import { noteActivity } from '../../accounts/activities/activities.ts'
import { unbanUser } from '../bans/bans.ts'
import { startDelivering } from '../../mail/emails/delivery/delivery-loop.ts'
import { startSystemMailLoops } from '../../mail/system-sender/system-sender.ts'
import { inTransaction, runSql } from '../../platform/database/transaction.ts'
import { lookForAbuse } from './look-for-abuse.ts'

const DAY_MS = 86_400_000

let sink: SmtpSink
let house: SmtpSink
let app: TestApp
let boss: TestAdministrator

beforeAll(async () => {
  sink = await startSmtpSink()
  house = await startSmtpSink()
  app = await startTestApp({
    environment: systemMailTo(house),
    loops: (context) => [...startDelivering(context), ...startSystemMailLoops(context)],
  })
  boss = await anAdministrator(app, { name: 'Bess Boss' })
})
afterAll(async () => {
  await app.end()
  await sink.stop()
  await house.stop()
})

const rows = async <Row>(text: string, values: unknown[] = []) =>
  (await runSql(app.context.db, text, values)).rows as Row[]
const token = () => boss.adminToken
const patternsOf = async (user: TestUser) => {
  const answer = await call(app.url, abuse.patterns, { token: token(), query: {} })
  return answer.body.patterns.filter(({ user_id: id }) => id === user.id)
}
const told = async () => (await call(app.url, notifications.list, { token: token(), query: {} })).body
const look = () => lookForAbuse(app.context)
/** The session of an administrator ends after eight hours. */
async function pass(days: number): Promise<void> {
  app.clock.forward(days * DAY_MS)
  boss = { ...boss, adminToken: await adminTokenOf(app, boss) }
}

/** A part of a report about a mail that came back, as mail servers write it (RFC 3464). */
const report = (messageId: string, kind: 'delivery-status' | 'feedback-report', fields: string) =>
  [
    'From: MAILER-DAEMON@far.example',
    'To: ada@muster.example',
    'Subject: About your mail',
    `Message-ID: <report-${messageId}>`,
    `Date: ${new Date().toUTCString()}`,
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${kind}; boundary="cut"`,
    '',
    '--cut',
    'Content-Type: text/plain',
    '',
    'About your mail.',
    '--cut',
    `Content-Type: message/${kind}`,
    '',
    fields,
    '--cut',
    'Content-Type: message/rfc822',
    '',
    `Message-ID: <${messageId}>`,
    'From: ada@muster.example',
    'Subject: An offer',
    '',
    'Hello',
    '--cut--',
    '',
  ].join('\r\n')

describe('what really happens is noted', () => {
  const failures = (user: TestUser) =>
    rows<{ address_key: string; kind: string; at_once: boolean }>(
      'SELECT address_key, kind, at_once FROM failed_addresses WHERE user_id = $1 ORDER BY address_key',
      [user.id],
    )
  const sent = (user: TestUser) =>
    rows<{ sent: number; strangers: number; role_addresses: number }>(
      'SELECT sent, strangers, role_addresses FROM sending_days WHERE user_id = $1',
      [user.id],
    )
  const messageIdOf = (to: string) => {
    const mail = sink.received.findLast(({ envelope }) => envelope.to.includes(to))
    return /^Message-ID: <(.+)>/im.exec(mail?.raw.toString() ?? '')?.[1] ?? ''
  }

  test('mail that leaves, what is refused, what comes back and who complains', async () => {
    const user = await connectWriter(app, sink)
    for (const to of ['bob@customer.example', 'info@customer.example', 'bob@customer.example'])
      expect((await sendAs(app, user, { to })).status).toBe(200)
    await expect.poll(() => sent(user)).toEqual([{ sent: 3, strangers: 2, role_addresses: 1 }])

    sink.setScript(({ step }) => (step === 'rcpt' ? { reply: '550 5.1.1 User unknown' } : undefined))
    await sendAs(app, user, { to: 'gone@customer.example' })
    sink.setScript(undefined)
    await expect
      .poll(() => failures(user))
      .toEqual([{ address_key: 'gone@customer.example', kind: 'no_address', at_once: true }])
    expect(await sent(user)).toEqual([{ sent: 3, strangers: 2, role_addresses: 1 }])

    const bounce = [
      'Reporting-MTA: dns; mx.far.example',
      '',
      'Final-Recipient: rfc822; info@customer.example',
      'Action: failed',
      'Status: 5.1.2',
      'Diagnostic-Code: smtp; 550 5.1.2 Host or domain name not found',
      '',
    ].join('\r\n')
    await receive(app, user, report(messageIdOf('info@customer.example'), 'delivery-status', bounce))
    const complaint = [
      'Feedback-Type: abuse',
      'User-Agent: Feedback/1.0',
      'Version: 1',
      'Original-Rcpt-To: <bob@customer.example>',
      '',
    ].join('\r\n')
    await receive(app, user, report(messageIdOf('bob@customer.example'), 'feedback-report', complaint))
    expect(await failures(user)).toEqual([
      { address_key: 'bob@customer.example', kind: 'complaint', at_once: false },
      { address_key: 'gone@customer.example', kind: 'no_address', at_once: true },
      { address_key: 'info@customer.example', kind: 'no_domain', at_once: false },
    ])
  })

  test('practice mail counts nothing, whatever becomes of it', async () => {
    const user = await signUp(app.url)
    await call(app.url, mailboxSetup.practice, { token: user.token })
    expect((await sendAs(app, user, { to: 'bob@customer.example' })).status).toBe(200)
    await expect
      .poll(() =>
        rows(`SELECT FROM correspondents WHERE user_id = $1 AND first_sent_at IS NOT NULL`, [user.id]),
      )
      .toHaveLength(1)
    expect(await sent(user)).toEqual([])
  })

  test('an address that is refused in practice counts nothing', async () => {
    const user = await signUp(app.url)
    await call(app.url, mailboxSetup.practice, { token: user.token })
    // The practice server itself refuses nobody.
    const { practice } = app.context
    app.context.practice = { port: sink.port }
    sink.setScript(({ step }) => (step === 'rcpt' ? { reply: '550 5.1.1 User unknown' } : undefined))
    await sendAs(app, user, { to: 'gone@customer.example' })
    await expect
      .poll(() => rows('SELECT reason FROM suppressions WHERE user_id = $1', [user.id]))
      .toEqual([{ reason: 'bounced' }])
    sink.setScript(undefined)
    app.context.practice = practice
    expect(await failures(user)).toEqual([])
  })

  test('a report about mail that Howl has not sent counts nothing', async () => {
    const user = await connectWriter(app, sink)
    const bounce = [
      'Reporting-MTA: dns; mx.far.example',
      '',
      'Final-Recipient: rfc822; old@customer.example',
      'Action: failed',
      'Status: 5.1.1',
      '',
    ].join('\r\n')
    await receive(app, user, report('sent-elsewhere@muster.example', 'delivery-status', bounce))
    expect(await failures(user)).toEqual([])
  })
})

describe('doors', () => {
  const from = (ip: string) => ({ 'X-Forwarded-For': ip })
  const wrongPassword = (user: TestUser, ip: string) =>
    call(app.url, auth.login, { body: { email: user.email, password: 'a guess' }, headers: from(ip) })
  const logIn = (user: TestUser, ip: string) =>
    call(app.url, auth.login, { body: { email: user.email, password: user.password }, headers: from(ip) })

  test('who tries the passwords of others is found by the address that they sign in from', async () => {
    const guesser = await signUp(app.url)
    const victims = await Promise.all(Array.from({ length: 6 }, () => signUp(app.url)))
    await logIn(guesser, '51.15.20.7')
    for (const victim of victims) await wrongPassword(victim, '51.15.20.7')
    await look()
    expect(await patternsOf(guesser)).toMatchObject([
      { pattern_type: 'failed_log_ins', severity: 3, occurrences: 1, risk: 30, is_banned: false },
    ])
    for (const victim of victims) expect(await patternsOf(victim)).toEqual([])
    // Nothing new, nothing more.
    await look()
    expect(await patternsOf(guesser)).toMatchObject([{ occurrences: 1 }])
  })

  test('who forgets their own password is not, and neither are colleagues behind one address', async () => {
    const forgetful = await signUp(app.url)
    const colleagues = await Promise.all(Array.from({ length: 6 }, () => signUp(app.url)))
    for (let n = 0; n < 4; n++) await wrongPassword(forgetful, '51.15.30.9')
    for (const colleague of colleagues) {
      await wrongPassword(colleague, '51.15.30.9')
      await logIn(colleague, '51.15.30.9')
    }
    await look()
    for (const user of [forgetful, ...colleagues]) expect(await patternsOf(user)).toEqual([])
  })

  test('nobody is blamed for a neighbour in the same network, nor for somebody behind the same address', async () => {
    const neighbour = await signUp(app.url)
    const [one, other] = await Promise.all([signUp(app.url), signUp(app.url)])
    const victims = await Promise.all(Array.from({ length: 6 }, () => signUp(app.url)))
    await logIn(neighbour, '51.15.70.8')
    for (const user of [one, other]) await logIn(user, '51.15.80.7')
    for (const victim of victims) {
      await wrongPassword(victim, '51.15.70.7')
      await wrongPassword(victim, '51.15.80.7')
    }
    await look()
    for (const user of [neighbour, one, other]) expect(await patternsOf(user)).toEqual([])
    const messages = (await told()).notifications.map(({ message }) => message).join(' ')
    expect(messages).toContain('6 accounts were tried within a day from the network of 51.15.70')
    expect(messages).toContain('6 accounts were tried within a day from the network of 51.15.80')
  })

  test('calls that a limit has stopped are no evidence: a page that somebody has open may have sent them', async () => {
    const visitor = await signUp(app.url)
    await logIn(visitor, '51.15.90.7')
    const notes = (await told()).notifications.length
    for (const call of ['POST /api/v1/auth/login', 'POST /api/v1/admin-auth/access-code'])
      for (let minutes = 0; minutes < 60; minutes++)
        await noteActivity(
          { ...app.context, clock: { now: () => new Date(app.clock.now().getTime() - minutes * 60_000) } },
          app.context.db,
          { type: 'limit_reached', user: null, origin: { ip: '51.15.90.7' }, detail: call },
        )
    await look()
    expect(await patternsOf(visitor)).toEqual([])
    expect((await told()).notifications).toHaveLength(notes)
  })

  test('who guesses codes and signs in nowhere is told of by the network', async () => {
    for (let n = 0; n < 6; n++)
      await call(app.url, adminAuth.accessCode, {
        body: { code: `guess ${n}` },
        headers: from('51.15.40.200'),
      })
    await look()
    expect((await told()).notifications[0]).toMatchObject({
      title: 'Somebody guesses codes',
      user_email: null,
      is_read: false,
    })
  })
})

describe('accounts of one network', () => {
  /** Opened two days ago, and never confirmed: no system mail brought a link. */
  async function open(count: number, ip: string): Promise<number[]> {
    const at = new Date(app.clock.now().getTime() - 2 * DAY_MS)
    const opened = await rows<{ id: number }>(
      `INSERT INTO users (email, email_key, username, username_key, password_hash, name, created_at)
       SELECT a || '@office.example', a || '@office.example', a, a, 'x', 'Colleague', $2
       FROM (SELECT 'at' || n || replace($3, '.', '') AS a FROM generate_series(1, $1::int) AS n) names RETURNING id`,
      [count, at, ip],
    )
    const then = { ...app.context, clock: { now: () => at } }
    for (const { id } of opened)
      await noteActivity(then, app.context.db, { type: 'account_opened', user: id, origin: { ip } })
    // An hour later, so that the rules look at accounts again.
    await rows('DELETE FROM abuse_rounds')
    return opened.map(({ id }) => id)
  }
  const found = (ids: readonly number[]) =>
    rows<{ severity: number }>(
      `SELECT severity FROM abuse_patterns WHERE user_id = ANY($1) AND pattern_type = 'many_accounts'`,
      [ids],
    )

  test('colleagues who work with their accounts are not found, even if nobody could confirm', async () => {
    const ids = await open(20, '51.15.50.7')
    for (const id of ids)
      await noteActivity(app.context, app.context.db, {
        type: 'contacts_imported',
        user: id,
        origin: { ip: '51.15.50.7' },
      })
    await look()
    expect(await found(ids)).toEqual([])
  })

  test('accounts that nobody confirms and nobody uses are', async () => {
    const ids = await open(6, '51.15.60.7')
    await look()
    expect(await found(ids)).toEqual(ids.map(() => ({ severity: 3 })))
  })
})

describe('what is done', () => {
  /** Mail of a day: so many left, and so many of them bounced or made somebody complain. */
  async function mailed(user: TestUser, facts: { sent: number; bounced?: number; complained?: number }) {
    const { sent, bounced = 0, complained = 0 } = facts
    const now = app.clock.now()
    await rows(
      `INSERT INTO sending_days AS s (user_id, day, sent, strangers, role_addresses)
       VALUES ($1, date_bin('1 day', $2::timestamptz, 'epoch'), $3, $3, 0)
       ON CONFLICT (user_id, day) DO UPDATE SET sent = s.sent + excluded.sent`,
      [user.id, now, sent],
    )
    await rows(
      `INSERT INTO failed_addresses (user_id, address_key, kind, at, at_once, is_certain)
       SELECT $1, 'a@company' || n || $5, CASE WHEN n <= $3 THEN 'no_address' ELSE 'complaint' END, $2, false, true
       FROM generate_series(1, $3::int + $4::int) AS n`,
      [user.id, now, bounced, complained, `-${now.getTime()}.example`],
    )
  }
  /** The same on two days: of the first the user is warned. */
  async function mailedOnTwoDays(user: TestUser, facts: { sent: number; bounced?: number }) {
    await mailed(user, facts)
    await look()
    expect(await isActive(user)).toBe(true)
    await pass(1)
    await mailed(user, facts)
  }
  const isActive = async (user: TestUser) =>
    (await rows<{ is_active: boolean }>('SELECT is_active FROM users WHERE id = $1', [user.id]))[0]?.is_active

  test('a warning first, then word to the administrators, then a ban that says why', async () => {
    const user = await signUp(app.url)
    await mailed(user, { sent: 1000, bounced: 350 })
    await look()
    expect(await patternsOf(user)).toMatchObject([
      {
        pattern_type: 'bounce_rate',
        severity: 4,
        risk: 45,
        auto_ban_triggered: false,
        description: '350 of 1,000 mails (35 %) came back because the addresses do not exist.',
        ban_reason: 'spam',
      },
    ])
    const mail = await systemMailOn(house, user.email, 'Please look at how your Howl account is used')
    expect(mail.text).toContain('350 of 1,000 mails (35 %) came back')
    expect((await told()).notifications[0]).toMatchObject({
      title: 'A user was warned',
      priority: 3,
      user_email: user.email,
    })
    expect(await isActive(user)).toBe(true)

    await pass(1)
    await mailed(user, { sent: 1000, bounced: 350 })
    await look()
    expect(await patternsOf(user)).toMatchObject([
      { occurrences: 2, severity: 4, auto_ban_triggered: true, is_banned: true },
    ])
    expect(await isActive(user)).toBe(false)
    const [ban] = await rows('SELECT reason, by_rules, description FROM bans WHERE user_id = $1', [user.id])
    expect(ban).toMatchObject({ reason: 'spam', by_rules: true })
    expect((ban as { description: string }).description).toContain('350 of 1,000 mails')
    expect((await told()).notifications[0]).toMatchObject({
      title: 'A user was banned for 7 days',
      priority: 5,
      user_email: user.email,
    })
  })

  test('what was seen before a ban was lifted does not ban again', async () => {
    const user = await signUp(app.url)
    await mailedOnTwoDays(user, { sent: 500, bounced: 300 })
    await look()
    expect(await isActive(user)).toBe(false)
    await unbanUser(app.context, {
      userId: user.id,
      reason: 'A mistake',
      by: null,
    })
    await pass(1)
    await mailed(user, { sent: 40 })
    await look()
    expect(await isActive(user)).toBe(true)
    expect(await patternsOf(user)).toMatchObject([{ occurrences: 2 }])
  })

  test('nobody is banned by figures who was not warned a day before, however bad they are', async () => {
    const user = await signUp(app.url)
    await mailed(user, { sent: 120, bounced: 100 })
    await look()
    expect(await patternsOf(user)).toMatchObject([{ severity: 5, risk: 80, is_banned: false }])
    await systemMailOn(house, user.email, 'Please look at how your Howl account is used')
    // What was warned of is no reason for a ban later.
    await pass(1.5)
    await mailed(user, { sent: 1 })
    await look()
    expect(await isActive(user)).toBe(true)
    await mailed(user, { sent: 120, bounced: 100 })
    await look()
    expect(await isActive(user)).toBe(false)
  })

  test('nothing that comes within a day of the warning bans, whatever it is', async () => {
    const user = await signUp(app.url)
    await mailed(user, { sent: 500, bounced: 100 })
    await look()
    expect(await patternsOf(user)).toMatchObject([{ risk: 20 }])
    await mailed(user, { sent: 500, bounced: 300, complained: 5 })
    await look()
    await systemMailOn(house, user.email, 'Please look at how your Howl account is used')
    app.clock.forward(0.9 * DAY_MS)
    await mailed(user, { sent: 2000, bounced: 1900, complained: 100 })
    await look()
    expect(await isActive(user)).toBe(true)
  })

  test('a lifted ban comes back neither with a mild finding nor longer', async () => {
    const user = await signUp(app.url)
    await mailedOnTwoDays(user, { sent: 500, bounced: 300 })
    await look()
    await unbanUser(app.context, { userId: user.id, reason: 'A mistake', by: null })
    expect(await patternsOf(user)).toMatchObject([{ risk: 0 }])
    await pass(1)
    await mailed(user, { sent: 500, bounced: 60, complained: 3 })
    await look()
    expect(await isActive(user)).toBe(true)
    expect((await patternsOf(user)).map(({ risk }) => risk)).toEqual([30, 30])

    // The warning before the ban is none before the next one.
    await pass(1)
    await mailedOnTwoDays(user, { sent: 500, bounced: 500 })
    await look()
    expect(await isActive(user)).toBe(false)
    expect((await told()).notifications[0]).toMatchObject({ title: 'A user was banned for 7 days' })
  })

  test('a ban and what is told of it come together, or neither does', async () => {
    const user = await signUp(app.url)
    await mailedOnTwoDays(user, { sent: 500, bounced: 300 })
    await rows(
      `ALTER TABLE admin_notifications ADD CONSTRAINT no_ban CHECK (title NOT LIKE '%was banned%') NOT VALID`,
    )
    await expect(look()).rejects.toThrow('no_ban')
    expect(await isActive(user)).toBe(true)
    await rows('ALTER TABLE admin_notifications DROP CONSTRAINT no_ban')
    await look()
    expect(await isActive(user)).toBe(false)
    expect(await patternsOf(user)).toMatchObject([{ auto_ban_triggered: true }])
    expect((await told()).notifications[0]).toMatchObject({
      title: 'A user was banned for 7 days',
      user_email: user.email,
    })
  })

  test('where an administrator bans meanwhile, nothing is told of a ban by the rules', async () => {
    const user = await signUp(app.url)
    await mailedOnTwoDays(user, { sent: 500, bounced: 300 })
    const looking = await inTransaction(app.context.db, async (tx) => {
      await runSql(tx, 'SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [user.id])
      const round = look()
      const waiting = () =>
        rows(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
      await expect.poll(waiting).toHaveLength(1)
      await runSql(tx, 'UPDATE users SET is_active = false WHERE id = $1', [user.id])
      await runSql(
        tx,
        `INSERT INTO bans (user_id, reason, description, by_rules, banned_by, banned_at)
         VALUES ($1, 'spam', 'Enough', false, $2, $3)`,
        [user.id, boss.id, app.clock.now()],
      )
      return { round }
    })
    await looking.round
    expect(await patternsOf(user)).toMatchObject([{ auto_ban_triggered: false, is_banned: true }])
    const about = (await told()).notifications.filter(({ user_email: email }) => email === user.email)
    expect(about.map(({ title }) => title)).toEqual(['A user is at high risk'])
    expect(await rows('SELECT bans, is_due FROM abuse_answers WHERE user_id = $1', [user.id])).toEqual([
      { bans: 0, is_due: false },
    ])
  })

  test('an administrator is never banned by the rules', async () => {
    const admin = await signUp(app.url)
    await setAdmin(app, admin.id, true)
    await mailed(admin, { sent: 500, bounced: 400, complained: 20 })
    await look()
    expect(await isActive(admin)).toBe(true)
    expect((await told()).notifications[0]).toMatchObject({
      title: 'An administrator’s account is at high risk',
      priority: 5,
      user_email: admin.email,
    })
  })

  test('a bounce rate does not count below 100 mails, nor complaints below three', async () => {
    const user = await signUp(app.url)
    await mailed(user, { sent: 99, bounced: 90 })
    await look()
    expect(await patternsOf(user)).toEqual([])
    const other = await signUp(app.url)
    await mailed(other, { sent: 500, complained: 2 })
    await look()
    expect(await patternsOf(other)).toEqual([])
  })

  test('a risk decays', async () => {
    const user = await signUp(app.url)
    for (let n = 0; n < 300; n++)
      await noteActivity(
        { ...app.context, clock: { now: () => new Date(app.clock.now().getTime() - n * 60_000) } },
        app.context.db,
        {
          type: 'limit_reached',
          user: user.id,
          origin: { ip: '192.0.2.77' },
          detail: 'GET /api/v1/contacts/',
        },
      )
    await look()
    expect(await patternsOf(user)).toMatchObject([{ pattern_type: 'call_burst', severity: 3, risk: 25 }])
    await pass(7)
    const [{ risk } = { risk: 0 }] = await patternsOf(user)
    // 12.5, and a moment.
    expect([12, 13]).toContain(risk)
  })

  test('two rounds at once do no more than one', async () => {
    const user = await signUp(app.url)
    await mailed(user, { sent: 500, bounced: 160 })
    await Promise.all([look(), look(), look()])
    await look()
    expect(await patternsOf(user)).toMatchObject([{ occurrences: 1, risk: 45 }])
  })

  test('the figures of the overview are those of the lists', async () => {
    const { body } = await call(app.url, abuse.statistics, { token: token() })
    const [counts] = await rows<{ bans: number; patterns: number }>(
      `SELECT (SELECT count(*) FROM bans WHERE status = 'active')::int AS bans, (SELECT count(*) FROM abuse_patterns)::int AS patterns`,
    )
    expect(body.total_abuse_patterns).toBe(counts?.patterns)
    expect(body.high_risk_users).toBeGreaterThan(0)
    expect(body.recent_notifications).toBeGreaterThan(0)
  })
})

test('old facts are removed, and patterns go with their user', async () => {
  const user = await signUp(app.url)
  await rows(
    `INSERT INTO abuse_patterns (user_id, pattern_type, severity, occurrences, first_detected, last_detected, score, description)
     VALUES ($1, 'bounce_rate', 3, 1, now(), now(), 1, '')`,
    [user.id],
  )
  await rows('DELETE FROM users WHERE id = $1', [user.id])
  expect(await rows('SELECT FROM abuse_patterns WHERE user_id = $1', [user.id])).toEqual([])
})
