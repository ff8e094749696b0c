import { expect, test } from 'vitest'
import { cutSyncs } from './imap-cut.ts'

test('a sync that is cut off at 500 random bytes misses no mail and stores none twice', async () => {
  const tally = await cutSyncs({ cuts: 500, seed: Number(process.env['SEED'] ?? 1), inbox: 450, archive: 60 })
  expect(tally).toMatchObject({ missed: 0, doubled: 0, aside: 0 })
})
