import { expect, it } from 'vitest'
import { prepareBulkRun } from './bulk-run.ts'
import { killAtRandom } from './kill.ts'

it('10,000 mails, 50 × kill -9: none lost, at most one duplicate per connection and kill', async () => {
  const run = await prepareBulkRun(10_000)
  try {
    const { duplicates } = await killAtRandom(run, 10_000, 50, Number(process.env['SEED'] ?? 1))
    process.stdout.write(`50 kills: 0 lost, ${duplicates} duplicates\n`)
    expect(duplicates).toBeLessThanOrEqual(250)
  } finally {
    await run.end()
  }
})
