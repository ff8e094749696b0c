import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from '../../../tests/support/sql.ts'
import { startEmbeddedPostgres } from './embedded.ts'

const SCRIPT = fileURLToPath(new URL('../../../tests/support/embedded-process.ts', import.meta.url))
const SETTINGS = { fsync: 'off' }
const AS_ROOT = process.getuid?.() === 0
const silent = { info: () => {}, warn: () => {}, error: () => {} }

let folder = ''
let dataDir = ''
/** A DATA_DIR whose database was made and stopped: making one takes longer than most tests. */
let made = ''
const children: ChildProcess[] = []

beforeAll(async () => {
  const parent = mkdtempSync(path.join(tmpdir(), 'howl-embedded-made-'))
  chmodSync(parent, 0o755)
  made = path.join(parent, 'data')
  await (await startEmbeddedPostgres({ dataDir: made, log: silent, settings: SETTINGS })).stop()
})
afterAll(() => rmSync(path.dirname(made), { recursive: true, force: true }))

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'howl-embedded-'))
  // Others may pass, as in an ordinary home or /srv.
  chmodSync(folder, 0o755)
  dataDir = path.join(folder, 'data')
})

afterEach(async () => {
  for (const child of children.splice(0)) await end(child)
  rmSync(folder, { recursive: true, force: true })
})

