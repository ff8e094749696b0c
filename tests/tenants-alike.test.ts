import { afterAll, beforeAll, expect, test } from 'vitest'
import { MAIL_ACTIONS } from '#contract/mail/email-actions.ts'
import { TAGS_MAX } from '#contract/crm/tags.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import {
  acting,
  answersTo,
  asking,
  BODIES,
  BODIES_FOR,
  dump,
  FIXTURES,
  places,
  reading,
} from './support/tenant-calls.ts'
import {
  addContact,
  aMail,
  aNewcomer,
  type Answered,
  anImport,
  anUpload,
  arrive,
  ask,
  aTenant,
  endRuns,
  FILE,
  need,
  type Tenant,
  WRITTEN,
} from './support/tenant-rows.ts'
import { withMailSent } from './support/system-mail.ts'
import { startTestApp, type TestApp } from './support/test-app.ts'

// Two users who do the same, one after the other, get the same answers and end with the same rows: it makes no
// difference that another user has the same addresses, names, words and Message-IDs. They make every call of the
// contract that names a row, and what no call covers: mails that arrive, a double click.

/** Each user's rows are numbered from here on, so that they can be told from counts and from another user's rows. */
const FROM = { first: 100_000_001, second: 200_000_001 }
const MARK = 'goldcrest'
/** Calls that end the session, wait for a worker, need a provider's server, or create another user. */
const LEFT_OUT = new Set([
  'auth.logout',
  'outreach.generateAndSend',
  'mailboxes.remove',
  'leaving.deleteAccount',
  'mailboxOauth.finish',
])

/** Checked early and imported at the end: a new contact, and a tag for a known one. */
const PEOPLE = {
  name: 'tags.csv',
  content: 'Name,Email,Tags\nKim,kim@people.example,"Family, Work"\nNew,new@people.example,Work\n',
}

let app: TestApp
let first: Tenant
let second: Tenant
/** A user who signed up and stays idle. */
let idle: Tenant
let idleAtFirst: string[]
let firstDid: string[]
let firstRows: string[]
/** An import of the first user, whose file must still exist when the second has used up their quota. */
let keptImport: number

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
  app.clock.forward(untilNoon(app.clock.now()))
  idle = await aNewcomer(app, MARK)
  idleAtFirst = await toldTo(idle)
  await numberRowsFrom(FROM.first)
  first = await aNewcomer(app, MARK)
  firstDid = await doEverything(first)
  firstRows = await rowsOf(first)
  keptImport = await fillUp(first)
  await numberRowsFrom(FROM.second)
  second = await aNewcomer(app, MARK)
}, 180_000)
afterAll(() => app.end())

test('a user who does what another did before gets the same answers and rows, and the other keeps everything', async () => {
  const before = await dump(first)
  const did = await doEverything(second)
  for (const [index, what] of did.entries()) expect(what).toEqual(firstDid[index])
  const rows = await rowsOf(second)
  // One at a time: the first difference is enough.
  for (const [index, row] of rows.entries()) expect(row).toBe(firstRows[index])
  expect(rows).toHaveLength(firstRows.length)
  expect(await dump(first)).toEqual(before)
  const params = { id: keptImport }
  const kept = await ask(app.url, need('contactImports.check'), { token: first.token, params, body: {} })
  expect(kept).toMatchObject({ status: 200 })
}, 180_000)

test('a user who has done nothing gets the same answers as before the others came', async () => {
  expect(await toldTo(idle)).toEqual(idleAtFirst)
})

/** Milliseconds to the next noon in UTC: "today" stays the same day during the test. */
function untilNoon(now: Date): number {
  const day = 24 * 3_600_000
  return (day * 1.5 - (now.getTime() % day)) % day
}

async function numberRowsFrom(id: number): Promise<void> {
  const { rows } = await runSql(
    app.context.db,
    `SELECT quote_ident(sequencename) AS name FROM pg_sequences WHERE schemaname = 'public'`,
  )
  for (const { name } of rows as { name: string }[])
    await runSql(app.context.db, `ALTER SEQUENCE ${name} RESTART WITH ${id}`)
}

