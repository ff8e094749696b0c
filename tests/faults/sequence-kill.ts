import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect } from 'vitest'
import { sequences } from '#contract/outreach/sequences.ts'
import { call } from '../support/client.ts'
import { freshDatabase } from '../support/database.ts'
import { seeded } from '../support/seeded.ts'
import { type BulkRun, prepareBulkRun } from './bulk-run.ts'
import { checkArrivals } from './kill.ts'

/** As in server/outreach/sequences/pace.ts: an account sends so many mails of sequences in so much time. */
const A_SLOT = 200
const SLOT_S = 600
const LOOK_EVERY_MS = 20
/** A moment in which mails are written is short. */
const LOOK_CLOSELY_MS = 5
const PATIENCE_MS = 120_000
/** A round holds the lock on the pace of its account for about as long. */
const ROUND_MS = 60

export type Outcome = {
  duplicates: number
  /** Kills in the middle of a transaction that writes mails, and kills while mails were on their way. */
  inRounds: number
  whileSending: number
}

/**
 * A sequence with one mail to so many people, all due at once, in a process that is killed with -9: in turns while mails are on
 * their way, and while the engine writes some. The process starts again with its clock a slot later whenever all mails of a slot
 * have left. Everybody gets one mail; what a kill may duplicate is as in `killAtRandom`; and no slot has more than it may.
 */
export async function killInSequence(mails: number, kills: number, seed: number): Promise<Outcome> {
  const database = await freshDatabase()
  const client = new pg.Client({ connectionString: database.url })
  let run: BulkRun | undefined
  try {
    await client.connect()
    run = await prepareBulkRun(mails, { DATABASE_URL: database.url })
    return await new Drill(run, client, mails, seeded(seed)).run(kills)
  } finally {
    await run?.end()
    await client.end()
    await database.drop()
  }
}

class Drill {
  readonly #run: BulkRun
  readonly #client: pg.Client
  readonly #mails: number
  readonly #random: () => number
  /** After each kill the number of the last connection that was opened before it. */
  readonly #lastBefore: number[] = []
  #offset = 0

  constructor(run: BulkRun, client: pg.Client, mails: number, random: () => number) {
    this.#run = run
    this.#client = client
    this.#mails = mails
    this.#random = random
  }

