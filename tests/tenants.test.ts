import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { auth } from '#contract/auth.ts'
import { contactImports } from '#contract/contact-imports.ts'
import { contacts } from '#contract/contacts.ts'
import { CONTRACT } from '#contract/contract.ts'
import { emails, FOLDERS } from '#contract/emails.ts'
import { tags } from '#contract/tags.ts'
import { todos } from '#contract/todos.ts'
import { type Endpoint, pathOf } from '#contract/endpoint.ts'
import { mailboxes } from '#contract/mailboxes.ts'
import { meetings } from '#contract/meetings.ts'
import { profile } from '#contract/profile.ts'
import { inTransaction, runSql } from '#server/database/transaction.ts'
import { ingestRaw } from '#server/emails/emails.ts'
import { mailboxesOf } from '#server/mailboxes/mailboxes.ts'
import { call } from './support/client.ts'
import { signUp, type TestUser } from './support/factories.ts'
import { startTestApp, type TestApp } from './support/test-app.ts'

// No tenant sees or changes another's anything. The sweep is made from the contract: a new call is in it without
// anybody's doing, and one that names a row, or takes a body, without a line below fails here.
//
// Ada and Bob have the same: the same people, addresses, subjects, Message-IDs. What only one of them wrote carries that
// one's mark. No worker runs, so that rows stand still: what differs after a call was changed by that call.

type Tenant = TestUser & { mark: string }
type Fields = Record<string, unknown>
type Named = Record<string, string | number>
type Fixture = {
  /** Makes a row of somebody's in a state in which the call would do something to it, and gives what names it. */
  own: (owner: Tenant) => Promise<Named>
  /** Names of the same form that name nothing. */
  missing: Named
}

/** A row's number that no sequence of a test reaches. */
const NO_ID = { id: 987_654_321 }

/** A row that is named by its number. */
const row = (make: (owner: Tenant) => Promise<number>, others: Named = {}): Fixture => ({
  own: async (owner) => ({ id: await make(owner), ...others }),
  missing: { ...NO_ID, ...others },
})
const contact = row(async (owner) => (await addContact(owner, `row${Math.random()}`)).id)
/** A mail that came in, with these columns. */
const mail = (columns: Fields = {}) => row((owner) => aMail(owner, columns))
/** A mail that the user wrote; `delivery` are columns of its delivery, where it has one. */
const ownMail = (columns: Fields, delivery?: Fields) =>
  row((owner) => aMail(owner, { direction: 'out', purpose: 'compose', ...columns }, delivery))
const batch = (state: string, delivery: string) => row((owner) => aBatch(owner, state, delivery))

/**
 * For every place where a call names a row: how to make one. `emails.get` is its path, `emails.notSpam#email_id` a field
 * of its body or query. Fields that are ids are found by themselves; others (a Message-ID) are added by hand.
 */
