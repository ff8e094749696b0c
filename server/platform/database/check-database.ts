import pg from 'pg'
import { PERCENT_CODES } from '../security/credential-url.ts'

/** The oldest PostgreSQL that Howl works on. */
const OLDEST = 15
/** How long the server may take to let us in, and to answer (ms). */
const PATIENCE_MS = 10_000

/** What a database tells of itself. Names are quoted for SQL. */
type Found = {
  version: string
  database: string
  role: string
  encoding: string
  dateStyle: string
  isReadOnly: boolean
  mayCreate: boolean
  /** False where an administrator has taken the schema `public` from the owners of databases. */
  ownerMayCreate: boolean
  /** Who owns Howl's tables, where that is a role whose rights ours does not have. */
  stranger: string | null
  /** Where new tables go. */
  schema: string | null
  /** The process that has answered. */
  pid: number
}

/** Old servers understand this too, so that they can be told from others. */
const LOOK = `
  SELECT current_setting('server_version') AS version,
    quote_ident(current_database()) AS database, quote_ident(current_user) AS role,
    current_setting('server_encoding') AS encoding, current_setting('DateStyle') AS "dateStyle",
    current_setting('transaction_read_only') = 'on' AS "isReadOnly",
    coalesce(has_schema_privilege(n.oid, 'CREATE'), false) AS "mayCreate",
    coalesce(pg_get_userbyid(n.nspowner) = 'pg_database_owner', false) AS "ownerMayCreate",
    (SELECT quote_ident(pg_get_userbyid(relowner)) FROM pg_class
      WHERE oid = to_regclass('public.kysely_migration') AND NOT pg_has_role(relowner, 'USAGE')) AS stranger,
    current_schema()::text AS schema, pg_backend_pid() AS pid
  FROM (SELECT) one LEFT JOIN pg_namespace n ON n.nspname = 'public'`

/**
 * Looks whether Howl can work on a database of the operator's, before anything is written to it: one connection and one
 * question where nothing is wrong.
 *
 * @throws Error with a sentence for the operator: what is wrong and what to do. None holds the password.
 */
export async function checkDatabase(url: string): Promise<void> {
  const client = await connected(url)
  try {
    const found = await ask<Found>(client, LOOK)
    const fault = faultOf(found) ?? (await faultOfPooler(url, client, found.pid))
    if (fault !== null) throw new Error(`Howl cannot start: ${fault}`)
  } finally {
    await client.end().catch(() => {})
  }
}

async function connected(url: string): Promise<pg.Client> {
  const client = clientFor(url)
  client.on('error', () => {})
  return orSentence(client, () => client.connect())
}

/** @throws Error with a sentence for the operator, where a file that the URL names cannot be read */
function clientFor(url: string): pg.Client {
  try {
    return newClient(url)
  } catch (error) {
    throw new Error(
      `Howl cannot start: DATABASE_URL cannot be used (${(error as Error).message}): correct the files and options after its “?”.`,
      { cause: error },
    )
  }
}

const newClient = (url: string) =>
  new pg.Client({
    connectionString: url,
    application_name: 'howl-start',
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
  })

async function ask<Row extends object>(client: pg.Client, question: string): Promise<Row> {
  const { rows } = await orSentence(client, () => client.query<Row>(question))
  return rows[0] as Row
}

async function orSentence<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new Error(`Howl cannot start: ${faultOfConnecting(error, client)}`, { cause: error })
  }
}

