import { expect, it } from 'vitest'
import { prepareBulkRun } from './bulk-run.ts'
import { restartPostgres } from './postgres-restart.ts'

it('a run goes on while PostgreSQL is restarted and killed: nothing lost, nothing doubled', async () => {
  const run = await prepareBulkRun(1000)
  try {
    await restartPostgres(run, 1000, 2, 20_261_121)
    expect(run.howl.pid).toBeGreaterThan(0)
  } finally {
    await run.end()
  }
})
