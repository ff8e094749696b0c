import { setTimeout as pause } from 'node:timers/promises'
import { BASE_PATH } from '#contract/platform/endpoint.ts'
import { startDovecot } from '../tests/support/dovecot.ts'
import { signUp, type TestUser } from '../tests/support/factories.ts'
import { askBeside, type Calls, eachP95, p95OfAll, type Took } from './parts/asked-beside.ts'
import { type Benchmark, duration, type Figure, whole } from './parts/figure.ts'
import { fillInbox } from './parts/fill-inbox.ts'
import { type BenchHowl, connectMailbox, startHowl, untilAtRest } from './parts/howl.ts'
import { limited } from './lists.ts'
import { frequentWord, longMail, longMailSubject, ownWord, rareWord, type Spread } from './parts/long-mail.ts'

const MAILS = 100_000
/** One in so many mails is searched for by a word of its own. */
const LOOKED_FOR_EVERY = 1000
const ACCOUNT = 'ada'
const PAGE = 50
/** How many mails another user has, who should not notice. */
const MAILS_OF_ANOTHER = 10_000
const AT_REST_MS = 15_000
/** Often enough for a page. Polling costs the other side time, so what takes minutes is polled less often. */
const LOOK_EVERY_MS = 20
const LOOK_AT_THE_END_EVERY_MS = 1000
const LIMIT_MS = 600_000

const KINDS: Record<Spread, string> = {
  zipf: "words by Zipf's law over 50,000",
  uniform: 'words evenly over 4,000',
}

/**
 * The first sync of a mailbox of 100,000 mails of real length, in the way the product does it: how soon its newest page
 * is there, when all is read and when all is found, and what others and searches notice meanwhile.
 */
export const firstSync: Benchmark = {
  name: 'first-sync',
  measure: async () => {
    const figures: Figure[] = []
    for (const spread of Object.keys(KINDS) as Spread[]) figures.push(...(await readFirst(spread)))
    return figures
  },
}

type Times = { page: number; found: number; read: number; searchable: number }
type Beside = { rest: Took; whileReading: Took; whileIndexing: Took; searches: Took; searchesAfter: Took }

async function readFirst(spread: Spread): Promise<Figure[]> {
  const dovecot = await startDovecot({ users: { [ACCOUNT]: 'secret' } })
  const howl = await startHowl()
  try {
    await dovecot.deliverMany(ACCOUNT, 'INBOX', mailsOf(spread))
    const user = await signUp(howl.url)
    const other = await signUp(howl.url)
    await fillInbox(howl, other, MAILS_OF_ANOTHER)
    await untilAtRest(howl)
    const rest = await askBeside(howl, await callsOf(howl, other), AbortSignal.timeout(AT_REST_MS))

    const [allRead, allFound] = [new AbortController(), new AbortController()]
    const calls = await callsOf(howl, other)
    const begun = performance.now()
    await connectMailbox(howl, user, { host: dovecot.host, port: 2525 }, dovecot.user(ACCOUNT))
    const whileReading = askBeside(howl, calls, allRead.signal)
    const searches = askBeside(howl, searchesOf(user, spread), allFound.signal)
    const reading = await untilRead(howl, user, begun)
    allRead.abort()
    const whileIndexing = askBeside(howl, calls, allFound.signal)
    const times = { ...reading, searchable: await untilSearchable(howl, user, begun) }
    allFound.abort()
    const beside = {
      rest,
      whileReading: await whileReading,
      whileIndexing: await whileIndexing,
      searches: await searches,
      searchesAfter: await askBeside(howl, searchesOf(user, spread), AbortSignal.timeout(AT_REST_MS)),
    }
    return figuresOf(spread, times, beside, [await ownWordsFound(howl, user), await standing(howl, user)])
  } finally {
    await howl.end()
    await dovecot.stop()
  }
}

function* mailsOf(spread: Spread): Generator<string> {
  for (let n = 0; n < MAILS; n++) yield longMail(spread, n)
}

/** The calls of another user meanwhile. */
async function callsOf(howl: BenchHowl, user: TestUser): Promise<Calls> {
  const [row] = await howl.sql<{ id: string }>('SELECT max(id) AS id FROM emails WHERE user_id = $1', [
    user.id,
  ])
  const paths = {
    list: `/emails/?folder=inbox&page_size=${PAGE}&collapse=true`,
    counts: '/emails/counts',
    mail: `/emails/${row?.id}`,
    contacts: '/contacts/?page_size=20',
    search: `/emails/?page_size=${PAGE}&search=zeppelin`,
  }
  return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, { user, path }]))
}

/** Searches of the mailbox that is being read. */
function searchesOf(user: TestUser, spread: Spread): Calls {
  const [rare, frequent] = [rareWord(spread), frequentWord()]
  const searches = {
    own: ownWord(MAILS - LOOKED_FOR_EVERY),
    rare,
    frequent,
    phrase: `"${frequent} ${rare}"`,
    both: `${rare} ${frequent}`,
    prefix: rare.slice(0, -1),
    from: 'from:person77@customer.example',
    nowhere: 'xylophone',
  }
  return Object.fromEntries(
    Object.entries(searches).map(([name, search]) => [
      name,
      { user, path: `/emails/?page_size=${PAGE}&search=${encodeURIComponent(search)}` },
    ]),
  )
}

