import { Temporal } from 'temporal-polyfill'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { automaticMail } from '#contract/outreach/automatic-mail.ts'
import { auth } from '#contract/accounts/auth.ts'
import { briefs } from '#contract/outreach/briefs.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { MAIL_PAUSED, MAIL_WAITS } from '#contract/operations/leaving.ts'
import { followUps, type followUps as followUpCalls } from '#contract/outreach/follow-ups.ts'
import type { ReplyOf } from '#contract/platform/endpoint.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { meetings } from '#contract/crm/meetings.ts'
import { sequences } from '#contract/outreach/sequences.ts'
import { startDelivering } from '#server/mail/emails/delivery/delivery-loop.ts'
import { inTransaction, runSql } from '#server/platform/database/transaction.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { movableClock, startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { connectWriter, header, parsed, receive, sendAs } from '../../../tests/support/writing.ts'
import { settleDays } from './settle-days.ts'
import { planFollowUps } from './plan-follow-ups.ts'
import { runDays } from './run-day.ts'
import { until } from '../../../tests/support/until.ts'

const clock = movableClock()
/** Two workers of one house. */
let app: TestApp
let other: TestApp
let sink: SmtpSink
let ada: TestUser
let begin: string
let year = 2031

beforeAll(async () => {
  clock.stand()
  app = await startTestApp({ clock, loops: startDelivering })
  other = await startTestApp({ clock, loops: startDelivering, database: { url: app.databaseUrl } })
  sink = await startSmtpSink()
})
afterAll(async () => {
  await other?.end()
  await app?.end()
  await sink?.stop()
})
beforeEach(async () => {
  // Whatever an earlier test has planned is over.
  await sql('UPDATE follow_up_settings SET enabled = false')
  await work()
  year += 1
  begin = `${year}-01-12`
  await goTo(0, '12:00')
  sink.setScript(() => undefined)
  ada = await connectWriter(app, sink)
  await liveIn('Europe/Berlin')
  sink.clear()
})

const sql = async (text: string, values: readonly unknown[] = []) =>
  (await runSql(app.context.db, text, values)).rows as Record<string, unknown>[]
let zone = 'Europe/Berlin'
async function liveIn(timeZone: string) {
  zone = timeZone
  await sql('UPDATE users SET time_zone = $2 WHERE id = $1', [ada.id, timeZone])
}
/** Moves the clock to a time of the wall clock, so many days after the beginning. */
async function goTo(days: number, time: string) {
  const at = Temporal.PlainDate.from(begin).add({ days }).toZonedDateTime({ timeZone: zone, plainTime: time })
  clock.forward(at.epochMilliseconds - clock.now().getTime())
}
/** Both workers look at the same time. */
async function work() {
  const both = [app.context, other.context]
  await Promise.all(both.map((context) => planFollowUps(context)))
  await Promise.all(both.map((context) => runDays(context)))
  // A day that the other loop of a worker has taken is over in a moment.
  await until(async () => {
    const open = await sql(`SELECT FROM follow_up_days d JOIN users u ON u.id = d.user_id
        WHERE finished_at IS NULL AND u.mail_paused_at IS NULL`)
    expect(open).toEqual([])
  })
}
/** Every mail has left, and its recipient counts as mailed. */
async function left() {
  await until(async () => {
    const open = await sql(
      `SELECT state FROM deliveries WHERE user_id = $1 AND queue IS NOT NULL AND state <> 'failed'`,
      [ada.id],
    )
    expect(open).toEqual([])
  })
  await settleDays(app.context)
}
/** What arrives when the workers look at this time: address and text of each mail. */
async function at(days: number, time = '09:00') {
  await goTo(days, time)
  sink.clear()
  await work()
  await left()
  return sink.received.map(({ envelope }) => envelope.to[0]).toSorted()
}
async function as() {
  const { body } = await call(app.url, auth.login, { body: { email: ada.email, password: ada.password } })
  ada.token = body.token
  return { token: ada.token }
}
const BOB = 'bob@customer.example'
async function add(email: string, name = 'Bob Baker') {
  return (await call(app.url, contacts.add, { ...(await as()), body: { name, email } })).body.id
}
/** A contact that was mailed. */
async function mailed(email = BOB, subject = 'An offer') {
  const id = await add(email)
  expect((await sendAs(app, ada, { to: email, subject })).status).toBe(200)
  await left()
  return id
}
async function save(fields: { on?: boolean; hour?: number; days?: number }) {
  const body = {
    ...(fields.on === undefined ? {} : { auto_followup_enabled: fields.on }),
    ...(fields.hour === undefined ? {} : { auto_followup_daily_hour: fields.hour }),
    ...(fields.days === undefined ? {} : { auto_followup_max_days: fields.days }),
  }
  expect((await call(app.url, mailboxSetup.save, { ...(await as()), body })).status).toBe(200)
  // The loop plans within seconds.
  await planFollowUps(app.context)
}
const overview = async () => (await call(app.url, followUps.get, await as())).body
const counts = async () => (await call(app.url, followUps.counts, await as())).body
const upcoming = async () => (await call(app.url, followUps.upcoming, await as())).body
const history = async () => (await call(app.url, followUps.days, await as())).body
const choose = async (id: number, choice: 'skip' | 'never' | 'usual') =>
  call(app.url, followUps.choose, { ...(await as()), params: { id }, body: { choice } })
