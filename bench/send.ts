import { setTimeout as pause } from 'node:timers/promises'
import { contacts } from '#contract/crm/contacts.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { call } from '../tests/support/client.ts'
import { csvOf, importCsv } from '../tests/support/csv.ts'
import { signUp } from '../tests/support/factories.ts'
import type { PoolOrder } from './bare/nodemailer-pool.ts'
import { type Benchmark, duration, inTurns, median, quantile, whole } from './parts/figure.ts'
import { type BenchHowl, connectMailbox, startHowl, untilAtRest } from './parts/howl.ts'
import { memoryOf, processorTimeOf, startPart } from './parts/process.ts'
import { type Arrived, type Sink, startSink } from './parts/sink.ts'

const MAILS = 10_000
const ROUNDS = 5
/** What Howl opens to one account. */
const CONNECTIONS = 10
const PROBE_EVERY_MS = 100
const LIMIT_MS = 180_000
/** Bytes that Nodemailer puts around the text of a mail, so that the mails of both sides are of one size. */
const HEADER_BYTES = 390

type BareRun = { arrived: Arrived; processorMs: number }
type HowlRun = BareRun & {
  postgresMs: number
  wholeMs: number
  answerMs: number
  probes: number[]
  /** From the last mail until all of them can be searched. */
  restMs: number
}

/** Ten thousand personalised mails through Howl, every step of each on the disk, against a bare pool to the same server. */
export const send: Benchmark = {
  name: 'send',
  measure: async () => {
    const sink = await startSink()
    const howl = await startHowl()
    try {
      const first = await howlSends(howl, sink, 500)
      const textBytes = Math.round(first.arrived.bytes / first.arrived.mails) - HEADER_BYTES
      const rounds = await inTurns(
        ROUNDS,
        () => poolSends({ ...sink, connections: CONNECTIONS, mails: MAILS, textBytes }, sink),
        () => howlSends(howl, sink, MAILS),
      )
      const memory = await memoryOf(howl.pid)
      const bareRate = median(rounds.bare.map((run) => rate(run.arrived)))
      const howlRate = median(rounds.howl.map((run) => rate(run.arrived)))
      const sizes = [rounds.bare[0], rounds.howl[0]].map((run) =>
        run === undefined ? 0 : run.arrived.bytes / run.arrived.mails,
      )
      const perMail = (spent: number[]) => `${(median(spent) / MAILS).toFixed(2)} ms`
      return [
        {
          name: 'bulk send, 10,000 mails',
          baseline: `${whole(bareRate)} mails/s`,
          howl: `${whole(howlRate)} mails/s`,
          ratio: howlRate / bareRate,
          reach: { atLeast: 0.8 },
          notes: [
            `mails of ${sizes.map((size) => whole(size)).join(' and ')} bytes (bare and Howl), ${CONNECTIONS} connections`,
            `each round, mails/s: bare ${rounds.bare.map((run) => whole(rate(run.arrived))).join(', ')}; Howl ${rounds.howl.map((run) => whole(rate(run.arrived))).join(', ')}`,
            `processor time for a mail: bare ${perMail(rounds.bare.map((run) => run.processorMs))}; Howl ${perMail(rounds.howl.map((run) => run.processorMs))} and PostgreSQL ${perMail(rounds.howl.map((run) => run.postgresMs))}`,
            `from the click to the last mail: ${rounds.howl.map((run) => duration(run.wholeMs)).join(', ')}; from there until all can be searched: ${rounds.howl.map((run) => duration(run.restMs)).join(', ')}`,
          ],
        },
        {
          name: 'first answer to the click',
          baseline: '–',
          howl: duration(median(rounds.howl.map((run) => run.answerMs))),
          ratio: Math.max(...rounds.howl.map((run) => run.answerMs)) / 1000,
          reach: { atMost: 25 },
          unit: 's',
        },
        {
          name: 'another call meanwhile, p95',
          baseline: '–',
          howl: duration(
            quantile(
              rounds.howl.flatMap((run) => run.probes),
              0.95,
            ),
          ),
          ratio: quantile(
            rounds.howl.flatMap((run) => run.probes),
            0.95,
          ),
          reach: { atMost: 200 },
          unit: 'ms',
        },
        ...(memory === null
          ? []
          : [
              {
                name: 'memory while sending, at most',
                baseline: '–',
                howl: `${whole(memory.most)} MB`,
                ratio: memory.most,
                reach: { atMost: 512 },
                unit: 'MB' as const,
              },
            ]),
      ]
    } finally {
      await howl.end()
      await sink.end()
    }
  },
}

const rate = ({ mails, firstAt, lastAt }: Arrived) => ((mails - 1) / (lastAt - firstAt)) * 1000

async function poolSends(order: PoolOrder, sink: Sink): Promise<BareRun> {
  const pool = startPart('bare/nodemailer-pool.ts', order)
  await pool.next()
  const { all } = await sink.expect(order.mails, LIMIT_MS)
  const before = await processorTimeOf([pool.pid])
  pool.send({ go: true })
  const arrived = await all
  const processorMs = (await processorTimeOf([pool.pid])) - before
  await pool.end()
  return { arrived, processorMs }
}

/** A user with `mails` contacts presses the button. */
async function howlSends(howl: BenchHowl, sink: Sink, mails: number): Promise<HowlRun> {
  const user = await signUp(howl.url)
  await connectMailbox(howl, user, sink)
  const imported = await importCsv(howl.url, user.token, csvOf(mails))
  if (imported.body.created !== mails)
    throw new Error(`${imported.body.created} contacts instead of ${mails}`)
  await untilAtRest(howl)
  const { all } = await sink.expect(mails, LIMIT_MS)
  const before = await processorTimes(howl)
  const clickedAt = performance.timeOrigin + performance.now()
  const answer = call(howl.url, outreach.generateAndSend, { token: user.token }).then(
    () => performance.timeOrigin + performance.now() - clickedAt,
  )
  const over = new AbortController()
  const probing = probe(howl, user.token, over.signal)
  const arrived = await all.finally(() => over.abort())
  const after = await processorTimes(howl)
  if (arrived.recipients !== mails) throw new Error(`${arrived.recipients} recipients instead of ${mails}`)
  return {
    arrived,
    processorMs: after.howl - before.howl,
    postgresMs: after.postgres - before.postgres,
    wholeMs: arrived.lastAt - clickedAt,
    answerMs: await answer,
    probes: await probing,
    // The next round of either side is not to be slowed by what is left of this one.
    restMs: await untilAtRest(howl).then(() => performance.timeOrigin + performance.now() - arrived.lastAt),
  }
}

/** Processor time used so far by Howl and by all processes of its database server. */
async function processorTimes(howl: BenchHowl): Promise<{ howl: number; postgres: number }> {
  const rows = await howl.sql<{ pid: number }>('SELECT pid FROM pg_stat_activity')
  return {
    howl: await processorTimeOf([howl.pid]),
    postgres: await processorTimeOf(rows.map(({ pid }) => pid)),
  }
}

/** How long another call takes, again and again, in milliseconds. */
async function probe(howl: BenchHowl, token: string, signal: AbortSignal): Promise<number[]> {
  const took: number[] = []
  while (!signal.aborted) {
    const begun = performance.now()
    await call(howl.url, contacts.list, { token, query: { page_size: 20 } })
    took.push(performance.now() - begun)
    await pause(PROBE_EVERY_MS)
  }
  return took
}
