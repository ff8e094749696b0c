import { Temporal } from 'temporal-polyfill'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import { contacts } from '#contract/crm/contacts.ts'
import type { BodyInput, ReplyOf } from '#contract/platform/endpoint.ts'
import { sequences, type SequenceStep } from '#contract/outreach/sequences.ts'
import { startDelivering } from '#server/mail/emails/delivery/delivery-loop.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { runDue } from '#server/outreach/sequences/run-due.ts'
import { takeWork } from '#server/outreach/sequences/take-work.ts'
import { call } from './client.ts'
import type { TestUser } from './factories.ts'
import { type SinkMail, type SmtpSink, startSmtpSink } from './smtp-sink.ts'
import { movableClock, startTestApp, type TestApp } from './test-app.ts'
import { connectWriter, header, receive } from './writing.ts'
import { until } from './until.ts'

export const ZONE = 'Europe/Berlin'
export const BOB = 'bob@customer.example'
/** Hours of a sequence that writes at any time. */
export const ALWAYS = { days: [1, 2, 3, 4, 5, 6, 7], from_hour: 0, until_hour: 24 }

export const mail = (
  id: number,
  subject: string,
  fields: Partial<Extract<SequenceStep, { kind: 'mail' }>> = {},
) =>
  ({
    id,
    kind: 'mail',
    template_id: null,
    subject,
    body: `Hello {{ first_name | default: "there" }}, this is ${subject}.`,
    same_conversation: false,
    ...fields,
  }) satisfies SequenceStep
export const wait = (id: number, amount: number, unit: 'hours' | 'days' | 'working_days' = 'days') =>
  ({ id, kind: 'wait', amount, unit }) satisfies SequenceStep
export const tag = (id: number, name: string, act: 'add' | 'remove' = 'add') =>
  ({ id, kind: 'tag', act, tag: name }) satisfies SequenceStep

/**
 * Days of one user's sequences, for the tests of a file: a house with so many workers, a mail server, and before each test a new
 * user, Ada, on a Monday at 10:00 of a year of its own. The clock stands until the test moves it.
 */
export function sequenceDays({ workers }: { workers: 1 | 2 }) {
  return new SequenceDays(workers)
}

class SequenceDays {
  readonly clock = movableClock()
  app!: TestApp
  /** The second worker, where there are two; both look when a test says so, and deliver by themselves. */
  other!: TestApp
  sink!: SmtpSink
  ada!: TestUser
  year = 2031
  readonly #seen = new WeakSet<SinkMail>()
  /** The first day. */
  begin = ''

  constructor(workers: 1 | 2) {
    beforeAll(async () => {
      this.clock.stand()
      this.app = await startTestApp({ clock: this.clock, loops: startDelivering })
      if (workers === 2)
        this.other = await startTestApp({
          clock: this.clock,
          loops: startDelivering,
          database: { url: this.app.databaseUrl },
        })
      this.sink = await startSmtpSink()
    })
    afterAll(async () => {
      await this.other?.end()
      await this.app?.end()
      await this.sink?.stop()
    })
    beforeEach(async () => {
      await this.sql(`UPDATE sequences SET state = 'ended'`)
      await this.sql('UPDATE sequence_members SET is_open = false')
      // Nothing of an earlier test is to leave as the clock moves on.
      await this.sql(
        `DELETE FROM emails e USING deliveries d WHERE d.user_id = e.user_id AND d.email_id = e.id AND d.state <> 'sent'`,
      )
      this.year += 1
      // The first Monday after the holidays.
      let begin = Temporal.PlainDate.from(`${this.year}-01-07`)
      while (begin.dayOfWeek !== 1) begin = begin.add({ days: 1 })
      this.begin = begin.toString()
      await this.goTo(0, '10:00')
      this.sink.setScript(() => undefined)
      this.ada = await connectWriter(this.app, this.sink)
      await this.sql('UPDATE users SET time_zone = $2 WHERE id = $1', [this.ada.id, ZONE])
      this.sink.clear()
    })
  }

  sql = async (text: string, values: readonly unknown[] = []) =>
    (await runSql(this.app.context.db, text, values)).rows as Record<string, unknown>[]

  /** Moves the clock to a time of the wall clock, so many days after the beginning. */
  goTo = async (days: number, time: string) => {
    const day = Temporal.PlainDate.from(this.begin).add({ days })
    const at = day.toZonedDateTime({ timeZone: ZONE, plainTime: time })
    this.clock.forward(at.epochMilliseconds - this.clock.now().getTime())
  }

