import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ComputedStatus, CONTACT_SORTS, contacts } from '#contract/crm/contacts.ts'
import { emails } from '#contract/mail/emails.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { contactsToMail, countContacts } from './contacts.ts'
import { indexSomeContacts } from './index-contacts.ts'

let app: TestApp
let ada: TestUser

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
  ada = await signUp(app.url)
})
afterAll(() => app.end())

const add = (user: TestUser, name: string, email: string, more: object = {}) =>
  call(app.url, contacts.add, { token: user.token, body: { name, email, ...more } })

const list = (
  user: TestUser,
  query: Parameters<typeof call<typeof contacts.list>>[2] extends infer O
    ? O extends { query?: infer Q }
      ? Q
      : never
    : never,
) => call(app.url, contacts.list, { token: user.token, ...(query === undefined ? {} : { query }) })

const names = async (user: TestUser, query: object) =>
  (await list(user, query as never)).body.map((contact) => contact.name)

describe('one contact', () => {
  it('can be added, read, changed and deleted', async () => {
    const added = await add(ada, ' Bob Builder ', ' Bob@Build.example ', {
      notes: 'likes\nbricks',
      company: null,
    })
    expect(added.body).toMatchObject({
      name: 'Bob Builder',
      email: 'Bob@Build.example',
      company: '',
      notes: 'likes\nbricks',
      status: 'prospect',
      computed_status: 'new',
      last_contact: null,
      suppressed: null,
    })
    const params = { id: added.body.id }
    const changed = await call(app.url, contacts.update, {
      token: ada.token,
      params,
      body: { company: 'Build Ltd', notes: null },
    })
    expect(changed.body).toMatchObject({ name: 'Bob Builder', company: 'Build Ltd', notes: '' })
    expect((await call(app.url, contacts.get, { token: ada.token, params })).body).toEqual(changed.body)
    expect((await call(app.url, contacts.remove, { token: ada.token, params })).body.ok).toBe(true)
    expect((await call(app.url, contacts.get, { token: ada.token, params })).status).toBe(404)
    expect((await call(app.url, contacts.remove, { token: ada.token, params })).error.detail).toBe(
      'This contact does not exist.',
    )
  })

  it('is unique by address, ignoring case', async () => {
    await add(ada, 'Eve', 'eve@x.example')
    const again = await add(ada, 'Eve', 'EVE@x.example')
    expect([again.status, again.error]).toEqual([
      409,
      { detail: 'A contact with this email already exists.', code: 'CONFLICT' },
    ])
    const other = await add(ada, 'Adam', 'adam@x.example')
    const changed = await call(app.url, contacts.update, {
      token: ada.token,
      params: { id: other.body.id },
      body: { email: 'Eve@x.example' },
    })
    expect(changed.status).toBe(409)
    expect((await add(await signUp(app.url), 'Eve', 'eve@x.example')).status).toBe(200)
  })

  it('reports errors by field', async () => {
    const wrong = await add(ada, ' ', 'nobody')
    expect(wrong.status).toBe(400)
    expect(wrong.error.fields).toEqual({
      name: "Please enter the contact's name",
      email: 'Please enter a valid email address',
    })
    const long = await add(ada, 'Long', 'long@x.example', { phone: '1'.repeat(61) })
    expect(long.error.fields).toHaveProperty('phone')
    expect((await add(ada, '\0', 'nul@x.example')).status).toBe(400)
    expect((await add(ada, 'N\0ul', 'nul@x.example')).body.name).toBe('Nul')
  })

  it('is invisible to other users', async () => {
    const eve = await signUp(app.url)
    const { body } = await add(ada, 'Secret', 'secret@x.example')
    const theirs = { token: eve.token, params: { id: body.id } }
    expect((await call(app.url, contacts.get, theirs)).status).toBe(404)
    expect((await call(app.url, contacts.update, { ...theirs, body: { name: 'Mine' } })).status).toBe(404)
    expect((await call(app.url, contacts.remove, theirs)).status).toBe(404)
    expect((await list(eve, {})).body).toEqual([])
    expect((await call(app.url, contacts.get, { token: ada.token, params: { id: body.id } })).body.name).toBe(
      'Secret',
    )
    expect((await call(app.url, contacts.list)).status).toBe(401)
  })
})

