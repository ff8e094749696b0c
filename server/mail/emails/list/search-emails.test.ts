import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emails } from '#contract/mail/emails.ts'
import { call } from '../../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../../tests/support/factories.ts'
import { makeSearchable, storeMails, type StoredMail } from '../../../../tests/support/stored-mails.ts'
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts'
import { inTransaction, runSql } from '../../../platform/database/transaction.ts'
import { parseSearch, searchQuery } from './parse-search.ts'
import { findEmails, mergeIndexEntries } from './search-store.ts'
import { indexSomeEmails } from './index-emails.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
})
afterAll(() => app?.end())

type Query = NonNullable<Parameters<typeof call<typeof emails.list>>[2]>['query']

async function find(user: TestUser, search: string, query: Query = {}) {
  const answer = await call(app.url, emails.list, { token: user.token, query: { search, ...query } })
  if (answer.status !== 200) throw new Error(`${search}: ${answer.status} ${answer.error.detail}`)
  return {
    ids: answer.body.map(({ id }) => id),
    total: Number(answer.headers.get('X-Total-Count')),
    more: answer.headers.get('X-More-Found'),
    pending: answer.headers.get('X-Not-Searchable-Yet'),
  }
}

async function userWith(mails: readonly StoredMail[]): Promise<{ user: TestUser; ids: number[] }> {
  const user = await signUp(app.url)
  const ids = await storeMails(app, user.id, mails)
  await makeSearchable(app, user.id)
  return { user, ids }
}

