import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { automaticMail, SAME_HOUR } from '#contract/outreach/automatic-mail.ts'
import { contacts } from '#contract/crm/contacts.ts'
import type { BodyOf } from '#contract/platform/endpoint.ts'
import { MAIL_WAITS } from '#contract/operations/leaving.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { inTransaction, runSql } from '#server/platform/database/transaction.ts'
import { enqueueEmails } from '#server/mail/emails/emails.ts'
import { mailboxesOf } from '#server/mail/mailboxes/mailboxes.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { mailAccountAt } from '../../../tests/support/mail-account.ts'
import { movableClock, startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { noteQueued, type Refused, reserveMails, type Source, type Wanted } from './automatic-mail.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
// Far from any change to or from summer time, so that a day has 24 hours.
const MIDDAY = Date.parse('2031-01-07T12:00:00Z')

const clock = movableClock()
/** Two workers of one house. Nothing is sent: whether a mail leaves is another matter. */
let app: TestApp
let other: TestApp

beforeAll(async () => {
  clock.stand()
  clock.forward(MIDDAY - clock.now().getTime())
  app = await startTestApp({ roles: ['web'], clock })
  other = await startTestApp({ roles: ['web'], clock, database: { url: app.databaseUrl } })
})
afterAll(async () => {
  await other.end()
  await app.end()
})

type Sender = TestUser & { mailboxId: number }

/** A user in Berlin with an account, which begins with few mails where it is to be treated as new. */
async function aSender({ isNew = false } = {}): Promise<Sender> {
  const user = await signUp(app.url)
  const body = mailAccountAt({ port: 1 }, { from: `${user.username}@muster.example` })
  expect((await call(app.url, mailboxSetup.save, { token: user.token, body })).status).toBe(200)
  const mailboxId = (await mailboxesOf(app.context.db, user.id))[0]?.id ?? 0
  await sql(`UPDATE users SET time_zone = 'Europe/Berlin' WHERE id = $1`, [user.id])
  if (isNew) {
    const on = { params: { id: mailboxId }, body: { warm_up: true } }
    await call(app.url, automaticMail.saveAccount, { token: user.token, ...on })
  }
  return { ...user, mailboxId }
}

const sql = async (text: string, values: readonly unknown[]) =>
  (await runSql(app.context.db, text, values)).rows as Record<string, unknown>[]

const people = (count: number, from = 1): Wanted[] =>
  Array.from({ length: count }, (_, index) => ({
    contactId: from + index,
    address: `person${from + index}@customer.example`,
  }))

/** Reserves, as whatever queues mail does. */
const reserve = (sender: Sender, wanted: readonly Wanted[], source: Source = 'run', by = app) =>
  inTransaction(by.context.db, (tx) =>
    reserveMails(by.context, tx, { userId: sender.id, mailboxId: sender.mailboxId, source }, wanted),
  )
const granted = (answers: ReadonlyMap<number, Refused | null>) =>
  [...answers.values()].filter((answer) => answer === null).length
/** Why these were refused, each reason once. */
const reasons = (answers: ReadonlyMap<number, Refused | null>) => [
  ...new Set([...answers.values()].flatMap((answer) => answer?.reason ?? [])),
]

describe('one automatic mail a contact and day', () => {
  it('is granted to one of fifty that ask at once, in two processes', async () => {
    const sender = await aSender()
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        reserve(sender, people(1), index % 2 === 0 ? 'run' : 'follow_up', index % 2 === 0 ? app : other),
      ),
    )
    expect(answers.reduce((sum, answer) => sum + granted(answer), 0)).toBe(1)
    const refused = answers.map((answer) => answer.get(1)).filter((answer) => answer != null)
    expect(new Set(refused.map(({ reason }) => reason))).toEqual(
      new Set(['Has had an automatic email today']),
    )
    expect(refused[0]?.until?.toISOString()).toBe('2031-01-07T23:00:00.000Z')
  })

  it('holds for several accounts and overlapping lists of two workers, without a deadlock', async () => {
    const sender = await aSender()
    const body = { smtp_host: '127.0.0.1', smtp_port: 1, smtp_username: 'b', smtp_password: 's' }
    await sql(`INSERT INTO mailboxes (user_id, is_primary, address, created_at) VALUES ($1, false, $2, $3)`, [
      sender.id,
      `second${body.smtp_username}@muster.example`,
      clock.now(),
    ])
    const second = (await mailboxesOf(app.context.db, sender.id)).find(({ id }) => id !== sender.mailboxId)
    const lists = Array.from({ length: 12 }, (_, index) => people(60, 1 + index * 20))
    const answers = await Promise.all(
      lists.map((wanted, index) =>
        index % 2 === 0
          ? reserve(sender, wanted)
          : reserve({ ...sender, mailboxId: second?.id ?? 0 }, wanted.toReversed(), 'follow_up', other),
      ),
    )
    const all = new Set(lists.flat().map(({ contactId }) => contactId))
    expect(answers.reduce((sum, answer) => sum + granted(answer), 0)).toBe(all.size)
    const [row] = await sql('SELECT sum(mails)::int AS mails FROM automatic_mail_days WHERE user_id = $1', [
      sender.id,
    ])
    expect(row?.['mails']).toBe(all.size)
  })

  it('begins anew at midnight of the user, not of the server', async () => {
    const sender = await aSender()
    expect(granted(await reserve(sender, people(1)))).toBe(1)
    // 23:59 in Berlin, then midnight there: 23:00 in UTC.
    clock.forward(Date.parse('2031-01-07T22:59:00Z') - clock.now().getTime())
    expect(granted(await reserve(sender, people(1)))).toBe(0)
    clock.forward(60_000)
    expect(granted(await reserve(sender, people(1)))).toBe(1)
  })

  it('is the same address, however it is written, and each only once in a list', async () => {
    const sender = await aSender()
    const twice = [
      { contactId: 1, address: 'Kim@People.example' },
      { contactId: 2, address: 'kim@people.example' },
    ]
    expect(granted(await reserve(sender, twice))).toBe(1)
  })

  it('is given back by a mail that is taken back before it left, and by one that was refused', async () => {
    const sender = await aSender()
    const queue = (wanted: Wanted) =>
      inTransaction(app.context.db, async (tx) => {
        const at = { userId: sender.id, mailboxId: sender.mailboxId, source: 'run' as const }
        const answers = await reserveMails(app.context, tx, at, [wanted])
        if (answers.get(wanted.contactId) !== null) return null
        const from = { name: 'Ada', address: 'ada@muster.example' }
        const options = { userId: sender.id, mailboxId: sender.mailboxId, priority: 1 as const, from }
        const mail = { to: wanted.address, subject: 'Hello', text: 'Hello', purpose: 'outreach' as const }
        const [emailId = 0] = await enqueueEmails(app.context, tx, options, [mail])
        await noteQueued(tx, sender.id, 'run', [{ contactId: wanted.contactId, emailId }])
        return emailId
      })
    const [kim, lee] = people(2) as [Wanted, Wanted]
    const first = await queue(kim)
    expect(await queue(kim)).toBeNull()
    await sql('DELETE FROM emails WHERE user_id = $1 AND id = $2', [sender.id, first])
    const again = await queue(kim)
    expect(again).not.toBeNull()
    // What has left keeps its day, whatever becomes of the mail here.
    await sql(`UPDATE deliveries SET state = 'sent' WHERE user_id = $1 AND email_id = $2`, [sender.id, again])
    await sql('DELETE FROM emails WHERE user_id = $1 AND id = $2', [sender.id, again])
    expect(await queue(kim)).toBeNull()

    const refused = await queue(lee)
    await sql(`UPDATE deliveries SET state = 'failed' WHERE user_id = $1 AND email_id = $2`, [
      sender.id,
      refused,
    ])
    expect(await queue(lee)).not.toBeNull()
  })
})

