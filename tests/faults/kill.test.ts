import { afterEach, expect, it } from 'vitest'
import { arrivals, type BulkRun, prepareBulkRun } from './bulk-run.ts'
import { killAtRandom, untilDone } from './kill.ts'

let run: BulkRun | undefined
afterEach(async () => {
  await run?.end()
  run = undefined
})

it('loses no mail when the process is killed at random', { timeout: 120_000 }, async () => {
  run = await prepareBulkRun(600)
  await killAtRandom(run, 600, 2, 20_261_121)
})

it(
  'stops within 20 s of SIGTERM in the middle of a run, and goes on after the restart: nothing lost, nothing duplicated',
  { timeout: 120_000 },
  async () => {
    run = await prepareBulkRun(600)
    run.begin()
    while ((await run.sink.count()) < 100) await new Promise((resolve) => setTimeout(resolve, 10))
    const { milliseconds, code } = await run.howl.stop()
    expect(code).toBe(0)
    expect(milliseconds).toBeLessThan(20_000)
    await run.restart()
    await untilDone(run)
    expect(await arrivals(run.sink)).toEqual({ mails: 600, duplicates: 0 })
  },
)
