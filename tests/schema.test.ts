import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDatabase } from './support/database.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
/** Tables whose rows have no owner: the users themselves, processes, and counts of what strangers do, mails from Howl itself. */
const OWNERLESS = new Set([
  'users',
  'workers',
  'call_counts',
  'activities',
  'activity_chain',
  'activity_checks',
  'accepted_gaps',
  'restores',
  'log_in_tries',
  'system_mails',
  // What outlives an account belongs to nobody.
  'departure_feedback',
  'kept_suppressions',
  // What a dollar is worth is the same for everybody.
  'exchange_rates',
  // The house's own count of all its users.
  'ai_house_days',
  // The doors of the administrator area are of the house.
  'admin_access_codes',
  'admin_claims',
  // Administrators share what they are told.
  'admin_notifications',
  'abuse_rounds',
  // Figures of the whole house name nobody.
  'house_days',
  'account_counts',
])

type Column = { table: string; column: string; nullable: boolean; hasDefault: boolean; type: string }

let database: Awaited<ReturnType<typeof freshDatabase>>
let client: pg.Client

beforeAll(async () => {
  database = await freshDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

describe('the row types and the database agree', () => {
  it('on every column of every table, and on what may be null', async () => {
    const { rows } = await client.query<Column>(`
      SELECT table_name AS table, column_name AS column, is_nullable = 'YES' AS nullable,
        column_default IS NOT NULL OR is_identity = 'YES' AS "hasDefault", udt_name AS type
      FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT LIKE 'kysely%'
        -- Each loop has a view of the shape of work_due.
        AND table_name NOT LIKE 'work\\_due\\_%'`)
    const isView = new Set(
      (
        await client.query<{ name: string }>(`SELECT table_name AS name FROM information_schema.views`)
      ).rows.map((row) => row.name),
    )
    const inDatabase = rows
      .map(
        (row) =>
          `${row.table}.${row.column}${!isView.has(row.table) && row.nullable ? ' null' : ''}${!isView.has(row.table) && row.hasDefault ? ' default' : ''}`,
      )
      .sort()
    const inCode = rowTypes()
      .flatMap(({ table, columns }) =>
        columns.map(({ name, type }) => {
          const view = isView.has(table)
          return `${table}.${name}${!view && /\| null/.test(type) ? ' null' : ''}${!view && /Generated<|ColumnType<[^>]*undefined/.test(type) ? ' default' : ''}`
        }),
      )
      .sort()
    expect(inCode).toEqual(inDatabase)
  })

  it('on the owner, which comes first in every key', async () => {
    const { rows } = await client.query<{ table: string; kind: string; first: string }>(`
      SELECT c.conrelid::regclass::text AS table, c.contype AS kind, a.attname AS first
      FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
      WHERE c.connamespace = 'public'::regnamespace AND c.contype IN ('p', 'f')`)
    const strangers = rows.filter(
      (row) => !OWNERLESS.has(row.table) && !row.table.startsWith('kysely') && row.first !== 'user_id',
    )
    expect(strangers).toEqual([])
    const owned = new Set(rows.filter((row) => row.kind === 'p').map((row) => row.table))
    const views = new Set(
      (
        await client.query<{ name: string }>(`SELECT table_name AS name FROM information_schema.views`)
      ).rows.map((row) => row.name),
    )
    for (const { table } of rowTypes()) if (!views.has(table)) expect(owned).toContain(table)
  })

  it('on foreign keys: each is served by an index of its own table', async () => {
    const { rows } = await client.query<{ name: string }>(`
      SELECT c.conrelid::regclass || '(' || (SELECT string_agg(attname, ', ' ORDER BY ord) FROM unnest(c.conkey) WITH ORDINALITY AS k(num, ord)
        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.num) || ')' AS name
      FROM pg_constraint c WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace
        AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.conrelid AND i.indpred IS NULL
          AND (i.indkey::int2[])[0:0] @> ARRAY[c.conkey[1]])`)
    expect(rows.map((row) => row.name)).toEqual([])
  })
})

it('every trigger has its reason in docs/triggers.md', async () => {
  const { rows } = await client.query<{ name: string }>(`
    SELECT tgrelid::regclass || ' ' || tgname AS name FROM pg_trigger
    WHERE NOT tgisinternal AND tgfoid <> 'wake_loops'::regproc ORDER BY 1`)
  const listed = readFileSync(path.join(ROOT, 'docs/triggers.md'), 'utf8')
    .split('\n')
    .map((line) => /^\| `(\w+)` \| (.+?) \| \S/.exec(line))
    .flatMap((row) => [...(row?.[2] ?? '').matchAll(/\w+/g)].map(([trigger]) => `${row?.[1]} ${trigger}`))
  expect(listed.toSorted()).toEqual(rows.map(({ name }) => name).toSorted())
})

/** The columns that the `tables.ts` files declare, read from their text: types do not exist when the code runs. */
function rowTypes(): { table: string; columns: { name: string; type: string }[] }[] {
  return globSync('server/**/tables.ts', { cwd: ROOT }).flatMap((file) => {
    const source = readFileSync(path.join(ROOT, file), 'utf8')
    const added = /interface Tables \{([^}]*)\}/.exec(source)?.[1] ?? ''
    return [...added.matchAll(/(\w+): (\w+)/g)].map(([, table = '', type = '']) => {
      const fields = new RegExp(`type ${type} = \\{([\\s\\S]*?)\\n?\\}`).exec(source)?.[1] ?? ''
      const plain = fields.replaceAll(/\/\*\*[\s\S]*?\*\//g, '').replaceAll(/\/\/.*$/gm, '')
      const columns = plain
        .split(/[\n;]/)
        .map((line) => /^\s*(\w+): (.+?)\s*$/.exec(line))
        .flatMap((match) => (match === null ? [] : [{ name: match[1] ?? '', type: match[2] ?? '' }]))
      return { table, columns }
    })
  })
}