/** The answers of all reading calls for a user. */
async function toldTo(tenant: Tenant): Promise<string[]> {
  const told: string[] = []
  for (const [name, endpoint] of reading)
    told.push(anonymous(tenant, `${name} ${await answersTo(tenant, name, endpoint)}`))
  return told
}

/** Does everything that can be done, always in the same order, and returns the answers. */
async function doEverything(tenant: Tenant): Promise<string[]> {
  const said: string[] = []
  const note = (what: string, answer: Answered) =>
    said.push(anonymous(tenant, `${what} ${JSON.stringify(answer)}`))
  await aTenant(app, MARK, tenant)
  await addContact(tenant, 'zoe')
  await hear(tenant)
  said.push(...(await toldTo(tenant)))
  const { text } = await ask(app.url, need('contactImports.upload'), { token: tenant.token, file: PEOPLE })
  const params = { id: (JSON.parse(text) as { id: number }).id }
  note('check', await ask(app.url, need('contactImports.check'), { token: tenant.token, params, body: {} }))
  for (const place of places) {
    if (LEFT_OUT.has(place.name)) continue
    const named = (await FIXTURES[place.fixture]?.own(tenant)) ?? {}
    note(place.fixture, await asking(place, named, tenant))
  }
  await endRuns(tenant)
  for (const [name, endpoint] of acting) {
    if (LEFT_OUT.has(name)) continue
    const body = await (BODIES_FOR[name]?.(tenant) ?? BODIES[name])
    const sent = endpoint.upload === undefined ? { body } : { file: FILE }
    note(name, await withMailSent(app, ask(app.url, endpoint, { token: tenant.token, ...sent })))
  }
  await doMore(tenant, note)
  said.push(...(await toldTo(tenant)))
  return said
}

/** Mails that refer to what only another user has: a Message-ID, a person who was written to. */
async function hear(tenant: Tenant): Promise<void> {
  const from = 'From: Zoe <zoe@people.example>'
  await arrive(tenant, [
    from,
    'Subject: Re: Plans',
    'Message-ID: <z1@people.example>',
    '',
    'Yes, I am interested.',
  ])
  await arrive(tenant, [
    from,
    'Subject: Other plans',
    'Message-ID: <z2@people.example>',
    'In-Reply-To: <later@people.example>',
    'References: <later@people.example>',
    '',
    'Yes, please.',
  ])
  await arrive(tenant, [from, 'Subject: Plans', 'Message-ID: <z3@people.example>', '', 'Shall we meet?'])
  await arrive(tenant, [from, 'Subject: Early', 'Message-ID: <early@people.example>', '', 'Good morning'])
}

/** Whatever no call of the contract names by a row's number. */
async function doMore(tenant: Tenant, note: (what: string, answer: Answered) => void): Promise<void> {
  const { token } = tenant
  const say = async (name: string, asked: Parameters<typeof ask>[2]) =>
    note(name, await ask(app.url, need(name), { token, ...asked }))
  await arrive(tenant, [
    'From: sam@howl.example',
    'Subject: Plans',
    'Message-ID: <later@people.example>',
    '',
    'Plans',
  ])
  await arrive(tenant, [
    'From: sam@howl.example',
    'Subject: Late',
    'In-Reply-To: <early@people.example>',
    'Message-ID: <answer@people.example>',
    '',
    'Good evening',
  ])
  await say('emails.send', { body: { ...WRITTEN, to: 'zoe@people.example', subject: 'Plans' } })
  await say('emails.send', { body: { ...WRITTEN, in_reply_to: '<later@people.example>' } })
  const headers = { 'Idempotency-Key': 'the same click' }
  await say('emails.saveDraft', { body: WRITTEN, headers })
  for (const action of MAIL_ACTIONS)
    await say('emails.act', { body: { action, ids: [await aMail(tenant)], collapsed: true } })
  const id = await aMail(tenant)
  for (const trusted of [true, false]) {
    await say('emails.trustSender', { params: { id }, body: { trusted } })
    await say('emails.get', { params: { id } })
  }
  const contact = await addContact(tenant, 'tagged')
  await say('contacts.update', {
    params: { id: contact.id },
    body: { tags: ['Friends', 'Family'], email: 'zelda@people.example' },
  })
  await say('contacts.import', { file: PEOPLE })
}