describe('the embedded PostgreSQL', () => {
  it('starts, keeps its data, and lets nobody else in', async () => {
    const first = await startEmbeddedPostgres({ dataDir, log: silent, settings: SETTINGS })
    await sql(first.url, "CREATE TABLE kept (word text); INSERT INTO kept VALUES ('Ärger')")
    expect(await sql(first.url, 'SHOW listen_addresses')).toEqual([{ listen_addresses: '' }])
    expect(await sql(first.url, "SELECT upper('ärger') AS word")).toEqual([{ word: 'ÄRGER' }])
    await expect(sql(withPassword(first.url, 'guess'), 'SELECT 1')).rejects.toThrow('password')
    await first.stop()
    const socketDir = new URL(first.url).searchParams.get('host') ?? ''
    expect(existsSync(socketDir)).toBe(false)
    expect(statSync(path.join(dataDir, 'postgres.password')).mode & 0o777).toBe(0o600)

    // As a careless restore leaves them.
    const modeOf = (name: string) => statSync(path.join(dataDir, name)).mode & 0o777
    for (const name of ['postgres.password', 'postgres.log']) chmodSync(path.join(dataDir, name), 0o644)
    chmodSync(dataDir, 0o755)
    const second = await startEmbeddedPostgres({ dataDir, log: silent, settings: SETTINGS })
    expect(modeOf('postgres.password')).toBe(0o600)
    expect(modeOf('postgres.log')).toBe(0o600)
    expect(modeOf('')).toBe(AS_ROOT ? 0o711 : 0o700)
    expect(await sql(second.url, 'SELECT word FROM kept')).toEqual([{ word: 'Ärger' }])
    await second.stop()
    await second.stop()
  })

  it('refuses a second start on the same folder and says who holds it', async () => {
    const holder = await startMade()
    const second = await start()
    expect(second.refused).toContain(`process ${holder.child.pid}, since ${new Date().getUTCFullYear()}-`)
    expect(second.refused).not.toContain('\n')
    await expect(startEmbeddedPostgres({ dataDir, log: silent })).rejects.toThrow(dataDir)
    expect(await sql(holder.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it('starts below a folder whose path is too long for a socket', async () => {
    const { url, refused } = await start(path.join(folder, 'deep'.repeat(40), 'deep'.repeat(40)))
    expect(refused).toBeNull()
    expect(await sql(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it('starts below a folder that only its owner may enter', async () => {
    chmodSync(folder, 0o700)
    const { url, refused } = await start()
    expect(refused).toBeNull()
    expect(await sql(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  it('starts for an ordinary user', async () => {
    const { url, refused } = await start(dataDir, ordinaryUser())
    expect(refused).toBeNull()
    expect(await sql(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })
})

describe('after a kill -9', () => {
  it('of Howl, starts at once with everything that was committed', async () => {
    const killed = await startMade()
    await sql(killed.url, 'CREATE TABLE kept AS SELECT 1 AS one')
    await kill9(killed.child)
    const { url, refused } = await start()
    expect(refused).toBeNull()
    expect(await sql(url, 'SELECT one FROM kept')).toEqual([{ one: 1 }])
    expect(existsSync(new URL(killed.url).searchParams.get('host') ?? '')).toBe(false)
  })

  it('of Howl and its watcher, stops the orphaned server and starts anew', async () => {
    const killed = await startMade()
    await sql(killed.url, 'CREATE TABLE kept AS SELECT 1 AS one')
    for (const pid of watchersOf(killed.pid)) process.kill(pid, 'SIGKILL')
    await kill9(killed.child)
    expect(await sql(killed.url, 'SELECT one FROM kept')).toEqual([{ one: 1 }])
    const { url, pid } = await start()
    expect(pid).not.toBe(killed.pid)
    expect(await sql(url, 'SELECT one FROM kept')).toEqual([{ one: 1 }])
  })

  it('of PostgreSQL, runs again by itself at the same address', async () => {
    placeMade()
    const { promise: restarted, resolve: onRestart } = Promise.withResolvers<void>()
    const postgres = await startEmbeddedPostgres({ dataDir, log: silent, settings: SETTINGS, onRestart })
    const before = postgres.pid
    await sql(postgres.url, 'CREATE TABLE kept AS SELECT 1 AS one')
    process.kill(before, 'SIGKILL')
    await restarted
    expect(postgres.pid).not.toBe(before)
    expect(await sql(postgres.url, 'SELECT one FROM kept')).toEqual([{ one: 1 }])
    await postgres.stop()
  })

  it('of both, starts at once with everything that was committed', async () => {
    const killed = await startMade()
    await sql(killed.url, 'CREATE TABLE kept AS SELECT 1 AS one')
    process.kill(killed.pid, 'SIGKILL')
    await kill9(killed.child)
    const { url, refused } = await start()
    expect(refused).toBeNull()
    expect(await sql(url, 'SELECT one FROM kept')).toEqual([{ one: 1 }])
  })

  it('of the whole machine, starts although a stranger has the old process id', async () => {
    const killed = await startMade()
    process.kill(killed.pid, 'SIGKILL')
    await kill9(killed.child)
    const pidFile = path.join(dataDir, 'postgres', 'postmaster.pid')
    const stranger = spawn('sleep', ['600'])
    children.push(stranger)
    writeFileSync(pidFile, readFileSync(pidFile, 'utf8').replace(/^\d+/, String(stranger.pid)))
    const { refused } = await start()
    expect(refused).toBeNull()
    expect(stranger.exitCode).toBeNull()
    expect(stranger.signalCode).toBeNull()
  })

  it('of the very first start, half way, starts', async () => {
    const first = spawn(process.execPath, [SCRIPT, dataDir], { stdio: ['pipe', 'ignore', 'inherit'] })
    children.push(first)
    await until(() => existsSync(dataDir) && readdirSync(dataDir).some((name) => name.includes('.new-')))
    await kill9(first)
    const { url, refused } = await start()
    expect(refused).toBeNull()
    expect(await sql(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })
})

describe('in one sentence', () => {
  it('a database of another version is refused, and left as it is', async () => {
    await end((await startMade()).child)
    writeFileSync(path.join(dataDir, 'postgres', 'PG_VERSION'), '15\n')
    const { refused } = await start()
    expect(refused).toMatch(/was written by PostgreSQL 15, this Howl brings PostgreSQL \d+/)
    expect(existsSync(path.join(dataDir, 'postgres', 'base'))).toBe(true)
  })

  it('a folder that holds something else is refused, and left as it is', async () => {
    const { child } = await startMade()
    await end(child)
    rmSync(path.join(dataDir, 'postgres', 'PG_VERSION'))
    const { refused } = await start()
    expect(refused).toContain('holds no database')
    expect(existsSync(path.join(dataDir, 'postgres', 'base'))).toBe(true)
  })

  it('a DATA_DIR that is a file is refused', async () => {
    writeFileSync(dataDir, '')
    expect((await start()).refused).toContain('is not a folder')
  })

  it('a folder that the user may not write to is refused', async () => {
    chmodSync(folder, 0o555)
    const { refused } = await start(dataDir, { ...ordinaryUser(), prepare: () => {} })
    expect(refused).toContain('may not write to')
  })
})

it('gets a new password when the file that keeps it is lost', async () => {
  await end((await startMade()).child)
  rmSync(path.join(dataDir, 'postgres.password'))
  const { url } = await start()
  expect(await sql(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

/** Starts on a database that was made before. */
async function startMade(): Promise<Started> {
  placeMade()
  return start()
}

/** Owners stay as they are: as root, PostgreSQL runs under another account. */
function placeMade(): void {
  expect(spawnSync('cp', ['-a', made, dataDir]).status).toBe(0)
}

type Started = { child: ChildProcess; url: string; pid: number; refused: string | null }
type User = { command: string[]; uid?: number; gid?: number; prepare(): void }

async function start(where = dataDir, user: User = { command: [], prepare: () => {} }): Promise<Started> {
  user.prepare()
  const [command, ...args] = [...user.command, process.execPath, SCRIPT, where]
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(user.uid === undefined ? {} : { uid: user.uid, gid: user.gid }),
  })
  children.push(child)
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { child, ...(JSON.parse(line) as Omit<Started, 'child'>) }
}

/** Whoever runs the test, if not root; else nobody where nobody can run Node, else a user namespace. */
function ordinaryUser(): User {
  if (!AS_ROOT) return { command: [], prepare: () => {} }
  const nobody = { uid: 65_534, gid: 65_534 }
  const reachable = spawnSync(process.execPath, ['--check', SCRIPT], { ...nobody, cwd: '/' }).status === 0
  return reachable
    ? { command: [], ...nobody, prepare: () => chownSync(folder, nobody.uid, nobody.gid) }
    : { command: ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'], prepare: () => {} }
}

function withPassword(url: string, password: string): string {
  const changed = new URL(url)
  changed.password = password
  return changed.href
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  if (child.stdin?.writable === true) child.stdin.end()
  if (child.spawnfile === 'sleep') child.kill()
  await ended
}

async function kill9(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** The shell that stands by in the server's process group. */
function watchersOf(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,pgid='], { encoding: 'utf8' })
  const rows = stdout.trim().split('\n')
  const pids = rows.map((row) => row.trim().split(/\s+/).map(Number))
  return pids.flatMap(([one = 0, group]) => (group === pid && isShell(one) ? [one] : []))
}

function isShell(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.includes('/bin/sh')
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}
