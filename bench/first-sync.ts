import { setTimeout as pause } from 'node:timers/promises'
import { BASE_PATH } from '#contract/endpoint.ts'
import { startDovecot } from '../tests/support/dovecot.ts'
import { signUp, type TestUser } from '../tests/support/factories.ts'
import { type Benchmark, duration, whole } from './parts/figure.ts'
import { type BenchHowl, connectMailbox, startHowl } from './parts/howl.ts'
import { inventedMail } from './parts/invented-mail.ts'

const MAILS = 100_000
const ACCOUNT = 'ada'
const PAGE = 50
/** Soon enough for a page; looking costs the far side time, so what takes minutes is looked at less often. */
const LOOK_EVERY_MS = 20
const LOOK_AT_THE_END_EVERY_MS = 1000
const LIMIT_MS = 150_000

/** The first reading of a mailbox of 100,000 mails: how soon its newest page is there, and the end of its history. */
export const firstSync: Benchmark = {
  name: 'first-sync',
  measure: async () => {
    const dovecot = await startDovecot({ users: { [ACCOUNT]: 'secret' } })
    const howl = await startHowl()
    try {
      await dovecot.deliverMany(ACCOUNT, 'INBOX', inventedMails())
      const user = await signUp(howl.url)
      const begun = performance.now()
      await connectMailbox(howl, user, { host: dovecot.host, port: 2525 }, dovecot.user(ACCOUNT))
      const page = await until(begun, () => hasPage(howl, user))
      const found = await until(begun, () => finds(howl, user))
      const stored = await until(begun, () => isWhole(howl, user), LOOK_AT_THE_END_EVERY_MS)
      const searchable = await until(begun, () => isSearchable(howl, user), LOOK_AT_THE_END_EVERY_MS)
      return [
        {
          name: `first sync of ${whole(MAILS)} mails: the newest page is listed after`,
          baseline: '–',
          howl: duration(page),
          ratio: page / 1000,
          unit: 's',
          reach: { atMost: 5 },
          notes: [
            `first found by a search after ${duration(found)}; everything stored after ${told(stored)}, searchable after ${told(searchable)}`,
            ...(await standing(howl, user)),
          ],
        },
      ]
    } finally {
      await howl.end()
      await dovecot.stop()
    }
  },
}

function* inventedMails(): Generator<string> {
  for (let n = 0; n < MAILS; n++) yield inventedMail(n)
}

/** Milliseconds since `begun` when it holds; NaN when it does not in time. */
async function until(begun: number, holds: () => Promise<boolean>, everyMs = LOOK_EVERY_MS): Promise<number> {
  for (;;) {
    if (await holds()) return performance.now() - begun
    if (performance.now() - begun > LIMIT_MS) return Number.NaN
    await pause(everyMs)
  }
}

async function rows(howl: BenchHowl, user: TestUser, query: string): Promise<{ subject: string }[]> {
  const answer = await fetch(`${howl.url}${BASE_PATH}/emails/?page_size=${PAGE}${query}`, {
    headers: { Authorization: `Bearer ${user.token}` },
  })
  return (await answer.json()) as { subject: string }[]
}

/** True when the page shows the newest mails, the very newest on top. */
async function hasPage(howl: BenchHowl, user: TestUser): Promise<boolean> {
  const listed = await rows(howl, user, '')
  return listed.length === PAGE && (listed[0]?.subject.endsWith(` ${MAILS - 5}`) ?? false)
}

async function finds(howl: BenchHowl, user: TestUser): Promise<boolean> {
  return (await rows(howl, user, `&search=${MAILS - 5}`)).length > 0
}

async function isWhole(howl: BenchHowl, user: TestUser): Promise<boolean> {
  const [found] = await howl.sql<{ done: boolean }>(
    `SELECT coalesce((SELECT sum(total) FROM email_counts WHERE user_id = $1), 0) >= $2
       AND NOT EXISTS (SELECT FROM emails WHERE user_id = $1 AND NOT has_body) AS done`,
    [user.id, MAILS],
  )
  return found?.done === true
}

async function isSearchable(howl: BenchHowl, user: TestUser): Promise<boolean> {
  const [found] = await howl.sql<{ done: boolean }>(
    'SELECT NOT EXISTS (SELECT FROM email_search_queue WHERE user_id = $1) AS done',
    [user.id],
  )
  return found?.done === true
}

const told = (ms: number) => (Number.isNaN(ms) ? `more than ${duration(LIMIT_MS)}` : duration(ms))

async function standing(howl: BenchHowl, user: TestUser): Promise<string[]> {
  const [row] = await howl.sql<{ stored: string; whole: string; searchable: string; waiting: string }>(
    `SELECT count(*) AS stored, count(*) FILTER (WHERE has_body) AS whole,
       (SELECT count(*) FROM email_search WHERE user_id = $1) AS searchable,
       (SELECT count(*) FROM email_search_queue WHERE user_id = $1) AS waiting
     FROM emails WHERE user_id = $1`,
    [user.id],
  )
  return [
    `then ${row?.stored} mails stored, ${row?.whole} with their words, ${row?.searchable} searchable (${row?.waiting} waiting)`,
  ]
}
