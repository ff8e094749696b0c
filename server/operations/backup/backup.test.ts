import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auth } from '#contract/accounts/auth.ts'
import { call } from '../../../tests/support/client.ts'
import {
  backUp,
  differing,
  digestsOf,
  emptyHouse,
  type House,
  restoreInto,
} from '../../../tests/support/restored-house.ts'
import { schemaText } from '../../../tests/support/schema-text.ts'
import { aDoneImport, anUpload, aTenant, type Tenant } from '../../../tests/support/tenant-rows.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { readConfig } from '../../platform/config.ts'
import { connect } from '../../platform/database/connect.ts'
import {
  beside,
  databaseExists,
  makeDatabaseLike,
  whileAlone,
} from '../../platform/database/swap-databases.ts'
import { runSql } from '../../platform/database/transaction.ts'
import { BadArchive, MANIFEST, membersOf, readAt, SUMS, writeArchive } from './archive.ts'
import { readLastBackup } from './last-backup.ts'
import { finishFiles, noteFiles, beginFiles, waitingBlobs } from './place-files.ts'
import { finishRestore } from './restore-backup.ts'
import { takeBackup } from './take-backup.ts'

/** What the end of a restore changes on purpose: it holds mail, ends sessions, and notes the restore. */
const HELD = [
  'sequences',
  'sequence_members',
  'activities',
  'admin_claims',
  'deliveries',
  'emails',
  'held_mails',
  'outreach_batches',
  'password_resets',
  'pending_actions',
  'restore_holds',
  'restores',
  'sessions',
  'system_mails',
  'users',
  'workers',
]

let app: TestApp
let folder: string
let forgeries: string
let ada: Tenant
let archive: string
const ended: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'howl-backups-'))
  forgeries = await mkdtemp(path.join(os.tmpdir(), 'howl-forged-'))
  app = await startTestApp({ roles: ['web'] })
  ada = await aTenant(app, 'ada')
  await aTenant(app, 'bob')
  await aDoneImport(ada)
  await anUpload(ada)
  await app.context.blobs.put(`raw/${ada.id}/15`, Buffer.alloc(300_000, 'large mail '))
  await app.context.blobs.put(
    `raw/${ada.id}/${'long-name-'.repeat(12)}x`,
    Buffer.from('a name beyond 100 bytes'),
  )
  archive = await backUp(app, folder)
})
afterAll(async () => {
  for (const end of ended.splice(0)) await end()
  await app?.end()
  await rm(folder, { recursive: true, force: true })
  await rm(forgeries, { recursive: true, force: true })
})

async function house(settings: Record<string, string> = {}): Promise<House> {
  const made = await emptyHouse(settings)
  ended.push(made.remove)
  return made
}

/** The archive with other members before its own, and sums that are right: somebody has made it on purpose. */
async function forged(added: readonly string[]): Promise<string> {
  const file = path.join(await mkdtemp(path.join(forgeries, 'a-')), 'a.tar')
  const given = await open(archive, 'r')
  const made = await writeArchive(file, new Date('2026-11-23T22:00:00Z'))
  try {
    let last: object = {}
    for (const each of added) await made.add(each, Buffer.from('x'))
    for await (const member of membersOf(given)) {
      const content = await readAt(given, member.offset, member.size)
      if (member.name === MANIFEST) last = JSON.parse(content.toString()) as object
      else if (![SUMS, `${MANIFEST}.sha256`].includes(member.name)) await made.add(member.name, content)
    }
    await made.finish((members, sums) => ({ ...last, members, sums }))
  } finally {
    await made.close()
    await given.close()
  }
  return file
}

