import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkChain, noteActivity } from '#server/activities/activities.ts'
import { linkActivities, newLinker } from '#server/activities/link-activities.ts'
import { startHowlProcess } from '../support/howl-process.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const SECRET_KEY = 'a secret key that only the tests know of'
const ROUNDS = 3
const WRITERS = 100

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
})
afterAll(() => app.end())

async function chain(): Promise<{ linked: number; waiting: number }> {
  const { rows } = await app.context.db.pool.query<{ linked: number; waiting: number }>(
    'SELECT count(position)::int AS linked, (count(*) - count(position))::int AS waiting FROM activities',
  )
  return rows[0] ?? { linked: 0, waiting: 0 }
}

it('kill -9 of the linker while 100 write leaves no gap and no fork', { timeout: 180_000 }, async () => {
  const over = new AbortController()
  let written = 0
  const writing = Array.from({ length: WRITERS }, async (_, user) => {
    while (!over.signal.aborted) {
      const activity = { type: 'log_in', user, origin: { ip: '192.0.2.1' } } as const
      await noteActivity(app.context, app.context.db, activity)
      written += 1
      await pause(50)
    }
  })
  for (let round = 0; round < ROUNDS; round++) {
    const before = (await chain()).linked
    const linker = await startHowlProcess(
      { DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir, SECRET_KEY },
      ['--run=worker'],
    )
    while ((await chain()).linked === before) await pause(1)
    await linker.kill()
  }
  over.abort()
  await Promise.all(writing)
  expect(written).toBeGreaterThan(ROUNDS * WRITERS)
  await linkActivities(app.context, await newLinker(app.context))
  expect(await checkChain(app.context)).toMatchObject({
    ok: true,
    waiting: 0,
    position: (await chain()).linked,
  })
  expect((await chain()).linked).toBeGreaterThanOrEqual(written)
})
