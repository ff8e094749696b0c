import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { startEmbeddedPostgres } from '#server/platform/database/embedded.ts'
import { connect } from '#server/platform/database/connect.ts'
import { beside, databaseExists } from '#server/platform/database/swap-databases.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { signUp } from '../support/factories.ts'
import { runCommand, startCommand } from '../support/operator-command.ts'
import { differing, digestsOf } from '../support/restored-house.ts'
import { importContacts, prepareBulkRun } from './bulk-run.ts'
import { untilDone } from './kill.ts'

/** So slowly that the run goes on for longer than a backup takes. */
const SLOW_MS = 500
/** Tables that the end of a restore changes on purpose. */
const HELD = ['activities', 'admin_claims', 'restore_holds', 'restores', 'sessions', 'users', 'workers']

const silent = { info: () => {}, warn: () => {}, error: () => {} }

/** Works on the database of a stopped house. */
async function onDatabaseOf<T>(dataDir: string, work: (url: string) => Promise<T>): Promise<T> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: silent })
  try {
    return await work(postgres.url)
  } finally {
    await postgres.stop()
  }
}

type Ending = (end: () => Promise<unknown>) => void

/** Takes backups while so many mails are sent and contacts come in, kills some after so many milliseconds, and restores what is whole. */
export async function backUpUnderLoad(
  mails: number,
  patiences: readonly number[],
  onEnd: Ending,
): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'howl-backups-'))
  onEnd(() => rm(folder, { recursive: true, force: true }))
  const house = await prepareBulkRun(mails)
  onEnd(house.end)
  const { environment } = house
  const dataDir = environment['DATA_DIR'] ?? ''
  const bob = await signUp(house.howl.url)

  // Mails are sent and contacts come in while backups are taken and killed.
  await house.sink.setRules([{ step: 'dot', action: { waitMs: SLOW_MS } }])
  house.begin()
  const over = new AbortController()
  const writing = (async () => {
    for (let count = 100; !over.signal.aborted; count += 100) await importContacts(house.howl.url, bob, count)
  })()
  while ((await house.summary()).sent < 50) await pause(20)
  const underLoad = await runCommand('backup', ['--to', folder], environment)
  expect(underLoad).toMatchObject({ code: 0, said: expect.stringContaining('The backup is whole') })
  const whileSending = await house.summary()
  expect(whileSending.pending, 'the run was under way').toBeGreaterThan(0)
  for (const patience of patiences) {
    const child = startCommand('backup', ['--to', folder], environment)
    const exited = once(child, 'exit')
    await pause(patience)
    child.kill('SIGKILL')
    await exited
    for (const name of await readdir(folder))
      expect(name).toMatch(/^\.howl-.*\.part(\.sums)?$|^howl-.*\.(tar|key)$/)
  }
  await house.sink.setRules([])
  over.abort()
  await writing
  await untilDone(house)
  await house.howl.stop()

  const moment = await mkdtemp(path.join(os.tmpdir(), 'howl-moment-'))
  onEnd(() => rm(moment, { recursive: true, force: true }))
  const settings = { ...environment, DATA_DIR: moment }
  const restored = await runCommand('restore', [newestIn(await readdir(folder), folder)], settings)
  expect(restored).toMatchObject({ code: 0, said: expect.stringContaining('is restored') })
  await onDatabaseOf(moment, expectOneMoment)

  // Now nobody writes: what is wiped comes back as it was, by count and digest.
  const quiet = await runCommand('backup', ['--to', folder, '--keep', '1'], environment)
  expect(quiet.code).toBe(0)
  const archives = await readdir(folder)
  expect(archives.filter((name) => name.endsWith('.tar'))).toHaveLength(1)
  const before = await onDatabaseOf(dataDir, digestsOf)
  await rm(dataDir, { recursive: true, force: true })
  expect(await runCommand('restore', [newestIn(archives, folder)], environment)).toMatchObject({ code: 0 })
  const after = await onDatabaseOf(dataDir, digestsOf)
  expect(Number(before.get('emails')?.split(' ')[0])).toBeGreaterThanOrEqual(mails)
  expect(differing(before, after).filter((name) => !HELD.includes(name))).toEqual([])
  // The house works again.
  await house.restart()
}