const reasons = ({ left_out }: ReplyOf<typeof followUpCalls.counts>) =>
  Object.fromEntries(left_out.map(({ reason, contacts: count }) => [reason, count]))
const settings = async () => (await call(app.url, mailboxes.get, await as())).body
/** Bob answers the newest mail that he got. */
async function answers(from: string, body = 'Thank you, that is interesting. Tell me more.') {
  const mail = sink.received.at(-1)
  await receive(
    app,
    ada,
    `From: Bob <${from}>\nTo: ada@muster.example\nSubject: Re: An offer\nMessage-ID: <${clock.now().getTime()}@customer.example>\nIn-Reply-To: ${header(mail, 'Message-ID')}\n\n${body}\n`,
  )
}

const HOURS_OVER = 'Your sending hours were over'
/** Whose follow-up is queued and has not left. */
const waiting = async () =>
  (
    await sql(
      `SELECT f.address_key AS key FROM follow_up_mails f JOIN deliveries d ON d.user_id = f.user_id AND d.email_id = f.email_id
       WHERE f.user_id = $1 AND d.state <> 'sent'`,
      [ada.id],
    )
  ).map((row) => row['key'])
/** From now on the mail server puts mail to this address off; what is returned waits until it has. */
function putOff(address: string) {
  sink.clear()
  sink.setScript((event) =>
    event.step === 'rcpt' && event.address === address ? { reply: '451 4.7.1 Greylisted' } : undefined,
  )
  return () =>
    until(async () => {
      const open = await sql(
        `SELECT state FROM deliveries WHERE user_id = $1 AND queue IS NOT NULL AND state <> 'sent'`,
        [ada.id],
      )
      expect(open).toEqual([{ state: 'deferred' }])
    })
}

