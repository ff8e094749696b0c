import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emails } from '#contract/mail/emails.ts'
import { call } from '../../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../../tests/support/factories.ts'
import { testMail } from '../../../../tests/support/mail-servers.ts'
import { addContact } from '../../../../tests/support/reading.ts'
import { type StoredMail, storeMails } from '../../../../tests/support/stored-mails.ts'
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts'
import { inTransaction, runSql } from '../../../platform/database/transaction.ts'
import { finalizeSent } from '../delivery/settlements-store.ts'
import { ingestRaw } from '../ingest/ingest-raw.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
})
afterAll(() => app?.end())

const sql = async <R>(text: string, values: unknown[] = []) =>
  (await runSql(app.context.db, text, values)).rows as R[]

type Query = NonNullable<Parameters<typeof call<typeof emails.list>>[2]>['query']

async function list(user: TestUser, query: Query = {}) {
  const answer = await call(app.url, emails.list, { token: user.token, query })
  if (answer.status !== 200) throw new Error(answer.error.detail)
  return {
    ids: answer.body.map(({ id }) => id),
    rows: answer.body,
    total: Number(answer.headers.get('X-Total-Count')),
    link: answer.headers.get('Link'),
  }
}

describe('the recipients of mails written here', () => {
  const ME = 'ada@muster.example'
  const sent = (to: string, more: Partial<StoredMail> = {}): StoredMail => ({
    direction: 'out',
    folder: 'sent',
    from: ME,
    to,
    correspondent: /[^\s<,"]+@[^\s>,]+/.exec(to)?.[0].toLowerCase() ?? '',
    ...more,
  })
  const names = async (user: TestUser, folder: 'sent' | 'drafts' | 'scheduled' | 'inbox' | 'trash') =>
    (await list(user, { folder })).rows.map((row) => row.to_names).toReversed()

  test('are shown by their contact names, in every folder that such a mail can be in', async () => {
    const user = await signUp(app.url)
    await addContact(app, user, 'Anna@bakery.example', 'Anna Berg')
    await addContact(app, user, 'ben@garden.example', 'Ben Ott')
    await storeMails(app, user.id, [
      sent('anna@bakery.example'),
      sent('stranger@far.example'),
      sent('Annie <anna@bakery.example>'),
      sent('anna@bakery.example, "Cy, of Tea" <cy@tea.example>, BEN@garden.example, dan@w.example'),
      sent('anna@bakery.example', { folder: 'drafts' }),
      sent('half an add', { folder: 'drafts', correspondent: '' }),
      sent('', { folder: 'drafts', correspondent: '' }),
      sent('ben@garden.example', { folder: 'scheduled' }),
      sent('ben@garden.example', { folder: 'trash' }),
      { from: 'anna@bakery.example', to: ME },
    ])
    expect(await names(user, 'sent')).toEqual([
      'Anna Berg',
      'stranger@far.example',
      'Annie',
      'Anna Berg, Cy, of Tea, Ben Ott, dan@w.example',
    ])
    expect(await names(user, 'drafts')).toEqual(['Anna Berg', 'half an add', ''])
    expect(await names(user, 'scheduled')).toEqual(['Ben Ott'])
    expect(await names(user, 'trash')).toEqual(['Ben Ott'])
    expect(await names(user, 'inbox')).toEqual([''])
    // The address line itself stays as it is, for the editor.
    expect((await list(user, { folder: 'scheduled' })).rows[0]?.to).toBe('ben@garden.example')
  })

  test("are not shown by other users' contact names", async () => {
    const [user, other] = [await signUp(app.url), await signUp(app.url)]
    await addContact(app, other, 'anna@bakery.example', 'Their Anna')
    await storeMails(app, user.id, [sent('anna@bakery.example'), sent('x@y.example, anna@bakery.example')])
    expect(await names(user, 'sent')).toEqual(['anna@bakery.example', 'x@y.example, anna@bakery.example'])
  })

  test('of a very long line are shown as far as a row has room', async () => {
    const user = await signUp(app.url)
    await addContact(app, user, 'p0@many.example', 'First Person')
    const line = Array.from({ length: 2000 }, (_, at) => `p${at}@many.example`).join(', ')
    await storeMails(app, user.id, [sent(line)])
    const [told] = await names(user, 'sent')
    expect(told).toMatch(/^First Person, p1@many\.example, .*@many\.example, …$/)
    expect(told?.length).toBeLessThan(2100)
  })
})

describe('pages of a folder', () => {
  test('show every mail once, newest first, by number and by following the links', async () => {
    const user = await signUp(app.url)
    // Several mails of the same second, as in bulk mail.
    const ids = await storeMails(
      app,
      user.id,
      Array.from({ length: 95 }, (_, at) => ({
        at: new Date(Date.UTC(2026, 1, 1) + Math.floor(at / 4) * 1000),
      })),
    )
    await storeMails(app, user.id, [{ folder: 'trash' }, { folder: 'deleted' }])
    const expected = ids.toReversed()
    for (const size of [7, 10, 50]) {
      const seen: number[] = []
      for (let page = 1; page <= Math.ceil(95 / size); page++) {
        const { ids: found, total } = await list(user, { page, page_size: size })
        expect(total).toBe(95)
        seen.push(...found)
      }
      expect(seen).toEqual(expected)
    }
    expect((await list(user, { page: 11, page_size: 10 })).ids).toEqual([])

    const linked: number[] = []
    let next: string | null = '/api/v1/emails/?page_size=10'
    while (next !== null) {
      const answer: Response = await fetch(app.url + next, {
        headers: { Authorization: `Bearer ${user.token}` },
      })
      linked.push(...((await answer.json()) as { id: number }[]).map(({ id }) => id))
      next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('Link') ?? '')?.[1] ?? null
    }
    expect(linked).toEqual(expected)
  })

  test('neither repeat nor miss a mail when the next page is read after new mail has arrived', async () => {
    const user = await signUp(app.url)
    const ids = await storeMails(
      app,
      user.id,
      Array.from({ length: 12 }, () => ({})),
    )
    const first = await list(user, { page_size: 5 })
    await storeMails(app, user.id, [{}, {}, {}])
    const second = await list(user, { page: 2, page_size: 5, after: first.ids.at(-1) })
    expect([...first.ids, ...second.ids]).toEqual(ids.toReversed().slice(0, 10))
    expect((await list(user, { page: 2, page_size: 5, after: 999_999_999 })).ids).toHaveLength(5)
  })

  test('respect filter and account, with exact totals', async () => {
    const user = await signUp(app.url)
    const boxes = await sql<{ id: number }>(
      `INSERT INTO mailboxes (user_id, is_primary, address, created_at)
       SELECT $1, n = 1, 'box' || n || '@muster.example', '2026-01-01' FROM generate_series(1, 2) n RETURNING id`,
      [user.id],
    )
    const folders = ['inbox', 'archived', 'sent'] as const
    const mails = Array.from({ length: 120 }, (_, n) => ({
      folder: folders[n % 3] ?? 'inbox',
      direction: n % 5 === 0 ? ('out' as const) : ('in' as const),
      read: n % 4 > 0,
      starred: n % 7 === 0,
      files: n % 6 === 0 ? ['a.pdf'] : [],
      mailboxId: n % 10 === 0 ? null : (boxes[n % 2]?.id ?? null),
    }))
    const ids = await storeMails(app, user.id, mails)
    const kept = {
      all: () => true,
      starred: (mail: (typeof mails)[number]) => mail.starred,
      unread: (mail: (typeof mails)[number]) => !mail.read,
      sent: (mail: (typeof mails)[number]) => mail.direction === 'out',
      received: (mail: (typeof mails)[number]) => mail.direction === 'in',
      attachments: (mail: (typeof mails)[number]) => mail.files.length > 0,
    }
    for (const folder of folders) {
      for (const mailbox of [undefined, boxes[0]?.id, boxes[1]?.id]) {
        for (const [filter, keep] of Object.entries(kept) as [
          keyof typeof kept,
          (typeof kept)['starred'],
        ][]) {
          const expected = mails
            .flatMap((mail, at) =>
              mail.folder === folder && keep(mail) && (mailbox === undefined || mail.mailboxId === mailbox)
                ? [ids[at]]
                : [],
            )
            .toReversed()
          const found = await list(user, { folder, filter, mailbox })
          expect([folder, filter, mailbox, found.total, found.ids]).toEqual([
            folder,
            filter,
            mailbox,
            expected.length,
            expected,
          ])
          const page = await list(user, { folder, filter, mailbox, page: 2, page_size: 3 })
          expect(page.ids).toEqual(expected.slice(3, 6))
        }
      }
    }
    const stranger = await signUp(app.url)
    expect((await list(stranger, { mailbox: boxes[0]?.id })).ids).toEqual([])

    for (const mailbox of [undefined, boxes[0]?.id, boxes[1]?.id]) {
      const held = mails.filter((mail) => mailbox === undefined || mail.mailboxId === mailbox)
      const of = (folder: string) => held.filter((mail) => mail.folder === folder)
      const { body } = await call(app.url, emails.counts, { token: user.token, query: { mailbox } })
      expect(body).toMatchObject({
        inbox: of('inbox').length,
        unread_inbox: of('inbox').filter(({ read }) => !read).length,
        archived: of('archived').length,
        sent: of('sent').length,
        trash: 0,
      })
    }
    const { body: nothing } = await call(app.url, emails.counts, {
      token: stranger.token,
      query: { mailbox: boxes[0]?.id },
    })
    expect(nothing).toMatchObject({ inbox: 0, unread_inbox: 0, archived: 0 })
  })
})