  /** All workers look at the same time, until nothing is to do and every mail has left that can. */
  work = async () => {
    const contexts = [this.app, this.other].flatMap((each) => each?.context ?? [])
    await until(async () => {
      await Promise.all(contexts.map((context) => takeWork(context)))
      await Promise.all(contexts.map((context) => runDue(context)))
      const [open] = await this.sql(
        `SELECT (SELECT count(*) FROM sequence_work WHERE user_id = $1 AND not_before IS NULL)::int AS work,
            (SELECT count(*) FROM sequence_members WHERE user_id = $1 AND is_open AND due_at <= $2)::int AS due,
            (SELECT count(*) FROM deliveries d JOIN mailboxes b ON b.user_id = d.user_id AND b.id = d.mailbox_id
              WHERE d.user_id = $1 AND (b.send_pause_until IS NULL OR b.send_pause_until <= $2)
                AND d.state IN ('queued', 'claimed', 'committed'))::int AS unsent`,
        [this.ada.id, this.clock.now()],
      )
      expect(open).toEqual({ work: 0, due: 0, unsent: 0 })
    })
  }

  /** Whom mail has reached since the last look, once the workers have looked at this time. The sink keeps those mails until the next look. */
  at = async (days: number, time = '10:00') => {
    await this.goTo(days, time)
    const { received } = this.sink
    // Mail that was held back may have left before this look.
    const fresh = received.filter((each) => !this.#seen.has(each))
    received.splice(0, received.length, ...fresh)
    await this.work()
    for (const each of received) this.#seen.add(each)
    return received.map(({ envelope }) => envelope.to[0]).toSorted()
  }

  /** A new log-in: the one before may have ended as the clock moved. */
  as = async () => {
    const { email, password } = this.ada
    const { body } = await call(this.app.url, auth.login, { body: { email, password } })
    this.ada.token = body.token
    return { token: this.ada.token }
  }

  add = async (email = BOB, name = 'Bob Baker', fields: Partial<BodyInput<typeof contacts.add>> = {}) => {
    const body = { name, email, company: 'Bakery', ...fields }
    const added = await call(this.app.url, contacts.add, { ...(await this.as()), body })
    expect(added.status).toBe(200)
    return added.body.id
  }

  /** Many contacts at once; returns their ids. */
  addMany = async (count: number, prefix = 'person') => {
    const rows = await this.sql(
      `INSERT INTO contacts (user_id, name, email, email_key, created_at, updated_at)
      SELECT $1, 'Person ' || n, $4 || n || '@customer.example', $4 || n || '@customer.example', $2, $2
      FROM generate_series(1, $3::int) AS n RETURNING id`,
      [this.ada.id, this.clock.now(), count, prefix],
    )
    return rows.map((row) => Number(row['id']))
  }

  draft = async (steps: SequenceStep[], fields: Partial<BodyInput<typeof sequences.add>> = {}) => {
    const answer = await call(this.app.url, sequences.add, {
      ...(await this.as()),
      body: { name: 'After the fair', hours: ALWAYS, ...fields, steps },
    })
    expect(answer.status).toBe(200)
    return answer.body.id
  }

  running = async (steps: SequenceStep[], fields: Partial<BodyInput<typeof sequences.add>> = {}) => {
    const id = await this.draft(steps, fields)
    expect((await this.tell(id, sequences.start)).status).toBe(200)
    return id
  }

  tell = async (id: number, endpoint: typeof sequences.start) =>
    call(this.app.url, endpoint, { ...(await this.as()), params: { id } })

  enrol = async (id: number, ids: number[]) =>
    (await call(this.app.url, sequences.enrol, { ...(await this.as()), params: { id }, body: { ids } })).body

  members = async (id: number) =>
    (await call(this.app.url, sequences.members, { ...(await this.as()), params: { id } })).body

  act = async (id: number, ids: number[], doing: BodyInput<typeof sequences.act>['act']) =>
    (
      await call(this.app.url, sequences.act, {
        ...(await this.as()),
        params: { id },
        body: { ids, act: doing },
      })
    ).body

  figures = async (id: number): Promise<ReplyOf<typeof sequences.figures>> =>
    (await call(this.app.url, sequences.figures, { ...(await this.as()), params: { id } })).body

  get = async (id: number) =>
    (await call(this.app.url, sequences.get, { ...(await this.as()), params: { id } })).body

  /** Keeps the account of the user from sending for so many hours. */
  holdAccount = async (hours: number) => {
    const until = new Date(this.clock.now().getTime() + hours * 3_600_000)
    await this.sql('UPDATE mailboxes SET send_pause_until = $2 WHERE user_id = $1', [this.ada.id, until])
  }

  /** Somebody answers the newest mail to them that arrived. */
  answers = async (from: string, words = 'Thank you, that is interesting. Tell me more.', head = '') => {
    const got = this.sink.received.findLast(({ envelope }) => envelope.to[0] === from)
    const now = this.clock.now()
    await receive(
      this.app,
      this.ada,
      `From: Bob <${from}>\nTo: ada@muster.example\nSubject: Re: First\nMessage-ID: <${now.getTime()}${from}>\nDate: ${now.toUTCString()}\n${head}In-Reply-To: ${header(got, 'Message-ID')}\n\n${words}\n`,
    )
  }
}
