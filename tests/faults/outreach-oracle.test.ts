import { expect, test } from 'vitest'
import { compareWithRules } from './outreach-oracle.ts'

test(
  'who of 300 contacts is written to in each hour is what the rules say',
  { timeout: 240_000 },
  async () => {
    const { wrong, tries } = await compareWithRules(5, 300)
    expect(wrong).toEqual([])
    expect(tries).toBeGreaterThan(250)
  },
)
