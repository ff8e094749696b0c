import fc from 'fast-check'
import { mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '#server/platform/database/transaction.ts'
import { signUp } from '../../../tests/support/factories.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { checkChain, eraseActivities, type NewActivity, noteActivity } from './activities.ts'
import { readAnchor, writeAnchor } from './anchor.ts'
import { clearActivities } from './clear-activities.ts'
import { linkActivities, newLinker } from './link-activities.ts'
import { pageOfActivities } from './list-activities.ts'

const DAY_MS = 86_400_000

let app: TestApp
/** A connection of somebody who has the database and not the secret key: no trigger stops him. */
let intruder: pg.Client

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
  intruder = new pg.Client({ connectionString: app.databaseUrl })
  await intruder.connect()
  await intruder.query(`SET session_replication_role = replica`)
})
afterAll(async () => {
  await intruder.end()
  await app.end()
})

const sql = async (text: string, values: unknown[] = []) =>
  (await intruder.query(text, values)).rows as Record<string, unknown>[]
const note = (activity: Partial<NewActivity> = {}) =>
  noteActivity(app.context, app.context.db, {
    type: 'log_in',
    user: 7,
    origin: { ip: '192.0.2.1' },
    ...activity,
  })
const link = async () => linkActivities(app.context, await newLinker(app.context))
const check = () => checkChain(app.context)
const anchorFile = () => path.join(app.dataDir, 'activity-chain.json')

/** Puts everything back that a test changed. */
async function startAfresh() {
  await sql('DELETE FROM activities')
  await sql('DELETE FROM activity_chain')
  await rm(anchorFile(), { force: true })
}
beforeEach(startAfresh)

test('an activity has its time, kind, person, address, words and risk', async () => {
  await note({ type: 'contacts_imported', detail: '12 added' })
  const { activities } = await pageOfActivities(app.context, { limit: 50, page: 1 })
  expect(activities).toMatchObject([
    {
      user_id: 7,
      activity_type: 'contacts_imported',
      description: 'Contacts imported: 12 added',
      risk_score: 0,
      ip_address: '192.0.2.1',
    },
  ])
  expect(Date.now() - new Date(activities[0]?.created_at ?? 0).getTime()).toBeLessThan(60_000)
})

test('an activity of a transaction that is rolled back was never there', async () => {
  const undone = inTransaction(app.context.db, async (tx) => {
    await noteActivity(app.context, tx, { type: 'log_in', user: 7, origin: null })
    throw new Error('no')
  })
  await expect(undone).rejects.toThrow('no')
  await note()
  await link()
  expect(await check()).toMatchObject({ ok: true, checked: 1 })
})

describe('the database refuses our own mistakes', () => {
  test.each([
    ['a change', 'UPDATE activities SET risk_score = 0'],
    ['another place', 'UPDATE activities SET position = 2'],
    ['a removal', 'DELETE FROM activities'],
  ])('%s', async (_, text) => {
    await note()
    await link()
    await expect(app.context.db.pool.query(text)).rejects.toThrow('activities are only added')
  })
})

describe('risk', () => {
  const scores = async () =>
    (await pageOfActivities(app.context, { limit: 50, page: 1 })).activities.map(
      ({ risk_score }) => risk_score,
    )

  test('one failure after another counts more each time, up to 100 at most', async () => {
    for (let n = 0; n < 8; n++) await note({ type: 'admin_code_failed', user: null })
    expect((await scores()).toReversed()).toEqual([40, 50, 60, 70, 80, 90, 100, 100])
  })

  test('failures of another hour, address and account do not count', async () => {
    await note({ type: 'log_in_failed', user: 1 })
    await note({ type: 'log_in_failed', user: 2, origin: { ip: '192.0.2.2' } })
    app.clock.forward(61 * 60_000)
    await note({ type: 'log_in_failed', user: 1 })
    expect(await scores()).toEqual([20, 20, 20])
  })

  test('a log-in from a new network stands out, and the second from there does not', async () => {
    await note({ type: 'account_opened' })
    await note({ origin: { ip: '192.0.2.77' } })
    await note({ origin: { ip: '198.51.100.4' } })
    await note({ origin: { ip: '198.51.100.9' } })
    expect((await scores()).toReversed()).toEqual([0, 0, 30, 0])
  })
})