describe('the collapsed inbox', () => {
  test('shows mails with the same sender and subject as one row, and hides nothing else', async () => {
    const user = await signUp(app.url)
    const [first = 0, second = 0, other = 0] = await storeMails(app, user.id, [
      { from: 'Shop@far.example', subject: 'Your order', read: false },
      { from: 'shop@far.example', subject: ' your ORDER ', read: true },
      { from: 'shop@far.example', subject: 'Another order', read: true },
    ])
    const shown = await list(user, { collapse: 'true' })
    expect(shown.total).toBe(2)
    expect(shown.rows.map(({ id, collapsed, isRead }) => [id, collapsed, isRead])).toEqual([
      [other, 1, true],
      [second, 2, false],
    ])
    expect(await list(user)).toMatchObject({ total: 3, ids: [other, second, first] })
    expect((await list(user, { collapse: 'true', filter: 'unread' })).ids).toEqual([first])

    await sql(`UPDATE emails SET folder = 'archived' WHERE user_id = $1 AND id = $2`, [user.id, second])
    expect((await list(user, { collapse: 'true' })).rows.map(({ id, collapsed }) => [id, collapsed])).toEqual(
      [
        [other, 1],
        [first, 1],
      ],
    )
  })

  test('is paged like the inbox', async () => {
    const user = await signUp(app.url)
    const ids = await storeMails(
      app,
      user.id,
      Array.from({ length: 60 }, (_, n) => ({ subject: `Subject ${n % 25}` })),
    )
    const expected = ids.slice(-25).toReversed()
    const seen: number[] = []
    for (let page = 1; page <= 4; page++)
      seen.push(...(await list(user, { collapse: 'true', page, page_size: 7 })).ids)
    expect(seen).toEqual(expected)
    const behind = await list(user, { collapse: 'true', page: 2, page_size: 7, after: expected[6] })
    expect(behind.ids).toEqual(expected.slice(7, 14))
  })

  test('keeps counts and groups equal to a recount, whatever happens to mails at the same time', async () => {
    const user = await signUp(app.url)
    const random = seeded(42)
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
    const folders = ['inbox', 'inbox', 'inbox', 'archived', 'trash', 'spam', 'deleted']
    const some = () =>
      `id IN (SELECT id FROM emails WHERE user_id = $1 ORDER BY md5(id || '${random()}') LIMIT ${1 + Math.floor(random() * 12)})`
    const act = async () => {
      const kind = Math.floor(random() * 7)
      if (kind < 2)
        await storeMails(
          app,
          user.id,
          Array.from({ length: 1 + Math.floor(random() * 8) }, () => ({
            subject: `Subject ${Math.floor(random() * 6)}`,
            folder: pick(folders),
            read: random() < 0.5,
            starred: random() < 0.3,
            files: random() < 0.3 ? ['x'] : [],
            at: new Date(Date.UTC(2026, 3, 1) + Math.floor(random() * 50) * 1000),
          })),
        )
      else if (kind === 2) await sql(`DELETE FROM emails WHERE user_id = $1 AND ${some()}`, [user.id])
      else {
        const change = pick([
          `folder = '${pick(folders)}'`,
          `is_read = NOT is_read`,
          `is_starred = NOT is_starred`,
          `occurred_at = occurred_at - interval '3 seconds'`,
          `collapse_key = 'other', folder = 'inbox'`,
        ])
        await sql(`UPDATE emails SET ${change} WHERE user_id = $1 AND ${some()}`, [user.id])
      }
    }
    const deadlock = (error: unknown) => {
      if ((error as { code?: string }).code !== '40P01') throw error
    }
    for (let round = 0; round < 40; round++) {
      await Promise.all(Array.from({ length: 4 }, () => act().catch(deadlock)))
      expect(await keptGroups(user.id)).toEqual(await recountedGroups(user.id))
      expect(await keptCounts(user.id)).toEqual(await recountedCounts(user.id))
    }
    expect((await keptGroups(user.id)).length).toBeGreaterThan(3)
  })

  test('is deleted with its user', async () => {
    const user = await signUp(app.url)
    await storeMails(app, user.id, [{}, { folder: 'sent', direction: 'out' }])
    await sql('DELETE FROM users WHERE id = $1', [user.id])
    expect(await keptGroups(user.id)).toEqual([])
  })
})

