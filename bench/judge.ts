import { setTimeout as pause } from 'node:timers/promises'
import { outreach } from '#contract/outreach/runs.ts'
import { sequences } from '#contract/outreach/sequences.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { runBatch } from '#server/outreach/runs/run-batch.ts'
import { SLOT_MS } from '#server/outreach/sequences/pace.ts'
import { runDue } from '#server/outreach/sequences/run-due.ts'
import { call } from '../tests/support/client.ts'
import { csvOf, importCsv } from '../tests/support/csv.ts'
import type { TestUser } from '../tests/support/factories.ts'
import { startSmtpSink } from '../tests/support/smtp-sink.ts'
import { movableClock, startTestApp, type TestApp } from '../tests/support/test-app.ts'
import { connectWriter } from '../tests/support/writing.ts'
import { limited } from './lists.ts'
import { type Benchmark, type Figure, quantile } from './parts/figure.ts'
import { startHowl } from './parts/howl.ts'

/** What the door claims at once. */
const CHUNK = 500
const TIMES = 200
/** All rounds are of one day. */
const MIDDAY = '2031-01-07T12:00:00Z'

/** What it costs to ask once more, when so many automatic mails are claimed, whether each may leave. */
export const judging: Benchmark = {
  name: 'judge',
  measure: async () => {
    const howl = await startHowl()
    const sink = await startSmtpSink()
    // No workers: what is queued stays there.
    const clock = movableClock()
    clock.stand()
    clock.forward(Date.parse(MIDDAY) - clock.now().getTime())
    const app = await startTestApp({
      clock,
      roles: ['web'],
      database: { url: await howl.addDatabase('judged') },
    })
    try {
      return [
        await judged(app, await connectWriter(app, sink), 'a run', queueRun),
        await judged(app, await connectWriter(app, sink), 'a sequence', queueSequence),
      ]
    } finally {
      await app.end()
      await sink.stop()
      await howl.end()
    }
  },
}

async function judged(
  app: TestApp,
  user: TestUser,
  source: string,
  queue: (app: TestApp, user: TestUser) => Promise<unknown>,
): Promise<Figure> {
  await importCsv(app.url, user.token, csvOf(CHUNK))
  await queue(app, user)
  const mails = await queued(app, user)
  if (mails.length !== CHUNK) throw new Error(`${mails.length} mails of ${source} are queued`)
  const ids = mails.map((mail) => mail.email_id)
  const account = { userId: user.id, mailboxId: mails[0]?.mailbox_id ?? 0 }
  const took: number[] = []
  for (let time = -20; time < TIMES; time++) {
    const begun = performance.now()
    const gone = await app.context.delivery.groupMail.judge(account, ids)
    if (time >= 0) took.push(performance.now() - begun)
    if (gone.size > 0) throw new Error(`${gone.size} mails of ${source} may not leave`)
  }
  return limited(`judging ${CHUNK} claimed mails of ${source}, median`, quantile(took, 0.5), 5)
}

async function queued(app: TestApp, user: TestUser) {
  const { rows } = await runSql(
    app.context.db,
    'SELECT email_id, mailbox_id FROM automatic_mails WHERE user_id = $1 AND email_id IS NOT NULL',
    [user.id],
  )
  return rows as { email_id: number; mailbox_id: number }[]
}

/** Writes and queues what a run of all contacts sends. */
async function queueRun(app: TestApp, user: TestUser): Promise<void> {
  const { body } = await call(app.url, outreach.generateAndSend, { token: user.token })
  const written = new AbortController()
  const run = runBatch(app.context, user.id, body.batch_id, written.signal)
  while ((await queued(app, user)).length < CHUNK) await pause(50)
  written.abort()
  await run
}

async function queueSequence(app: TestApp, user: TestUser): Promise<void> {
  const { token } = user
  const { body } = await call(app.url, sequences.add, {
    token,
    body: {
      name: 'After the fair',
      hours: { days: [1, 2, 3, 4, 5, 6, 7], from_hour: 0, until_hour: 24 },
      steps: [
        {
          id: 1,
          kind: 'mail',
          template_id: null,
          same_conversation: false,
          subject: 'Thank you',
          body: '{{ greeting }}, it was good to meet you.',
        },
      ],
    },
  })
  await call(app.url, sequences.start, { token, params: { id: body.id } })
  await call(app.url, sequences.enrol, { token, params: { id: body.id }, body: { filter: {} } })
  while ((await queued(app, user)).length < CHUNK) {
    await runDue(app.context)
    // They have left before the next slot. What is judged does not depend on it.
    await runSql(app.context.db, `UPDATE deliveries SET state = 'sent' WHERE user_id = $1`, [user.id])
    app.clock.forward(SLOT_MS)
  }
}
