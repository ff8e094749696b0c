import { expect, test } from 'vitest'
import { syncBothWays } from './two-way-sync.ts'

// The long form, 1,000 actions, is two-way-sync.long.test.ts.
test('60 random actions here and in another mail program at once end with both sides agreeing', async () => {
  const tally = await syncBothWays({ actions: 60, mails: 30, seed: 20_260_701, cutEvery: 6 })
  expect(tally).toMatchObject({ lost: [], doubled: [], differing: [], illegal: 0, pending: 0 })
  expect(Math.min(tally.here, tally.there)).toBeGreaterThan(15)
})
