import { signUp, type TestUser } from '../tests/support/factories.ts'
import { compared } from './lists.ts'
import type { Benchmark } from './parts/figure.ts'
import { type BenchHowl, startHowl } from './parts/howl.ts'
import { p95Of, settleTables } from './parts/lists.ts'

const SIZES = { few: 1000, many: 100_000 } as const
type Size = keyof typeof SIZES
const PAGE = 50

/** What the page asks of a list of so many invoices. */
function askedOf(invoices: number): Record<string, string> {
  const list = `/invoices/?page_size=${PAGE}`
  return {
    list,
    'last page': `${list}&page=${invoices / PAGE}`,
    drafts: `${list}&status=draft`,
    open: `${list}&status=open`,
    overdue: `${list}&status=overdue`,
    paid: `${list}&status=paid`,
    'by customer': `${list}&sort=customer`,
    'by total': `${list}&sort=-total`,
    'by due date': `${list}&sort=due_date`,
    totals: '/invoices/totals',
  }
}

/** The invoices of a user with a thousand and of one with a hundred thousand, in one database. */
export const invoices: Benchmark = {
  name: 'invoices',
  measure: async () => {
    const howl = await startHowl()
    try {
      const users = {} as Record<Size, TestUser>
      for (const [size, rows] of Object.entries(SIZES) as [Size, number][]) {
        users[size] = await signUp(howl.url)
        await fillInvoices(howl, users[size], rows)
      }
      await settleTables(howl, ['invoices', 'invoice_totals'])
      const asked = Object.entries(SIZES).flatMap(([size, rows]) =>
        Object.entries(askedOf(rows)).map(([name, path]) => [
          `${name} ${size}`,
          { user: users[size as Size], path },
        ]),
      )
      const ms = await p95Of(howl, Object.fromEntries(asked))
      return Object.keys(askedOf(PAGE)).map((name) =>
        compared(`invoices, ${name} p95, 100k against 1k`, ms[`${name} few`], ms[`${name} many`], 1.2),
      )
    } finally {
      await howl.end()
    }
  },
}

/** Three in ten are open and a third of those overdue, one in ten is a draft, the others are paid. */
async function fillInvoices(howl: BenchHowl, { id }: TestUser, rows: number): Promise<void> {
  await howl.sql(
    `INSERT INTO invoices (user_id, kind, number, currency, rate, issue_date, due_date, content, customer, search,
       net, tax, discount, total, paid, issued_at, created_at, updated_at)
     SELECT $1, 'invoice', CASE WHEN n % 10 > 0 THEN 'INV-' || n END, 'EUR', 1, day, due, jsonb_build_object('number', ''),
       'Customer ' || n % 500, 'customer ' || n % 500 || E'\\ninv-' || n, 1000, 190, 0, 1190,
       CASE WHEN n % 10 > 3 THEN 1190 ELSE 0 END, CASE WHEN n % 10 > 0 THEN now() END, now(), now()
     FROM (SELECT n, (now()::date - n % 300)::text AS day,
       (now()::date + CASE WHEN n % 10 = 1 THEN -1 - n % 300 ELSE 30 END)::text AS due FROM generate_series(1, $2::int) n) days`,
    [id, rows],
  )
}