const keptGroups = (userId: number) =>
  sql(
    'SELECT collapse_key, newest_at, newest_id, mails, unread FROM inbox_groups WHERE user_id = $1 ORDER BY 1',
    [userId],
  )
const recountedGroups = (userId: number) =>
  sql(
    `SELECT collapse_key, max(occurred_at) AS newest_at, (array_agg(id ORDER BY occurred_at DESC, id DESC))[1] AS newest_id,
       count(*) AS mails, count(*) FILTER (WHERE NOT is_read) AS unread
     FROM emails WHERE user_id = $1 AND folder = 'inbox' GROUP BY 1 ORDER BY 1`,
    [userId],
  )
const keptCounts = (userId: number) =>
  sql(
    `SELECT folder, total, unread, starred, with_files, received, shown FROM email_counts WHERE user_id = $1 AND total <> 0 ORDER BY 1`,
    [userId],
  )
const recountedCounts = (userId: number) =>
  sql(
    `SELECT folder, count(*) AS total, count(*) FILTER (WHERE NOT is_read) AS unread, count(*) FILTER (WHERE is_starred) AS starred,
       count(*) FILTER (WHERE attachment_names <> '{}') AS with_files, count(*) FILTER (WHERE direction = 'in') AS received,
       CASE folder WHEN 'inbox' THEN count(DISTINCT collapse_key) ELSE 0 END AS shown
     FROM emails WHERE user_id = $1 GROUP BY 1 ORDER BY 1`,
    [userId],
  )