const FIXTURES: Record<string, Fixture> = {
  'auth.endSession': {
    own: async (owner) => ({ id: await anotherSession(owner) }),
    missing: { id: '00000000-0000-4000-8000-000000000000' },
  },
  'contacts.get': contact,
  'contacts.update': contact,
  'contacts.remove': contact,
  'contacts.tagMany#ids': contact,
  'contacts.untagMany#ids': row(taggedContact),
  'contacts.removeMany#ids': contact,
  'contacts.undoMany': row(undoableAct),
  'contacts.stopMailing#ids': contact,
  'contacts.liftMailing#ids': row(stoppedContact),
  'contactImports.get': row(anImport),
  'contactImports.check': row(anImport),
  'contactImports.run': row(anImport),
  'contactImports.discard': row(anImport),
  'contactImports.refused': row(aDoneImport),
  'contactImports.undoPlan': row(aDoneImport),
  'contactImports.undo': row(aDoneImport),
  'tags.update': row(async (owner) => (await aTag(owner)).id),
  'tags.remove': row(async (owner) => (await aTag(owner)).id),
  'timeline.ofContact': contact,
  'todos.update': row(aTodo),
  'todos.toggle': row(aTodo),
  'todos.remove': row(aTodo),
  'todos.add#contact_id': contact,
  'todos.add#email_id': mail(),
  'todos.update#contact_id': contact,
  'todos.update#email_id': mail(),
  'todos.list#contact_id': contact,
  'todos.list#email_id': mail(),
  'meetings.get': row(aMeeting),
  'meetings.calendar': row(aMeeting),
  'meetings.update': row(aMeeting),
  'meetings.remove': row(aMeeting),
  'emails.get': mail(),
  'emails.thread': mail(),
  'emails.source': mail(),
  'emails.trustSender': mail(),
  'emails.attachment': row((owner) => aMail(owner), { n: 0 }),
  'emails.archive': mail(),
  'emails.unarchive': mail({ folder: 'archived', original_folder: 'inbox' }),
  'emails.trash': mail(),
  'emails.restore': mail({ folder: 'trash', original_folder: 'inbox' }),
  'emails.deleteFromTrash': mail({ folder: 'trash', original_folder: 'inbox' }),
  'emails.markRead': mail({ is_read: false }),
  'emails.markUnread': mail({ is_read: true }),
  'emails.spam': mail(),
  'emails.notSpam#email_id': mail({ folder: 'spam', original_folder: 'inbox' }),
  'emails.star': mail(),
  'emails.act#ids': mail(),
  'emails.list#mailbox': row(mailboxOf),
  'emails.counts#mailbox': row(mailboxOf),
  'emails.list#after': mail(),
  'emails.update': ownMail({ folder: 'drafts' }),
  'emails.discard': ownMail({ folder: 'drafts' }),
  'emails.cancel': ownMail({ folder: 'scheduled', schedule_at: new Date('2100-01-01') }),
  'emails.resend': ownMail({ folder: 'sent' }, { state: 'failed' }),
  'emails.reply#email_id': mail(),
  'emails.replyPreview#email_id': mail(),
  'outreach.get': batch('running', 'queued'),
  'outreach.pause': batch('running', 'queued'),
  'outreach.resume': batch('paused', 'held'),
  'outreach.cancel': batch('running', 'queued'),
  ...inWriting('emails.send'),
  ...inWriting('emails.saveDraft'),
  ...inWriting('emails.update'),
  ...inWriting('emails.reply'),
}

/** What a mail that is written may name beside its own row. */
function inWriting(name: string): Record<string, Fixture> {
  const all: Record<string, Fixture> = {
    attachments: row(anUpload),
    forward_of: mail(),
    quote_of: mail(),
    draft_id: ownMail({ folder: 'drafts' }),
    mailbox_id: row(mailboxOf),
  }
  const taken = Object.entries(all).filter(([field]) =>
    idFields(CONTRACT.get(name), 'body').some((each) => each.name === field),
  )
  return Object.fromEntries(taken.map(([field, fixture]) => [`${name}#${field}`, fixture]))
}

/** A body that the call takes, for every call that has one; fields that name a row are put into it. */
const WRITTEN = { to: 'kim@people.example', subject: 'Good day', content: 'Good day to you' }
const PHONE_CALL = {
  title: 'Call Lee',
  start_time: '2099-03-09T09:00:00Z',
  end_time: '2099-03-09T10:00:00Z',
  type: 'phone',
  attendees: ['lee@people.example'],
} as const
const BODIES: Record<string, unknown> = {
  'contacts.add': { name: 'Lou', email: 'lou@people.example' },
  'contacts.update': { name: 'Taken over' },
  'contactImports.check': {},
  'contactImports.run': {},
  'contacts.tagMany': { tag: 'Neighbours' },
  'contacts.untagMany': { tag: 'Friends' },
  'contacts.removeMany': {},
  'contacts.stopMailing': {},
  'contacts.liftMailing': {},
  'tags.add': { name: 'Colleagues' },
  'tags.update': { name: 'Taken over' },
  'todos.add': { title: 'Call Kim' },
  'todos.update': { title: 'Taken over' },
  'meetings.add': PHONE_CALL,
  'meetings.update': { title: 'Taken over' },
  'profile.update': { job_title: 'Somebody' },
  'mailboxes.save': { auto_followup_enabled: true },
  'mailboxes.test': {},
  'emails.send': WRITTEN,
  'emails.saveDraft': WRITTEN,
  'emails.update': { subject: 'Taken over' },
  'emails.trustSender': { trusted: true },
  'emails.star': { starred: true },
  'emails.notSpam': {},
  'emails.act': { action: 'archive' },
  'emails.reply': { to: 'kim@people.example', subject: 'Re: Good day', body: 'Thank you' },
  'emails.replyPreview': { original: 'Good day?' },
  'emails.followUpPreview': { to: 'kim@people.example' },
}
/** What is uploaded. */
const FILE = { name: 'people.csv', content: 'Name,Email\nKim again,kim@people.example\n' }

