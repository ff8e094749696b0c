import { expect, it } from 'vitest'
import { banInARun } from './ban-in-a-run.ts'

const CONTACTS = 10_000

it('10,000 mails, a ban after 2,000: the last leaves within 10 s; when it is lifted, the rest does, each once', async () => {
  const run = await banInARun(CONTACTS, 300_000, 12_000)
  const seconds = (ms: number) => (ms / 1000).toFixed(2)
  process.stdout.write(
    `Banned at ${run.before} mails: the last of ${run.atBan} came after ${seconds(run.msToLastMail)} s; lifted: the next after ${seconds(run.msToNextMail)} s; ${run.mails} in all, ${run.duplicates} twice\n`,
  )
  expect(run.atBan).toBeLessThan(CONTACTS)
  expect(run.msToLastMail).toBeLessThan(10_000)
  expect(run).toMatchObject({ mails: CONTACTS, duplicates: 0 })
}, 900_000)