describe('the list', () => {
  let user: TestUser
  beforeAll(async () => {
    user = await signUp(app.url)
    await add(user, 'Anna', 'anna@mail.north.example', { company: 'North 100%', position: 'Buyer' })
    await add(user, 'bert', 'bert@south.example', {
      company: 'South',
      position: 'Head of Buying',
      status: 'active',
    })
    await add(user, 'Carl', 'carl@north.example', { notes: 'met_at fair' })
  })

  it('is newest first, in pages, with the total', async () => {
    const first = await list(user, { page: 1, page_size: 2 })
    expect(first.body.map((contact) => contact.name)).toEqual(['Carl', 'bert'])
    expect(first.headers.get('x-total-count')).toBe('3')
    expect(first.headers.get('link')).toContain('page=2')
    expect(await names(user, { page: 2, page_size: 2 })).toEqual(['Anna'])
    const beyond = await list(user, { page: 9, page_size: 2 })
    expect([beyond.body, beyond.headers.get('x-total-count')]).toEqual([[], '3'])
    expect(await names(user, { limit: 1 })).toEqual(['Carl'])
  })

  it.each([
    [{ search: 'ANNA' }, ['Anna']],
    [{ search: 'north' }, ['Carl', 'Anna']],
    [{ search: '100%' }, ['Anna']],
    [{ search: 'met_at' }, ['Carl']],
    [{ search: 'fair  MET' }, ['Carl']],
    [{ search: 'orth' }, []],
    [{ search: 'anna@mail.n' }, ['Anna']],
    [{ search: '@north' }, ['Carl']],
    [{ search: 'cárl' }, ['Carl']],
    [{ search: '\\' }, []],
    [{ search: "' | '" }, []],
    [{ search: '\0' }, ['Carl', 'bert', 'Anna']],
    [{ company: 'sou' }, ['bert']],
    [{ position: 'buy' }, ['bert', 'Anna']],
    [{ email_domain: 'north.example' }, ['Carl', 'Anna']],
    [{ email_domain: '@North.example' }, ['Carl']],
    [{ email_domain: 'north' }, []],
    [{ status: 'active' }, ['bert']],
    [{ status: 'new', company: 'South' }, ['bert']],
    [{ status: 'all' }, ['Carl', 'bert', 'Anna']],
    [{ sort: 'name' }, ['Anna', 'bert', 'Carl']],
    [{ sort: '-name' }, ['Carl', 'bert', 'Anna']],
    [{ sort: 'company' }, ['Anna', 'bert', 'Carl']],
    [{ sort: 'email' }, ['Anna', 'bert', 'Carl']],
  ])('with %j gives %j', async (query, expected) => {
    expect(await names(user, query)).toEqual(expected)
  })

  it('accepts any text in the search', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (search) => {
        expect((await list(user, { search })).status).toBe(200)
      }),
      { numRuns: 40 },
    )
  })

  it('counts roughly when asked to, and exactly otherwise', async () => {
    const some = { company: 'o', page_size: 1 }
    expect((await list(user, { ...some, total: 'rough' })).headers.get('x-total-count')).toBe('2')
    await sql`INSERT INTO contacts (user_id, name, email, email_key, company, created_at, updated_at)
      SELECT ${user.id}, 'x', 'x' || n || '@x.example', 'x' || n || '@x.example', 'Other', now(), now()
      FROM generate_series(1, 30) n`.execute(app.context.db)
    const totalOf = async (query: object) => (await list(user, query)).headers.get('x-total-count')
    expect(await totalOf({ ...some, total: 'rough' })).toBe('6')
    expect(await totalOf({ ...some, page: 3, total: 'rough' })).toBe('8')
    expect(await totalOf(some)).toBe('32')
    const counted = await call(app.url, contacts.count, { token: user.token, query: { company: 'o' } })
    expect(counted.body).toEqual({ total: 32 })
    await sql`DELETE FROM contacts WHERE user_id = ${user.id} AND company = 'Other'`.execute(app.context.db)
  })

  it('returns the pages beyond the middle in the same order, counted from the end', async () => {
    const many = await signUp(app.url)
    await sql`INSERT INTO contacts (user_id, name, email, email_key, company, created_at, updated_at)
      SELECT ${many.id}, 'P' || n % 7, 'p' || n || '@x.example', 'p' || n || '@x.example', CASE WHEN n % 3 = 0 THEN '' ELSE 'C' || n % 5 END,
        now(), now() FROM generate_series(1, 4500) n`.execute(app.context.db)
    for (const sort of CONTACT_SORTS) {
      const ids: number[] = []
      for (let page = 1; page <= 7; page++)
        ids.push(...(await list(many, { sort, page, page_size: 700 })).body.map(({ id }) => id))
      expect(new Set(ids).size, sort).toBe(4500)
      const whole = [1, 2, 3, 4, 5].map(
        async (page) => (await list(many, { sort, page, page_size: 1000 })).body,
      )
      expect(
        (await Promise.all(whole)).flat().map(({ id }) => id),
        sort,
      ).toEqual(ids)
    }
  }, 60_000)

  it('refuses unknown parameters', async () => {
    expect((await list(user, { status: 'odd' } as never)).status).toBe(400)
    const wrong = await list(user, { last_contact_from: '2026-02-30' })
    expect([wrong.status, wrong.error.fields]).toEqual([400, { last_contact_from: 'This is not a date' }])
  })
})