describe('who gets none', () => {
  it('is everybody on the one list of suppressed addresses, with the reason', async () => {
    const sender = await aSender()
    const why = ['unsubscribed', 'bounced', 'complaint', 'manual', 'asked']
    for (const [index, reason] of why.entries())
      await sql(
        `INSERT INTO suppressions (user_id, address_key, reason, created_at) VALUES ($1, $2, $3, $4)`,
        [sender.id, `person${index + 1}@customer.example`, reason, clock.now()],
      )
    const answers = await reserve(sender, people(6))
    expect([...answers.values()].map((answer) => answer?.reason ?? null)).toEqual([
      'Has unsubscribed',
      'Mail to this address came back',
      'Has reported your mail as spam',
      'On your do-not-mail list',
      'May have unsubscribed',
      null,
    ])
    expect(answers.get(1)?.until).toBeNull()
  })

  it('is everybody outside the sending hours, until they begin', async () => {
    const sender = await aSender()
    await sql(`INSERT INTO sending_rules VALUES ($1, '{1,2,3,4,5}', 8, 18)`, [sender.id])
    // Saturday in Berlin.
    clock.forward(Date.parse('2031-01-11T12:00:00Z') - clock.now().getTime())
    const answers = await reserve(sender, people(2))
    expect(reasons(answers)).toEqual([
      'It is outside your sending hours. It goes on Monday 13 January at 08:00.',
    ])
    expect(answers.get(1)?.until?.toISOString()).toBe('2031-01-13T07:00:00.000Z')
    clock.forward(Date.parse('2031-01-13T07:00:00Z') - clock.now().getTime())
    expect(granted(await reserve(sender, people(2)))).toBe(2)
  })
})