/** What a reading call without parameters is asked; one entry is one call. */
const QUERIES: Record<string, Record<string, string>[]> = {
  'emails.list': [
    ...FOLDERS.map((folder) => ({ folder })),
    { folder: 'inbox', search: 'Good day' },
    { folder: 'inbox', filter: 'unread' },
    { folder: 'inbox', collapse: 'true' },
  ],
  'contacts.list': [
    {},
    { search: 'kim' },
    { company: 'Ltd' },
    { email_domain: 'people.example' },
    { status: 'sent' },
    { tag: 'friends' },
    { total: 'rough', company: 'Ltd' },
    { last_contact_from: '2020-01-01', sort: 'last_contact' },
    { page_size: '1', sort: 'name' },
  ],
  'contacts.count': [{}, { search: 'kim' }, { tag: 'friends' }, { status: 'sent' }],
  'tags.list': [{}, { counts: 'true' }],
  'contacts.export': [{}, { search: 'kim' }],
  'meetings.list': [
    {},
    { filter: 'upcoming' },
    { attendee: 'lee@people.example' },
    { search: 'a', from: '2090-01-01', status: 'scheduled', page_size: '5' },
  ],
  'mailboxes.discover': [{ email: 'kim@gmail.com' }],
}

/** Reading calls in whose answer everybody finds what he wrote himself: the proof that the sweep would see it. */
const SHOW_THE_MARK = new Set(['auth.me', 'contacts.list', 'contacts.export', 'mailboxes.get', 'emails.list'])

type Id = { name: string; many: boolean; of: 'body' | 'query' }
type Json = { type?: string; exclusiveMinimum?: number } & { [key: string]: unknown }

/** The fields of a body or a query that hold ids of rows (`id` of contract/values.ts). */
function idFields(endpoint: Endpoint | undefined, of: Id['of']): Id[] {
  const schema = endpoint?.[of]
  if (schema === undefined) return []
  const json = z.toJSONSchema(schema, { unrepresentable: 'any' }) as Json
  const fields = (json['properties'] ?? (json['anyOf'] as Json[] | undefined)?.[0]?.['properties']) as
    | Record<string, Json>
    | undefined
  return Object.entries(fields ?? {})
    .filter(([, field]) =>
      holds(field, ({ type, exclusiveMinimum }) => type === 'integer' && exclusiveMinimum === 0),
    )
    .map(([name, field]) => ({ name, many: holds(field, ({ type }) => type === 'array'), of }))
}

function holds(node: unknown, is: (json: Json) => boolean): boolean {
  if (typeof node !== 'object' || node === null) return false
  return is(node as Json) || Object.values(node).some((child) => holds(child, is))
}

type Place = { name: string; endpoint: Endpoint; field: Id | null; fixture: string }

/** Calls with a session and without a stream, which has a test of its own (server/http/http.test.ts). */
const calls = [...CONTRACT].filter(
  ([, { access, download }]) => access !== 'public' && download !== 'text/event-stream',
)
const places: Place[] = calls.flatMap(([name, endpoint]) => [
  ...(endpoint.path.includes(':') ? [{ name, endpoint, field: null, fixture: name }] : []),
  ...[...idFields(endpoint, 'body'), ...idFields(endpoint, 'query')].map((field) => ({
    name,
    endpoint,
    field,
    fixture: `${name}#${field.name}`,
  })),
])
const withoutParams = calls.filter(([, { path }]) => !path.includes(':'))
const reading = withoutParams.filter(([, { method }]) => method === 'GET')
const acting = withoutParams.filter(
  ([name, endpoint]) =>
    endpoint.method !== 'GET' && (idFields(endpoint, 'body').length === 0 || BODIES[name] === WRITTEN),
)

