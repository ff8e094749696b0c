import { readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'

/** A server that does not answer within this many milliseconds does not run. */
const ANSWERS_MS = 5000

/**
 * The URL of the PostgreSQL that another process of Howl runs on this data folder; null when none answers.
 *
 * @param urlOf makes the URL from the password and the folder of the socket
 */
export async function urlOfRunning(
  dataDir: string,
  urlOf: (password: string, socketDir: string) => string,
): Promise<string | null> {
  try {
    const holder = JSON.parse(await readFile(path.join(dataDir, 'postgres.holder.json'), 'utf8')) as {
      socketDir: string
    }
    const password = (await readFile(path.join(dataDir, 'postgres.password'), 'utf8')).trim()
    const url = urlOf(password, holder.socketDir)
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: ANSWERS_MS })
    await client.connect()
    await client.end()
    return url
  } catch {
    return null
  }
}
