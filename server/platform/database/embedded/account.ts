import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { lchownSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'

/** The account that PostgreSQL runs under: it refuses uid 0. */
export type Account = {
  /** Owner of PostgreSQL's files. */
  uid: number
  gid: number
  spawn(command: string, args: string[], options: SpawnOptions): ChildProcess
}

type Candidate = { uid: number; gid: number; prefix: string[]; switchUser: boolean }

/** Ours alone: a PGDATA or LC_MESSAGES of the caller must not reach PostgreSQL. */
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' }

/**
 * Chooses the account that PostgreSQL runs under. An ordinary user is that user. Root is the owner of the database if
 * there is one, else `nobody` where nobody can reach the program and the folders, else root without any of its rights in
 * a user namespace of its own, which works below folders that only root can enter; so does a user without a name, as
 * containers have it, since the first start's initdb wants one. Files that belong to another account are handed over.
 *
 * @param folders the folders it must be able to enter.
 * @returns the account, and the version that the program names, such as "18.4".
 * @throws Error in one sentence when there is no such account.
 */
export function chooseAccount(
  postgres: string,
  clusterDir: string,
  folders: string[],
): { account: Account; version: string } {
  const owner = ownerOf(clusterDir)
  const me = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  if (me.uid !== 0 && owner !== null && owner.uid !== me.uid) {
    throw new Error(
      `${clusterDir} belongs to another user (uid ${owner.uid}): start Howl as that user, or hand the folder over with chown -R.`,
    )
  }
  let complaint = ''
  for (const candidate of me.uid === 0 ? candidatesForRoot(owner) : [self(me), inNamespace(me)]) {
    const probe = tryOut(candidate, postgres, folders, owner === null)
    if (probe.version !== null) {
      if (owner !== null && owner.uid !== candidate.uid) handOver(clusterDir, candidate)
      return { account: accountOf(candidate), version: probe.version }
    }
    complaint = probe.complaint
  }
  throw new Error(
    me.uid === 0
      ? `PostgreSQL does not run as root, and neither nobody nor a user namespace can run it here: start Howl as an ordinary user, or set DATABASE_URL. (${complaint})`
      : `The PostgreSQL that Howl brings does not run here: set DATABASE_URL to a PostgreSQL server. (${complaint})`,
  )
}

function candidatesForRoot(owner: { uid: number; gid: number } | null): Candidate[] {
  const namespace = inNamespace({ uid: 0, gid: 0 })
  const nobody: Candidate = { ...nobodyIds(), prefix: [], switchUser: true }
  if (owner === null) return [nobody, namespace]
  if (owner.uid === 0) return [namespace, nobody]
  return [{ ...owner, prefix: [], switchUser: true }, namespace, nobody]
}

function self(me: { uid: number; gid: number }): Candidate {
  return { ...me, prefix: [], switchUser: false }
}

/** Under the name of nobody inside; outside, and on the disk, still the same user. */
function inNamespace(me: { uid: number; gid: number }): Candidate {
  const { uid, gid } = nobodyIds()
  const prefix = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--']
  return { ...me, prefix, switchUser: false }
}

function accountOf(candidate: Candidate): Account {
  return {
    uid: candidate.uid,
    gid: candidate.gid,
    spawn: (command, args, options) => {
      const [first, ...rest] = [...candidate.prefix, command, ...args]
      return spawn(first ?? command, rest, { ...options, ...identity(candidate) })
    },
  }
}

function identity({ uid, gid, switchUser }: Candidate) {
  return { cwd: '/', env: ENVIRONMENT, ...(switchUser ? { uid, gid } : {}) }
}

function tryOut(
  candidate: Candidate,
  postgres: string,
  folders: string[],
  needsName: boolean,
): { version: string | null; complaint: string } {
  const name = needsName ? 'id -un >/dev/null || exit; ' : ''
  const script = `${name}for folder; do cd "$folder" || exit; done; exec "$0" -V`
  const [first, ...rest] = [...candidate.prefix, '/bin/sh', '-c', script, postgres, ...folders]
  const probe = spawnSync(first ?? '', rest, { ...identity(candidate), encoding: 'utf8' })
  const version = /\(PostgreSQL\) ([\d.]+)/.exec(probe.stdout ?? '')?.[1] ?? null
  return { version, complaint: probe.error?.message ?? probe.stderr.trim().split('\n').at(-1) ?? '' }
}

function ownerOf(folder: string): { uid: number; gid: number } | null {
  const stat = statSync(folder, { throwIfNoEntry: false })
  return stat === undefined ? null : { uid: stat.uid, gid: stat.gid }
}

function nobodyIds(): { uid: number; gid: number } {
  const ask = (flag: string) =>
    Number(spawnSync('id', [flag, 'nobody'], { encoding: 'utf8' }).stdout || 65_534)
  return { uid: ask('-u'), gid: ask('-g') }
}

function handOver(folder: string, { uid, gid }: Candidate): void {
  lchownSync(folder, uid, gid)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    lchownSync(path.join(entry.parentPath, entry.name), uid, gid)
  }
}
