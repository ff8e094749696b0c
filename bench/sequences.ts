import { setTimeout as pause } from 'node:timers/promises'
import { contacts } from '#contract/crm/contacts.ts'
import { sequences } from '#contract/outreach/sequences.ts'
import { connect } from '#server/platform/database/connect.ts'
import { inTransaction, runSql } from '#server/platform/database/transaction.ts'
import { claimDue, countMailsSince, dueSequences } from '#server/outreach/sequences/due-store.ts'
import { addMembers, type Entry } from '#server/outreach/sequences/members-store.ts'
import { SLOT_MS } from '#server/outreach/sequences/pace.ts'
import { runDue } from '#server/outreach/sequences/run-due.ts'
import { call } from '../tests/support/client.ts'
import { signUp, type TestUser } from '../tests/support/factories.ts'
import { startSmtpSink } from '../tests/support/smtp-sink.ts'
import { movableClock, startTestApp, type TestApp } from '../tests/support/test-app.ts'
import { connectWriter } from '../tests/support/writing.ts'
import { compared, limited } from './lists.ts'
import { type Benchmark, type Figure, quantile } from './parts/figure.ts'
import { type BenchHowl, startHowl, untilAtRest } from './parts/howl.ts'
import { fillContacts, settleTables } from './parts/lists.ts'

const SIZES = [10_000, 100_000, 1_000_000]
const DUE = 200
const TIMES = 200
const TAGGED = 100_000
const LOOK = 5000
const AT_ONCE = 500
/** What an ordinary provider takes in an hour; a sixth of it is a slot. */
const HOURLY_LIMIT = 300
const A_SLOT = HOURLY_LIMIT / 6
const ENROLLED = 100_000
const ROUNDS = 100
const PATIENCE_MS = 120_000
const MAIL = { id: 1, kind: 'mail', template_id: null, same_conversation: false } as const

/** What the engine looks up in a round, by how many members there are; a whole round; and how long it takes until many are in. */
export const sequencesBench: Benchmark = {
  name: 'sequences',
  measure: async () => {
    const howl = await startHowl()
    try {
      return [...(await roundFigures(howl)), await wholeRoundFigure(howl), await tagFigure(howl)]
    } finally {
      await howl.end()
    }
  },
}

/** As many members are due at each size; the sequence is a draft, so that Howl itself leaves them alone. */
async function roundFigures(howl: BenchHowl): Promise<Figure[]> {
  const user = await signUp(howl.url)
  const id = await draft(howl, user, null)
  await fillContacts(howl, user, 1)
  const [contact] = await howl.sql<{ id: number }>('SELECT id FROM contacts WHERE user_id = $1', [user.id])
  const { db, close } = connect(howl.databaseUrl, console.error)
  const p95: number[] = []
  const p95In: number[] = []
  try {
    let from = 1
    for (const size of SIZES) {
      await howl.sql(
        `INSERT INTO sequence_members (user_id, sequence_id, contact_id, version, state, step, is_open, due_at, started_by,
           depth, started_at)
         SELECT $1, $2, n, 1, 'active', 1, true, now() + CASE WHEN n <= $5 THEN interval '-1 hour' ELSE n % 90 * interval '1 day'
           + interval '1 day' END, 'hand', 0, now() FROM generate_series($3::int, $4::int) n`,
        [user.id, id, from, size, DUE],
      )
      from = size + 1
      await settleTables(howl, ['sequence_members'])
      const took: number[] = []
      const tookIn: number[] = []
      for (let time = -10; time < TIMES; time++) {
        const begun = performance.now()
        const now = new Date()
        const [due] = await dueSequences(db, now, LOOK)
        const members = await inTransaction(db, async (tx) => {
          await countMailsSince(tx, user.id, 1, now)
          return claimDue(tx, user.id, due?.sequenceId ?? 0, now, AT_ONCE)
        })
        if (members.length !== DUE) throw new Error(`${members.length} members were due`)
        const found = performance.now()
        // The contact is in it already, so every call does the same work.
        await inTransaction(db, async (tx) => addMembers(tx, user.id, [contact?.id ?? 0], entryInto(id, now)))
        if (time < 0) continue
        took.push(found - begun)
        tookIn.push(performance.now() - found)
      }
      p95.push(quantile(took, 0.95))
      p95In.push(quantile(tookIn, 0.95))
    }
  } finally {
    await close()
  }
  await howl.sql('DELETE FROM sequence_members')
  await settleTables(howl, ['sequence_members'])
  const [few = Number.NaN, some = Number.NaN, many = Number.NaN] = p95
  const [fewIn = Number.NaN, , manyIn = Number.NaN] = p95In
  return [
    limited('sequences, looking up 200 that are due, 100k members, p95', some, 100),
    compared('sequences, looking up 200 that are due, 1M members against 10k', few, many, atMost(few)),
    compared(
      'sequences, checking whether one contact is in it, 1M members against 10k',
      fewIn,
      manyIn,
      atMost(fewIn),
    ),
  ]
}

/** A figure of a few milliseconds may be five more. */
const atMost = (few: number): number => Number(Math.max(1.2, (few + 5) / few).toFixed(2))

const entryInto = (sequenceId: number, now: Date): Entry => ({
  sequenceId,
  version: 1,
  startedBy: 'tag',
  depth: 0,
  now,
  step: 1,
  dueAt: now,
  isOpen: true,
  againBefore: null,
  stopped: null,
})