let app: TestApp
let ada: Tenant
let bob: Tenant
/** What Bob was answered while Ada had nothing. */
const alone = new Map<string, string>()

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
  bob = await aTenant('goldcrest')
  ada = { ...(await signUp(app.url, { name: 'Sam zebrafinch' })), mark: 'zebrafinch' }
  for (const [name, endpoint] of reading) alone.set(name, await answersTo(bob, name, endpoint))
  ada = await aTenant('zebrafinch', ada)
  await runSql(app.context.db, UNSUBSCRIBED, [ada.id, app.clock.now()])
})
afterAll(() => app.end())

/** What Ada knows of Lee and Bob does not. */
const UNSUBSCRIBED = `INSERT INTO suppressions (user_id, address_key, reason, created_at)
  VALUES ($1, 'lee@people.example', 'unsubscribed', $2)`

/** Somebody who has some of everything. */
async function aTenant(mark: string, user?: TestUser): Promise<Tenant> {
  const tenant = { ...(user ?? (await signUp(app.url, { name: `Sam ${mark}` }))), mark }
  const { token } = tenant
  await good(call(app.url, profile.update, { token, body: { company_name: `${mark} Ltd` } }))
  const server = { smtp_host: `smtp.${mark}.example`, smtp_port: 587, smtp_from: `sam@${mark}.example` }
  await good(
    call(app.url, mailboxes.save, {
      token,
      body: { ...server, smtp_username: mark, smtp_password: 'secret' },
    }),
  )
  await good(call(app.url, mailboxes.practice, { token }))
  await addContact(tenant, 'kim')
  await addContact(tenant, 'lee')
  await taggedContact(tenant)
  await good(call(app.url, emails.send, { token, body: { ...WRITTEN, content: `Good day from ${mark}` } }))
  for (const folder of ['inbox', 'archived', 'spam', 'trash']) await aMail(tenant, { folder })
  await aMail(tenant, { direction: 'out', purpose: 'compose', folder: 'drafts' })
  await aMail(tenant, {
    direction: 'out',
    purpose: 'compose',
    folder: 'scheduled',
    schedule_at: new Date('2100-01-01'),
  })
  await aBatch(tenant, 'paused', 'held')
  await runSql(app.context.db, MEETING, [tenant.id, mark, new Date('2100-01-01')])
  return tenant
}

const MEETING = `WITH made AS (
    INSERT INTO meetings (user_id, title, start_time, end_time, created_at) VALUES ($1, $2, $3, $3, $3) RETURNING *)
  INSERT INTO meeting_attendees (user_id, meeting_id, address_key, address)
  SELECT user_id, id, 'lee@people.example', 'lee@people.example' FROM made`

async function good<T extends { status: number; error: { detail: string } }>(answer: Promise<T>): Promise<T> {
  const { status, error } = await answer
  if (status !== 200) throw new Error(`A fixture was answered ${status}: ${error.detail}`)
  return answer
}

async function addContact({ token, mark }: Tenant, name: string) {
  const body = {
    name: `${name} ${mark}`,
    email: `${name}@people.example`,
    company: `${mark} Ltd`,
    notes: mark,
  }
  return (await good(call(app.url, contacts.add, { token, body }))).body
}

async function aTag({ token }: Tenant) {
  return (await good(call(app.url, tags.add, { token, body: { name: `Tag ${Math.random()}` } }))).body
}

async function taggedContact(owner: Tenant): Promise<number> {
  const { id } = await addContact(owner, `row${Math.random()}`)
  const body = { ids: [id], tag: 'Friends' }
  await good(call(app.url, contacts.tagMany, { token: owner.token, body }))
  return id
}