function faultOf(found: Found): string | null {
  const { database, role, encoding } = found
  // Distributors add their own after a space.
  const [version = ''] = found.version.split(' ')
  if (Number.parseInt(version, 10) < OLDEST)
    return `the server of DATABASE_URL is PostgreSQL ${version}, and Howl needs PostgreSQL ${OLDEST} or later: upgrade it, or remove DATABASE_URL to use the PostgreSQL that comes with Howl.`
  if (encoding !== 'UTF8')
    return `the database ${database} has the encoding ${encoding}, and Howl needs UTF8: create another one with CREATE DATABASE howl_utf8 TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8' OWNER ${role}; and name it in DATABASE_URL.`
  if (found.isReadOnly)
    return `the database ${database} is read-only, as on a standby: set DATABASE_URL to the primary server.`
  if (!found.mayCreate)
    return `the role ${role} may not create tables in the database ${database}: as an administrator of the server, run ALTER DATABASE ${database} OWNER TO ${role};${found.ownerMayCreate ? '' : ` and, in that database, GRANT ALL ON SCHEMA public TO ${role};`}`
  if (found.stranger !== null)
    return `Howl's tables in the database ${database} belong to the role ${found.stranger}, and the role ${role} may not change them: use the role ${found.stranger} in DATABASE_URL, or restore the dump again with pg_restore --no-owner --role=${role}.`
  if (found.schema !== 'public')
    return `new tables of the role ${role} go into ${found.schema === null ? 'no schema' : `the schema ${found.schema}`}, and Howl's must be in public: run ALTER ROLE ${role} IN DATABASE ${database} SET search_path = public;`
  if (!found.dateStyle.startsWith('ISO'))
    return `the database ${database} writes dates in the style ${found.dateStyle}, and Howl reads ISO: run ALTER ROLE ${role} IN DATABASE ${database} SET datestyle = ISO;`
  return null
}

const POOLER =
  'DATABASE_URL leads to a connection pooler that gives every transaction another connection (PgBouncer: pool_mode = transaction), and Howl needs connections that stay its own: set DATABASE_URL to PostgreSQL itself, or use pool_mode = session.'

/**
 * A pooler names another process than the one that answers, as it holds no connection for us alone. One that keeps a
 * connection for as long as its client stays is fine. In transaction mode the connection that has answered us is free
 * again: the next question goes to another one, or, where the pooler takes the one that was used last, a transaction beside
 * us takes it away.
 */
async function faultOfPooler(url: string, client: pg.Client, pid: number): Promise<string | null> {
  const { processID: named } = client as unknown as { processID: number | null }
  if (named === pid) return null
  if ((await pidOf(client)) !== pid) return POOLER
  const beside = await connected(url)
  try {
    // Where the pooler refuses transactions, it gives every statement another connection.
    const began = await orSentence(beside, () => beside.query('BEGIN').catch(nullIfRefused))
    return began === null || (await pidOf(client)) !== pid ? POOLER : null
  } finally {
    await beside.end().catch(() => {})
  }
}

function nullIfRefused(error: unknown): null {
  if (error instanceof pg.DatabaseError) return null
  throw error
}

async function pidOf(client: pg.Client): Promise<number> {
  return (await ask<{ pid: number }>(client, 'SELECT pg_backend_pid() AS pid')).pid
}

type Place = { host: string; port: number; database?: string | undefined; user?: string | undefined }

/** The code of an error that comes from PostgreSQL, not from the way to it. */
const SQLSTATE = /^[0-9A-Z]{5}$/

/** Why a PostgreSQL of the operator's does not let us in or does not answer, and what to do. */
export function faultOfConnecting(error: unknown, { host, port, database, user }: Place): string {
  const { code, words } = causeOf(error)
  const at = host.startsWith('/') ? host : `${host}:${port}`
  switch (code) {
    case '28P01':
    case '28000':
      return `the database server ${at} does not let the role ${user} in (${words}): correct the user name and the password in DATABASE_URL; in a URL, ${PERCENT_CODES}.`
    case '3D000':
      return `the database server ${at} has no database ${database}: create it there with CREATE DATABASE ${inSql(database)} OWNER ${inSql(user)}; or correct DATABASE_URL.`
    default:
      return SQLSTATE.test(code)
        ? `the database server ${at} does not let Howl in (${words}): change that on the server, or correct DATABASE_URL.`
        : `PostgreSQL at ${at} cannot be reached (${words}): start it, or correct DATABASE_URL.`
  }
}

const inSql = (name = '') => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : pg.escapeIdentifier(name))

/** Where a name has several addresses, the first one's error is told: that of all together is empty. */
function causeOf(error: unknown): { code: string; words: string } {
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error
  const { code = '' } = first as { code?: string }
  return { code, words: first instanceof Error ? first.message : String(first) }
}