describe('a new address', () => {
  it('sends no more than its ceiling, whoever asks at once, and half as much again the next day', async () => {
    const sender = await aSender({ isNew: true })
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        reserve(sender, people(9, 1 + index * 9), 'run', index % 2 === 0 ? app : other),
      ),
    )
    expect(answers.reduce((sum, answer) => sum + granted(answer), 0)).toBe(20)
    expect(answers.flatMap(reasons)[0]).toBe('This address is new: 20 mails today. It goes on tomorrow.')
    for (const ceiling of [30, 45, 67, 101, 151, 227, 341, 500]) {
      clock.forward(DAY_MS)
      expect(granted(await reserve(sender, people(600)))).toBe(ceiling)
    }
    clock.forward(DAY_MS)
    expect(granted(await reserve(sender, people(600)))).toBe(600)
  })

  it('does not count days without a mail', async () => {
    const sender = await aSender({ isNew: true })
    expect(granted(await reserve(sender, people(25)))).toBe(20)
    clock.forward(10 * DAY_MS)
    expect(granted(await reserve(sender, people(100)))).toBe(30)
  })

  it('may send freely in practice, and unless its owner wants it to begin with few', async () => {
    const user = await signUp(app.url)
    await call(app.url, contacts.add, {
      token: user.token,
      body: { name: 'Kim', email: 'kim@people.example' },
    })
    await call(app.url, mailboxSetup.practice, { token: user.token })
    const mailboxId = (await mailboxesOf(app.context.db, user.id))[0]?.id ?? 0
    expect(granted(await reserve({ ...user, mailboxId }, people(60)))).toBe(60)
    expect(granted(await reserve(await aSender(), people(60)))).toBe(60)
  })
})

describe('practice', () => {
  it('does not begin while a follow-up waits to leave through an own account', async () => {
    const sender = await aSender()
    const [kim] = people(1) as [Wanted]
    const emailId = await inTransaction(app.context.db, async (tx) => {
      const at = { userId: sender.id, mailboxId: sender.mailboxId, source: 'follow_up' as const }
      await reserveMails(app.context, tx, at, [kim])
      const from = { name: 'Ada', address: 'ada@muster.example' }
      const options = { userId: sender.id, mailboxId: sender.mailboxId, priority: 1 as const, from }
      const mail = { to: kim.address, subject: 'Hello', text: 'Hello', purpose: 'follow_up' as const }
      const [id = 0] = await enqueueEmails(app.context, tx, options, [mail])
      await noteQueued(tx, sender.id, 'follow_up', [{ contactId: kim.contactId, emailId: id }])
      return id
    })
    const practise = async () => (await call(app.url, mailboxSetup.practice, { token: sender.token })).status
    expect(await practise()).toBe(409)
    await sql('DELETE FROM emails WHERE user_id = $1 AND id = $2', [sender.id, emailId])
    expect(await practise()).toBe(200)
  })
})