/**
 * Whole rounds, from the look to the commit, each with a slot's mails: members are found, mails written and queued, and the next
 * steps set. The app of these rounds has no workers, so nothing else does them, and nothing leaves.
 */
async function wholeRoundFigure(howl: BenchHowl): Promise<Figure> {
  const clock = movableClock()
  clock.stand()
  const app = await startTestApp({
    clock,
    roles: ['web'],
    database: { url: await howl.addDatabase('rounds') },
  })
  const sink = await startSmtpSink()
  try {
    const user = await connectWriter(app, sink)
    const { db } = app.context
    const run = async (text: string, values: unknown[]) => (await runSql(db, text, values)).rows
    await run('UPDATE mailboxes SET hourly_limit = $2 WHERE user_id = $1', [user.id, HOURLY_LIMIT])
    await run(
      `INSERT INTO contacts (user_id, name, email, email_key, company, created_at, updated_at)
       SELECT $1, 'Person ' || n, 'person' || n || '@many.example', 'person' || n || '@many.example', 'Company', now(), now()
       FROM generate_series(1, $2::int) n`,
      [user.id, ENROLLED],
    )
    const id = await draft(app, user, null)
    await call(app.url, sequences.start, { token: user.token, params: { id } })
    await run(
      `INSERT INTO sequence_members (user_id, sequence_id, contact_id, version, state, step, is_open, due_at, started_by,
         depth, started_at)
       SELECT $1, $2, id, 1, 'active', 1, true,
         $3::timestamptz + row_number() OVER (ORDER BY id) / $4 * interval '10 minutes', 'hand', 0, now()
       FROM contacts WHERE user_id = $1`,
      [user.id, id, clock.now(), A_SLOT],
    )
    for (const table of ['contacts', 'sequence_members']) await run(`VACUUM (ANALYZE) ${table}`, [])
    const took: number[] = []
    for (let round = -10; round < ROUNDS; round++) {
      clock.forward(SLOT_MS)
      const before = await countMails(app, user)
      const begun = performance.now()
      await runDue(app.context)
      const ms = performance.now() - begun
      const written = (await countMails(app, user)) - before
      if (written !== A_SLOT) throw new Error(`${written} mails were written in a slot`)
      if (round >= 0) took.push(ms)
      // They have left before the next slot.
      await run(`UPDATE deliveries SET state = 'sent' WHERE user_id = $1 AND state = 'queued'`, [user.id])
    }
    return limited(
      `sequences, a round that writes ${A_SLOT} mails, 100k members, p95`,
      quantile(took, 0.95),
      100,
    )
  } finally {
    await app.end()
    await sink.stop()
  }
}

async function countMails(app: TestApp, user: TestUser): Promise<number> {
  const counted = await runSql(
    app.context.db,
    'SELECT count(*)::int AS n FROM sequence_mails WHERE user_id = $1',
    [user.id],
  )
  const [row] = counted.rows as { n: number }[]
  return row?.n ?? 0
}

/** From the click that tags so many contacts until all of them are in the sequence that the tag starts. */
async function tagFigure(howl: BenchHowl): Promise<Figure> {
  const user = await signUp(howl.url)
  await fillContacts(howl, user, TAGGED)
  await settleTables(howl)
  // Contacts that have just been added are made searchable first.
  await untilAtRest(howl)
  const id = await draft(howl, user, 'Fair')
  // Started without an account: nothing is mailed.
  await howl.sql(`UPDATE sequences SET state = 'running', started_at = now() WHERE id = $1`, [id])
  await howl.sql(
    `INSERT INTO sequence_starts (user_id, sequence_id, kind, value) VALUES ($1, $2, 'tag', 'fair') ON CONFLICT DO NOTHING`,
    [user.id, id],
  )
  const begun = performance.now()
  const body = { filter: {}, tag: 'Fair' }
  const { status } = await call(howl.url, contacts.tagMany, { token: user.token, body })
  if (status !== 200) throw new Error(`Tagging was refused with ${status}`)
  const answered = performance.now() - begun
  for (;;) {
    const rows = await howl.sql<{ n: number }>(
      'SELECT count(*)::int AS n FROM sequence_members WHERE sequence_id = $1',
      [id],
    )
    if (rows[0]?.n === TAGGED) break
    if (performance.now() - begun > PATIENCE_MS) throw new Error(`Only ${rows[0]?.n} are in the sequence`)
    await pause(100)
  }
  const figure = limited(
    'sequences, tagging 100,000 contacts until all are in',
    performance.now() - begun,
    10_000,
  )
  return { ...figure, notes: [`the call that tags them answers after ${Math.round(answered)} ms`] }
}

async function draft(howl: { url: string }, user: TestUser, tag: string | null): Promise<number> {
  const added = await call(howl.url, sequences.add, {
    token: user.token,
    body: {
      name: 'After the fair',
      hours: { days: [1, 2, 3, 4, 5, 6, 7], from_hour: 0, until_hour: 24 },
      starts: tag === null ? [] : [{ on: 'tag', tag }],
      steps: [{ ...MAIL, subject: 'Thank you', body: '{{ greeting }}, it was good to meet you.' }],
    },
  })
  if (added.status !== 200) throw new Error(`The sequence was refused: ${added.error.detail}`)
  return added.body.id
}
