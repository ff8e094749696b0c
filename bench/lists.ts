import { signUp, type TestUser } from '../tests/support/factories.ts'
import { fillInbox } from './parts/fill-inbox.ts'
import { type Benchmark, duration, type Figure, whole } from './parts/figure.ts'
import { type BenchHowl, startHowl } from './parts/howl.ts'
import { quantilesOf, settleTables, timesOf } from './parts/lists.ts'

const SIZES = { few: 10_000, some: 100_000, many: 1_000_000 } as const
type Size = keyof typeof SIZES
const PAGE = 50

/** What takes longer, and is asked less often: searches, and pages far behind by their number. */
const SEARCHES = new Set([
  'deep',
  'middle',
  'rare',
  'frequent',
  'phrase',
  'from',
  'attachment',
  'prefix',
  'nowhere',
])

/** What is asked of a mailbox of so many mails. */
function askedOf(mails: number, oneMail: number): Record<string, string> {
  const inbox = `/emails/?folder=inbox&page_size=${PAGE}`
  const search = (words: string) => `${inbox}&search=${encodeURIComponent(words)}`
  return {
    first: inbox,
    deep: `${inbox}&page=${Math.round(mails / PAGE / 4)}`,
    middle: `${inbox}&page=${mails / PAGE / 2}`,
    next: `${inbox}&page=${mails / PAGE / 2}&after=${oneMail}`,
    last: `${inbox}&page=${mails / PAGE}`,
    unread: `${inbox}&filter=unread`,
    files: `${inbox}&filter=attachments`,
    collapsed: `${inbox}&collapse=true`,
    counts: '/emails/counts',
    open: `/emails/${oneMail}`,
    thread: `/emails/${oneMail}/thread`,
    // So few that both mailboxes show the same number of rows.
    rare: `${search('zeppelin')}&limit=5`.replace(`page_size=${PAGE}&`, ''),
    frequent: search('offer'),
    phrase: search('"harbour lights"'),
    from: search('from:person77@many.example'),
    attachment: search('offer has:attachment'),
    prefix: search('zepp'),
    nowhere: search('xylophone'),
  }
}

/** A user's mailbox with a million mails against those of others with ten and a hundred thousand, in one database. */
export const lists: Benchmark = {
  name: 'lists',
  measure: async () => {
    const howl = await startHowl()
    try {
      const users = {} as Record<Size, TestUser>
      for (const [size, mails] of Object.entries(SIZES) as [Size, number][]) {
        users[size] = await signUp(howl.url)
        const begun = performance.now()
        await fillInbox(howl, users[size], mails)
        console.log(`  ${mails} mails written in ${duration(performance.now() - begun)}`)
      }
      await settleTables(howl, ['emails', 'email_bodies', 'email_search', 'inbox_groups'])
      return figuresOf(await measured(howl, users))
    } finally {
      await howl.end()
    }
  },
}

async function measured(howl: BenchHowl, users: Record<Size, TestUser>) {
  const asked: Record<string, { user: TestUser; path: string }> = {}
  for (const [size, mails] of Object.entries(SIZES) as [Size, number][]) {
    const [row] = await howl.sql<{ id: string }>(
      'SELECT id FROM emails WHERE user_id = $1 ORDER BY id OFFSET $2 LIMIT 1',
      [users[size].id, mails / 2],
    )
    for (const [what, path] of Object.entries(askedOf(mails, Number(row?.id))))
      asked[`${what} ${size}`] = { user: users[size], path }
  }
  const searches = new Set(Object.keys(asked).filter((name) => SEARCHES.has(name.split(' ')[0] ?? '')))
  const part = (of: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(asked).filter(([name]) => of(name)))
  const took = {
    ...(await timesOf(
      howl,
      part((name) => searches.has(name)),
      60,
    )),
    ...(await timesOf(
      howl,
      part((name) => !searches.has(name)),
      250,
    )),
  }
  const [half, most] = [quantilesOf(took, 0.5), quantilesOf(took, 0.95)]
  console.log(
    `  milliseconds for ${Object.values(SIZES).map(whole).join(', ')} mails: half of the calls (95 %)`,
  )
  for (const what of Object.keys(askedOf(1, 1))) {
    const told = Object.keys(SIZES).map((size) => {
      const key = `${what} ${size}`
      return `${half[key]?.toFixed(1)} (${most[key]?.toFixed(1)})`
    })
    console.log(`  ${what.padEnd(11)} ${told.join('  ')}`)
  }
  return most
}

function figuresOf(ms: Record<string, number>): Figure[] {
  const against = (name: string, what: string, atMost: number, base = `${what} few`) =>
    compared(name, ms[base], ms[`${what} many`], atMost)
  return [
    against('mailbox list p95, 1M mails against 10k', 'first', 1.5),
    against('mailbox, last page against first, 1M', 'last', 1.5, 'first many'),
    against('mailbox, page behind the middle by its link, 1M against first', 'next', 1.5, 'first many'),
    against('mailbox list, unread, 1M against 10k', 'unread', 1.5),
    against('collapsed inbox, 1M against 10k', 'collapsed', 1.5),
    against('mailbox counts p95, 1M against 10k', 'counts', 1.5),
    against('one mail, 1M against 10k', 'open', 1.5),
    against('mailbox search, rare word, 1M against 10k', 'rare', 3),
    limited('mailbox, page in the middle by its number, 1M', ms['middle many'], 100),
    limited('mailbox search, word in half of 1M mails', ms['frequent many'], 100),
    limited('mailbox search, phrase, 1M', ms['phrase many'], 100),
    limited('mailbox search, from:, 1M', ms['from many'], 100),
    limited('mailbox search, frequent word with has:attachment, 1M', ms['attachment many'], 100),
  ]
}

export function compared(name: string, base = Number.NaN, own = Number.NaN, atMost: number): Figure {
  return { name, baseline: duration(base), howl: duration(own), ratio: own / base, reach: { atMost } }
}

export function limited(name: string, own = Number.NaN, atMost: number): Figure {
  return { name, baseline: '–', howl: duration(own), ratio: own, unit: 'ms', reach: { atMost } }
}
