import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import autocannon from 'autocannon'
import { BASE_PATH } from '#contract/platform/endpoint.ts'
import { signUp } from '../tests/support/factories.ts'
import { startHowlProcess } from '../tests/support/howl-process.ts'
import type { FastifyOrder } from './bare/fastify.ts'
import { type Benchmark, duration, inTurns, median, whole } from './parts/figure.ts'
import { startHowl } from './parts/howl.ts'
import { fillContacts, settleTables } from './parts/lists.ts'
import { memoryOf, startPart } from './parts/process.ts'

const SECONDS = 4
const CONNECTIONS = 10
const ROUNDS = 3
const STARTS = 3

type Load = { perSecond: number; p50: number; p99: number }

/** A signed-in list of twenty against bare Fastify with one prepared read; and what starting and idling cost. */
export const serving: Benchmark = {
  name: 'serve',
  measure: async () => {
    const howl = await startHowl()
    try {
      const user = await signUp(howl.url)
      await fillContacts(howl, user, 1000)
      await settleTables(howl)
      const order: FastifyOrder = { databaseUrl: howl.databaseUrl, userId: user.id }
      const starts = await inTurns(
        STARTS,
        () => bareStart(order),
        () => howlStart(howl.databaseUrl),
      )
      const part = startPart('bare/fastify.ts', order)
      const bare = await part.next<{ url: string }>()
      const rest = { bare: await memoryOf(part.pid), howl: await memoryOf(howl.pid) }
      const load = await inTurns(
        ROUNDS,
        () => underLoad(`${bare.url}/contacts`),
        () => underLoad(`${howl.url}${BASE_PATH}/contacts/?page_size=20`, user.token),
      )
      await part.end()
      const [bareRate, howlRate] = [load.bare, load.howl].map((each) =>
        median(each.map((one) => one.perSecond)),
      )
      const [bareMs, howlMs] = [median(starts.bare), median(starts.howl)]
      return [
        {
          name: 'a signed-in list of 20 over HTTP',
          baseline: `${whole(bareRate ?? 0)}/s`,
          howl: `${whole(howlRate ?? 0)}/s`,
          ratio: (howlRate ?? 0) / (bareRate ?? 0),
          reach: { atLeast: 0.5 },
          notes: [
            `each round: bare ${load.bare.map((one) => whole(one.perSecond)).join(', ')}; Howl ${load.howl.map((one) => whole(one.perSecond)).join(', ')}`,
            `p50 and p99 at full load: bare ${load.bare.map((one) => `${one.p50}/${one.p99}`).join(', ')} ms; Howl ${load.howl.map((one) => `${one.p50}/${one.p99}`).join(', ')} ms`,
          ],
        },
        {
          name: 'start to ready, beside PostgreSQL',
          baseline: duration(bareMs),
          howl: duration(howlMs),
          ratio: howlMs / bareMs,
          reach: { atMost: 3 },
        },
        ...(rest.bare === null || rest.howl === null
          ? []
          : [
              {
                name: 'memory at rest, web and worker',
                baseline: `${whole(rest.bare.now)} MB`,
                howl: `${whole(rest.howl.now)} MB`,
                ratio: rest.howl.now / rest.bare.now,
                reach: { atMost: 1.8 },
              },
            ]),
      ]
    } finally {
      await howl.end()
    }
  },
}

async function bareStart(order: FastifyOrder): Promise<number> {
  const begun = performance.now()
  const part = startPart('bare/fastify.ts', order)
  await part.next()
  const ms = performance.now() - begun
  await part.end()
  return ms
}

/** A second process on the same, migrated database. */
async function howlStart(databaseUrl: string): Promise<number> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'howl-bench-'))
  const begun = performance.now()
  const howl = await startHowlProcess({
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'info',
    SECRET_KEY: 'a secret key that only the benchmark knows',
  })
  const ms = performance.now() - begun
  await howl.stop()
  await rm(dataDir, { recursive: true, force: true })
  return ms
}

async function underLoad(url: string, token?: string): Promise<Load> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: SECONDS })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx + result.errors} calls failed`)
  return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 }
}
