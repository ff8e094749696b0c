import { expect, test } from 'vitest'
import { syncBothWays } from './two-way-sync.ts'

test('1,000 random actions on both sides at once, with the connection cut now and then, end with both sides agreeing', async () => {
  const seed = Number(process.env['SEED'] ?? 1)
  const tally = await syncBothWays({ actions: 1000, mails: 120, seed, cutEvery: 8 })
  process.stdout.write(`${JSON.stringify({ ...tally, seed })}\n`)
  expect(tally).toMatchObject({ lost: [], doubled: [], differing: [], illegal: 0, pending: 0 })
})
