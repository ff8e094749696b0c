import { expect, it } from 'vitest'
import { banInARun } from './ban-in-a-run.ts'

const CONTACTS = 1000

it('a ban in the middle of a run stops it within seconds; when it is lifted, the rest leaves, each mail once', async () => {
  const run = await banInARun(CONTACTS, 60_000, 2000)
  expect(run.before).toBeGreaterThanOrEqual(CONTACTS / 5)
  expect(run.atBan).toBeLessThan(CONTACTS)
  expect(run.msToLastMail).toBeLessThan(10_000)
  expect(run).toMatchObject({ mails: CONTACTS, duplicates: 0 })
}, 240_000)