describe('a backup', () => {
  it('is restored with every row and every file as they were', async () => {
    const place = await house()
    const before = await digestsOf(app.databaseUrl)
    await restoreInto(place, archive, app.clock)
    const after = await digestsOf(place.database.url)
    expect([...before.keys()]).toEqual([...after.keys()])
    expect([...before.values()].filter((digest) => !digest.startsWith('0 ')).length).toBeGreaterThan(40)
    expect(differing(before, after).filter((name) => !HELD.includes(name))).toEqual([])
    // Of the users nothing but the pause is another.
    const users = (digests: Map<string, string>) => digests.get('users')
    const but = { users: ['mail_paused_at'] }
    expect(users(await digestsOf(place.database.url, but))).toBe(users(await digestsOf(app.databaseUrl, but)))
    const blobs = await filesBelow(app.context.config.blobsDir)
    expect(blobs.size).toBeGreaterThan(3)
    expect(await filesBelow(place.config.blobsDir)).toEqual(blobs)
  })

  it('that was made to do harm by its names or rows is refused with a sentence, and nothing is placed', async () => {
    const place = await house()
    for (const [named, ...before] of [
      ['blobs/raw/7/1', 'blobs/raw/7/1'],
      ['blobs/raw/8/1', 'blobs/raw/8'],
      ['blobs/raw/9', 'blobs/raw/9/1'],
      [`blobs/raw/${'y'.repeat(120)}\0`],
      ['tables/users/9999'],
    ] as const) {
      const failure = await restoreInto(place, await forged([...before, named]), app.clock).then(
        () => null,
        (error: unknown) => error,
      )
      expect(failure).toBeInstanceOf(BadArchive)
      const { message } = failure as Error
      expect(message).toContain(named.slice(0, 80))
      expect(message).toMatch(/ Nothing was changed\.$/)
      expect(message).not.toMatch(/\b(E[A-Z]{4,}|ERR_)/)
      expect([...(await filesBelow(place.config.blobsDir)).keys()]).toEqual([])
      expect(await readdir(place.config.dataDir)).not.toContain('restore-pending.json')
    }
  })

  it('makes a database whose schema is that of a new one', async () => {
    const place = await house()
    await restoreInto(place, archive, app.clock)
    expect(await schemaText(place.database.url)).toEqual(await schemaText(app.databaseUrl))
  })

  it('gives out no id a second time', async () => {
    const place = await house()
    await restoreInto(place, archive, app.clock)
    const { db, close } = connect(place.database.url, () => {})
    const next = await runSql(db, `SELECT nextval(pg_get_serial_sequence('users', 'id')) AS id`)
    await close()
    expect((next.rows[0] as { id: number }).id).toBeGreaterThan(ada.id + 900_000)
  })

  it('is for the operator alone, and is noted for the doctor', async () => {
    const names = (await readdir(folder)).toSorted()
    expect(names).toEqual([path.basename(archive, '.tar') + '.key', path.basename(archive)])
    for (const name of names) expect((await stat(path.join(folder, name))).mode & 0o777).toBe(0o600)
    expect(await readLastBackup(app.dataDir)).toMatchObject({
      good: { file: archive, key: 'beside', bytes: (await stat(archive)).size },
      failed: null,
    })
  })

  it('keeps the newest ones of a folder', async () => {
    const many = await mkdtemp(path.join(os.tmpdir(), 'howl-backups-'))
    ended.push(() => rm(many, { recursive: true, force: true }))
    for (const day of ['01', '02', '03'])
      for (const ending of ['tar', 'key'])
        await writeFile(path.join(many, `howl-2026-01-${day}T03-00-00Z.${ending}`), '')
    await writeFile(path.join(many, 'holiday.jpg'), '')
    const source = { config: app.context.config, url: app.databaseUrl, clock: app.clock, say: () => {} }
    const { file, removed } = await takeBackup(source, { to: many, passphrase: 'a long passphrase', keep: 2 })
    expect(removed).toBe(2)
    expect((await readdir(many)).toSorted()).toEqual([
      'holiday.jpg',
      'howl-2026-01-03T03-00-00Z.key',
      'howl-2026-01-03T03-00-00Z.tar',
      path.basename(file),
    ])
  })

  it('seals the secret key under a passphrase', async () => {
    const sealed = await mkdtemp(path.join(os.tmpdir(), 'howl-backups-'))
    ended.push(() => rm(sealed, { recursive: true, force: true }))
    const file = await backUp(app, sealed, 'correct horse battery staple')
    expect(await readdir(sealed)).toEqual([path.basename(file)])
    expect((await readFile(file)).includes('a secret key that only')).toBe(false)
    const place = await house({ SECRET_KEY: '' })
    await expect(restoreInto(place, file, app.clock)).rejects.toThrow('under a passphrase')
    await expect(restoreInto(place, file, app.clock, { passphrase: 'wrong' })).rejects.toThrow(
      'This is not the passphrase of the backup.',
    )
    await restoreInto(place, file, app.clock, { passphrase: 'correct horse battery staple' })
    expect((await readFile(path.join(place.config.dataDir, 'secret-key'), 'utf8')).trim()).toBe(
      'a secret key that only the tests know of',
    )
  })

  it('leaves no file where the disk is full, and says so', async () => {
    const source = { config: app.context.config, url: app.databaseUrl, clock: app.clock, say: () => {} }
    await expect(takeBackup(source, { to: '/dev/full/here', passphrase: null, keep: null })).rejects.toThrow()
    expect((await readLastBackup(app.dataDir))?.failed?.why).toBeTruthy()
    expect((await readLastBackup(app.dataDir))?.good?.file).toBeTruthy()
  })
})

