import pg from 'pg'
import { PERCENT_CODES } from '../security/credential-url.ts'

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