async function undoableAct(owner: Tenant): Promise<number> {
  const body = { ids: [await taggedContact(owner)] }
  const deleted = await good(call(app.url, contacts.removeMany, { token: owner.token, body }))
  return deleted.body.undo_id ?? 0
}

async function stoppedContact(owner: Tenant): Promise<number> {
  const { id } = await addContact(owner, `row${Math.random()}`)
  await good(call(app.url, contacts.stopMailing, { token: owner.token, body: { ids: [id] } }))
  return id
}

let files = 0

/** An uploaded file of one new contact and a row that cannot be read. */
async function anImport({ token, mark }: Tenant): Promise<number> {
  const content = `Name,Email\n${mark},file${(files += 1)}@people.example\n${mark},nowhere\n`
  const file = { name: `${mark}.csv`, content }
  const { text } = await ask(need('contactImports.upload'), { token, file })
  return (JSON.parse(text) as { id: number }).id
}

async function aDoneImport(owner: Tenant): Promise<number> {
  const id = await anImport(owner)
  await good(call(app.url, contactImports.run, { token: owner.token, params: { id }, body: {} }))
  return id
}

async function aTodo({ token, mark }: Tenant): Promise<number> {
  return (await good(call(app.url, todos.add, { token, body: { title: `Call ${mark}` } }))).body.id
}

async function aMeeting({ token, mark }: Tenant): Promise<number> {
  const body = { ...PHONE_CALL, attendees: [...PHONE_CALL.attendees], title: `Call ${mark}` }
  return (await good(call(app.url, meetings.add, { token, body }))).body.id
}

async function anotherSession({ email, password, token }: Tenant): Promise<string> {
  await good(call(app.url, auth.login, { body: { email, password } }))
  const { body } = await call(app.url, auth.sessions, { token })
  return body.find(({ current }) => !current)?.id ?? ''
}

async function mailboxOf({ id }: Tenant): Promise<number> {
  return (await mailboxesOf(app.context.db, id))[0]?.id ?? 0
}

let letters = 0

/** A mail from Kim with one attachment; both tenants' first ones have the same Message-IDs. `columns` are set on it. */
async function aMail({ id, mark }: Tenant, columns: Fields = {}, delivery?: Fields): Promise<number> {
  const { context } = app
  const raw = Buffer.from(letterOf(mark, (letters += 1)))
  const arrival = {
    userId: id,
    mailboxId: await mailboxOf({ id } as Tenant),
    raw,
    receivedAt: context.clock.now(),
  }
  await inTransaction(context.db, (tx) => ingestRaw(context, tx, arrival))
  const { rows } = await runSql(context.db, 'SELECT max(id) AS id FROM emails WHERE user_id = $1', [id])
  const email = (rows[0] as { id: number }).id
  for (const [column, value] of Object.entries(columns))
    await sql`UPDATE emails SET ${sql.ref(column)} = ${value} WHERE user_id = ${id} AND id = ${email}`.execute(
      context.db,
    )
  if (delivery !== undefined) await aDelivery(id, arrival.mailboxId, email, delivery)
  return email
}

async function aDelivery(userId: number, mailboxId: number, emailId: number, columns: Fields): Promise<void> {
  const values = {
    user_id: userId,
    email_id: emailId,
    mailbox_id: mailboxId,
    recipients: ['kim@people.example'],
    next_try_at: new Date('2100-01-01'),
    ...columns,
  }
  const names = sql.join(Object.keys(values).map((name) => sql.ref(name)))
  await sql`INSERT INTO deliveries (${names}) VALUES (${sql.join(Object.values(values))})`.execute(
    app.context.db,
  )
}

const letterOf = (mark: string, number: number) =>
  `From: Kim ${mark} <kim@people.example>
To: sam@people.example
Subject: Good day
Message-ID: <${number}@people.example>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

Good day, says ${mark}.
--b
Content-Type: application/octet-stream
Content-Disposition: attachment; filename=${mark}.bin

${mark}
--b--
`.replaceAll('\n', '\r\n')

