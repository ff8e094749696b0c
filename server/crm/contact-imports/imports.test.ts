import { readdir } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ColumnMeaning, contactImports, type ImportUndo } from '#contract/crm/contact-imports.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { profile } from '#contract/accounts/profile.ts'
import { tags } from '#contract/crm/tags.ts'
import { call } from '../../../tests/support/client.ts'
import { csvOf, exportCsv, importCsv, refusedCsv, uploadImport } from '../../../tests/support/csv.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { runSql } from '../../platform/database/transaction.ts'
import { purgeImports } from './purge-imports.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
})
afterAll(() => app.end())

const upload = (user: TestUser, content: string | Buffer, name?: string) =>
  uploadImport(app.url, user.token, content, name)

type Plan = { meanings?: ColumnMeaning[]; duplicates?: 'update' | 'skip' }
const check = ({ token }: TestUser, id: number, body: Plan = {}) =>
  call(app.url, contactImports.check, { token, params: { id }, body })
const run = ({ token }: TestUser, id: number, body: Plan = {}) =>
  call(app.url, contactImports.run, { token, params: { id }, body })
const undo = ({ token }: TestUser, id: number) =>
  call(app.url, contactImports.undo, { token, params: { id } })
const undoPlan = ({ token }: TestUser, id: number) =>
  call(app.url, contactImports.undoPlan, { token, params: { id } })
const add = async ({ token }: TestUser, body: { name: string; email: string; company?: string }) =>
  (await call(app.url, contacts.add, { token, body })).body

/** The user's contacts as the export lists them: name, address, company, phone, tags. */
async function people({ token }: TestUser): Promise<string[]> {
  const { text } = await exportCsv(app.url, token)
  return text
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(','))
    .map(([name, email, company, , phone, , , tag]) => [name, email, company, phone, tag].join('|'))
}

const counts = ({ remove, restore, keep }: ImportUndo) => [remove, restore, keep]