describe('a restore', () => {
  it.each([
    ['one byte is another', (size: number) => [Math.floor(size / 2)]],
    ['the manifest is another', (size: number) => [size - 6000]],
    ['the beginning is another', () => [10]],
  ])('changes nothing when %s', async (_, placesIn) => {
    const file = path.join(folder, 'damaged.tar')
    const content = await readFile(archive)
    for (const at of placesIn(content.length)) content[at] = (content[at] ?? 0) ^ 1
    await writeFile(file, content)
    const place = await house()
    await expect(restoreInto(place, file, app.clock)).rejects.toThrow(/backup/)
    expect(await digestsOf(place.database.url)).toEqual(new Map())
    expect(await readdir(place.config.dataDir)).toEqual([])
    await rm(file)
  })

  it('changes nothing when the end is missing', async () => {
    const file = path.join(folder, 'cut.tar')
    await writeFile(file, await readFile(archive))
    await truncate(file, (await stat(archive)).size - 2048)
    const place = await house()
    await expect(restoreInto(place, file, app.clock)).rejects.toThrow(/cut off|no backup|damaged/)
    expect(await readdir(place.config.dataDir)).toEqual([])
    await rm(file)
  })

  it('refuses a file that is no backup, a missing key and another key', async () => {
    const place = await house({ SECRET_KEY: '' })
    const picture = path.join(folder, 'holiday.jpg')
    await writeFile(picture, Buffer.alloc(5000, 7))
    await expect(restoreInto(place, picture, app.clock)).rejects.toThrow('This file is no backup of Howl.')
    const alone = path.join(folder, 'alone.tar')
    await writeFile(alone, await readFile(archive))
    await expect(restoreInto(place, alone, app.clock)).rejects.toThrow('put alone.key beside the backup')
    await writeFile(path.join(folder, 'alone.key'), 'the key of somebody else altogether')
    await expect(restoreInto(place, alone, app.clock)).rejects.toThrow('does not belong to this backup')
    for (const name of ['holiday.jpg', 'alone.tar', 'alone.key']) await rm(path.join(folder, name))
  })

  it('refuses a house in use, and one with accounts unless it is to be replaced', async () => {
    const running = { config: app.context.config, database: { url: app.databaseUrl, drop: async () => {} } }
    await expect(restoreInto(running, archive, app.clock)).rejects.toThrow('Howl is running')
    const place = await house()
    await restoreInto(place, archive, app.clock)
    const before = await digestsOf(place.database.url)
    await expect(restoreInto(place, archive, app.clock)).rejects.toThrow(
      'This Howl is not empty: it has 2 accounts. To replace all of it, add --replace.',
    )
    expect(await digestsOf(place.database.url)).toEqual(before)
    await restoreInto(place, archive, app.clock, { replace: true })
  })

  it('leaves the present state as it is when the rows do not fit together', async () => {
    const place = await house()
    await restoreInto(place, archive, app.clock)
    const before = await digestsOf(place.database.url)
    const torn = await mkdtemp(path.join(os.tmpdir(), 'howl-backups-'))
    ended.push(() => rm(torn, { recursive: true, force: true }))
    // A row of nobody: as no transaction could have written it.
    const trigger = (state: string) =>
      runSql(app.context.db, `ALTER TABLE contact_counts ${state} TRIGGER ALL`)
    await trigger('DISABLE')
    await runSql(app.context.db, 'INSERT INTO contact_counts (user_id, total) VALUES (987654, 1)')
    const file = await backUp(app, torn)
    await runSql(app.context.db, 'DELETE FROM contact_counts WHERE user_id = 987654')
    await trigger('ENABLE')
    await expect(restoreInto(place, file, app.clock, { replace: true })).rejects.toThrow('foreign key')
    expect(await digestsOf(place.database.url)).toEqual(before)
    expect(await readdir(place.config.blobsDir)).not.toContain('.restoring')
    expect(await databaseExists(place.database.url, beside(place.database.url, 'restoring'))).toBe(false)
  })

  it('that was killed leaves neither the replaced database nor its journal behind the next start', async () => {
    const place = await house()
    const { config, database } = place
    await restoreInto(place, archive, app.clock)
    // Killed right after the exchange of the databases.
    const aside = beside(database.url, 'before_restore')
    await makeDatabaseLike(database.url, aside)
    await mkdir(path.join(config.dataDir, 'acceptance-journal'))
    const { db, close } = connect(database.url, () => {})
    const { rows } = await runSql(db, 'SELECT token FROM restores')
    await close()
    await noteFiles(config, (rows[0] as { token: string }).token, { key: null, anchor: null })
    await finishRestore(config, database.url)
    expect(await databaseExists(database.url, aside)).toBe(false)
    expect(await readdir(config.dataDir)).toEqual(['blobs'])
  })

  it('that was killed while it filled its database is forgotten by the next start, and only then', async () => {
    const { config, database } = await house()
    const fresh = beside(database.url, 'restoring')
    await beginFiles(config)
    await writeFile(path.join(waitingBlobs(config), 'half'), 'a half')
    await makeDatabaseLike(database.url, fresh)
    const isLeft = async () => [existsSync(waitingBlobs(config)), await databaseExists(database.url, fresh)]
    await whileAlone(database.url, () => finishRestore(config, database.url))
    expect(await isLeft()).toEqual([true, true])
    await finishRestore(config, database.url)
    expect(await isLeft()).toEqual([false, false])
  })

  it('ends every session: whoever had signed out stays out', async () => {
    const place = await house()
    await restoreInto(place, archive, app.clock)
    const again = await startTestApp({ roles: ['web'], database: { url: place.database.url } })
    try {
      expect((await call(again.url, auth.me, { token: ada.token })).status).toBe(401)
      const answer = await call(again.url, auth.login, { body: { email: ada.email, password: ada.password } })
      expect(answer.status).toBe(200)
    } finally {
      await again.end()
    }
  })
})

