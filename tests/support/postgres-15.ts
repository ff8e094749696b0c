import { once } from 'node:events'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Account, chooseAccount } from '#server/platform/database/embedded/account.ts'
import { startServer } from '#server/platform/database/embedded/server-process.ts'
import { OUTSIDE_SERVERS } from './outside-servers.mjs'

const log = {
  info: () => {},
  warn: (text: string) => void process.stderr.write(`${text}\n`),
  error: (text: string) => void process.stderr.write(`${text}\n`),
}

/** Unlike the embedded one: an order of texts by language, and a time zone that is not UTC. */
const INITDB = ['--encoding=UTF8', '--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en-US']
const SETTINGS = {
  timezone: 'Asia/Kolkata',
  listen_addresses: '',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
}

/** A folder for a server, and the account that the server runs under: none of them runs as root. */
export async function serverFolder(): Promise<{ folder: string; account: Account }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'howl-outside-'))
  const { account } = chooseAccount(OUTSIDE_SERVERS.postgres, path.join(folder, 'data'), [tmpdir()])
  await chown(folder, account.uid, account.gid)
  return { folder, account }
}

/** Starts Debian's PostgreSQL 15 on a unix socket; the role of the URL may create databases. */
export async function startPostgres15(): Promise<{ url: string; stop: () => Promise<void> }> {
  const { folder, account } = await serverFolder()
  const remove = () => rm(folder, { recursive: true, force: true })
  const clusterDir = path.join(folder, 'data')
  try {
    const flags = [...INITDB, '--username=howl', '--auth=trust', '--no-sync', '--no-instructions']
    const initdb = account.spawn(OUTSIDE_SERVERS.initdb, [`--pgdata=${clusterDir}`, ...flags], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const [code] = (await once(initdb, 'exit')) as [number | null]
    if (code !== 0) throw new Error(`initdb of PostgreSQL 15 ended with ${code}`)
    const { stop } = await startServer({
      account,
      postgres: OUTSIDE_SERVERS.postgres,
      clusterDir,
      logFile: path.join(folder, 'log'),
      settings: { ...SETTINGS, unix_socket_directories: folder },
      log,
    })
    const url = `postgres://howl@localhost/postgres?host=${encodeURIComponent(folder)}`
    return { url, stop: async () => (await stop(), remove()) }
  } catch (error) {
    await remove()
    throw error
  }
}