describe('the search', () => {
  it('finds the same before and after indexing, and later changes too', async () => {
    const user = await signUp(app.url)
    await sql`INSERT INTO contacts (user_id, name, email, email_key, company, phone, created_at, updated_at)
      SELECT ${user.id}, 'Person ' || n, 'person' || n || '@many.example', 'person' || n || '@many.example', 'Company ' || n % 50,
        '+49 30 ' || 1000000 + n, now(), now() FROM generate_series(1, 1000) n`.execute(app.context.db)
    const searches = [
      'person 77',
      'person777@',
      '@many',
      'company 7',
      '1000012',
      '301000012',
      'nobody',
      'many.example',
    ]
    const found = async () =>
      Promise.all(
        searches.map(async (search) => (await list(user, { search, limit: 1000 })).body.map(({ id }) => id)),
      )
    const before = await found()
    expect(before.map((ids) => ids.length)).toEqual([11, 1, 1000, 128, 1, 1, 0, 1000])
    while ((await indexSomeContacts(app.context, user.id)) > 0);
    expect(await found()).toEqual(before)
    const [id = 0] = before[1] ?? []
    const params = { id }
    await call(app.url, contacts.update, { token: user.token, params, body: { name: 'Zoë Ångström' } })
    expect(await names(user, { search: 'zoe angs' })).toEqual(['Zoë Ångström'])
    expect(await names(user, { search: 'person777' })).toEqual(['Zoë Ångström'])
  })
})