async function endRuns(tenant: Tenant): Promise<void> {
  await runSql(app.context.db, `UPDATE outreach_batches SET state = 'done' WHERE user_id = $1`, [tenant.id])
}

/** A run in this state with one mail that waits; the one before it is over. */
async function aBatch(tenant: Tenant, state: string, delivery: string): Promise<number> {
  const { db } = app.context
  await endRuns(tenant)
  const mailboxId = await mailboxOf(tenant)
  const { rows } = await runSql(
    db,
    `INSERT INTO outreach_batches (user_id, mailbox_id, state, total, is_listed, started_at)
     VALUES ($1, $2, $3, 1, true, $4) RETURNING id`,
    [tenant.id, mailboxId, state, new Date('2026-01-01')],
  )
  const { id } = rows[0] as { id: number }
  const columns = { direction: 'out', purpose: 'outreach', folder: 'sent' }
  const emailId = await aMail(tenant, columns, { state: delivery, group_id: id })
  await runSql(
    db,
    `INSERT INTO outreach_items (user_id, batch_id, contact_id, name, address, state, email_id)
     VALUES ($1, $2, $3, $4, 'kim@people.example', 'written', $3)`,
    [tenant.id, id, emailId, tenant.mark],
  )
  return id
}

async function anUpload({ token, mark }: Tenant): Promise<number> {
  const { text } = await ask(need('emails.upload'), { token, file: { name: `${mark}.txt`, content: mark } })
  return (JSON.parse(text) as { id: number }).id
}

function need(name: string): Endpoint {
  const endpoint = CONTRACT.get(name)
  if (endpoint === undefined) throw new Error(`There is no call ${name}`)
  return endpoint
}

type Asked = {
  params?: Named
  query?: Record<string, string>
  body?: unknown
  file?: typeof FILE
  token?: string
}
type Answered = { status: number; text: string; total: string | null; next: string | null }

/** A call as bytes: what the contract's types would forbid is what an attacker sends. */
async function ask(endpoint: Endpoint, { params, query, body, file, token }: Asked): Promise<Answered> {
  const form = new FormData()
  if (file !== undefined) form.set('file', new Blob([file.content]), file.name)
  const content = file === undefined ? (body === undefined ? null : JSON.stringify(body)) : form
  const search = new URLSearchParams(query).toString()
  const response = await fetch(`${app.url}${pathOf(endpoint, params)}?${search}`, {
    method: endpoint.method,
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(typeof content === 'string' ? { 'Content-Type': 'application/json' } : {}),
    },
    body: content,
  })
  const { status, headers } = response
  const text = await response.text()
  return { status, text, total: headers.get('x-total-count'), next: headers.get('link') }
}

/** Everything that a reading call tells somebody, its counts among it. */
async function answersTo({ token }: Tenant, name: string, endpoint: Endpoint): Promise<string> {
  const answers: Answered[] = []
  for (const query of QUERIES[name] ?? [{}]) answers.push(await ask(endpoint, { query, token }))
  for (const { status, text } of answers) if (status !== 200) throw new Error(`${name}: ${status} ${text}`)
  // Being asked is what changes this one.
  return JSON.stringify(answers, null, 1).replaceAll(/"last_seen_at\\":\\"[^"]*"/g, '')
}

/** All rows of one tenant in all tables. */
async function dump({ id }: Tenant): Promise<Record<string, string[]>> {
  const { db } = app.context
  const { rows } = await runSql(
    db,
    `SELECT c.table_name AS name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND c.column_name = 'user_id' AND t.table_type = 'BASE TABLE' ORDER BY 1`,
  )
  const tables = (rows as { name: string }[]).map(({ name }) => ({ name, owner: 'user_id' }))
  const all: Record<string, string[]> = {}
  for (const { name, owner } of [...tables, { name: 'users', owner: 'id' }]) {
    const found = await runSql(
      db,
      `SELECT to_jsonb(t)::text AS row FROM ${name} t WHERE ${owner} = $1 ORDER BY 1`,
      [id],
    )
    all[name] = (found.rows as { row: string }[]).map((each) => each.row)
  }
  return all
}

