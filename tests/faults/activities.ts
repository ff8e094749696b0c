import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { checkChain, noteActivity } from '#server/accounts/activities/activities.ts'
import { linkActivities, newLinker } from '#server/accounts/activities/link-activities.ts'
import { startHowlProcess } from '../support/howl-process.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const SECRET_KEY = 'a secret key that only the tests know of'
const WRITERS = 100

async function chain(app: TestApp): Promise<{ linked: number; waiting: number }> {
  const { rows } = await app.context.db.pool.query<{ linked: number; waiting: number }>(
    'SELECT count(position)::int AS linked, (count(*) - count(position))::int AS waiting FROM activities',
  )
  return rows[0] ?? { linked: 0, waiting: 0 }
}

/** So many times a linker process links while 100 write and is killed with -9; the chain has neither a gap nor a fork. */
export async function killLinker(rounds: number): Promise<void> {
  const app = await startTestApp({ roles: ['web'] })
  try {
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
    for (let round = 0; round < rounds; round++) {
      const before = (await chain(app)).linked
      const linker = await startHowlProcess(
        { DATABASE_URL: app.databaseUrl, DATA_DIR: app.dataDir, SECRET_KEY },
        ['--run=worker'],
      )
      while ((await chain(app)).linked === before) await pause(1)
      await linker.kill()
    }
    over.abort()
    await Promise.all(writing)
    expect(written).toBeGreaterThan(rounds * WRITERS)
    await linkActivities(app.context, await newLinker(app.context))
    expect(await checkChain(app.context)).toMatchObject({
      ok: true,
      waiting: 0,
      position: (await chain(app)).linked,
    })
    expect((await chain(app)).linked).toBeGreaterThanOrEqual(written)
  } finally {
    await app.end()
  }
}