describe('why somebody is not being mailed, and what happens next', () => {
  const explain = async ({ token }: TestUser, id: number) =>
    (await call(app.url, automaticMail.ofContact, { token, params: { id } })).body
  const addKim = async ({ token }: TestUser) =>
    (await call(app.url, contacts.add, { token, body: { name: 'Kim', email: 'kim@people.example' } })).body.id
  const kinds = (answer: Awaited<ReturnType<typeof explain>>) => answer.why_none.map(({ kind }) => kind)

  it('has an answer for each reason', async () => {
    clock.forward(Date.parse('2031-06-03T10:00:00Z') - clock.now().getTime())
    const sender = await aSender()
    const kim = await addKim(sender)
    expect(await explain(sender, kim)).toEqual({ last: null, why_none: [], next: null })

    expect(granted(await reserve(sender, [{ contactId: kim, address: 'kim@people.example' }]))).toBe(1)
    const today = await explain(sender, kim)
    expect(today.last?.sentence).toBe('Howl sent a personal first email on 3 June 2031.')
    expect(today.why_none).toEqual([
      {
        kind: 'once_a_day',
        sentence: 'They get at most one automatic email a day, and had one today.',
        until: '2031-06-03T22:00:00.000Z',
      },
    ])
    clock.forward(12 * HOUR_MS)
    expect(kinds(await explain(sender, kim))).toEqual([])

    await sql(`INSERT INTO sending_rules VALUES ($1, '{1,2,3,4,5}', 8, 18)`, [sender.id])
    expect((await explain(sender, kim)).why_none).toEqual([
      {
        kind: 'hours',
        sentence: 'It is outside your sending hours. It goes on today at 08:00.',
        until: '2031-06-04T06:00:00.000Z',
      },
    ])
    await sql('DELETE FROM sending_rules WHERE user_id = $1', [sender.id])
    await sql(
      `INSERT INTO suppressions (user_id, address_key, reason, created_at) VALUES ($1, 'kim@people.example', 'asked', $2)`,
      [sender.id, clock.now()],
    )
    expect((await explain(sender, kim)).why_none[0]?.sentence).toMatch(/asked to unsubscribe/)
    await sql('DELETE FROM suppressions WHERE user_id = $1', [sender.id])
    await sql(
      `INSERT INTO automatic_mail_stops (user_id, mailbox_id, stopped_at, mails, bounces, complaints) VALUES ($1, $2, $3, 200, 12, 3)`,
      [sender.id, sender.mailboxId, clock.now()],
    )
    expect((await explain(sender, kim)).why_none[0]?.sentence).toMatch(
      /^Of the last 200 automatic emails from this address, 12 came back and 3 were reported as spam\. The others wait/,
    )
    await call(app.url, automaticMail.goOn, { token: sender.token, params: { id: sender.mailboxId } })

    await sql(
      `INSERT INTO correspondents (user_id, address_key, first_sent_at, last_sent_at, replied_at) VALUES ($1, 'kim@people.example', $2, $2, $2)`,
      [sender.id, clock.now()],
    )
    expect((await explain(sender, kim)).why_none).toEqual([
      {
        kind: 'replied',
        sentence: 'They replied on 4 June 2031. Automatic mail stops at a reply: now it is your turn.',
        until: null,
      },
    ])
    await sql(
      `INSERT INTO suppressions (user_id, address_key, reason, created_at) VALUES ($1, 'kim@people.example', 'unsubscribed', $2)`,
      [sender.id, clock.now()],
    )
    await sql('UPDATE users SET mail_paused_at = $2 WHERE id = $1', [sender.id, clock.now()])
    expect(kinds(await explain(sender, kim))).toEqual(['suppressed', 'replied', 'paused'])
  })

  it('does not say that mail stops at a reply while a run writes to them in spite of it', async () => {
    const sender = await aSender()
    const kim = await addKim(sender)
    const long = new Date(clock.now().getTime() - 30 * DAY_MS)
    await sql(
      `INSERT INTO correspondents (user_id, address_key, first_sent_at, last_sent_at, last_received_at, replied_at)
      VALUES ($1, 'kim@people.example', $2, $2, $2, $2)`,
      [sender.id, long],
    )
    expect(await explain(sender, kim)).toMatchObject({ why_none: [{ kind: 'replied' }], next: null })
    // A run "also to those who were mailed before", whose turn has not come: this house has no worker.
    await sql(
      `WITH run AS (INSERT INTO outreach_batches (user_id, mailbox_id, state, total, is_listed, audience, write_again, started_at)
        VALUES ($1, $2, 'running', 1, true, '{"contact_ids": []}', true, $4) RETURNING id)
      INSERT INTO outreach_items (user_id, batch_id, contact_id, name, address, state)
        SELECT $1, id, $3, 'Kim', 'kim@people.example', 'pending' FROM run`,
      [sender.id, sender.mailboxId, kim, clock.now()],
    )
    expect(await explain(sender, kim)).toMatchObject({
      why_none: [],
      next: { sentence: 'Your current run emails them.' },
    })
    await sql('UPDATE users SET mail_paused_at = $2 WHERE id = $1', [sender.id, clock.now()])
    expect((await explain(sender, kim)).next).toEqual({
      sentence: `Your current run emails them. ${MAIL_WAITS}.`,
      at: null,
    })
    await sql('UPDATE users SET mail_paused_at = NULL WHERE id = $1', [sender.id])
    // A reply since the run began does stop it.
    clock.forward(HOUR_MS)
    await sql('UPDATE correspondents SET last_received_at = $2 WHERE user_id = $1', [sender.id, clock.now()])
    expect(await explain(sender, kim)).toMatchObject({ why_none: [{ kind: 'replied' }], next: null })
  })

  it('says without an account that none is connected, and of nobody that they do not exist', async () => {
    const user = await signUp(app.url)
    const kim = await addKim(user)
    expect(kinds(await explain(user, kim))).toEqual(['no_account'])
    const nobody = { token: user.token, params: { id: 987_654_321 } }
    expect((await call(app.url, automaticMail.ofContact, nobody)).status).toBe(404)
  })
})

