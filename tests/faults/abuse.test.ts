import { expect, test } from 'vitest'
import { liveDays, tableOf } from './abuse-days.ts'

test('in nine days of a dozen honest users every kind of abuser is found, and no honest user is banned', async () => {
  const { outcomes } = await liveDays({ honest: 12, days: 9, seed: 20_261_124, share: 0.15 })
  const told = tableOf(outcomes)
  expect(
    outcomes.filter(({ isAbuser, banned }) => !isAbuser && banned > 0).map(({ kind }) => kind),
    told,
  ).toEqual([])
  expect(
    outcomes.filter(({ isAbuser, found }) => isAbuser && found === 0).map(({ kind }) => kind),
    told,
  ).toEqual([])
  // Limits stop it, and being stopped bans nobody.
  expect(
    outcomes.filter(({ isAbuser, banned }) => isAbuser && banned === 0).map(({ kind }) => kind),
    told,
  ).toEqual(['a program that calls over every limit'])
})