describe('activity', () => {
  const DAY = 86_400_000
  const ago = (days: number) => new Date(Date.now() - days * DAY)

  async function heard(user: TestUser, key: string, columns: Record<string, unknown>) {
    await app.context.db
      .insertInto('correspondents')
      .values({ user_id: user.id, address_key: key, ...columns })
      .execute()
  }

  /** Like `heard`, for a contact that may already have a history. */
  const tell = (user: TestUser, key: string, columns: Record<string, Date | number>) =>
    app.context.db
      .insertInto('correspondents')
      .values({ user_id: user.id, address_key: key, ...columns })
      .onConflict((known) => known.columns(['user_id', 'address_key']).doUpdateSet(columns))
      .execute()

  async function meeting(user: TestUser, key: string, end: Date, status = 'scheduled') {
    await sql`
      WITH m AS (INSERT INTO meetings (user_id, title, start_time, end_time, status, created_at)
        VALUES (${user.id}, 'Talk', ${end}, ${end}, ${status}, ${end}) RETURNING user_id, id)
      INSERT INTO meeting_attendees (user_id, meeting_id, address_key, address) SELECT user_id, id, ${key}, ${key} FROM m`.execute(
      app.context.db,
    )
  }

  it('sets the status by the first rule that applies', async () => {
    const user = await signUp(app.url)
    const sent = { first_sent_at: ago(20), last_sent_at: ago(10) }
    const replied = { ...sent, replied_at: ago(5), last_received_at: ago(5) }
    const cases: [string, ComputedStatus, Record<string, unknown> | null][] = [
      ['nothing', 'new', null],
      ['only came', 'new', { last_received_at: ago(1) }],
      ['mailed', 'sent', sent],
      ['once', 'follow_up_1', { ...sent, follow_ups: 1 }],
      ['twice', 'follow_up_2', { ...sent, follow_ups: 2 }],
      ['often', 'follow_up_3', { ...sent, follow_ups: 5 }],
      ['answered', 'replied', { ...replied, follow_ups: 2 }],
      ['keen', 'interested', { ...replied, interested_at: ago(5) }],
      ['meets', 'meeting_scheduled', { ...replied, interested_at: ago(5) }],
      ['met long ago', 'sent', sent],
      ['called off', 'new', null],
    ]
    for (const [name, , columns] of cases) {
      const key = `${name.replaceAll(' ', '.')}@rule.example`
      await add(user, name, key.toUpperCase())
      if (columns !== null) await heard(user, key, columns)
    }
    await meeting(user, 'meets@rule.example', ago(29))
    await meeting(user, 'met.long.ago@rule.example', ago(31))
    await meeting(user, 'called.off@rule.example', ago(-1), 'cancelled')

    const seen = (await list(user, { sort: 'newest' })).body.toReversed()
    expect(seen.map((contact) => [contact.name, contact.computed_status])).toEqual(
      cases.map(([name, status]) => [name, status]),
    )
    for (const status of new Set(cases.map(([, each]) => each))) {
      const expected = cases.filter(([, each]) => each === status).map(([name]) => name)
      expect((await names(user, { status })).toReversed()).toEqual(expected)
    }
    app.clock.forward(2 * DAY)
    expect(await names(user, { status: 'meeting_scheduled' })).toEqual([])
    app.clock.forward(-2 * DAY)
  })

  it('sets status and last contact from events in any order', async () => {
    const PEOPLE = 4
    const keyOf = (person: number) => `p${person % PEOPLE}@course.example`
    const DAYS = [-3, 2, 29, 31, 60]
    const happening = fc.tuple(
      fc.constantFrom('add', 'mail', 'follow up', 'answer', 'interest', 'came', 'meet', 'call off', 'move'),
      fc.nat(PEOPLE - 1),
      fc.constantFrom(...DAYS),
    )
    type Known = { columns: Record<string, Date | number>; meetings: { days: number; off: boolean }[] }
    const statusOf = ({ columns, meetings }: Known): ComputedStatus => {
      if (meetings.some(({ days, off }) => !off && days < 30)) return 'meeting_scheduled'
      if (columns['interested_at'] !== undefined) return 'interested'
      if (columns['replied_at'] !== undefined) return 'replied'
      const followUps = Math.min(3, Number(columns['follow_ups'] ?? 0))
      if (followUps > 0) return `follow_up_${followUps as 1 | 2 | 3}`
      return columns['first_sent_at'] === undefined ? 'new' : 'sent'
    }
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 6, maxLength: 24 }), async (course) => {
        const user = await signUp(app.url)
        const { token } = user
        const known = new Map<string, Known>()
        const contactsNow = new Map<string, number>()
        for (const [what, person, days] of course) {
          const key = keyOf(person)
          const one = known.get(key) ?? { columns: {}, meetings: [] }
          known.set(key, one)
          const note = async (columns: Known['columns']) => {
            Object.assign(one.columns, columns)
            await tell(user, key, one.columns)
          }
          const at = ago(days)
          const id = contactsNow.get(key)
          const free = keyOf(person + 1)
          if (what === 'add' && id === undefined) contactsNow.set(key, (await add(user, key, key)).body.id)
          if (what === 'mail')
            await note({ first_sent_at: one.columns['first_sent_at'] ?? at, last_sent_at: at })
          if (what === 'follow up' && one.columns['first_sent_at'] !== undefined)
            await note({ follow_ups: Number(one.columns['follow_ups'] ?? 0) + 1, last_sent_at: at })
          if (what === 'answer') await note({ replied_at: at, last_received_at: at })
          if (what === 'interest') await note({ replied_at: at, interested_at: at, last_received_at: at })
          if (what === 'came') await note({ last_received_at: at })
          if (what === 'meet') {
            one.meetings.push({ days, off: false })
            await meeting(user, key, at)
          }
          if (what === 'call off') {
            for (const each of one.meetings) each.off = true
            await sql`UPDATE meetings SET status = 'cancelled' WHERE user_id = ${user.id} AND id IN (
              SELECT meeting_id FROM meeting_attendees WHERE user_id = ${user.id} AND address_key = ${key})`.execute(
              app.context.db,
            )
          }
          if (what === 'move' && id !== undefined && !contactsNow.has(free)) {
            await call(app.url, contacts.update, { token, params: { id }, body: { email: free } })
            contactsNow.delete(key)
            contactsNow.set(free, id)
          }
        }
        const expected = [...contactsNow].map(([key, id]) => {
          const one = known.get(key) ?? { columns: {}, meetings: [] }
          const [out, back] = [one.columns['last_sent_at'], one.columns['last_received_at']].map((at) =>
            at instanceof Date ? at.getTime() : -Infinity,
          ) as [number, number]
          const last = Math.max(out, back)
          return { id, status: statusOf(one), last: last === -Infinity ? null : new Date(last).toISOString() }
        })
        const byId = (rows: { id: number }[]) => rows.toSorted((a, b) => a.id - b.id)
        const seen = (await list(user, {})).body
        expect(
          byId(seen.map(({ id, computed_status: status, last_contact: last }) => ({ id, status, last }))),
        ).toEqual(byId(expected))
        for (const { status } of expected) {
          const found = (await list(user, { status })).body.map(({ id }) => ({ id }))
          expect(byId(found)).toEqual(
            byId(expected.filter((each) => each.status === status).map(({ id }) => ({ id }))),
          )
        }
      }),
      { numRuns: 40 },
    )
  }, 60_000)

  it('counts contacts mailed and replied, whatever happens to them', async () => {
    const BEGINNING = [
      ['add', 0],
      ['mail', 0],
      ['add', 1],
      ['answer', 1],
    ] as const
    const steps = ['add', 'mail', 'answer', 'answer for another', 'move', 'remove', 'bring back'] as const
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...steps), fc.nat(4)), { maxLength: 14 }),
        async (course) => {
          const user = await signUp(app.url)
          const token = user.token
          const undo: number[] = []
          for (const [step, number] of [...BEGINNING, ...course]) {
            const key = `person${number}@rate.example`
            const there = (await list(user, { search: key })).body[0]
            const params = { id: there?.id ?? 0 }
            if (step === 'add') await call(app.url, contacts.add, { token, body: { name: key, email: key } })
            if (step === 'mail') await tell(user, key, { first_sent_at: ago(3), last_sent_at: ago(3) })
            if (step === 'answer') await tell(user, key, { first_sent_at: ago(3), replied_at: ago(2) })
            // This mail answers one sent to somebody else.
            if (step === 'answer for another')
              await tell(user, key, { replied_at: ago(2), last_received_at: ago(2) })
            if (step === 'move' && there !== undefined)
              await call(app.url, contacts.update, {
                token,
                params,
                body: { email: `person${(number + 2) % 5}@rate.example` },
              })
            if (step === 'remove' && there !== undefined)
              undo.push((await call(app.url, contacts.remove, { token, params })).body.undo_id ?? 0)
            if (step === 'bring back')
              await call(app.url, contacts.undoMany, { token, params: { id: undo.pop() ?? 0 } })
          }
          const { rows } = await sql<{ mailed: number; replied: number }>`
            SELECT count(*) AS mailed, count(*) FILTER (WHERE p.replied_at IS NOT NULL) AS replied
            FROM contacts c JOIN correspondents p ON p.user_id = c.user_id AND p.address_key = c.email_key
            WHERE c.user_id = ${user.id} AND p.first_sent_at IS NOT NULL`.execute(app.context.db)
          expect((await call(app.url, emails.responseRate, { token })).body).toMatchObject(rows[0] ?? {})
        },
      ),
      { numRuns: 40 },
    )
  }, 60_000)

  it('returns the last contact, and filters it by days in the user’s time zone', async () => {
    const user = await signUp(app.url)
    await sql`UPDATE users SET time_zone = 'America/New_York' WHERE id = ${user.id}`.execute(app.context.db)
    await add(user, 'late', 'late@zone.example')
    await add(user, 'never', 'never@zone.example')
    // 23:30 on 10 March in New York, an hour and a half before the clocks go forward there.
    await heard(user, 'late@zone.example', {
      first_sent_at: ago(1),
      last_sent_at: new Date('2024-03-10T03:30:00Z'),
      last_received_at: new Date('2024-03-11T03:30:00Z'),
    })
    const inDays = (from?: string, to?: string) =>
      names(user, { ...(from && { last_contact_from: from }), ...(to && { last_contact_to: to }) })
    expect(await inDays('2024-03-10', '2024-03-10')).toEqual(['late'])
    expect(await inDays('2024-03-11')).toEqual([])
    expect(await inDays(undefined, '2024-03-09')).toEqual([])
    expect(await inDays('2024-03-11T03:30:00Z', '2024-03-11T03:30:00Z')).toEqual(['late'])
    expect((await list(user, { search: 'late' })).body[0]?.last_contact).toBe('2024-03-11T03:30:00.000Z')
    expect(await names(user, { sort: '-last_contact' })).toEqual(['late', 'never'])
    expect(await names(user, { sort: 'last_contact' })).toEqual(['never', 'late'])
  })

  it('shows who gets no more mail', async () => {
    const user = await signUp(app.url)
    await add(user, 'Gone', 'Gone@x.example')
    await sql`INSERT INTO suppressions (user_id, address_key, reason, created_at) VALUES (${user.id}, 'gone@x.example', 'bounced', ${new Date()})`.execute(
      app.context.db,
    )
    expect((await list(user, {})).body[0]?.suppressed).toBe('bounced')
  })
})

describe('for later domains', () => {
  it('counts contacts and returns them in the order of their ids', async () => {
    const user = await signUp(app.url)
    for (const name of ['a', 'b', 'c']) await add(user, name, `${name}@Mail.example`)
    const { db } = app.context
    expect(await countContacts(db, user.id)).toBe(3)
    const first = await contactsToMail(db, user.id, 0, 2)
    expect(first.map((contact) => [contact.name, contact.email_key])).toEqual([
      ['a', 'a@mail.example'],
      ['b', 'b@mail.example'],
    ])
    const rest = await contactsToMail(db, user.id, first.at(-1)?.id ?? 0, 2)
    expect(rest.map((contact) => contact.name)).toEqual(['c'])
    await call(app.url, contacts.remove, { token: user.token, params: { id: rest[0]?.id ?? 0 } })
    expect(await countContacts(db, user.id)).toBe(2)
    expect(await countContacts(db, (await signUp(app.url)).id)).toBe(0)
  })
})