describe('sending hours', () => {
  it('are off at first, with working hours as the proposal; what is wrong is refused', async () => {
    const user = await signUp(app.url)
    const read = async () => (await call(app.url, automaticMail.hours, { token: user.token })).body
    const save = (body: BodyOf<typeof automaticMail.saveHours>) =>
      call(app.url, automaticMail.saveHours, { token: user.token, body })
    const proposal = { limited: false, days: [1, 2, 3, 4, 5], from_hour: 8, until_hour: 18 }
    expect(await read()).toMatchObject(proposal)
    const evenings = { limited: true, days: [7, 6], from_hour: 18, until_hour: 24 }
    expect((await save(evenings)).body).toMatchObject({ ...evenings, days: [6, 7] })
    for (const wrong of [
      { days: [] },
      { days: [8] },
      { days: [1, 1] },
      { from_hour: 24 },
      { until_hour: 25 },
      { from_hour: 9, until_hour: 9 },
    ])
      expect((await save({ ...evenings, ...wrong })).status).toBe(400)
    expect((await save({ ...evenings, from_hour: 9, until_hour: 9 })).body).toMatchObject({
      fields: { until_hour: SAME_HOUR },
    })
    expect(await read()).toMatchObject({ limited: true, from_hour: 18 })
    const nights = { limited: true, days: [6, 7], from_hour: 22, until_hour: 6 }
    expect((await save(nights)).body).toMatchObject(nights)
    expect(await read()).toMatchObject(nights)
    await save({ ...evenings, limited: false })
    expect(await read()).toMatchObject(proposal)
  })
})