describe('the list', () => {
  const list = (query: Partial<Parameters<typeof pageOfActivities>[1]>) =>
    pageOfActivities(app.context, { limit: 50, page: 1, ...query })
  const descriptions = async (query: Partial<Parameters<typeof pageOfActivities>[1]>) =>
    (await list(query)).activities.map(({ description }) => description)

  test('is filtered by user, kind, risk and time, newest first, a page at a time', async () => {
    const begun = app.context.clock.now()
    await note({ type: 'log_in_failed', user: 1 })
    app.clock.forward(DAY_MS)
    await note({ type: 'log_in', user: 1 })
    await note({ type: 'log_in', user: 2 })
    await note({ type: 'two_step_failed', user: 2 })
    const day = new Date(begun.getTime() + DAY_MS / 2).toISOString()
    expect(await descriptions({ user_id: 1 })).toEqual(['Logged in', 'Failed log-in'])
    expect(await descriptions({ type: 'log_in' })).toHaveLength(2)
    expect(await descriptions({ min_risk: 20 })).toEqual(['Wrong code of two-step sign-in', 'Failed log-in'])
    expect(await descriptions({ min_risk: 25 })).toEqual(['Wrong code of two-step sign-in'])
    expect(await descriptions({ to: day })).toEqual(['Failed log-in'])
    expect(await descriptions({ from: day })).toHaveLength(3)
    const first = await list({ limit: 3 })
    const second = await list({ limit: 3, page: 2 })
    expect([first.has_more, second.has_more]).toEqual([true, false])
    expect(second.activities.map(({ description }) => description)).toEqual(['Failed log-in'])
  })

  test('is searched by words, their beginnings, addresses and users', async () => {
    const user = await signUp(app.url)
    await note({ type: 'log_in_failed', user: user.id, origin: { ip: '198.51.100.7' } })
    await note({ type: 'mail_settings_changed', user: 3, detail: 'smtp_host, smtp_port' })
    await note({
      type: 'refused',
      user: null,
      detail: '403 GET /api/v1/admin/users',
      origin: { ip: '2001:db8::7' },
    })
    expect(await descriptions({ search: 'fail' })).toEqual(['Failed log-in'])
    expect(await descriptions({ search: 'SMTP_port changed' })).toEqual([
      'Email settings changed: smtp_host, smtp_port',
    ])
    expect(await descriptions({ search: '198.51.100.' })).toEqual(['Failed log-in'])
    expect(await descriptions({ search: '198.51.100.7' })).toEqual(['Failed log-in'])
    expect(await descriptions({ search: '2001:db8::7' })).toHaveLength(1)
    expect(await descriptions({ search: user.email.toUpperCase() })).toEqual([
      'Failed log-in',
      'Account opened',
    ])
    expect(await descriptions({ search: user.username })).toHaveLength(2)
    expect(await descriptions({ search: 'nothing like it' })).toEqual([])
    const [found] = (await list({ search: user.email })).activities
    expect(found?.user_email).toBe(user.email)
  })
})

