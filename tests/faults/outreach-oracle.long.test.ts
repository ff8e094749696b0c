import { expect, test } from 'vitest'
import { compareWithRules } from './outreach-oracle.ts'

/** So few that one slot takes all who are due when the hours open: the rules say nothing of the pace. */
const PEOPLE = 420
const WORLDS = 25

test(`who of ${PEOPLE * WORLDS} contacts is written to in each hour is what the rules say`, async () => {
  const first = Number(process.env['SEED'] ?? 100)
  for (let seed = first; seed < first + WORLDS; seed += 1) {
    const { wrong, tries } = await compareWithRules(seed, PEOPLE)
    process.stdout.write(`${JSON.stringify({ seed, tries, wrong: wrong.length })}\n`)
    expect(wrong).toEqual([])
    expect(tries).toBeGreaterThan(PEOPLE / 2)
  }
})