describe('search', () => {
  test('finds words, phrases, fields, addresses and their parts, in any spelling', async () => {
    const { user, ids } = await userWith([
      {
        from: 'Bob.Builder@far.example',
        fromName: 'Bob Builder',
        subject: 'Über die Brücke',
        text: 'The quick brown fox',
      },
      {
        from: 'ann@near.example',
        to: 'Ada <ada@muster.example>, carl@third.example',
        subject: 'Re: offer',
        text: 'A brown quick bear of Bob',
      },
      {
        from: 'shop@far.example',
        subject: 'Invoice 2026-17',
        text: 'Total 1,250.00 EUR\n東京タワー 🎉',
        files: ['a.pdf'],
        starred: true,
        read: true,
      },
    ])
    const found = async (search: string) =>
      (await find(user, search)).ids.map((id) => ids.indexOf(id) + 1).toSorted()
    const cases: [string, number[]][] = [
      ['quick', [1, 2]],
      ['QUICK fox', [1]],
      ['"quick brown"', [1]],
      ['"brown quick"', [2]],
      ['qui', [1, 2]],
      ['qui fox', []],
      ['uber brucke', [1]],
      ['ÜBER', [1]],
      ['bob', [1, 2]],
      ['from:bob', [1]],
      ['from:bob.builder@far.example', [1]],
      ['bob.builder@far', [1]],
      ['@far.example', [1, 3]],
      ['from:far.example', [1, 3]],
      ['to:carl', [2]],
      ['carl@third.example', [2]],
      ['subject:offer', [2]],
      ['subject:quick', []],
      ['1,250.00', [3]],
      ['2026-17', [3]],
      ['東京', [3]],
      ['京東', []],
      ['🎉', [3]],
      ['has:attachment', [3]],
      ['is:starred', [3]],
      ['is:unread brown', [1, 2]],
      ['is:read', [3]],
      ['brown has:attachment', []],
      ['nobody', []],
      ['"', [1, 2, 3]],
    ]
    for (const [search, expected] of cases) expect([search, await found(search)]).toEqual([search, expected])
  })

  test('respects folder, days, filter and user', async () => {
    const day = (n: number) => new Date(Date.UTC(2026, 4, n, 12))
    const { user, ids } = await userWith([
      { text: 'needle', at: day(1) },
      { text: 'needle', at: day(2), read: true },
      { text: 'needle', at: day(3), folder: 'archived' },
      { text: 'needle', at: day(4), folder: 'deleted' },
    ])
    const [one, two, three] = ids
    expect((await find(user, 'needle')).ids).toEqual([two, one])
    expect((await find(user, 'needle', { folder: 'archived' })).ids).toEqual([three])
    expect((await find(user, 'needle in:archive')).ids).toEqual([three])
    expect((await find(user, 'needle', { filter: 'unread' })).ids).toEqual([one])
    expect((await find(user, 'needle after:2026-05-02', { timezone: 'UTC' })).ids).toEqual([two])
    expect((await find(user, 'needle before:2026-05-02', { timezone: 'UTC' })).ids).toEqual([one])
    // Noon in London is a quarter past midnight on the other side of the world.
    expect((await find(user, 'needle before:2026-05-02', { timezone: 'Pacific/Kiritimati' })).ids).toEqual([])
    const stranger = await userWith([{ text: 'hay' }])
    expect((await find(stranger.user, 'needle')).ids).toEqual([])
  })

  test('says how many mails are not searchable yet, and finds them once they are; also a changed draft', async () => {
    const user = await signUp(app.url)
    const [id = 0] = await storeMails(app, user.id, [
      { folder: 'drafts', direction: 'out', text: 'first thought' },
    ])
    expect(await find(user, 'thought', { folder: 'drafts' })).toMatchObject({ ids: [], pending: '1' })
    await makeSearchable(app, user.id)
    expect(await find(user, 'thought', { folder: 'drafts' })).toMatchObject({ ids: [id], pending: null })
    await runSql(app.context.db, `UPDATE email_bodies SET text = 'second idea' WHERE user_id = $1`, [user.id])
    await runSql(app.context.db, `UPDATE emails SET subject = 'Plans' WHERE user_id = $1`, [user.id])
    // It is queued for its text and for its subject, and counts as one mail.
    expect((await find(user, 'thought', { folder: 'drafts' })).pending).toBe('1')
    await makeSearchable(app, user.id)
    expect((await find(user, 'thought', { folder: 'drafts' })).ids).toEqual([])
    expect((await find(user, 'idea subject:plans', { folder: 'drafts' })).ids).toEqual([id])
    await runSql(app.context.db, `UPDATE emails SET folder = 'trash' WHERE user_id = $1`, [user.id])
    expect((await find(user, 'idea', { folder: 'trash' })).ids).toEqual([id])
    await runSql(app.context.db, `DELETE FROM emails WHERE user_id = $1`, [user.id])
    expect((await find(user, 'idea', { folder: 'trash' })).ids).toEqual([])
  })

  test('makes new mail searchable first, then the newest mails of a history', async () => {
    const user = await signUp(app.url)
    const day = (n: number) => new Date(Date.UTC(2020, 0, 1) + n * 86_400_000)
    // As a history is synced: block by block back in time, each block from its oldest mail on.
    const history = [4, 3, 2, 1, 0].flatMap((block) =>
      Array.from({ length: 300 }, (_, n) => ({ text: `mail${block * 300 + n}q`, at: day(block * 300 + n) })),
    )
    await storeMails(app, user.id, history)
    const isFound = async (n: number) => (await find(user, `mail${n}q`)).ids.length === 1
    expect(await find(user, 'mail1499q')).toMatchObject({ ids: [], pending: '1500' })
    const { taken } = await indexSomeEmails(app.context, user.id)
    const left = 1500 - taken
    expect(left).toBeGreaterThan(0)
    expect(await find(user, 'mail1499q')).toMatchObject({ total: 1, pending: String(left) })
    expect([await isFound(left), await isFound(left - 1)]).toEqual([true, false])
    await storeMails(app, user.id, [{ text: 'mail1500q', at: day(1500) }])
    await indexSomeEmails(app.context, user.id)
    expect([await isFound(1500), await isFound(left - 1), await isFound(0)]).toEqual([true, true, false])
    await makeSearchable(app, user.id)
    expect(await find(user, 'mail0q')).toMatchObject({ total: 1, pending: null })
  })

  test('finds a mail before and after its entry is merged into the index', async () => {
    const { user, ids } = await userWith([
      { text: 'a needle in hay', from: 'ann@near.example' },
      { text: 'hay and a noodle' },
    ])
    const searches = ['needle', 'need', '"in hay"', 'from:ann needle']
    const found = () => Promise.all(searches.map(async (search) => (await find(user, search)).ids))
    const expected = searches.map(() => [ids[0]])
    expect(await found()).toEqual(expected)
    await mergeIndexEntries(app.context.db)
    expect(await found()).toEqual(expected)
    // Nothing is left that could be merged.
    const { rows } = await runSql(
      app.context.db,
      `SELECT gin_clean_pending_list('email_search_words'::regclass) AS pages`,
    )
    expect(rows).toEqual([{ pages: 0 }])
  })

  test('uses the index also while thousands of entries are not merged, and never scans the entries of all mails', async () => {
    const words = Array.from({ length: 100 }, (_, n) => `filler${n}`).join(' ')
    const { user, ids } = await userWith(
      Array.from({ length: 600 }, (_, n) => ({ text: n === 7 ? `${words} needle` : words })),
    )
    await inTransaction(app.context.db, async (tx) => {
      const search = parseSearch('needle', 'UTC')
      const wanted = { folder: 'inbox', filter: 'all', mailboxId: null, search } as const
      expect(await findEmails(tx, user.id, { ...wanted, tsquery: searchQuery(user.id, search) })).toEqual([
        ids[7],
      ])
      const { rows } = await runSql(
        tx,
        `SELECT seq_scan FROM pg_stat_xact_user_tables WHERE relname = 'email_search'`,
      )
      expect(rows).toEqual([{ seq_scan: 0 }])
    })
  })

  test('indexes every mail even if the database connection is cut in the middle', async () => {
    const user = await signUp(app.url)
    const ids = await storeMails(
      app,
      user.id,
      Array.from({ length: 120 }, (_, n) => ({ text: `mail${n}q straw` })),
    )
    const { db } = app.context
    // Another transaction has the oldest mail's row locked: the indexing stops there, when most entries are written.
    await inTransaction(db, async (tx) => {
      await runSql(
        tx,
        `INSERT INTO email_search (user_id, email_id, occurred_at, words) VALUES ($1, $2, now(), '')`,
        [user.id, ids[0]],
      )
      const cut = expect(indexSomeEmails(app.context, user.id)).rejects.toThrow()
      const ended = async () =>
        (
          await runSql(
            db,
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INTO email_search%'`,
          )
        ).rows.length
      await expect.poll(ended).toBeGreaterThan(0)
      await cut
      await runSql(tx, 'DELETE FROM email_search WHERE user_id = $1', [user.id])
    })
    expect(await find(user, 'straw')).toMatchObject({ total: 0, pending: '120' })
    await makeSearchable(app, user.id)
    expect(await find(user, 'straw')).toMatchObject({ total: 120, pending: null })
  })

  test('skips a mail that is deleted before it is indexed', async () => {
    const user = await signUp(app.url)
    const [gone = 0, deleted = 0, kept = 0] = await storeMails(app, user.id, [
      { text: 'needle' },
      { text: 'needle' },
      { text: 'needle' },
    ])
    await runSql(app.context.db, 'DELETE FROM emails WHERE user_id = $1 AND id = $2', [user.id, gone])
    await runSql(app.context.db, `UPDATE emails SET folder = 'deleted' WHERE user_id = $1 AND id = $2`, [
      user.id,
      deleted,
    ])
    await makeSearchable(app, user.id)
    expect(await find(user, 'needle')).toMatchObject({ ids: [kept], pending: null })
    const { rows } = await runSql(app.context.db, 'SELECT email_id FROM email_search WHERE user_id = $1', [
      user.id,
    ])
    expect(rows).toEqual([{ email_id: kept }])
  })

  test('lists the newest 1,000 matches of a frequent word, pages through them, and says that there are more', async () => {
    const { user, ids } = await userWith([
      ...Array.from({ length: 40 }, (_, n) => ({ text: n % 20 === 3 ? 'a rare zeppelin' : 'plain' })),
      ...Array.from({ length: 2600 }, (_, n) => ({ text: n % 2 === 0 ? 'offer' : 'plain' })),
    ])
    const hits = ids
      .slice(40)
      .filter((_, n) => n % 2 === 0)
      .toReversed()
    const first = await find(user, 'offer', { page_size: 50 })
    expect(first).toMatchObject({ total: 1000, more: 'true', ids: hits.slice(0, 50) })
    // With other conditions the mails are scanned; else the index is used.
    expect(await find(user, 'offer is:unread', { page_size: 50 })).toMatchObject({
      total: 1000,
      more: 'true',
      ids: hits.slice(0, 50),
    })
    expect((await find(user, 'offer', { page: 20, page_size: 50 })).ids).toEqual(hits.slice(950, 1000))
    expect((await find(user, 'offer', { page: 21, page_size: 50 })).ids).toEqual([])
    expect(await find(user, 'zeppelin')).toMatchObject({ total: 2, more: null, ids: [ids[23], ids[3]] })
  })

  test('accepts any input', async () => {
    const { user } = await userWith([{ text: `a 'quoted' back\\slash` }])
    expect((await find(user, 'quoted')).ids).toHaveLength(1)
    const pieces = fc.constantFrom(
      '"',
      "'",
      '\\',
      ':',
      ':*',
      '&',
      '|',
      '!',
      '<->',
      '(',
      ')',
      'from:',
      'is:unread',
      'before:',
      'a',
      '\0',
      '%',
      'bob@x.y',
      ' ',
      '🎉',
      '東',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 100 }),
          fc.array(pieces, { maxLength: 25 }).map((all) => all.join('')),
        ),
        async (text) => void (await find(user, text)),
      ),
      { numRuns: 100 },
    )
  })

  test('indexes mails that are very long, or crafted to break it', async () => {
    const { user, ids } = await userWith([
      { text: Array.from({ length: 100_000 }, (_, n) => `word${n}`).join(' ') },
      {
        subject: `'; DROP TABLE emails; --`,
        text: `\\' ':* <-> ${'x'.repeat(5000)} ${'é'.repeat(3000)} \u{10FFFF}`,
      },
    ])
    expect((await find(user, 'word77')).ids).toEqual([ids[0]])
    expect((await find(user, 'drop table')).ids).toEqual([ids[1]])
    expect((await find(user, 'e'.repeat(190))).ids).toEqual([ids[1]])
  })

  test('finds new mail within seconds of its arrival', async () => {
    const worker = await startTestApp({ database: { url: app.databaseUrl }, roles: ['worker'] })
    try {
      const user = await signUp(app.url)
      const [id] = await storeMails(app, user.id, [{ text: 'a fresh needle' }])
      await expect.poll(async () => (await find(user, 'needle')).ids[0]).toBe(id)
    } finally {
      await worker.end()
    }
  })
})