describe('the chain', () => {
  const ROWS = 500
  let ids: number[] = []

  beforeEach(async () => {
    for (let n = 0; n < 20; n++) await note({ type: n % 3 === 0 ? 'log_in_failed' : 'log_in', user: n % 5 })
    await link()
    ids = (await sql('SELECT id FROM activities ORDER BY position')).map(({ id }) => Number(id))
    expect(await check()).toMatchObject({ ok: true, checked: 20, position: 20, waiting: 0 })
  })
  afterEach(startAfresh)

  const named = async () => (await check()).faults

  test.each([
    ['the risk', 'risk_score = 99'],
    ['the user', 'user_id = user_id + 1'],
    ['the address', `ip_address = '192.0.2.99'`],
    ['the description', `description = 'Nothing to see'`],
    ['the kind', `activity_type = 'email_confirmed'`],
    ['the time', `created_at = created_at - interval '1 millisecond'`],
    ['the digest', `person_digest = seal`],
    ['the seal', `seal = person_digest`],
    ['the link', 'link = seal'],
    ['the salt', `salt = '\\x00'`],
    [
      'an erasure',
      `user_id = NULL, ip_address = NULL, description = '', salt = NULL, erased_at = created_at, erasure = seal`,
    ],
  ])('names a row with a change of %s', async (_, change) => {
    await sql(`UPDATE activities SET ${change} WHERE id = $1`, [ids[9]])
    expect((await named()).some(({ id }) => id === ids[9])).toBe(true)
  })

  test('names the last row, removed, also when the end of the chain is changed to hide it', async () => {
    await sql('DELETE FROM activities WHERE id = $1', [ids[19]])
    expect(await named()).toMatchObject([{ kind: 'removed', position: 20 }])
    await sql(
      `UPDATE activity_chain SET position = 19, link = (SELECT link FROM activities WHERE position = 19)`,
    )
    expect(await named()).toMatchObject([
      { kind: 'head', position: 19 },
      { kind: 'removed', position: 20 },
    ])
  })

  test('an older end that is put back is found by the file outside the database, and stays found', async () => {
    const [before] = await sql('SELECT position, link, seal FROM activity_chain')
    await note()
    await link()
    await sql('DELETE FROM activities WHERE position = 21')
    await sql('UPDATE activity_chain SET position = $1, link = $2, seal = $3', [
      before?.['position'],
      before?.['link'],
      before?.['seal'],
    ])
    expect(await named()).toMatchObject([{ kind: 'removed', position: 21 }])
    // What comes later does not cover it up.
    await note()
    await link()
    expect(await named()).toMatchObject([{ kind: 'removed' }])
  })

  test('an end that was changed is not made good by the next link', async () => {
    await sql('DELETE FROM activities WHERE position = 20')
    await sql(
      `UPDATE activity_chain SET position = 19, link = (SELECT link FROM activities WHERE position = 19)`,
    )
    await rm(anchorFile())
    await note()
    await link()
    expect((await named()).map(({ kind }) => kind)).toContain('removed')
  })

  test('everything removed at once is named', async () => {
    await sql('DELETE FROM activities')
    await sql('DELETE FROM activity_chain')
    expect(await named()).toMatchObject([{ kind: 'removed', position: 20 }])
  })

  test('a changed file is named', async () => {
    const text = await readFile(anchorFile(), 'utf8')
    await writeFile(anchorFile(), text.replace('"position":20', '"position":10'))
    expect(await named()).toMatchObject([{ kind: 'file' }])
  })

  test('names a copy of a row, one before the beginning and one without a seal', async () => {
    await sql(
      `INSERT INTO activities (id, user_id, activity_type, description, risk_score, ip_address, created_at, salt, person_digest, seal)
      SELECT 900001, user_id, activity_type, description, risk_score, ip_address, created_at, salt, person_digest, seal
      FROM activities WHERE id = $1`,
      [ids[4]],
    )
    expect(await named()).toMatchObject([{ kind: 'inserted', id: 900001 }])
    await link()
    expect(await named()).toMatchObject([{ id: 900001 }])
    await sql('UPDATE activities SET position = 0 WHERE id = 900001')
    expect((await named()).map(({ id }) => id)).toContain(900001)
  })

  test('names two rows that were swapped', async () => {
    await swap(ids[4] ?? 0, ids[5] ?? 0)
    expect((await named()).map(({ id }) => id)).toEqual([ids[5], ids[4]])
  })

  test('names rows that were swapped together with their links', async () => {
    await sql('UPDATE activities SET position = -position WHERE id = ANY($1)', [[ids[4], ids[5]]])
    await sql('UPDATE activities SET position = 6 WHERE id = $1', [ids[4]])
    await sql('UPDATE activities SET position = 5 WHERE id = $1', [ids[5]])
    expect(await named()).toMatchObject([
      { kind: 'moved', id: ids[5], position: 5 },
      { kind: 'moved', id: ids[6] },
    ])
  })

  test('names the row after one that was removed, also when all later ones are numbered anew', async () => {
    await sql('DELETE FROM activities WHERE id = $1', [ids[9]])
    await sql('UPDATE activities SET position = -position WHERE position > 10')
    await sql('UPDATE activities SET position = -position - 1 WHERE position < 0')
    expect(await named()).toMatchObject([
      { kind: 'moved', id: ids[10], position: 10 },
      { kind: 'removed', position: 20 },
    ])
  })

  test('another key finds nothing right', async () => {
    const { makeSecretBox } = await import('../../platform/security/secret-box.ts')
    const secrets = makeSecretBox('another secret key of at least 32 characters')
    const report = await checkChain({ ...app.context, secrets })
    expect(report.ok).toBe(false)
  })

  test('one random change of one random row out of 500 is named', async () => {
    for (let n = 20; n < ROWS; n++) await note({ user: n % 7, detail: `${n}` })
    await link()
    await sql('CREATE TABLE kept AS SELECT * FROM activities')
    const columns = `id, user_id, activity_type, description, risk_score, ip_address, created_at, salt, person_digest, seal, erased_at, erasure, position, link`
    const back = async () => {
      await sql('DELETE FROM activities')
      await sql(`INSERT INTO activities (${columns}) SELECT ${columns} FROM kept`)
    }
    const changes = fc.oneof(
      fc.record({ set: fc.constant('risk_score'), to: fc.integer({ min: 0, max: 100 }) }),
      fc.record({ set: fc.constant('user_id'), to: fc.integer({ min: 0, max: 9 }) }),
      fc.record({
        set: fc.constant('description'),
        to: fc.string({ maxLength: 20 }).map((text) => text.replaceAll('\0', '').toWellFormed()),
      }),
      fc.record({ set: fc.constant('ip_address'), to: fc.ipV4() }),
      fc.record({ set: fc.constant('activity_type'), to: fc.constantFrom('log_in', 'log_out', 'refused') }),
      fc.record({
        set: fc.constantFrom('seal', 'link', 'person_digest', 'salt'),
        to: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes)),
      }),
      fc.record({ set: fc.constant('removed'), to: fc.constant(0) }),
      fc.record({ set: fc.constant('inserted'), to: fc.constant(0) }),
      fc.record({ set: fc.constant('swapped'), to: fc.integer({ min: 1, max: ROWS }) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: ROWS }), changes, async (position, { set, to }) => {
        const [row] = await sql('SELECT * FROM activities WHERE position = $1', [position])
        const id = Number(row?.['id'])
        if (set === 'removed') await sql('DELETE FROM activities WHERE id = $1', [id])
        else if (set === 'swapped') {
          const [other] = await sql('SELECT id FROM activities WHERE position = $1', [to])
          if (to === position) return
          await swap(id, Number(other?.['id']))
        } else if (set === 'inserted') {
          await sql(
            `INSERT INTO activities (id, user_id, activity_type, description, risk_score, ip_address, created_at, salt, person_digest, seal)
            SELECT id + 1000000, user_id, activity_type, description, risk_score, ip_address, created_at, salt, person_digest, seal
            FROM activities WHERE id = $1`,
            [id],
          )
        } else {
          if (row?.[set] === to) return
          await sql(`UPDATE activities SET ${set} = $2 WHERE id = $1`, [id, to])
        }
        const faults = await named()
        await back()
        const places = faults.flatMap((fault) => [fault.id, fault.position])
        if (set === 'removed') expect(places).toContain(position)
        else expect(places).toContain(set === 'inserted' ? id + 1_000_000 : id)
      }),
      { numRuns: 60 },
    )
    await sql('DROP TABLE kept')
    expect(await named()).toEqual([])
  })
})

