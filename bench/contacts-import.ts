import { writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { csvOf, importCsv } from '../tests/support/csv.ts'
import { signUp } from '../tests/support/factories.ts'
import { type Benchmark, duration, type Figure, inTurns, median, whole } from './parts/figure.ts'
import { type BenchHowl, startHowl } from './parts/howl.ts'
import { memoryOf } from './parts/process.ts'

const SIZES = [
  { rows: 100_000, rounds: 3 },
  { rows: 1_000_000, rounds: 2 },
]

type HowlImport = { ms: number; grownMb: number | null }

/** A CSV file, from the upload to the commit, against COPY into a staging table and one merge. */
export const contactsImport: Benchmark = {
  name: 'contacts-import',
  measure: async () => {
    const howl = await startHowl()
    try {
      // The first import of a process also loads and warms its code.
      await howlImports(howl, csvOf(20_000))
      const figures: Figure[] = []
      for (const size of SIZES) figures.push(...(await measureSize(howl, size)))
      return figures
    } finally {
      await howl.end()
    }
  },
}

async function measureSize(
  howl: BenchHowl,
  { rows, rounds }: { rows: number; rounds: number },
): Promise<Figure[]> {
  const csv = csvOf(rows)
  const results = await inTurns(
    rounds,
    () => bareImports(howl, csv, rows),
    () => howlImports(howl, csv),
  )
  const bareMs = median(results.bare)
  const howlMs = median(results.howl.map(({ ms }) => ms))
  const grown = results.howl.map(({ grownMb }) => grownMb).filter((mb) => mb !== null)
  return [
    {
      name: `contacts CSV, ${whole(rows)} rows`,
      baseline: duration(bareMs),
      howl: duration(howlMs),
      ratio: bareMs / howlMs,
      reach: { atLeast: 0.4 },
      notes: [
        `each round: bare ${results.bare.map((ms) => duration(ms)).join(', ')}; Howl ${results.howl.map(({ ms }) => duration(ms)).join(', ')}`,
      ],
    },
    ...(grown.length === 0
      ? []
      : [
          {
            name: `memory it adds, ${whole(rows)} rows`,
            baseline: '–',
            howl: `${whole(Math.max(...grown))} MB`,
            ratio: Math.max(...grown),
            reach: { atMost: 64 },
            unit: 'MB' as const,
          },
        ]),
  ]
}

async function howlImports(howl: BenchHowl, csv: string): Promise<HowlImport> {
  const user = await signUp(howl.url)
  const before = await memoryOf(howl.pid)
  await forgetMost(howl.pid)
  const begun = performance.now()
  const answer = await importCsv(howl.url, user.token, new Blob([csv]))
  const ms = performance.now() - begun
  if (answer.status !== 200) throw new Error(answer.error.detail)
  const after = await memoryOf(howl.pid)
  return { ms, grownMb: before === null || after === null ? null : Math.max(0, after.most - before.now) }
}

/** Makes Linux reset its count of a process's peak memory. */
async function forgetMost(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => {})
}

/** What a person with psql would do: `\copy` into a staging table, then the same merge into the same table. */
async function bareImports(howl: BenchHowl, csv: string, rows: number): Promise<number> {
  const user = await signUp(howl.url)
  const client = new pg.Client({ connectionString: howl.databaseUrl })
  await client.connect()
  const begun = performance.now()
  await client.query('BEGIN')
  await client.query(`SET LOCAL work_mem = '48MB'`)
  await client.query(`CREATE TEMP TABLE staged (line int GENERATED ALWAYS AS IDENTITY, name text, email text,
    company text, position text, phone text, notes text) ON COMMIT DROP`)
  const columns = 'name, email, company, position, phone, notes'
  const copy = client.query(copyFrom(`COPY staged (${columns}) FROM STDIN (FORMAT csv, HEADER)`))
  await pipeline(Readable.from(pieces(csv)), copy)
  const { rowCount } = await client.query(
    `INSERT INTO contacts AS c (user_id, name, email, email_key, company, position, phone, notes, created_at, updated_at)
     SELECT DISTINCT ON (lower(email)) $1::bigint, coalesce(name, ''), email, lower(email), coalesce(company, ''),
       coalesce(position, ''), coalesce(phone, ''), coalesce(notes, ''), now(), now()
     FROM staged ORDER BY lower(email), line DESC
     ON CONFLICT (user_id, email_key) DO UPDATE SET name = excluded.name, company = excluded.company,
       position = excluded.position, phone = excluded.phone, notes = excluded.notes, updated_at = excluded.updated_at`,
    [user.id],
  )
  await client.query('COMMIT')
  const ms = performance.now() - begun
  await client.end()
  if (rowCount !== rows) throw new Error(`The bare import made ${rowCount} contacts`)
  return ms
}

const PIECE = 64 * 1024

function* pieces(text: string): Generator<Buffer> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
}