  async run(kills: number): Promise<Outcome> {
    const id = await this.#begin()
    let inRounds = 0
    for (let kill = 0; kill < kills; kill++) {
      await this.#untilArrived(Math.floor(((kill + this.#random()) * this.#mails * 0.95) / kills))
      if (kill % 2 === 1 && (await this.#untilWriting())) inRounds += 1
      await this.#run.howl.kill()
      this.#lastBefore.push((await this.#run.sink.connections()).total)
      await this.#run.restart()
    }
    await this.#untilDone()
    const duplicates = await checkArrivals(this.#run, this.#mails, this.#lastBefore)
    await this.#checkSequence(id)
    return { duplicates, inRounds, whileSending: kills - inRounds }
  }

  /** Starts a sequence with everybody in it. */
  async #begin(): Promise<number> {
    const { token } = this.#run.user
    const { url } = this.#run.howl
    const mail = { id: 1, kind: 'mail', template_id: null, same_conversation: false } as const
    const body = {
      name: 'After the fair',
      hours: { days: [1, 2, 3, 4, 5, 6, 7], from_hour: 0, until_hour: 24 },
      steps: [
        {
          ...mail,
          subject: 'Thank you',
          body: 'Hello {{ first_name | default: "there" }}, it was good to meet you.',
        },
      ],
    }
    const { body: added } = await call(url, sequences.add, { token, body })
    const params = { id: added.id }
    const enrolled = await call(url, sequences.enrol, { token, params, body: { filter: {} } })
    expect(enrolled.body).toMatchObject({ enrolled: this.#mails, skipped: 0 })
    expect((await call(url, sequences.start, { token, params })).body.state).toBe('running')
    return added.id
  }

  /** Waits until the sink holds `count` mails; goes on to the next slot when all of one have left. */
  async #untilArrived(count: number): Promise<void> {
    await this.#until(`${count} mails arrive`, async () => {
      if ((await this.#run.sink.count()) >= count) return true
      if ((await this.#open()) === 0) await this.#nextSlot()
      return false
    })
  }

  /** Waits until nobody has a step left and nothing is on its way. */
  async #untilDone(): Promise<void> {
    await this.#until('the sequence ends', async () => {
      if ((await this.#open()) > 0) return false
      if ((await this.#count('SELECT count(*) FROM sequence_members WHERE is_open')) === 0) return true
      await this.#nextSlot()
      return false
    })
  }

  async #nextSlot(): Promise<void> {
    const { code } = await this.#run.howl.stop()
    expect(code).toBe(0)
    this.#offset += SLOT_S
    this.#run.environment['CLOCK_OFFSET'] = String(this.#offset)
    await this.#run.restart()
  }

  /** Begins a slot, and waits for a moment in which the engine writes mails; false if everything is written. */
  async #untilWriting(): Promise<boolean> {
    await this.#until('a slot ends', async () => (await this.#open()) === 0)
    if ((await this.#count('SELECT count(*) FROM sequence_members WHERE is_open')) === 0) return false
    await this.#nextSlot()
    const begun = await this.#count('SELECT count(*) FROM sequence_mails')
    await this.#until(
      'the engine writes mails',
      async () => {
        const written = await this.#count('SELECT count(*) FROM sequence_mails')
        return written > begun || (await this.#isWriting())
      },
      LOOK_CLOSELY_MS,
    )
    const isWriting = await this.#isWriting()
    await pause(this.#random() * ROUND_MS)
    return isWriting
  }

  async #isWriting(): Promise<boolean> {
    const locks = await this.#count(
      `SELECT count(*) FROM pg_locks l, mailboxes b WHERE l.locktype = 'advisory' AND l.granted
        AND (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended('pace of ' || b.id::text, b.user_id)`,
    )
    return locks > 0
  }

  /** Members whose step is due, and mails that have not left. */
  async #open(): Promise<number> {
    return this.#count(
      `SELECT (SELECT count(*) FROM sequence_members WHERE is_open AND due_at <= $1)
        + (SELECT count(*) FROM deliveries WHERE state <> 'sent') AS count`,
      [new Date(Date.now() + this.#offset * 1000)],
    )
  }

  async #count(text: string, values: unknown[] = []): Promise<number> {
    const { rows } = await this.#client.query<{ count: string }>(text, values)
    return Number(rows[0]?.count)
  }

  async #until(what: string, isSo: () => Promise<boolean>, everyMs = LOOK_EVERY_MS): Promise<void> {
    let until = Date.now() + PATIENCE_MS
    let before = await this.#run.sink.count()
    while (!(await isSo())) {
      const now = await this.#run.sink.count()
      if (now > before) until = Date.now() + PATIENCE_MS
      before = now
      if (Date.now() > until) {
        const { rows } = await this.#client.query('SELECT state, count(*) FROM deliveries GROUP BY 1')
        throw new Error(`In vain until ${what}: ${now} arrived, ${JSON.stringify(rows)}`)
      }
      await pause(everyMs)
    }
  }

  /** What the user sees, and what is kept: one mail to each member, and in no slot more than its share. */
  async #checkSequence(id: number): Promise<void> {
    const { user, howl } = this.#run
    const asked = { token: user.token, params: { id } }
    const { body: sequence } = await call(howl.url, sequences.get, asked)
    expect(sequence.members).toEqual({ active: 0, paused: 0, done: this.#mails, stopped: 0 })
    const figures = async () => (await call(howl.url, sequences.figures, asked)).body.total
    await expect.poll(figures, { timeout: PATIENCE_MS }).toMatchObject({ sent: this.#mails, bounced: 0 })
    const { rows } = await this.#client.query<{ members: number; people: number; most: number }>(
      `SELECT count(DISTINCT s.member_id)::int AS members, count(DISTINCT e.correspondent_key)::int AS people,
        (SELECT max(mails)::int FROM (SELECT count(*) AS mails FROM sequence_mails
          GROUP BY date_bin('10 minutes', queued_at, 'epoch')) slots) AS most
      FROM sequence_mails s JOIN emails e ON e.user_id = s.user_id AND e.id = s.email_id`,
    )
    expect(rows[0]).toMatchObject({ members: this.#mails, people: this.#mails })
    expect(rows[0]?.most, 'mails written in one slot').toBeLessThanOrEqual(A_SLOT)
  }
}
