import { afterEach, it } from 'vitest'
import { backUpUnderLoad, killRestores } from './backup.ts'

const ended: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end()
})
const onEnd = (end: () => Promise<unknown>) => void ended.push(end)

// The long form, killed at many moments, is backup.long.test.ts.
it(
  'a backup under load is of one moment, a killed one looks like none, and a wiped house is restored as it was',
  { timeout: 240_000 },
  () => backUpUnderLoad(1000, [600], onEnd),
)

it(
  'a restore that is killed leaves the old house or the new one, with the files that belong to it',
  { timeout: 240_000 },
  () => killRestores([100], onEnd),
)
