import { expect, test } from 'vitest'
import { fuzz } from './fuzz.ts'

// The long form, 100,000 requests, is fuzz.long.test.ts.
test(
  '1,500 random requests find no fault, and leave neither files nor connections open',
  { timeout: 240_000 },
  async () => {
    const tally = await fuzz({ requests: 1500, seed: 20_261_123 })
    expect(tally.faults).toEqual([])
    expect(tally.leftovers).toEqual([])
    expect(tally.files.after).toBeLessThanOrEqual(tally.files.before)
    // Each of these occurred: otherwise the requests would not reach the code they test.
    for (const status of [200, 400, 401, 404, 413, 415])
      expect(tally.statuses[status] ?? 0).toBeGreaterThan(0)
  },
)
