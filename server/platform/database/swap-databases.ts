import pg from 'pg'
import { quoted } from './snapshot.ts'

/** The name of the database in a URL. */
export const databaseIn = (url: string) => decodeURIComponent(new URL(url).pathname.slice(1))

/** The same server and account, with another database. */
export function urlWith(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${encodeURIComponent(database)}`
  return other.href
}

/** A database beside the one in `url`; names have at most 63 bytes. */
export const beside = (url: string, suffix: string) => `${databaseIn(url).slice(0, 40)}_${suffix}`

/** Runs work on the server, connected to a database that nobody renames. */
async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: urlWith(url, 'postgres'),
    application_name: 'howl-backup',
  })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * Makes an empty database with the same encoding and order of texts as the one in `url`. One of that name is removed: a
 * restore that was killed has left it.
 *
 * @throws Error in one sentence where the account may not
 */
export async function makeDatabaseLike(url: string, name: string): Promise<void> {
  await onServer(url, async (client) => {
    const { rows } = await client.query<{
      provider: string
      collate: string
      ctype: string
      locale: string | null
    }>(
      `SELECT datlocprovider AS provider, datcollate AS collate, datctype AS ctype,
         coalesce(to_jsonb(d)->>'datlocale', to_jsonb(d)->>'daticulocale') AS locale
       FROM pg_database d WHERE datname = $1`,
      [databaseIn(url)],
    )
    const [like] = rows
    if (like === undefined) throw new Error(`There is no database ${databaseIn(url)}.`)
    const providers: Record<string, string> = { b: 'builtin', i: 'icu', c: 'libc' }
    const provider = providers[like.provider] ?? 'libc'
    const locale =
      like.locale === null || provider === 'libc'
        ? ''
        : ` ${provider === 'icu' ? 'ICU_LOCALE' : 'BUILTIN_LOCALE'} ${pg.escapeLiteral(like.locale)}`
    await client.query(`DROP DATABASE IF EXISTS ${quoted(name)} WITH (FORCE)`)
    await client
      .query(
        `CREATE DATABASE ${quoted(name)} TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER ${provider}
         LC_COLLATE ${pg.escapeLiteral(like.collate)} LC_CTYPE ${pg.escapeLiteral(like.ctype)}${locale}`,
      )
      .catch((error: unknown) => {
        if ((error as { code?: string }).code !== '42501') throw error
        throw new Error(
          'The account of DATABASE_URL may not make a database, and a restore needs one beside the present one. ' +
            'Let it, as the owner of the server: ALTER ROLE … CREATEDB.',
          { cause: error },
        )
      })
  })
}

export async function dropDatabase(url: string, name: string): Promise<void> {
  await onServer(url, (client) => client.query(`DROP DATABASE IF EXISTS ${quoted(name)} WITH (FORCE)`))
}

export async function databaseExists(url: string, name: string): Promise<boolean> {
  return onServer(url, async (client) => {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
    return rowCount === 1
  })
}

/** How many connections of programs a database has; PostgreSQL's own work does not count. */
export async function connectionsTo(url: string): Promise<number> {
  return onServer(url, async (client) => {
    const { rows } = await client.query<{ others: string }>(
      `SELECT count(*) AS others FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'client backend'`,
      [databaseIn(url)],
    )
    return Number(rows[0]?.others)
  })
}

/**
 * Runs work while no other process runs such work on the same database. The lock ends with its connection, so a killed
 * process holds nothing.
 *
 * @returns what the work returns; null where another process is at it
 */
export async function whileAlone<T>(url: string, work: () => Promise<T>): Promise<{ result: T } | null> {
  return onServer(url, async (client) => {
    const { rows } = await client.query<{ held: boolean }>(
      `SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS held`,
      [`howl restore ${databaseIn(url)}`],
    )
    return rows[0]?.held === true ? { result: await work() } : null
  })
}

/** Puts the database `fresh` into the place of the one in `url`, whose name is `aside` from then on: both or neither. */
export async function swapDatabases(url: string, fresh: string, aside: string): Promise<void> {
  await onServer(url, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${quoted(aside)} WITH (FORCE)`)
    await client.query('BEGIN')
    await client.query(`ALTER DATABASE ${quoted(databaseIn(url))} RENAME TO ${quoted(aside)}`)
    await client.query(`ALTER DATABASE ${quoted(fresh)} RENAME TO ${quoted(databaseIn(url))}`)
    await client.query('COMMIT')
  })
}