/** Kills restores so many milliseconds after they have begun to write, the first before it can be over; the last one is not killed. */
export async function killRestores(patiences: readonly number[], onEnd: Ending): Promise<void> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'howl-backups-'))
  onEnd(() => rm(folder, { recursive: true, force: true }))
  const house = await prepareBulkRun(10)
  onEnd(house.end)
  const { environment } = house
  const dataDir = environment['DATA_DIR'] ?? ''
  const blob = path.join(dataDir, 'blobs', 'raw', '1', '1')
  await mkdir(path.dirname(blob), { recursive: true })
  await writeFile(blob, '10 contacts')
  expect(await runCommand('backup', ['--to', folder], environment)).toMatchObject({ code: 0 })
  const archive = newestIn(await readdir(folder), folder)
  const later = await signUp(house.howl.url)
  await importContacts(house.howl.url, later, 20)
  await house.howl.stop()
  await writeFile(blob, '30 contacts')

  const seen = new Set<string>()
  for (const patience of [...patiences, 60_000]) {
    const child = startCommand('restore', [archive, '--replace', '--yes'], environment)
    const exited = once(child, 'exit')
    const isRunning = () => child.exitCode === null
    while (isRunning() && !existsSync(path.join(dataDir, 'blobs', '.restoring'))) await pause(5)
    await Promise.race([pause(patience), exited])
    child.kill('SIGKILL')
    await exited
    // A start finishes what was killed, or forgets it.
    await house.restart()
    await house.howl.stop()
    const { contacts, left } = await onDatabaseOf(dataDir, async (url) => ({
      contacts: await countContacts(url),
      left: [
        await databaseExists(url, beside(url, 'before_restore')),
        await databaseExists(url, beside(url, 'restoring')),
      ],
    }))
    expect(left).toEqual([false, false])
    expect(await readFile(blob, 'utf8')).toBe(`${contacts} contacts`)
    expect(await readdir(path.dirname(path.dirname(path.dirname(blob))))).toEqual(['raw'])
    seen.add(String(contacts))
  }
  expect([...seen].toSorted()).toEqual(['10', '30'])
  await house.restart()
}

async function countContacts(url: string): Promise<number> {
  const { db, close } = connect(url, () => {})
  const { rows } = await runSql(db, 'SELECT count(*) AS n FROM contacts')
  await close()
  return (rows[0] as { n: number }).n
}

const newestIn = (names: readonly string[], folder: string) =>
  path.join(
    folder,
    names
      .filter((name) => name.endsWith('.tar'))
      .toSorted()
      .at(-1) ?? '',
  )

/** Counters that triggers keep fit the rows that they count: a copy of two moments would break that. */
async function expectOneMoment(url: string): Promise<void> {
  const { db, close } = connect(url, () => {})
  const { rows } = await runSql(
    db,
    `SELECT (SELECT count(*) FROM contacts) AS contacts, (SELECT sum(total) FROM contact_counts) AS counted,
       (SELECT count(*) FROM emails) AS emails, (SELECT count(*) FROM deliveries) AS deliveries,
       (SELECT count(*) FROM outreach_items WHERE email_id IS NOT NULL) AS written,
       (SELECT count(*) FROM outreach_items i WHERE email_id IS NOT NULL
          AND NOT EXISTS (SELECT FROM emails e WHERE e.user_id = i.user_id AND e.id = i.email_id)) AS missing`,
  )
  await close()
  const [found] = rows as Record<string, number>[]
  expect(Number(found?.['counted'])).toBe(Number(found?.['contacts']))
  expect(found?.['deliveries']).toBe(found?.['emails'])
  expect(found?.['written']).toBe(found?.['emails'])
  expect(found?.['missing']).toBe(0)
  expect(found?.['emails']).toBeGreaterThan(0)
}
