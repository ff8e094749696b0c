import { afterEach, it } from 'vitest'
import { backUpUnderLoad, killRestores } from './backup.ts'

const ended: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end()
})
const onEnd = (end: () => Promise<unknown>) => void ended.push(end)

it('a backup under load is of one moment, a killed one looks like none, and a wiped house is restored as it was, killed at many moments', () =>
  backUpUnderLoad(4000, [100, 250, 400, 600, 800, 1000, 1500], onEnd))

it('a restore that is killed leaves the old house or the new one, with the files that belong to it, whenever that is', () =>
  killRestores([100, 500, 1000, 1500, 2000, 2500], onEnd))
