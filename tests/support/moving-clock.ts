import { once } from 'node:events'
import { expect, type Page } from '@playwright/test'
import { Temporal } from 'temporal-polyfill'
import { type Howl, startHowl, test as base } from './e2e.ts'
import { sql } from './sql.ts'

/** A Howl of one test alone, whose clock the test moves. */
type MovedHowl = Howl & {
  /** What its clock says. */
  now(): Date
  /** Goes on to a time of a later day, at the same address and with the same data; the clock of the page goes along. */
  goOn(page: Page, days: number, time: string): Promise<void>
}

/** The zone of the days, and of the browser. */
const ZONE = 'Europe/Berlin'
/** With three and six days more a Friday and a Monday. */
const TUESDAY = 2

/** Tests with a Howl of their own: it begins on the next Tuesday at half past ten in Berlin, whenever the test runs. */
export const test = base.extend<{ house: MovedHowl }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the wanted fixtures from this pattern
  house: async ({}, use) => {
    let at = nextTuesday()
    let running = await startHowl(clockAt(at))
    const first = running
    const moved = { from: Date.now(), to: at.epochMilliseconds }
    const now = () => new Date(moved.to + Date.now() - moved.from)
    const leave = async () => {
      if (running.child.exitCode === null) {
        running.child.kill('SIGTERM')
        await once(running.child, 'exit')
      }
      // What it was started with, and has not used.
      if (running !== first) await running.end()
    }
    await use({
      url: first.url,
      databaseUrl: first.databaseUrl,
      dataDir: first.dataDir,
      now,
      goOn: async (pageOf, days, time) => {
        at = at.toPlainDate().add({ days }).toZonedDateTime({ timeZone: ZONE, plainTime: time })
        await followUpsArePlanned(first.databaseUrl)
        await leave()
        running = await startHowl({
          ...clockAt(at),
          PORT: new URL(first.url).port,
          PUBLIC_URL: first.url,
          DATABASE_URL: first.databaseUrl,
          DATA_DIR: first.dataDir,
        })
        moved.from = Date.now()
        moved.to = at.epochMilliseconds
        await pageOf.clock.setSystemTime(now())
      },
    })
    if (running !== first) await leave()
    await first.end()
  },
  // A long story ends at the step that cannot be done, and not at its own time limit.
  actionTimeout: 15_000,
  page: async ({ page, house }, use) => {
    await page.clock.install({ time: house.now() })
    await use(page)
  },
  baseURL: ({ house }, use) => use(house.url),
})

/** Follow-ups that were switched on a moment ago begin with the first hour after they are planned: the clock must not run past it. */
async function followUpsArePlanned(databaseUrl: string): Promise<void> {
  const unplanned = () => sql(databaseUrl, 'SELECT FROM follow_up_plans WHERE is_stale')
  await expect.poll(unplanned, { timeout: 30_000 }).toEqual([])
}

function nextTuesday(): Temporal.ZonedDateTime {
  const today = Temporal.Now.plainDateISO(ZONE)
  const days = ((TUESDAY - today.dayOfWeek + 6) % 7) + 1
  return today.add({ days }).toZonedDateTime({ timeZone: ZONE, plainTime: '10:30' })
}

const clockAt = (at: Temporal.ZonedDateTime) => ({
  CLOCK_OFFSET: String(Math.round((at.epochMilliseconds - Date.now()) / 1000)),
})