test('100 writers at once leave no gap and no fork, and the linkers of two processes do not get in each other’s way', async () => {
  const linkers = [await newLinker(app.context), await newLinker(app.context)]
  const over = new AbortController()
  const linking = linkers.map(async (state) => {
    while (!over.signal.aborted) await linkActivities(app.context, state)
  })
  await Promise.all(
    Array.from({ length: 100 }, async (_, user) => {
      for (let n = 0; n < 5; n++) await note({ user, detail: `${n}` })
    }),
  )
  over.abort()
  await Promise.all(linking)
  await link()
  expect(await check()).toMatchObject({ ok: true, checked: 500, position: 500, waiting: 0 })
})

test('linkers that write the end of the chain at the same moment leave one of them, whole', async () => {
  const ends = Array.from({ length: 40 }, (_, n) => ({ position: n, link: Buffer.alloc(32, n), at: 'now' }))
  await Promise.all(ends.map((end) => writeAnchor(app.context, end)))
  expect(ends).toContainEqual(await readAnchor(app.context))
})

test('an end of the chain that cannot be written leaves no file behind', async () => {
  await rm(anchorFile(), { force: true })
  await mkdir(anchorFile())
  await expect(writeAnchor(app.context, { position: 1, link: Buffer.alloc(32), at: 'now' })).rejects.toThrow()
  await rmdir(anchorFile())
  expect((await readdir(app.dataDir)).filter((name) => name.startsWith('activity-chain'))).toEqual([])
})