/** Somebody's call that names rows, with these names put where they belong. */
async function asking({ name, endpoint, field }: Place, named: Named, caller: Tenant): Promise<Answered> {
  const { token } = caller
  const body = BODIES[name]
  if (field === null) return ask(endpoint, { params: named, body, token })
  // What the path names is the caller's own: it is the field that is tried.
  const params = endpoint.path.includes(':') ? ((await FIXTURES[name]?.own(caller)) ?? {}) : {}
  const value = field.many ? [named['id']] : named['id']
  if (field.of === 'query') return ask(endpoint, { params, query: { [field.name]: String(value) }, token })
  return ask(endpoint, { params, body: { ...(body as Fields), [field.name]: value }, token })
}

test.each(calls)('%s is served, and wants a session', async (_, endpoint) => {
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, '1'])
  const params = Object.fromEntries(names) as Named
  for (const token of [undefined, 'nonsense', `${ada.token.slice(0, -3)}AAA`]) {
    const answer = await ask(endpoint, { params, ...(token === undefined ? {} : { token }) })
    expect(answer.status).toBe(401)
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'UNAUTHENTICATED' })
  }
})

test.each(reading)('%s tells the same whatever another has', async (name, endpoint) => {
  const bobs = await answersTo(bob, name, endpoint)
  expect(bobs.toLowerCase()).not.toContain(ada.mark)
  expect(bobs).toBe(alone.get(name))
  if (!SHOW_THE_MARK.has(name)) return
  expect(bobs.toLowerCase()).toContain(bob.mark)
  expect((await answersTo(ada, name, endpoint)).toLowerCase()).toContain(ada.mark)
})

test('every call that names a row has a fixture, and every call with a body has one', () => {
  const fixtures = places.filter(({ fixture }) => FIXTURES[fixture] === undefined)
  const bodies = calls.filter(([name, { body }]) => body !== undefined && BODIES[name] === undefined)
  expect([
    ...fixtures.map(
      ({ fixture }) => `Add '${fixture}' to FIXTURES: how to make a row of Ada's that it names.`,
    ),
    ...bodies.map(([name]) => `Add '${name}' to BODIES: a body that it takes.`),
  ]).toEqual([])
})

test.each(places.map((place): [string, Place] => [place.fixture, place]))(
  "%s treats another's row as if it did not exist",
  async (_, place) => {
    const { field } = place
    const fixture = FIXTURES[place.fixture]
    if (fixture === undefined) throw new Error(`There is no fixture for ${place.fixture}`)
    const theirs = await fixture.own(ada)
    const before = await dump(ada)
    const tried = await asking(place, theirs, bob)
    expect(await dump(ada)).toEqual(before)
    const nothing = await asking(place, fixture.missing, bob)
    expect(tried.text.toLowerCase()).not.toContain(ada.mark)
    if (field === null) expect(tried.status).toBe(404)
    expect(alike(tried)).toEqual(alike(nothing))

    // Ada herself can do it, and nothing of Bob's changes: it was this row, and this row alone.
    const bobs = await dump(bob)
    const done = await asking(place, theirs, ada)
    expect(done).toMatchObject({ status: 200 })
    expect(await dump(bob)).toEqual(bobs)
  },
)

/** Answers that differ in numbers only: a mail that Bob sends has another number each time. */
function alike({ status, text, total }: Answered): { status: number; text: string; total: string | null } {
  return { status, text: text.replaceAll(/\d+/g, '#'), total }
}

test.each(acting)("%s leaves all that is another's alone", async (name, endpoint) => {
  const { body: session } = await call(app.url, auth.login, {
    body: { email: bob.email, password: bob.password },
  })
  // A run of his own that is under way would keep him from changing his mailbox.
  await endRuns(bob)
  const before = await dump(ada)
  const answer = await ask(endpoint, {
    token: session.token,
    ...(endpoint.upload === undefined ? { body: BODIES[name] } : { file: FILE }),
  })
  expect(answer.text.toLowerCase()).not.toContain(ada.mark)
  expect(answer).toMatchObject({ status: 200 })
  expect(await dump(ada)).toEqual(before)
})