describe('an import with a preview', () => {
  it('shows the columns, does a dry run, and imports', async () => {
    const user = await signUp(app.url)
    await add(user, { name: 'Old', email: 'known@x.example', company: 'Kept Ltd' })
    const file = await upload(
      user,
      'Full name,Mail to,Firm,Tags\nAda,ada@x.example,One,"VIP, Leeds"\nKnown,KNOWN@x.example,New Ltd,vip\nNobody,nowhere,,\nAda again,ADA@x.example,Two,\n',
    )
    expect(file.status).toBe(200)
    expect(file.body).toMatchObject({
      file_name: 'contacts.csv',
      source: 'csv',
      has_file: true,
      finished_at: null,
    })
    expect(file.body.columns).toEqual([
      { name: 'Full name', samples: ['Ada', 'Known', 'Nobody'], meaning: 'name' },
      { name: 'Mail to', samples: ['ada@x.example', 'KNOWN@x.example', 'nowhere'], meaning: 'email' },
      { name: 'Firm', samples: ['One', 'New Ltd', 'Two'], meaning: 'ignore' },
      { name: 'Tags', samples: ['VIP, Leeds', 'vip'], meaning: 'tags' },
    ])
    const { id } = file.body
    const plan: Plan = { meanings: ['name', 'email', 'company', 'tags'] }
    const dry = await check(user, id, plan)
    expect(dry.body).toEqual({
      rows: 4,
      create: 1,
      update: 1,
      skip: 2,
      existing: 1,
      refused_total: 2,
      refused: [
        {
          line: 2,
          email: 'ada@x.example',
          reason: 'The same address is in line 5 again; that line was used',
        },
        { line: 4, email: 'nowhere', reason: 'This is not a valid email address' },
      ],
    })
    expect((await check(user, id, { ...plan, duplicates: 'skip' })).body).toMatchObject({
      create: 1,
      update: 0,
      skip: 3,
    })
    expect(await people(user)).toEqual(['Old|known@x.example|Kept Ltd||'])

    const done = await run(user, id, plan)
    expect(done.body).toMatchObject({
      created: 1,
      updated: 1,
      skipped: 2,
      message: 'Imported 1, updated 1, skipped 2',
    })
    expect(await people(user)).toEqual([
      'Known|known@x.example|New Ltd||vip',
      'Ada again|ADA@x.example|Two||',
    ])
    const { body } = await call(app.url, contactImports.get, { token: user.token, params: { id } })
    expect(body).toMatchObject({ created: 1, updated: 1, skipped: 2, refused: 2, undone_at: null })
    expect(body.columns.map(({ meaning }) => meaning)).toEqual(plan.meanings)

    expect((await run(user, id)).error.detail).toBe(
      'This file was imported already. Choose it again to import it once more.',
    )
  })

  it('leaves existing contacts unchanged when asked to', async () => {
    const user = await signUp(app.url)
    await add(user, { name: 'Old', email: 'known@x.example' })
    const { body } = await upload(user, 'Name,Email,Tags\nNew name,known@x.example,x\nAda,ada@x.example,x\n')
    const done = await run(user, body.id, { duplicates: 'skip' })
    expect(done.body).toMatchObject({ created: 1, updated: 0, skipped: 1, refused: [] })
    expect(await people(user)).toEqual(['Old|known@x.example|||', 'Ada|ada@x.example|||x'])
  })

  it('reads vCards', async () => {
    const user = await signUp(app.url)
    await call(app.url, profile.update, { token: user.token, body: { country: 'DE' } })
    const cards = ['Ada', 'Grace'].map(
      (name) =>
        `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:${name}\r\nEMAIL:${name}@x.example\r\nTEL:030 901820\r\nCATEGORIES:Navy\r\nEND:VCARD\r\n`,
    )
    const file = await upload(
      user,
      `${cards.join('')}BEGIN:VCARD\r\nFN:No address\r\nEND:VCARD\r\n`,
      'people.vcf',
    )
    expect(file.body.source).toBe('vcard')
    expect((await run(user, file.body.id)).body).toMatchObject({
      created: 2,
      skipped: 1,
      refused: [{ line: 15, email: '', reason: 'There is no email address in this card' }],
    })
    expect(await people(user)).toEqual([
      "Ada|Ada@x.example||'+49 30 901820|Navy",
      "Grace|Grace@x.example||'+49 30 901820|Navy",
    ])
    expect((await refusedCsv(app.url, user.token, file.body.id)).text).toBe(
      'Full name,First name,Middle name,Last name,Email,Company,Position,Phone,Notes,Categories,Reason\r\n' +
        'No address,,,,,,,,,,There is no email address in this card\r\n',
    )
  })

  it('returns all refused rows in the columns of the file, to be corrected and imported again', async () => {
    const user = await signUp(app.url)
    const file = await upload(
      user,
      `Name;Email;Extra\n"=1+1";nowhere;"a;b"\nShort\n${'Many;many@x.example;\n'.repeat(1200)}"Open;x@x.example;\nGood;good@x.example;\n${'x'.repeat(1_200_000)};long@x.example;\nLast;;\n`,
      'guests.csv',
    )
    const done = await run(user, file.body.id)
    expect(done.body).toMatchObject({ created: 2, skipped: 1204 })
    const { text, name } = await refusedCsv(app.url, user.token, file.body.id)
    expect(name).toContain('guests-refused.csv')
    const lines = text.trimEnd().split('\r\n')
    expect(lines.slice(0, 4)).toEqual([
      'Name,Email,Extra,Reason',
      `'=1+1,nowhere,"a;b",This is not a valid email address`,
      'Short,,,There is no email address in this line',
      'Many,many@x.example,,"The same address is in line 1203 again; that line was used"',
    ])
    expect(lines.slice(-3)).toEqual([
      '"""Open;x@x.example;",,,The quotes in this line do not close',
      ',,,This line is longer than 1 MB',
      'Last,,,There is no email address in this line',
    ])
    expect(lines).toHaveLength(1 + 1204)
  })

  it.each([
    ['notes.txt', 'Email\na@x.example\n', 'Please choose a .csv or .vcf file'],
    ['a.csv', '', 'This file is empty.'],
    ['a.csv', 'PK\u0003\u0004…', 'This is not a CSV file. Please save your contacts as CSV and try again.'],
    [
      'a.csv',
      `${'x,'.repeat(9_999)}Email\n`,
      'This file has 10,000 columns. Howl reads up to 500: please take out those that you do not need.',
    ],
  ])('refuses %s with a sentence, and keeps nothing of it', async (name, content, detail) => {
    const user = await signUp(app.url)
    const answer = await upload(user, content, name)
    expect([answer.status, answer.error.detail]).toEqual([400, detail])
    expect(await keptFiles(user)).toEqual([])
  })

  it('asks for the column of addresses where none is recognised', async () => {
    const user = await signUp(app.url)
    const { body } = await upload(user, 'Who,Where\nKim,somewhere\n')
    expect((await check(user, body.id)).error.detail).toContain('This file has no email column.')
    expect((await run(user, body.id, { meanings: ['name', 'ignore'] })).error.detail).toBe(
      'Please choose the column that holds the email addresses.',
    )
    expect((await check(user, body.id, { meanings: ['name', 'email'] })).body).toMatchObject({
      create: 0,
      refused_total: 1,
    })
  })

  it('says when a column of other things was taken for tags', async () => {
    const user = await signUp(app.url)
    const rows = Array.from({ length: 600 }, (_, n) => `p${n}@x.example,Note ${n}\n`)
    const { body } = await upload(user, `Email,Tags\n${rows.join('')}`)
    expect((await check(user, body.id)).error.detail).toContain('There are more than 500 different tags')
    expect((await run(user, body.id)).status).toBe(400)
    expect((await run(user, body.id, { meanings: ['email', 'ignore'] })).body.created).toBe(600)
  })

  it('updates the database statistics at once: one address is found without a full scan', async () => {
    const [before, user] = [await signUp(app.url), await signUp(app.url)]
    await run(before, (await upload(before, csvOf(3000))).body.id)
    await runSql(app.context.db, 'ANALYZE contacts', [])
    await run(user, (await upload(user, csvOf(1500))).body.id)
    const { rows } = await runSql(
      app.context.db,
      `EXPLAIN (ANALYZE, TIMING off)
       SELECT id FROM contacts WHERE user_id = ${user.id} AND email_key = 'person7@customer.example'`,
      [],
    )
    expect(JSON.stringify(rows)).not.toContain('Rows Removed')
  })

  it('stops when the client hangs up, and imports nothing', async () => {
    const user = await signUp(app.url)
    const { body } = await upload(user, csvOf(60_000))
    const stop = new AbortController()
    const running = fetch(`${app.url}/api/v1/contacts/imports/${body.id}/run`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${user.token}`, 'Content-Type': 'application/json' },
      body: '{}',
      signal: stop.signal,
    })
    setTimeout(() => stop.abort(), 300)
    await expect(running).rejects.toThrow()
    expect((await run(user, body.id)).body).toMatchObject({ created: 60_000, updated: 0 })
  })
})

async function keptFiles({ id }: TestUser): Promise<string[]> {
  const folder = path.join(app.context.config.blobsDir, 'contact-imports', String(id))
  return readdir(folder).catch(() => [])
}

describe('phone numbers', () => {
  it('are normalized by the form and by the import, and stay as typed where they cannot be read', async () => {
    const user = await signUp(app.url)
    await call(app.url, profile.update, { token: user.token, body: { country: 'DE' } })
    const phones = async () =>
      (await call(app.url, contacts.list, { token: user.token })).body.map(({ phone }) => phone)
    const added = await call(app.url, contacts.add, {
      token: user.token,
      body: { name: 'Ada', email: 'ada@x.example', phone: '030/901820' },
    })
    const { id } = added.body
    expect(added.body.phone).toBe('+49 30 901820')
    const change = async (phone: string) =>
      (await call(app.url, contacts.update, { token: user.token, params: { id }, body: { phone } })).body
        .phone
    expect(await change('0171 2345678')).toBe('+49 171 2345678')
    expect(await change('ask Kim')).toBe('ask Kim')
    expect(await change('')).toBe('')
    const { body } = await upload(
      user,
      'Email,Phone 1 - Value\nb@x.example,0171 2345678 ::: 030 901820\nc@x.example,ext 7\nd@x.example,+1 212 555 0123\n',
    )
    await run(user, body.id)
    expect(await phones()).toEqual(['+1 212 555 0123', 'ext 7', '+49 171 2345678', ''])
  })
})

describe('undoing an import', () => {
  it('removes what it added and restores what it changed, unless edited since', async () => {
    const user = await signUp(app.url)
    const before = [
      await add(user, { name: 'Old one', email: 'one@x.example', company: 'Was Ltd' }),
      await add(user, { name: 'Old two', email: 'two@x.example', company: 'Was Ltd' }),
    ]
    const { body } = await upload(
      user,
      'Name,Email,Company,Tags\nOne,one@x.example,Is Ltd,new\nTwo,two@x.example,Is Ltd,\nAda,ada@x.example,,new\nBen,ben@x.example,,\nCy,cy@x.example,,\n',
    )
    await run(user, body.id)
    app.clock.forward(1000)
    const list = (await call(app.url, contacts.list, { token: user.token, query: {} })).body
    const idOf = (name: string) => list.find((contact) => contact.name === name)?.id ?? 0
    const change = (id: number, fields: object) =>
      call(app.url, contacts.update, { token: user.token, params: { id }, body: fields })
    await change(idOf('Ben'), { notes: 'Called him' })
    await change(before[1]?.id ?? 0, { name: 'Two by hand' })
    await runSql(
      app.context.db,
      `INSERT INTO correspondents (user_id, address_key, last_sent_at) VALUES ($1, 'cy@x.example', $2)`,
      [user.id, app.clock.now()],
    )
    const planned = await undoPlan(user, body.id)
    expect(counts(planned.body)).toEqual([1, 2, 2])
    expect(planned.body.message).toBe(
      'This removes 1 contact that the import added and gives 2 contacts the old values back. 2 contacts stay, mailed or edited since.',
    )
    const done = await undo(user, body.id)
    expect(counts(done.body)).toEqual([1, 2, 2])
    expect(done.body.message).toBe('Removed 1, restored 2, kept 2 that were mailed or edited since')
    expect((await people(user)).sort()).toEqual([
      'Ben|ben@x.example|||',
      'Cy|cy@x.example|||',
      'Old one|one@x.example|Was Ltd||',
      'Two by hand|two@x.example|Was Ltd||',
    ])
    expect((await call(app.url, tags.list, { token: user.token })).body).toEqual([])
    expect((await undo(user, body.id)).error.detail).toBe('This import was undone already.')
  })

  it('keeps a tag that somebody gives to a contact at this moment', async () => {
    const user = await signUp(app.url)
    const { id: contact } = await add(user, { name: 'Old', email: 'old@x.example' })
    const { body } = await upload(user, 'Email,Tags\na@x.example,fresh\n')
    await run(user, body.id)
    const [fresh] = (await call(app.url, tags.list, { token: user.token })).body
    const other = new pg.Client({ connectionString: app.databaseUrl })
    await other.connect()
    await other.query('BEGIN')
    // As those who tag contacts do.
    await other.query(
      `INSERT INTO contact_tags (user_id, contact_id, tag_id)
       SELECT $1, $2, id FROM (SELECT id FROM tags WHERE user_id = $1 AND id = $3 FOR KEY SHARE) t`,
      [user.id, contact, fresh?.id],
    )
    const undone = undo(user, body.id)
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    await expect.poll(async () => (await runSql(app.context.db, waiting)).rows.length).toBe(1)
    await other.query('COMMIT')
    await other.end()
    expect(counts((await undone).body)).toEqual([1, 0, 0])
    expect(await people(user)).toEqual(['Old|old@x.example|||fresh'])
  })

  it('is possible for seven days, also after an import by one call', async () => {
    const user = await signUp(app.url)
    await importCsv(app.url, user.token, 'Email\na@x.example\n', 'quick.csv')
    const recent = async () => (await call(app.url, contactImports.list, { token: user.token })).body
    const [first] = await recent()
    expect(first).toMatchObject({ file_name: 'quick.csv', created: 1, has_file: false })
    expect((await undoPlan(user, first?.id ?? 0)).body.remove).toBe(1)
    expect((await refusedCsv(app.url, user.token, first?.id ?? 0)).status).toBe(409)
    app.clock.forward(8 * 86_400_000)
    expect(await recent()).toEqual([])
    expect((await undo(user, first?.id ?? 0)).error.detail).toBe(
      'An import can be undone for 7 days. This one is older.',
    )
    await purgeImports(app.context)
    expect((await undo(user, first?.id ?? 0)).status).toBe(404)
  })
})

describe('kept files', () => {
  it('are deleted when discarded, after a day, and seven days after the import', async () => {
    const user = await signUp(app.url)
    const [one, two, three] = [
      await upload(user, 'Email\na@x.example\n'),
      await upload(user, 'Email\nb@x.example\n'),
      await upload(user, 'Email\nc@x.example\n'),
    ]
    expect(await keptFiles(user)).toHaveLength(3)
    const discard = (id: number) =>
      call(app.url, contactImports.discard, { token: user.token, params: { id } })
    expect((await discard(one.body.id)).status).toBe(200)
    expect((await discard(one.body.id)).status).toBe(404)
    await run(user, two.body.id)
    expect(await discard(two.body.id)).toMatchObject({
      status: 409,
      error: { detail: 'These contacts are imported already: undo the import instead.' },
    })
    expect(await keptFiles(user)).toHaveLength(2)
    app.clock.forward(25 * 3_600_000)
    await purgeImports(app.context)
    expect((await check(user, three.body.id)).status).toBe(404)
    expect(await keptFiles(user)).toHaveLength(1)
    app.clock.forward(7 * 86_400_000)
    await purgeImports(app.context)
    expect(await keptFiles(user)).toEqual([])
  })

  it('take at most a gigabyte per user: the oldest are deleted first', async () => {
    const user = await signUp(app.url)
    const first = await upload(user, 'Email\na@x.example\n')
    await runSql(app.context.db, 'UPDATE contact_imports SET size = $2 WHERE user_id = $1', [
      user.id,
      2 ** 30,
    ])
    const second = await upload(user, 'Email\nb@x.example\n')
    expect((await run(user, first.body.id)).error.detail).toBe(
      'This file is no longer here. Please choose it again.',
    )
    expect((await run(user, second.body.id)).status).toBe(200)
    expect(await keptFiles(user)).toHaveLength(1)
  })
})
