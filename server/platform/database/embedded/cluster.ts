import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chown, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { Account } from './account.ts'

export type Programs = { initdb: string; postgres: string }

export const ROLE = 'howl'
export const DATABASE = 'howl'

/** Written to postgresql.conf once, so that the operator may change them there. */
const FIRST_SETTINGS = {
  shared_buffers: '128MB',
  max_connections: '100',
  wal_compression: 'on',
  jit: 'off',
  log_line_prefix: '%m [%p] ',
}

/**
 * Makes sure that the database folder exists, has this program's version and opens with the password that is kept
 * beside it. The folder appears under its name only when it is complete, so a first start that was killed is simply
 * done again; an existing folder is never deleted.
 *
 * @returns the password of the role `howl`.
 * @throws Error in one sentence when the folder holds something else or another version.
 */
export async function prepareCluster(place: {
  dataDir: string
  clusterDir: string
  /** Belongs to the account; nobody else can enter it. */
  privateDir: string
  programs: Programs
  account: Account
  version: string
  durable: boolean
}): Promise<string> {
  const passwordFile = path.join(place.dataDir, 'postgres.password')
  const kept = (await readIfThere(passwordFile))?.trim() ?? ''
  const password = kept === '' ? randomBytes(24).toString('hex') : kept
  if (kept === '') await writeFile(passwordFile, `${password}\n`, { mode: 0o600, flush: true })

  const found = await readIfThere(path.join(place.clusterDir, 'PG_VERSION'))
  if (found === null) {
    if (existsSync(place.clusterDir)) {
      throw new Error(
        `${place.clusterDir} holds no database that PostgreSQL could read: move it away, or set DATA_DIR to another folder.`,
      )
    }
    await create(place, password)
  } else {
    checkVersion(found.trim(), place)
    if (kept === '') await tell(place, place.clusterDir, `ALTER ROLE ${ROLE} PASSWORD '${password}';`)
  }
  return password
}

type Place = Parameters<typeof prepareCluster>[0]

function checkVersion(found: string, { clusterDir, version }: Place): void {
  const major = version.split('.')[0]
  if (found !== major) {
    throw new Error(
      `${clusterDir} was written by PostgreSQL ${found}, this Howl brings PostgreSQL ${major}: move the database over with pg_dump and pg_restore, or set DATABASE_URL to a PostgreSQL ${found}.`,
    )
  }
}

async function create(place: Place, password: string): Promise<void> {
  const { account, clusterDir, privateDir } = place
  await removeUnfinished(clusterDir)
  // A name of its own each time: the initdb of a start that was killed may still be writing to the last one.
  const fresh = await mkdtemp(`${clusterDir}.new-`)
  const passwordFile = path.join(privateDir, 'password')
  await chown(fresh, account.uid, account.gid)
  await writeFile(passwordFile, password, { mode: 0o600 })
  await chown(passwordFile, account.uid, account.gid)
  try {
    await run(account, place.programs.initdb, initdbFlags(fresh, passwordFile, place.durable))
  } finally {
    await rm(passwordFile, { force: true })
  }
  await tell(place, fresh, `CREATE DATABASE ${DATABASE};`)
  await rename(fresh, clusterDir)
}

/** What killed first starts left behind; it never was anybody's database. */
async function removeUnfinished(clusterDir: string): Promise<void> {
  const folder = path.dirname(clusterDir)
  for (const name of await readdir(folder)) {
    if (name.startsWith(`${path.basename(clusterDir)}.new-`)) {
      await rm(path.join(folder, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => {})
    }
  }
}

function initdbFlags(folder: string, passwordFile: string, durable: boolean): string[] {
  const flags = [
    `--pgdata=${folder}`,
    `--username=${ROLE}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...Object.entries(FIRST_SETTINGS).map(([name, value]) => `--set=${name}=${value}`),
  ]
  return durable ? flags : [...flags, '--no-sync']
}

/** Runs one statement on a cluster that no server runs on, without a password. */
async function tell({ account, programs, durable }: Place, clusterDir: string, statement: string) {
  const settings = ['exit_on_error=on', 'log_statement=none', `fsync=${durable ? 'on' : 'off'}`]
  const flags = settings.flatMap((setting) => ['-c', setting])
  await run(
    account,
    programs.postgres,
    ['--single', '-D', clusterDir, ...flags, 'postgres'],
    `${statement}\n`,
  )
}

async function run(account: Account, program: string, args: string[], input = ''): Promise<void> {
  const child = account.spawn(program, args, { stdio: ['pipe', 'ignore', 'pipe'] })
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  let complaint = ''
  for await (const chunk of child.stderr as Readable) complaint = `${complaint}${chunk}`.slice(-4000)
  const [code, signal] = await ended
  if (code !== 0) {
    throw new Error(`${path.basename(program)} failed (${signal ?? code}): ${complaint.trim()}`)
  }
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null
    throw error
  }
}
