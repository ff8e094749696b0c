import { expect, test } from 'vitest'
import { fuzz } from './fuzz.ts'

/** What uncollected garbage may add. */
const MEMORY_MB = 150

test('100,000 random requests find no fault, and leave files and memory as they were', async () => {
  const seed = Number(process.env['SEED'] ?? 1)
  const tally = await fuzz({ requests: 100_000, seed })
  process.stdout.write(`${JSON.stringify({ ...tally, seed })}\n`)
  expect(tally.faults).toEqual([])
  expect(tally.leftovers).toEqual([])
  expect(tally.files.after).toBeLessThanOrEqual(tally.files.before)
  expect(tally.memory.after - tally.memory.before).toBeLessThanOrEqual(MEMORY_MB)
})