describe('follow-ups', () => {
  test('go to a silent contact on day 3, 6 and 9, in the thread, each with its own words, never a fourth', async () => {
    await save({ on: true })
    await mailed()
    const first = sink.received[0]
    expect(await at(1)).toEqual([])
    expect(await at(2)).toEqual([])
    expect(await upcoming()).toMatchObject([
      {
        email: BOB,
        number: 1,
        at: `${begin.slice(0, 8)}15T08:00:00.000Z`,
        subject: 'An offer',
        skipped: false,
      },
    ])
    const [planned] = await upcoming()
    const params = { id: planned?.contact_id ?? 0 }
    const { body: told } = await call(app.url, automaticMail.ofContact, { ...(await as()), params })
    expect(told.next).toEqual({
      sentence: 'Follow-up 1 of 3 goes out if they don’t answer.',
      at: planned?.at,
    })
    expect(await at(3, '08:59')).toEqual([])
    expect(await at(3)).toEqual([BOB])
    const mail = sink.received[0]
    expect(header(mail, 'Subject')).toBe('Re: An offer')
    expect(header(mail, 'In-Reply-To')).toBe(header(first, 'Message-ID'))
    expect(header(mail, 'References')).toContain(header(first, 'Message-ID'))
    expect(header(mail, 'List-Unsubscribe')).toContain('unsubscribe')
    expect(header(mail, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
    const { text = '' } = await parsed(mail)
    expect(text).toContain('Hello Bob,')
    expect(text).toContain('“An offer” of 12 January')
    expect(text).toContain('You do not want such mail?')
    const status = (await call(app.url, contacts.list, await as())).body[0]?.computed_status
    expect(status).toBe('follow_up_1')
    expect(await settings()).toMatchObject({
      last_auto_followup_run: `${begin.slice(0, 8)}15T08:00:00.000Z`,
      last_auto_followup_sent_count: 1,
    })
    expect(await at(4)).toEqual([])
    expect(await settings()).toMatchObject({ last_auto_followup_sent_count: 0 })
    expect(await at(5)).toEqual([])
    expect(await at(6)).toEqual([BOB])
    const second = (await parsed(sink.received[0])).text ?? ''
    expect(await at(8)).toEqual([])
    expect(await at(9)).toEqual([BOB])
    const third = (await parsed(sink.received[0])).text ?? ''
    expect(new Set([text, second, third]).size).toBe(3)
    expect(third.length).toBeLessThan(second.length)
    expect(second.length).toBeLessThan(text.length)
    for (const day of [10, 12, 13]) expect(await at(day)).toEqual([])
    expect(reasons(await counts())).toEqual({ done: 1 })
    expect((await history()).map(({ day, sent }) => `${day.slice(8)} ${sent}`)).toContain('21 1')
  })

  test('are in the language and with the signature of “About you”', async () => {
    const brief = { audience: '', benefit: '', proof: '', ask: '', tone: 'friendly', language: 'de' } as const
    const body = { ...brief, offer: 'Wir backen Brot.', signature: 'Ada aus der Backstube' }
    expect((await call(app.url, briefs.save, { ...(await as()), body })).status).toBe(200)
    await save({ on: true })
    await mailed(BOB)
    expect(await at(3)).toEqual([BOB])
    const { text = '' } = await parsed(sink.received[0])
    expect(text).toMatch(/^Hallo Bob,\n\nich möchte auf meine E-Mail „[^“]+“ vom 12\. Januar zurückkommen\./)
    expect(text).toContain(
      'Viele Grüße\nAda aus der Backstube\n\n--\nSie möchten keine solchen E-Mails? http',
    )
  })

  test('stop on a reply, a bounce, an unsubscribe, a meeting and when the contact is deleted', async () => {
    await save({ on: true })
    const people = ['bounced', 'unsubscribed', 'meets', 'deleted', 'replied'].map(
      (name) => `${name}@customer.example`,
    )
    const ids = new Map<string, number>()
    for (const email of people) ids.set(email, await mailed(email))
    await answers('replied@customer.example')
    await sql(
      `INSERT INTO suppressions (user_id, address_key, reason, created_at) VALUES ($1, 'unsubscribed@customer.example', 'unsubscribed', $2)`,
      [ada.id, clock.now()],
    )
    await sql(
      `UPDATE correspondents SET bounced_at = $2 WHERE user_id = $1 AND address_key = 'bounced@customer.example'`,
      [ada.id, clock.now()],
    )
    const start = clock.now().getTime() + 30 * 86_400_000
    const coffee = {
      title: 'Coffee',
      start_time: new Date(start).toISOString(),
      end_time: new Date(start + 3_600_000).toISOString(),
      type: 'phone' as const,
    }
    const silent = 'silent@customer.example'
    for (const body of [
      { ...coffee, attendees: ['meets@customer.example'] },
      // This one does not take place.
      { ...coffee, attendees: [silent], status: 'cancelled' as const },
    ])
      expect((await call(app.url, meetings.add, { ...(await as()), body })).status).toBe(200)
    await call(app.url, contacts.remove, {
      ...(await as()),
      params: { id: ids.get('deleted@customer.example') ?? 0 },
    })
    await mailed(silent)
    expect(reasons(await counts())).toEqual({ replied: 1, unsubscribed: 1, bounced: 1, meeting: 1 })
    expect(await at(3)).toEqual([silent])
    const named = await call(app.url, followUps.leftOut, { ...(await as()), query: { reason: 'meeting' } })
    expect(named.body).toMatchObject([{ email: 'meets@customer.example' }])
  })

  test('end with the days of the profile', async () => {
    await save({ on: true, days: 5 })
    await mailed()
    expect(await at(3)).toEqual([BOB])
    expect(await at(6)).toEqual([])
    expect(reasons(await counts())).toEqual({ too_old: 1 })
  })

  test('never follow an invoice or an answer, nor write to the contacts of somebody else', async () => {
    await save({ on: true })
    await mailed()
    await sql(`UPDATE emails SET purpose = 'transactional' WHERE user_id = $1`, [ada.id])
    const eve = ada
    ada = await connectWriter(app, sink)
    await liveIn('Europe/Berlin')
    await mailed('lee@customer.example')
    // Only Eve has them on.
    expect(await at(3)).toEqual([])
    expect(await upcoming()).toMatchObject([{ email: 'lee@customer.example' }])
    ada = eve
    expect(reasons(await counts())).toEqual({ other_mail: 1 })
    expect(await upcoming()).toEqual([])
  })

  test('of many contacts go once each, whatever two workers do at the same time, also after a kill', async () => {
    await save({ on: true })
    const people = Array.from(
      { length: 30 },
      (_, index) => `p${String(index).padStart(2, '0')}@customer.example`,
    )
    for (const email of people) await mailed(email)
    // Everything is undone between reserving and the commit, as by a kill.
    await sql(`CREATE FUNCTION killed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'killed'; END $$`)
    await sql('CREATE TRIGGER killed AFTER INSERT ON follow_up_mails FOR EACH ROW EXECUTE FUNCTION killed()')
    await goTo(3, '09:00')
    sink.clear()
    await planFollowUps(app.context)
    await runDays(app.context)
    expect(await sql('SELECT FROM automatic_mails WHERE user_id = $1', [ada.id])).toEqual([])
    await sql('DROP TRIGGER killed ON follow_up_mails')
    await sql('DROP FUNCTION killed')
    expect(await at(3, '09:01')).toEqual(people)
    expect(await sql('SELECT FROM follow_up_mails WHERE user_id = $1', [ada.id])).toHaveLength(people.length)
    expect(await settings()).toMatchObject({ last_auto_followup_sent_count: people.length })
    expect(await at(3, '23:00')).toEqual([])
  })

  test('run once after a week of standstill, at the hour', async () => {
    await save({ on: true })
    await mailed()
    await planFollowUps(app.context)
    // Nobody looks until day 8; at 5 in the morning it is not the hour yet.
    expect(await at(8, '05:00')).toEqual([])
    expect(await at(8, '14:00')).toEqual([BOB])
    expect(await at(8, '23:00')).toEqual([])
    expect(await at(9, '09:00')).toEqual([])
    expect(await history()).toMatchObject([{ sent: 0 }, { sent: 1 }])
  })

  test.each([
    ['spring', '03-28', '2:00 does not exist', 'T01:00:00.000Z'],
    ['autumn', '10-28', '2:00 comes twice', 'T00:00:00.000Z'],
  ])('run once on the day of the %s change, where %s', async (_, __, ___, instant) => {
    const month = instant === 'T01:00:00.000Z' ? 3 : 10
    // The last Sunday of the month.
    const end = Temporal.PlainDate.from({ year, month, day: 31 })
    const sunday = end.subtract({ days: end.dayOfWeek % 7 })
    begin = sunday.subtract({ days: 3 }).toString()
    await goTo(0, '12:00')
    await save({ on: true, hour: 2 })
    await mailed()
    expect(await at(1, '02:00')).toEqual([])
    expect(await at(2, '02:00')).toEqual([])
    const next = await overview()
    expect(next.next_run_at).toBe(`${sunday.toString()}${instant}`)
    clock.forward(Date.parse(`${sunday.toString()}${instant}`) - clock.now().getTime())
    sink.clear()
    await work()
    await left()
    expect(sink.received).toHaveLength(1)
    // The second 2:00 of autumn.
    clock.forward(3_600_000)
    await work()
    await left()
    expect(sink.received).toHaveLength(1)
    expect((await history())[0]).toMatchObject({ day: sunday.toString(), sent: 1 })
  })

  test('that the mail server has put off do not leave after a reply or a bounce, nor once they are switched off or the contact is skipped', async () => {
    await save({ on: true })
    const [bob, kim, lee] = ['bob', 'kim', 'lee'].map((name) => `${name}@customer.example`) as [
      string,
      string,
      string,
    ]
    const gone = 'gone@customer.example'
    await mailed(bob)
    const first = sink.received.at(-1)
    await mailed(kim)
    const leeId = await mailed(lee)
    await mailed(gone)
    sink.setScript(({ step }) => (step === 'rcpt' ? { reply: '451 4.7.1 Greylisted' } : undefined))
    await goTo(3, '09:00')
    sink.clear()
    await work()
    await until(async () => {
      const rows = await sql(`SELECT FROM deliveries WHERE user_id = $1 AND state = 'deferred'`, [ada.id])
      expect(rows).toHaveLength(4)
    })
    await receive(
      app,
      ada,
      `From: Bob <${bob}>\nTo: ada@muster.example\nSubject: Re: An offer\nMessage-ID: <r@customer.example>\nIn-Reply-To: ${header(first, 'Message-ID')}\n\nYes please.\n`,
    )
    await sql('UPDATE correspondents SET bounced_at = $3 WHERE user_id = $1 AND address_key = $2', [
      ada.id,
      gone,
      clock.now(),
    ])
    await until(async () => expect(reasons(await counts())).toMatchObject({ replied: 1, bounced: 1 }))
    await choose(leeId, 'skip')
    expect(await waiting()).not.toContain(lee)
    // They are tried again, and asked about before.
    await goTo(3, '09:02')
    await expect.poll(() => waiting()).toEqual([kim])
    await save({ on: false })
    expect(await waiting()).toEqual([])
    expect((await history())[0]?.skipped).toEqual([
      { reason: 'Automatic follow-ups were switched off', contacts: 1 },
      { reason: 'The contact replied or changed in the meantime', contacts: 2 },
    ])
    sink.setScript(() => undefined)
    expect(await at(3, '23:00')).toEqual([])
    expect(await sql('SELECT FROM follow_up_mails WHERE user_id = $1', [ada.id])).toEqual([])
    // The day was given back: the next one goes on.
    await save({ on: true })
    expect(await at(4)).toEqual([kim])
  })

  test('that wait for a connection do not leave after a reply', async () => {
    await save({ on: true })
    const kim = 'kim@customer.example'
    await mailed()
    await mailed(kim)
    const [mailbox] = await sql('SELECT id FROM mailboxes WHERE user_id = $1', [ada.id])
    for (const { context } of [app, other])
      context.delivery.connectionLimits.lower(Number(mailbox?.['id']), 1)
    // One of them is being sent while the other's turn has not come.
    const goesOn = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<string>()
    sink.setScript(({ step, address }) => {
      if (step !== 'rcpt') return undefined
      begun.resolve(address ?? '')
      return { until: goesOn.promise }
    })
    await goTo(3, '09:00')
    sink.clear()
    await planFollowUps(app.context)
    await runDays(app.context)
    const first = await begun.promise
    await receive(
      app,
      ada,
      `From: Them <${first === BOB ? kim : BOB}>\nTo: ada@muster.example\nSubject: Re: An offer\nMessage-ID: <w@customer.example>\n\nYes, tell me more.\n`,
    )
    const claimed = await sql(
      `SELECT state FROM deliveries WHERE user_id = $1 AND queue = 'due' ORDER BY state`,
      [ada.id],
    )
    expect(claimed).toEqual([{ state: 'claimed' }, { state: 'committed' }])
    clock.forward(6000)
    goesOn.resolve()
    await left()
    expect(sink.received.map(({ envelope }) => envelope.to[0])).toEqual([first])
  })

  test('of users whose days fail keep nobody else waiting', async () => {
    const users: number[] = []
    for (let count = 0; count < 6; count += 1) users.push((await signUp(app.url)).id)
    const [good, ...bad] = users.toReversed()
    await sql(`CREATE FUNCTION faulty() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'faulty'; END $$`)
    await sql(`CREATE TRIGGER faulty BEFORE UPDATE OF finished_at, settled_at ON follow_up_days FOR EACH ROW
      WHEN (NEW.user_id IN (${bad.join()})) EXECUTE FUNCTION faulty()`)
    await sql(
      `INSERT INTO follow_up_days (user_id, day, group_id, started_at) SELECT id, '2031-01-01', 0, $2 FROM unnest($1::bigint[]) id`,
      [users, clock.now()],
    )
    await sql(
      `INSERT INTO follow_up_days (user_id, day, group_id, started_at, finished_at) SELECT id, '2031-01-02', 0, $2, $2 FROM unnest($1::bigint[]) id`,
      [users, clock.now()],
    )
    try {
      await runDays(app.context)
      await settleDays(app.context)
      const open = `SELECT FROM follow_up_days WHERE user_id = $1 AND (finished_at IS NULL OR settled_at IS NULL)`
      await expect.poll(() => sql(open, [good])).toEqual([])
    } finally {
      await sql('DROP TRIGGER faulty ON follow_up_days')
      await sql('DROP FUNCTION faulty')
    }
  })

  test('skip a contact once or for good, and are taken up again', async () => {
    await save({ on: true })
    const id = await mailed()
    await choose(id, 'skip')
    expect(await upcoming()).toMatchObject([
      { number: 1, skipped: true, at: `${begin.slice(0, 8)}18T08:00:00.000Z` },
    ])
    expect(await at(3)).toEqual([])
    await choose(id, 'usual')
    expect(await at(4)).toEqual([BOB])
    await choose(id, 'never')
    expect(reasons(await counts())).toEqual({ never: 1 })
    expect(await at(7)).toEqual([])
    await choose(id, 'usual')
    expect(await at(8)).toEqual([BOB])
    expect((await choose(id + 10_000, 'never')).status).toBe(404)
  })

  test('skip nobody who is deleted at this moment, and say so', async () => {
    const id = await mailed()
    const deleting = Promise.withResolvers<void>()
    const deleted = inTransaction(app.context.db, async (tx) => {
      await runSql(tx, 'DELETE FROM contacts WHERE user_id = $1 AND id = $2', [ada.id, id])
      await deleting.promise
    })
    const answer = choose(id, 'never')
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    await until(async () => expect(await sql(waiting)).toHaveLength(1))
    deleting.resolve()
    await deleted
    expect(await answer).toMatchObject({
      status: 409,
      error: { detail: expect.stringContaining('just been deleted') },
    })
  })

  test('keep to the sending hours, and to one automatic mail a day', async () => {
    await save({ on: true })
    const kim = 'kim@customer.example'
    await mailed()
    await mailed(kim)
    await sql(`INSERT INTO sending_rules VALUES ($1, '{1,2,3,4,5,6,7}', 10, 18)`, [ada.id])
    expect((await overview()).next_run_at).toBe(`${begin.slice(0, 8)}13T09:00:00.000Z`)
    expect(await at(3, '09:00')).toEqual([])
    await sql(
      `INSERT INTO automatic_mails (user_id, address_key, local_day, contact_id, mailbox_id, source, reserved_at)
       SELECT user_id, $2, $3, 1, id, 'run', $4 FROM mailboxes WHERE user_id = $1`,
      [ada.id, kim, Temporal.PlainDate.from(begin).add({ days: 3 }).toString(), clock.now()],
    )
    expect(await at(3, '10:00')).toEqual([BOB])
    expect((await history())[0]).toMatchObject({
      sent: 1,
      skipped: [{ reason: 'Has had an automatic email today', contacts: 1 }],
    })
    expect(await at(4, '10:00')).toEqual([kim])
  })

  test('are queued no more than an hour ahead, and no more once the sending hours are over', async () => {
    await save({ on: true })
    for (let count = 0; count < 6; count += 1) await mailed(`p${count}@customer.example`)
    // One may leave at once, and none of the others while the clock stands.
    await sql('UPDATE mailboxes SET hourly_limit = 2 WHERE user_id = $1', [ada.id])
    await goTo(3, '09:00')
    await planFollowUps(app.context)
    const written = async () => (await sql('SELECT FROM follow_up_mails WHERE user_id = $1', [ada.id])).length
    await until(async () => {
      await runDays(app.context)
      expect(await written()).toBe(3)
    })
    for (let round = 0; round < 3; round += 1) await runDays(app.context)
    expect(await written()).toBe(3)
    await expect.poll(() => waiting()).toHaveLength(2)
    await sql(`INSERT INTO sending_rules VALUES ($1, '{1,2,3,4,5,6,7}', 10, 18)`, [ada.id])
    await work()
    // Those that were queued are taken back when it is their turn.
    await goTo(3, '09:40')
    await expect.poll(() => written()).toBe(1)
    const { skipped = [] } = (await history())[0] ?? {}
    expect(skipped).toContainEqual({
      reason: 'It is outside your sending hours. It goes on today at 10:00.',
      contacts: 3,
    })
    expect(skipped).toContainEqual({ reason: HOURS_OVER, contacts: 2 })
  })

  test('that the mail server puts off do not leave after the hours, and go the next day', async () => {
    await save({ on: true })
    await mailed()
    await mailed('kim@customer.example')
    await sql(`INSERT INTO sending_rules VALUES ($1, '{1,2,3,4,5,6,7}', 8, 18)`, [ada.id])
    const isDeferred = putOff(BOB)
    await goTo(3, '17:55')
    await work()
    await isDeferred()
    expect(sink.received.map(({ envelope }) => envelope.to[0])).toEqual(['kim@customer.example'])
    sink.setScript(() => undefined)
    await goTo(3, '18:00')
    await expect.poll(() => waiting()).toEqual([])
    expect(await at(3, '23:00')).toEqual([])
    expect((await history())[0]).toMatchObject({
      done: true,
      sent: 1,
      waiting: 0,
      skipped: [{ reason: HOURS_OVER, contacts: 1 }],
    })
    expect(await at(4)).toEqual([BOB])
    const [mail] = sink.received
    expect((await parsed(mail)).text).toContain('“An offer” of 12 January')
  })

  test('that have not left when all mail is paused do not leave as the pause ends on another day', async () => {
    await save({ on: true })
    await mailed()
    const isDeferred = putOff(BOB)
    await goTo(3, '10:00')
    await work()
    await isDeferred()
    await sql('UPDATE users SET is_active = false WHERE id = $1', [ada.id])
    await goTo(12, '03:00')
    sink.setScript(() => undefined)
    await sql('UPDATE users SET is_active = true WHERE id = $1', [ada.id])
    await expect.poll(() => waiting()).toEqual([])
    await settleDays(app.context)
    expect((await history()).at(-1)).toMatchObject({
      sent: 0,
      skipped: [{ reason: 'It couldn’t be sent that day', contacts: 1 }],
    })
  })

  test('that have not left when their account is stopped do not leave', async () => {
    await save({ on: true })
    await mailed()
    const isDeferred = putOff(BOB)
    await goTo(3, '09:00')
    await work()
    await isDeferred()
    await sql(
      `INSERT INTO automatic_mail_stops (user_id, mailbox_id, stopped_at, mails, bounces, complaints)
       SELECT user_id, id, $2, 240, 14, 0 FROM mailboxes WHERE user_id = $1`,
      [ada.id, clock.now()],
    )
    sink.setScript(() => undefined)
    await goTo(3, '12:00')
    await expect.poll(() => waiting()).toEqual([])
    const [account] = (await call(app.url, automaticMail.accounts, await as())).body
    const params = { id: account?.id ?? 0 }
    expect((await call(app.url, automaticMail.goOn, { ...(await as()), params })).status).toBe(200)
    expect(await at(3, '23:00')).toEqual([])
    expect((await history())[0]).toMatchObject({
      sent: 0,
      skipped: [{ reason: 'Automatic emails from this address were stopped', contacts: 1 }],
    })
    expect(await at(4)).toEqual([BOB])
  })

  test('leave whoever a sequence writes to, while it does, to the sequence', async () => {
    await save({ on: true })
    const bob = await mailed()
    const steps = [
      { id: 1, kind: 'wait' as const, amount: 30, unit: 'days' as const },
      {
        id: 2,
        kind: 'mail' as const,
        template_id: null,
        subject: 'The fair',
        body: 'Hello, shall we meet at the fair?',
        same_conversation: false,
      },
    ]
    const body = { name: 'After the fair', steps }
    const params = { id: (await call(app.url, sequences.add, { ...(await as()), body })).body.id }
    expect((await call(app.url, sequences.start, { ...(await as()), params })).status).toBe(200)
    await call(app.url, sequences.enrol, { ...(await as()), params, body: { ids: [bob] } })
    expect(await at(3)).toEqual([])
    expect(reasons(await counts())).toEqual({ sequence: 1 })
    expect((await call(app.url, sequences.end, { ...(await as()), params })).status).toBe(200)
    expect(await at(4)).toEqual([BOB])
  })

  test('leave nothing while mail is paused, and no burst after it', async () => {
    await save({ on: true })
    await mailed()
    await goTo(3, '08:00')
    await sql('UPDATE users SET mail_paused_at = $2 WHERE id = $1', [ada.id, clock.now()])
    for (const day of [3, 4, 5]) {
      expect(await at(day)).toEqual([])
      // Nobody knows when they go on: no time is told, also not another one each day.
      expect((await call(app.url, followUps.get, await as())).body).toMatchObject({
        next_run_at: null,
        stopped: MAIL_PAUSED,
      })
      const [first] = await upcoming()
      expect(first).toMatchObject({ email: BOB, at: null, waits: MAIL_WAITS })
      const params = { id: first?.contact_id ?? 0 }
      expect((await call(app.url, automaticMail.ofContact, { ...(await as()), params })).body.next).toEqual({
        sentence: `Follow-up 1 of 3 goes out if they don’t answer. ${MAIL_WAITS}.`,
        at: null,
      })
    }
    await sql('UPDATE users SET mail_paused_at = NULL WHERE id = $1', [ada.id])
    expect(await at(5, '10:00')).toEqual([BOB])
    expect(await at(6)).toEqual([])
  })
})