async function untilRead(howl: BenchHowl, user: TestUser, begun: number): Promise<Omit<Times, 'searchable'>> {
  const page = await until(begun, () => hasPage(howl, user))
  const found = await until(begun, async () => (await search(howl, user, MAILS - 1)).rows.length > 0)
  const read = await until(begun, () => isWhole(howl, user), LOOK_AT_THE_END_EVERY_MS)
  return { page, found, read }
}

const untilSearchable = (howl: BenchHowl, user: TestUser, begun: number) =>
  until(begun, async () => (await search(howl, user, 0)).pending === 0, LOOK_AT_THE_END_EVERY_MS)

/** Milliseconds since `begun` when the condition holds; NaN if it does not in time. */
async function until(begun: number, holds: () => Promise<boolean>, everyMs = LOOK_EVERY_MS): Promise<number> {
  for (;;) {
    if (await holds()) return performance.now() - begun
    if (performance.now() - begun > LIMIT_MS) return Number.NaN
    await pause(everyMs)
  }
}

function figuresOf(
  spread: Spread,
  { page, found, read, searchable }: Times,
  { rest, whileReading, whileIndexing, searches, searchesAfter }: Beside,
  seen: string[],
): Figure[] {
  const others = { ...whileReading, ...prefixed(whileIndexing) }
  const name = `first sync of ${whole(MAILS)} mails, ${KINDS[spread]}:`
  return [
    {
      name: `${name} the newest page is listed after`,
      baseline: '–',
      howl: duration(page),
      ratio: page / 1000,
      unit: 's',
      reach: { atMost: 5 },
      notes: [`the newest mail is found by a word of its own after ${told(found)}`],
    },
    {
      name: `${name} all found, beside all read`,
      baseline: told(read),
      howl: told(searchable),
      ratio: searchable / read,
      reach: { atMost: 2 },
      notes: seen,
    },
    {
      name: `${name} p95 of somebody else's calls meanwhile, beside at rest`,
      baseline: duration(p95OfAll(rest)),
      howl: duration(p95OfAll(others)),
      ratio: p95OfAll(others) / p95OfAll(rest),
      reach: { atMost: 2 },
      notes: [
        `p95 in ms at rest: ${eachP95(rest)}`,
        `p95 in ms while mails are read: ${eachP95(whileReading)}`,
        `p95 in ms from then on until all are found: ${eachP95(whileIndexing)}`,
      ],
    },
    limitedBy(`${name} a search meanwhile`, searches),
    limitedBy(`${name} a search afterwards`, searchesAfter),
  ]
}

function limitedBy(name: string, took: Took): Figure {
  return { ...limited(name, p95OfAll(took), 100), notes: [`p95 in ms: ${eachP95(took)}`] }
}

/** The same times under different names. */
const prefixed = (took: Took): Took =>
  Object.fromEntries(Object.entries(took).map(([name, times]) => [`later ${name}`, times]))

const told = (ms: number) => (Number.isNaN(ms) ? `more than ${duration(LIMIT_MS)}` : duration(ms))

type Found = { rows: { subject: string }[]; pending: number }

async function ask(howl: BenchHowl, user: TestUser, query: string): Promise<Found> {
  const answer = await fetch(`${howl.url}${BASE_PATH}/emails/?page_size=${PAGE}${query}`, {
    headers: { Authorization: `Bearer ${user.token}` },
  })
  return {
    rows: (await answer.json()) as Found['rows'],
    pending: Number(answer.headers.get('X-Not-Searchable-Yet') ?? 0),
  }
}

/** Searches for the n-th mail by a word of its own. */
const search = (howl: BenchHowl, user: TestUser, n: number) => ask(howl, user, `&search=${ownWord(n)}`)

/** True when the page shows the newest mails, the very newest on top. */
async function hasPage(howl: BenchHowl, user: TestUser): Promise<boolean> {
  const { rows } = await ask(howl, user, '')
  return rows.length === PAGE && rows[0]?.subject === longMailSubject(MAILS - 1)
}

async function isWhole(howl: BenchHowl, user: TestUser): Promise<boolean> {
  const [found] = await howl.sql<{ done: boolean }>(
    `SELECT coalesce((SELECT sum(total) FROM email_counts WHERE user_id = $1), 0) >= $2
       AND NOT EXISTS (SELECT FROM emails WHERE user_id = $1 AND NOT has_body) AS done`,
    [user.id, MAILS],
  )
  return found?.done === true
}

async function ownWordsFound(howl: BenchHowl, user: TestUser): Promise<string> {
  let [found, sought] = [0, 0]
  for (let n = 0; n < MAILS; n += LOOKED_FOR_EVERY) {
    const { rows } = await search(howl, user, n)
    sought += 1
    if (rows.length === 1 && rows[0]?.subject === longMailSubject(n)) found += 1
  }
  return `${found} of ${sought} mails found by a word of their own`
}

async function standing(howl: BenchHowl, user: TestUser): Promise<string> {
  const [row] = await howl.sql<{ stored: string; whole: string; searchable: string; waiting: string }>(
    `SELECT count(*) AS stored, count(*) FILTER (WHERE has_body) AS whole,
       (SELECT count(*) FROM email_search WHERE user_id = $1) AS searchable,
       (SELECT count(*) FROM email_search_queue WHERE user_id = $1) AS waiting
     FROM emails WHERE user_id = $1`,
    [user.id],
  )
  return `then ${row?.stored} mails stored, ${row?.whole} with their words, ${row?.searchable} searchable (${row?.waiting} waiting)`
}
