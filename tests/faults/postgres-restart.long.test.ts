import { it } from 'vitest'
import { prepareBulkRun } from './bulk-run.ts'
import { restartPostgres } from './postgres-restart.ts'

it('10,000 mails, PostgreSQL restarted ten times: 0 lost, 0 duplicated', async () => {
  const run = await prepareBulkRun(10_000)
  try {
    await restartPostgres(run, 10_000, 10, Number(process.env['SEED'] ?? 1))
  } finally {
    await run.end()
  }
})