test('the purge of a user leaves a good chain, which counts what was erased', async () => {
  for (let n = 0; n < 10; n++) await note({ user: n % 2 === 0 ? 41 : 42, detail: 'secret of mine' })
  await link()
  // One that has no link yet.
  await note({ user: 41 })
  await eraseActivities(app.context, 41)
  expect(await sql('SELECT 1 FROM activities WHERE user_id = 41')).toEqual([])
  expect(await check()).toMatchObject({ ok: true, erased: 6 })
  await link()
  expect(await check()).toMatchObject({ ok: true, checked: 11, erased: 6, position: 11 })
  const { activities } = await pageOfActivities(app.context, { limit: 50, page: 1 })
  const [erased] = activities
  expect(erased).toMatchObject({ user_id: null, ip_address: null, description: 'Erased with its account' })
  const [{ text } = {}] = await sql(
    `SELECT string_agg(a::text, ' ') AS text FROM activities a WHERE erased_at IS NOT NULL`,
  )
  expect(text).not.toContain('secret')
  expect(text).not.toContain('192.0.2')
})

test('what is older than ACTIVITY_DAYS is cleared, and the chain begins later', async () => {
  for (let n = 0; n < 5; n++) await note()
  await link()
  app.clock.forward(200 * DAY_MS)
  for (let n = 0; n < 5; n++) await note()
  await link()
  expect(await clearActivities(app.context)).toBe(0)
  app.clock.forward(166 * DAY_MS)
  expect(await clearActivities(app.context)).toBe(5)
  expect(await check()).toMatchObject({ ok: true, checked: 5, cleared: 5, position: 10 })
  await note()
  await link()
  expect(await check()).toMatchObject({ ok: true, position: 11 })
  // Whoever says that more was cleared is found.
  await sql('DELETE FROM activities WHERE position = 6')
  await sql('UPDATE activity_chain SET cleared = 6')
  expect((await check()).faults).toMatchObject([{ kind: 'head' }, { kind: 'moved' }])
  app.clock.forward(400 * DAY_MS)
})

async function swap(one: number, other: number) {
  const [first] = await sql('SELECT position, link FROM activities WHERE id = $1', [one])
  const [second] = await sql('SELECT position, link FROM activities WHERE id = $1', [other])
  await sql('UPDATE activities SET position = NULL, link = NULL WHERE id = $1', [one])
  await sql('UPDATE activities SET position = $2, link = $3 WHERE id = $1', [
    other,
    first?.['position'],
    first?.['link'],
  ])
  await sql('UPDATE activities SET position = $2, link = $3 WHERE id = $1', [
    one,
    second?.['position'],
    second?.['link'],
  ])
}
