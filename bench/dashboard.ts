import { signUp, type TestUser } from '../tests/support/factories.ts'
import { compared } from './lists.ts'
import type { Benchmark, Figure } from './parts/figure.ts'
import { fillInbox } from './parts/fill-inbox.ts'
import { type BenchHowl, startHowl } from './parts/howl.ts'
import { fillContacts, fillCorrespondents, p95Of, settleTables } from './parts/lists.ts'

const SIZES = { few: 10_000, many: 1_000_000 } as const
type Size = keyof typeof SIZES
const TABLES = [
  'emails',
  'contacts',
  'contact_statuses',
  'correspondents',
  'meetings',
  'todos',
  'mail_activity',
]

/** The requests that the dashboard makes when it is opened. */
const ASKED = {
  'contacts card': '/contacts/?page_size=1',
  'mail cards': '/emails/counts',
  'response rate': '/emails/response-rate',
  health: '/emails/health',
  today: '/dashboard/today',
  'activity, 7 days': '/dashboard/activity?days=7',
  'activity, 30 days': '/dashboard/activity?days=30',
  'activity, 90 days': '/dashboard/activity?days=90',
  'recent contacts': '/contacts/?sort=newest&page_size=5&total=rough',
  'recent emails': '/emails/?folder=inbox&page_size=5',
  meetings: '/meetings/?filter=upcoming&limit=5',
  reminders: '/meetings/?filter=upcoming&status=scheduled&page_size=50',
  tasks: '/todos/?page_size=50',
  'outreach run': '/emails/batches/current',
}

/** The dashboard of a user with a million contacts and mails, against one with ten thousand, in one database. */
export const dashboard: Benchmark = {
  name: 'dashboard',
  measure: async () => {
    const howl = await startHowl()
    try {
      const asked: Record<string, { user: TestUser; path: string }> = {}
      for (const [size, rows] of Object.entries(SIZES) as [Size, number][]) {
        const user = await signUp(howl.url)
        await fillInbox(howl, user, rows)
        await fillCorrespondents(howl, user, rows)
        await fillContacts(howl, user, rows)
        await fillDays(howl, user, rows)
        for (const [what, path] of Object.entries(ASKED)) asked[`${what} ${size}`] = { user, path }
      }
      await settleTables(howl, TABLES)
      const ms = await p95Of(howl, asked, 200)
      return Object.keys(ASKED).map((what): Figure =>
        compared(`dashboard, ${what}, 1M against 10k`, ms[`${what} few`], ms[`${what} many`], 2),
      )
    } finally {
      await howl.end()
    }
  },
}

/** A quarter of a year: mails left and came in every hour, and for every hundred contacts there is a meeting and a task, spread over half a year. */
export async function fillDays(howl: BenchHowl, user: TestUser, rows: number): Promise<void> {
  await howl.sql(
    `INSERT INTO mail_activity (user_id, at, source, sent, replies)
     SELECT $1, at, source, ARRAY[n, n, n, n], ARRAY[n, 0, n, 0]
     FROM generate_series(date_bin('1 hour', now(), 'epoch') - interval '95 days', now(), interval '1 hour') at,
       unnest(ARRAY['left', 'read']) source, (SELECT ($2::int / 10000) AS n) each_one`,
    [user.id, rows],
  )
  await howl.sql(
    `INSERT INTO meetings (user_id, title, start_time, end_time, created_at)
     SELECT $1, 'Meeting ' || n, at, at + interval '30 minutes', now()
     FROM generate_series(1, $2::int / 100) n, LATERAL (SELECT now() + (n * 7 % 180 - 90) * interval '1 day' + n * interval '1 second' AS at) times`,
    [user.id, rows],
  )
  await howl.sql(
    `INSERT INTO todos (user_id, title, due_date, completed, created_at, updated_at)
     SELECT $1, 'Task ' || n, to_char(now() + (n * 7 % 180 - 90) * interval '1 day', 'YYYY-MM-DD'), n % 3 > 0, now(), now()
     FROM generate_series(1, $2::int / 100) n`,
    [user.id, rows],
  )
}
