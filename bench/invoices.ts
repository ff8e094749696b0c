import { signUp, type TestUser } from '../tests/support/factories.ts'
import { compared } from './lists.ts'
import type { Benchmark } from './parts/figure.ts'
import { type BenchHowl, startHowl } from './parts/howl.ts'
import { pdfFigures } from './parts/invoice-pdfs.ts'
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
    'search for a number': `${list}&search=inv-${invoices / 2}`,
    'search for a customer': `${list}&search=customer+77`,
    'search for three in a hundred': `${list}&search=wholesale`,
    'search for a word in all': `${list}&search=customer`,
    'search for a word in all, by total': `${list}&search=customer&sort=-total`,
    'search among the drafts': `${list}&search=wholesale&status=draft`,
    'search for nothing': `${list}&search=xylophone`,
  }
}

/** Lists of invoices, and their PDFs. */
export const invoices: Benchmark = {
  name: 'invoices',
  measure: async () => [...(await pdfFigures()), ...(await listFigures())],
}

/** The invoices of a user with a thousand and of one with a hundred thousand, in one database. */
async function listFigures() {
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
      atMostMore(`invoices, ${name} p95, 100k against 1k`, ms[`${name} few`], ms[`${name} many`]),
    )
  } finally {
    await howl.end()
  }
}

/** Of a few milliseconds five more are allowed: nobody notices them. */
function atMostMore(name: string, base = Number.NaN, own = Number.NaN) {
  return compared(name, base, own, Number(Math.max(1.2, (base + 5) / base).toFixed(2)))
}

/** Three in ten are open and a third of those overdue, one in ten is a draft, the others are paid. */
async function fillInvoices(howl: BenchHowl, { id }: TestUser, rows: number): Promise<void> {
  await howl.sql(
    `INSERT INTO invoices (user_id, kind, number, currency, rate, issue_date, due_date, content, customer, search,
       net, tax, discount, total, paid, issued_at, created_at, updated_at, words)
     SELECT $1, 'invoice', CASE WHEN n % 10 > 0 THEN 'INV-' || n END, 'EUR', 1, day, due, jsonb_build_object('number', ''),
       'Customer ' || n % 500, lower('Customer ' || n % 500 || trade || E'\\ninv-' || n), 1000, 190, 0, 1190,
       CASE WHEN n % 10 > 3 THEN 1190 ELSE 0 END, CASE WHEN n % 10 > 0 THEN now() END, now(), now(),
       -- As the worker writes them, but all at once.
       array_to_tsvector(ARRAY(SELECT DISTINCT $3 || ':' || word FROM unnest(
         regexp_split_to_array('customer ' || n % 500 || trade || ' inv ' || n, ' ')) AS word))
     FROM (SELECT n, CASE WHEN n % 33 = 0 THEN ' wholesale' ELSE '' END AS trade, (now()::date - n % 300)::text AS day,
       (now()::date + CASE WHEN n % 10 = 1 THEN -1 - n % 300 ELSE 30 END)::text AS due FROM generate_series(1, $2::int) n) days`,
    [id, rows, String(id)],
  )
}
