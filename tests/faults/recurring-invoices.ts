import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect } from 'vitest'
import { recurringInvoices } from '#contract/invoicing/recurring-invoices.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { call } from '../support/client.ts'
import { freshDatabase } from '../support/database.ts'
import { signUp } from '../support/factories.ts'
import { type HowlProcess, startHowlProcess } from '../support/howl-process.ts'
import { anInvoice } from '../support/invoices.ts'
import { seeded } from '../support/seeded.ts'

const DAY_SECONDS = 86_400
const PATIENCE_MS = 120_000

/** So many schedules make so many invoices each, and then end; the two workers that make them are killed in turns. */
export async function killRecurring({
  schedules,
  times,
  kills,
}: {
  schedules: number
  times: number
  kills: number
}): Promise<void> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'howl-faults-'))
  const database = await freshDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const settings = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    SECRET_KEY: 'a secret key that only the tests know of',
  }
  const random = seeded(20_261_123)
  const running = new Set<HowlProcess>()
  const start = async (...how: Parameters<typeof startHowlProcess>) => {
    const howl = await startHowlProcess(...how)
    running.add(howl)
    return howl
  }
  const count = async () =>
    Number(
      (await client.query('SELECT count(*) AS n FROM invoices WHERE recurring_id IS NOT NULL')).rows[0].n,
    )
  try {
    const web = await start(settings, ['--run=web'])
    const { token } = await signUp(web.url)
    const { body: source } = await call(web.url, invoices.add, { token, body: anInvoice() })
    for (let n = 0; n < schedules; n++) {
      const first_on = new Date(Date.now() + (2 + (n % 20)) * DAY_SECONDS * 1000).toISOString().slice(0, 10)
      const body = {
        invoice_id: source.id,
        every: 'month',
        makes: 'issued',
        first_on,
        times,
      } as const
      expect((await call(web.url, recurringInvoices.add, { token, body })).status).toBe(200)
    }

    // A year later all of them are due, and two workers find them.
    const later = { ...settings, CLOCK_OFFSET: String(365 * DAY_SECONDS) }
    const worker = () => start(later, ['--run=worker'])
    const workers = await Promise.all([worker(), worker()])
    const until = Date.now() + PATIENCE_MS
    for (let kill = 0; kill < kills; kill++) {
      const atLeast = Math.floor(((kill + random()) * schedules * times) / kills)
      while ((await count()) < atLeast && Date.now() < until) await pause(5)
      await workers[kill % 2]?.kill()
      workers[kill % 2] = await worker()
    }
    while ((await count()) < schedules * times && Date.now() < until) await pause(50)

    const { rows } = await client.query(
      `SELECT recurring_id, array_agg(recurring_period ORDER BY recurring_period) AS periods
       FROM invoices WHERE recurring_id IS NOT NULL GROUP BY 1`,
    )
    expect(rows).toHaveLength(schedules)
    for (const { periods } of rows) expect(periods).toEqual(Array.from({ length: times }, (_, at) => at + 1))
    const { rows: ended } = await client.query(
      `SELECT state, made FROM recurring_invoices WHERE state <> 'ended' OR made <> ${times}`,
    )
    expect(ended).toEqual([])
    const { rows: numbers } = await client.query(
      `SELECT left(number, 9) AS year, count(*)::int AS issued, max(right(number, 4)::int) AS highest
       FROM invoices WHERE number IS NOT NULL GROUP BY 1`,
    )
    expect(numbers.length).toBeGreaterThan(0)
    for (const { issued, highest } of numbers) expect(highest).toBe(issued)
  } finally {
    for (const howl of running) await howl.stop()
    await client.end()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