const BLUE_TAG = `INSERT INTO tags (user_id, name, name_key, colour, created_at) VALUES ($1, $2, lower($2), 'blue', $3)`
const BUSY_HOURS = `INSERT INTO mail_activity (user_id, source, at, sent, replies)
  SELECT $1, 'read', date_trunc('hour', $2::timestamptz) - n * interval '1 hour', '{9,9,9,9}', '{9,9,9,9}'
  FROM generate_series(0, 24 * 95) n ON CONFLICT DO NOTHING`

const STOPPED = `INSERT INTO suppressions (user_id, address_key, reason, created_at)
  SELECT user_id, email_key, 'manual', $2 FROM contacts WHERE user_id = $1 ON CONFLICT DO NOTHING`
const TRUSTED = `INSERT INTO trusted_senders (user_id, address_key, trusted_at) VALUES ($1, 'kim@people.example', $2)
  ON CONFLICT DO NOTHING`
const HEARD_LATER = `UPDATE correspondents SET last_received_at = $2, replied_at = $2, interested_at = $2 WHERE user_id = $1`

/** Uses up the user's own quota, which would be missing elsewhere if it were shared; returns the import with the last file. */
async function fillUp(tenant: Tenant): Promise<number> {
  const { db } = app.context
  await anUpload(tenant)
  const importId = await anImport(tenant)
  const much = 2 ** 40
  await runSql(db, 'UPDATE uploads SET size = $2 WHERE user_id = $1 AND NOT is_used', [tenant.id, much])
  await runSql(db, 'UPDATE contact_imports SET size = $2 WHERE user_id = $1 AND file_key IS NOT NULL', [
    tenant.id,
    much,
  ])
  for (let n = 0; n < TAGS_MAX; n++) await runSql(db, BLUE_TAG, [tenant.id, `Blue ${n}`, app.clock.now()])
  await runSql(db, BUSY_HOURS, [tenant.id, app.clock.now()])
  await runSql(db, STOPPED, [tenant.id, app.clock.now()])
  await runSql(db, TRUSTED, [tenant.id, app.clock.now()])
  await runSql(db, HEARD_LATER, [tenant.id, new Date('2100-01-01')])
  return importId
}

/** All rows of a user without what always differs (`anonymous`, and the part of a counter that a connection adds to). */
async function rowsOf(tenant: Tenant): Promise<string[]> {
  const tables = Object.entries(await dump(tenant))
  return tables
    .flatMap(([table, rows]) => rows.map((row) => `${table} ${anonymous(tenant, row)}`))
    .filter((row) => !row.includes('"slot": '))
    .toSorted()
}

/** Removes the user's own names and row numbers, times, and random values: keys, hashes, sealed passwords. */
function anonymous({ id, email, username }: Tenant, text: string): string {
  const own = new RegExp(`\\b${String(id)[0]}\\d{8}\\b`, 'g')
  return text
    .replaceAll(email, 'me@howl.example')
    .replaceAll(username, 'me')
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00|\+00)?/g, 'T')
    .replaceAll(/\d{8}T\d{6}Z|D:\d{14}Z|\b\d\d:\d\d\b/g, 'T')
    .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, 'U')
    .replaceAll(/"collapse_key": "[^"]*"/g, '')
    .replaceAll(/\$argon2id\$[^"]*/g, 'R')
    .replaceAll(/(signature": ")[\w-]{24}"/g, '$1R"')
    .replaceAll(/(code\\?":\s?\\?"|ref=)[2-9A-HJKMNP-Z]{8}\b/g, '$1R')
    .replaceAll(/\/i\/[\w.-]+/g, '/i/R')
    .replaceAll(/[\w+/=-]{32,}/g, 'R')
    .replaceAll(/\b[2-9a-hjkmnp-z]{4}(-[2-9a-hjkmnp-z]{4}){2}\b/g, 'R')
    .replaceAll(own, '#')
}