describe('bounces and complaints', () => {
  /** Mails of an account that have left, `failed` of them without an address and `complaints` reported as spam. */
  async function sent(
    sender: Sender,
    count: number,
    failed: number,
    complaints: number,
    from = 1,
  ): Promise<void> {
    await reserve(sender, people(count, from))
    const add = (index: number, kind: string) =>
      sql(
        `INSERT INTO failed_addresses (user_id, address_key, kind, at, at_once, is_certain) VALUES ($1, $2, $3, $4, true, true)`,
        [sender.id, `person${from + index}@customer.example`, kind, clock.now()],
      )
    for (let index = 0; index < failed; index += 1) await add(index, 'no_address')
    for (let index = 0; index < complaints; index += 1) await add(failed + index, 'complaint')
  }
  const fail = async (sender: Sender, from: number, count: number) => {
    for (let index = from; index < from + count; index += 1)
      await sql(
        `INSERT INTO failed_addresses (user_id, address_key, kind, at, at_once, is_certain) VALUES ($1, $2, 'no_address', $3, true, true)`,
        [sender.id, `person${index}@customer.example`, clock.now()],
      )
  }
  const isStopped = async (sender: Sender) =>
    (await reserve(sender, people(1, 90_000))).get(90_000)?.kind === 'stopped'

  it.each([
    [99, 50, 0, false],
    [100, 5, 0, true],
    [101, 5, 0, false],
    [200, 0, 2, false],
    [200, 0, 3, true],
    [3001, 0, 3, false],
  ])(
    'of %i mails %i came back and %i were reported: stopped %s',
    async (count, failed, complaints, stops) => {
      const sender = await aSender()
      await sent(sender, count, failed, complaints)
      expect(await isStopped(sender)).toBe(stops)
    },
  )

  it('of reports that nothing proves, only bounces count, and only from several domains', async () => {
    const stopped = async (kind: string, domains: string[]) => {
      const sender = await aSender()
      const named = domains.map((domain, index) => ({
        contactId: index + 1,
        address: `person${index}@${domain}`,
      }))
      await reserve(sender, [...named, ...people(100 - named.length, 1000)])
      for (const { address } of named)
        await sql(
          `INSERT INTO failed_addresses (user_id, address_key, kind, at, at_once) VALUES ($1, $2, $3, $4, false)`,
          [sender.id, address, kind, clock.now()],
        )
      return isStopped(sender)
    }
    const [one, two, three] = ['a.evil.example', 'b.evil.example', 'c.evil.example']
    const several = ['one.example', 'two.example', 'three.example', 'one.example', 'two.example']
    expect(await stopped('no_address', [one, two, three, one, two, three])).toBe(false)
    expect(await stopped('no_address', several)).toBe(true)
    expect(await stopped('complaint', several)).toBe(false)
  })

  it('count for seven days, for their own account, and not from before it went on', async () => {
    const sender = await aSender()
    await sent(sender, 200, 20, 0)
    const [account] = (await call(app.url, automaticMail.accounts, { token: sender.token })).body
    expect(account?.stopped).toMatchObject({ mails: 200, bounces: 20, complaints: 0 })
    // It has no ceiling, and its mails are counted all the same.
    expect(account).toMatchObject({ default: true, ceiling: null, sent_today: 200 })
    expect(await isStopped(sender)).toBe(true)
    const one = { token: sender.token, params: { id: sender.mailboxId } }
    clock.forward(1000)
    expect((await call(app.url, automaticMail.goOn, one)).body.stopped).toBeNull()
    clock.forward(1000)
    expect(await isStopped(sender)).toBe(false)
    // Counted anew: a hundred further mails are needed before the figures say anything.
    clock.forward(DAY_MS)
    await sent(sender, 90, 9, 0, 1000)
    expect(await isStopped(sender)).toBe(false)
    await sent(sender, 20, 2, 0, 2000)
    expect(await isStopped(sender)).toBe(true)

    const other = await aSender()
    await sent(other, 200, 9, 0)
    clock.forward(8 * DAY_MS)
    await sent(other, 100, 4, 0, 1000)
    expect(await isStopped(other)).toBe(false)
  })

  it('of mails that waited while an account stood still count once it goes on', async () => {
    const sender = await aSender()
    await sent(sender, 100, 0, 0)
    const waiting = people(120, 1000)
    await inTransaction(app.context.db, async (tx) => {
      const at = { userId: sender.id, mailboxId: sender.mailboxId, source: 'run' as const }
      await reserveMails(app.context, tx, at, waiting)
      const from = { name: 'Ada', address: 'ada@muster.example' }
      const options = { userId: sender.id, mailboxId: sender.mailboxId, priority: 1 as const, from }
      const mails = waiting.map(({ address }) => ({
        to: address,
        subject: 'Hello',
        text: 'Hello',
        purpose: 'outreach' as const,
      }))
      const ids = await enqueueEmails(app.context, tx, options, mails)
      const entries = waiting.map(({ contactId }, index) => ({ contactId, emailId: ids[index] ?? 0 }))
      await noteQueued(tx, sender.id, 'run', entries)
    })
    await sql(`UPDATE deliveries SET state = 'held', queue = 'held' WHERE user_id = $1`, [sender.id])
    await sql(
      `INSERT INTO automatic_mail_stops (user_id, mailbox_id, stopped_at, mails, bounces, complaints) VALUES ($1, $2, $3, 100, 20, 0)`,
      [sender.id, sender.mailboxId, clock.now()],
    )
    clock.forward(1000)
    const one = { token: sender.token, params: { id: sender.mailboxId } }
    expect((await call(app.url, automaticMail.goOn, one)).status).toBe(200)
    clock.forward(1000)
    expect(await isStopped(sender)).toBe(false)
    // They leave now, and come back.
    await sql(`UPDATE deliveries SET state = 'sent', queue = NULL WHERE user_id = $1`, [sender.id])
    await fail(sender, 1000, 4)
    expect(await isStopped(sender)).toBe(false)
    await fail(sender, 1004, 4)
    expect(await isStopped(sender)).toBe(true)
  })
})