describe('the files of a restore that was killed', () => {
  const places = async () => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), 'howl-killed-'))
    ended.push(() => rm(dataDir, { recursive: true, force: true }))
    const config = readConfig({ DATA_DIR: dataDir })
    await beginFiles(config)
    const put = async (file: string, text: string) => {
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(file, text)
    }
    await put(path.join(config.blobsDir, 'raw/1/1'), 'present')
    await put(path.join(config.blobsDir, 'uploads/1/2'), 'present')
    await put(path.join(config.blobsDir, 'lost+found/3'), 'of the disk')
    await put(path.join(waitingBlobs(config), 'raw/1/1'), 'restored')
    await put(path.join(dataDir, 'secret-key'), 'present')
    await noteFiles(config, 'token', { key: 'restored', anchor: null })
    return config
  }

  it('are forgotten when its database never took its place', async () => {
    const config = await places()
    await finishFiles(
      config,
      async () => false,
      async () => {},
    )
    expect(await filesBelow(config.dataDir)).toEqual(
      new Map([
        ['blobs/lost+found/3', 'of the disk'],
        ['blobs/raw/1/1', 'present'],
        ['blobs/uploads/1/2', 'present'],
        ['secret-key', 'present'],
      ]),
    )
  })

  it('are put into their place when its database is there, however often it is killed again', async () => {
    const config = await places()
    // Killed after the first files had been moved.
    await finishFiles(
      config,
      async () => true,
      async () => {},
    )
    await finishFiles(
      config,
      async () => true,
      async () => {},
    )
    expect(await filesBelow(config.dataDir)).toEqual(
      new Map([
        ['blobs/lost+found/3', 'of the disk'],
        ['blobs/raw/1/1', 'restored'],
        ['secret-key', 'restored'],
      ]),
    )
  })
})

async function filesBelow(root: string): Promise<Map<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = new Map<string, string>()
  for (const entry of entries.filter((each) => each.isFile())) {
    const file = path.join(entry.parentPath, entry.name)
    files.set(path.relative(root, file), await readFile(file, 'utf8'))
  }
  return new Map([...files].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