/** The same numbers between 0 and 1 in every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

describe('a thread', () => {
  test('is listed oldest first, without mails in the trash, except the one that was asked for', async () => {
    const user = await signUp(app.url)
    const [one = 0] = await storeMails(app, user.id, [{}])
    const [two = 0, three = 0, four = 0] = await storeMails(app, user.id, [
      { threadId: one, folder: 'sent', direction: 'out' },
      { threadId: one, folder: 'trash' },
      { threadId: one, folder: 'deleted' },
    ])
    const thread = async (id: number, token = user.token) => {
      const answer = await call(app.url, emails.thread, { token, params: { id } })
      return answer.status === 200 ? answer.body.map((mail) => mail.id) : answer.status
    }
    expect(await thread(one)).toEqual([one, two])
    expect(await thread(three)).toEqual([one, two, three])
    expect(await thread(four)).toBe(404)
    expect(await thread(one, (await signUp(app.url)).token)).toBe(404)
  })

  test('of many mails shows the newest 200', async () => {
    const user = await signUp(app.url)
    const [one = 0] = await storeMails(app, user.id, [{}])
    const rest = await storeMails(
      app,
      user.id,
      Array.from({ length: 250 }, () => ({ threadId: one })),
    )
    const answer = await call(app.url, emails.thread, { token: user.token, params: { id: one } })
    expect(answer.body.map(({ id }) => id)).toEqual([one, ...rest.slice(-199)])
  })

  test('is merged when the mail that links two of them arrives late, and by subject and people within 90 days', async () => {
    const user = await signUp(app.url)
    const [box] = await sql<{ id: number }>(
      `INSERT INTO mailboxes (user_id, is_primary, address, created_at) VALUES ($1, true, 'ada@muster.example', '2026-01-01') RETURNING id`,
      [user.id],
    )
    const receive = async (
      id: string,
      subject: string,
      day: number,
      headers: Record<string, string> = {},
    ) => {
      const at = new Date(Date.UTC(2026, 0, day))
      const raw = testMail({
        'Message-ID': `<${id}@far.example>`,
        From: 'Bob <bob@far.example>',
        Subject: subject,
        Date: at.toUTCString(),
        ...headers,
      })
      await inTransaction(app.context.db, (tx) =>
        ingestRaw(app.context, tx, {
          userId: user.id,
          mailboxId: box?.id ?? 0,
          raw: Buffer.from(raw),
          receivedAt: at,
        }),
      )
      const { rows } = await list(user)
      return rows.find((row) => row.subject === subject)?.id ?? 0
    }
    const conversation = async (id: number) =>
      (await call(app.url, emails.thread, { token: user.token, params: { id } })).body.map(
        (mail) => mail.subject,
      )

    const left = await receive('left', 'Left', 3, { 'In-Reply-To': '<root@far.example>' })
    const right = await receive('right', 'Right', 4, { 'In-Reply-To': '<middle@far.example>' })
    expect(await conversation(left)).toEqual(['Left'])
    await receive('middle', 'Middle', 2, { 'In-Reply-To': '<root@far.example>' })
    await receive('root', 'Root', 1)
    expect(await conversation(right)).toEqual(['Root', 'Middle', 'Left', 'Right'])

    const plans = await receive('plans', 'Plans', 5)
    await receive('answer', 'AW: plans', 20)
    await receive('later', 'Re: Plans', 150)
    await receive('other', 'Re: PLANS', 6, { From: 'Eve <eve@far.example>' })
    expect(await conversation(plans)).toEqual(['Plans', 'AW: plans'])
  })
})

describe('the number of delivered mails', () => {
  test('is known without counting, whatever happens to the mails', async () => {
    const user = await signUp(app.url)
    const ids = await storeMails(
      app,
      user.id,
      Array.from({ length: 6 }, () => ({ folder: 'sent', direction: 'out' as const })),
    )
    const [box = { id: 0 }] = await sql<{ id: number }>(
      `INSERT INTO mailboxes (user_id, is_primary, address, created_at) VALUES ($1, true, 'ada@muster.example', '2026-01-01') RETURNING id`,
      [user.id],
    )
    const delivered = async () => (await call(app.url, emails.counts, { token: user.token })).body.delivered
    await sql(
      `INSERT INTO deliveries (user_id, email_id, mailbox_id, state, recipients, next_try_at)
       SELECT $1, id, $3, 'queued', '{}', '2026-01-01' FROM unnest($2::bigint[]) id`,
      [user.id, ids.slice(0, 5), box.id],
    )
    expect(await delivered()).toBe(1)
    await sql(
      `UPDATE deliveries SET state = 'sent', settled_at = next_try_at WHERE user_id = $1 AND email_id = ANY($2)`,
      [user.id, ids.slice(0, 3)],
    )
    await finalizeSent(app.context.db, user.id, box.id)
    expect(await delivered()).toBe(4)
    await sql('DELETE FROM deliveries WHERE user_id = $1 AND email_id = ANY($2)', [user.id, ids.slice(2, 4)])
    expect(await delivered()).toBe(5)
    await finalizeSent(app.context.db, user.id, box.id)
    expect(await delivered()).toBe(5)
  })
})
