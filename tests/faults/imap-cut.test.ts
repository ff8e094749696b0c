import { expect, test } from 'vitest'
import { cutSyncs } from './imap-cut.ts'

// The long form, 500 cuts, is imap-cut.long.test.ts.
test('a sync that is cut off at 12 random bytes misses no mail and stores none twice', async () => {
  const tally = await cutSyncs({ cuts: 12, seed: 20_260_601, inbox: 230, archive: 30 })
  expect(tally).toMatchObject({ missed: 0, doubled: 0, aside: 0 })
  expect(tally.hit).toBeGreaterThan(8)
})
