import { afterEach, expect, it } from 'vitest'
import { type BulkRun, prepareBulkRun } from './bulk-run.ts'
import { checkArrivals, untilArrived, untilDone } from './kill.ts'

const MAILS = 400

let run: BulkRun | undefined
afterEach(async () => {
  await run?.end()
  run = undefined
})

// The long form, 50 kills, is kill.long.test.ts.
it('a run loses no mail when the process is killed, and none twice when it is stopped, which takes no 20 s', async () => {
  run = await prepareBulkRun(MAILS)
  run.begin()
  await untilArrived(run, MAILS / 4)
  await run.howl.kill()
  const { total } = await run.sink.connections()
  await run.restart()
  await untilArrived(run, MAILS / 2)
  const { milliseconds, code } = await run.howl.stop()
  expect(code).toBe(0)
  expect(milliseconds).toBeLessThan(20_000)
  await run.restart()
  await untilDone(run)
  // Only the kill may have doubled some.
  await checkArrivals(run, MAILS, [total])
  expect(await run.summary()).toMatchObject({ sent: MAILS, errors: 0, pending: 0 })
})
