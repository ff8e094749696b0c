import { afterAll, beforeAll, expect, test } from 'vitest'
import { auth } from '#contract/auth.ts'
import { contacts } from '#contract/contacts.ts'
import { CONTRACT } from '#contract/contract.ts'
import { emails, FOLDERS } from '#contract/emails.ts'
import { type Endpoint, pathOf } from '#contract/endpoint.ts'
import { mailboxes } from '#contract/mailboxes.ts'
import { outreach } from '#contract/outreach.ts'
import { profile } from '#contract/profile.ts'
import { inTransaction } from '#server/database/transaction.ts'
import { ingestRaw } from '#server/emails/emails.ts'
import { mailboxesOf } from '#server/mailboxes/mailboxes.ts'
import { call } from './support/client.ts'
import { signUp, type TestUser } from './support/factories.ts'
import { startTestApp, type TestApp } from './support/test-app.ts'

// No tenant sees another's anything. The sweep is made from the contract: a new route is in it without anybody's doing,
// and a route with a parameter that nobody has written a fixture for fails here.

/** Stands in everything that Ada owns, so that it can be found wherever it should not be. */
const MARK = 'zebrafinch'

type Params = Record<string, string | number>
type Fixture = {
  /** Makes a row of Ada's and gives the parameters that name it. */
  own: () => Promise<Params>
  /** Parameters of the same form that name nothing. */
  missing: Params
  /** A body that the call would take. */
  body?: unknown
  /** How the row looks to Ada: the same before and after. */
  look: (params: Params) => Promise<unknown>
}

let app: TestApp
let ada: TestUser
let bob: TestUser

/** A row's number that no sequence of a test reaches. */
const NO_ID = { id: 987_654_321 }

const byContact = (body?: unknown): Fixture => ({
  own: async () => ({ id: (await addContact(`row${Math.random()}`)).id }),
  missing: NO_ID,
  ...(body === undefined ? {} : { body }),
  look: (params) => seenByAda(contacts.get, params),
})
const byEmail: Fixture = {
  own: async () => ({ id: await anEmailOfAda() }),
  missing: NO_ID,
  look: (params) => seenByAda(emails.get, params),
}
const byAttachment: Fixture = {
  own: async () => ({ id: await anAnswerToAda(), n: 0 }),
  missing: { ...NO_ID, n: 0 },
  look: async (params) => {
    const answer = await ask(emails.attachment, { params, token: ada.token })
    expect(answer).toMatchObject({ status: 200, text: expect.stringContaining(MARK) as string })
    return answer
  },
}
const byBatch: Fixture = {
  own: async () => ({ id: await aBatchOfAda() }),
  missing: NO_ID,
  look: (params) => seenByAda(outreach.get, params),
}

/** For every call with a parameter that wants a session: how to make what it names. */
const FIXTURES: Record<string, Fixture> = {
  'auth.endSession': {
    own: async () => {
      await call(app.url, auth.login, { body: { email: ada.email, password: ada.password } })
      const { body } = await call(app.url, auth.sessions, { token: ada.token })
      return { id: body.find(({ current }) => !current)?.id ?? '' }
    },
    missing: { id: '00000000-0000-4000-8000-000000000000' },
    look: async ({ id }) => {
      const { body } = await call(app.url, auth.sessions, { token: ada.token })
      return body.map((session) => session.id).filter((each) => each === id)
    },
  },
  'contacts.get': byContact(),
  'contacts.update': byContact({ name: 'Taken over' }),
  'contacts.remove': byContact(),
  'emails.get': byEmail,
  'emails.attachment': byAttachment,
  'emails.markRead': byEmail,
  'outreach.get': byBatch,
  'outreach.pause': byBatch,
  'outreach.resume': byBatch,
  'outreach.cancel': byBatch,
}

/** What a reading call without parameters needs in its query; one entry is one call. */
const QUERIES: Record<string, Record<string, string>[]> = {
  'emails.list': [...FOLDERS.map((folder) => ({ folder })), { folder: 'inbox', search: MARK }],
  'contacts.list': [{}, { search: MARK }, { company: MARK }, { email_domain: `${MARK}.example` }],
  'contacts.export': [{}, { search: MARK }],
  'mailboxes.discover': [{ email: 'kim@gmail.com' }],
}

/** Calls where Ada's own answer must hold the mark: the proof that the sweep would see it. */
const SHOW_THE_MARK = new Set(['auth.me', 'contacts.list', 'contacts.export', 'mailboxes.get', 'emails.list'])

const wantSession = [...CONTRACT].filter(([, { access }]) => access !== 'public')
const withParams = wantSession.filter(([, { path }]) => path.includes(':'))
const reading = wantSession.filter(
  ([, { method, path, download }]) =>
    method === 'GET' && !path.includes(':') && download !== 'text/event-stream',
)

beforeAll(async () => {
  app = await startTestApp({ roles: ['web', 'worker'] })
  ada = await signUp(app.url, { name: `Ada ${MARK}`, email: `ada@${MARK}.example` })
  bob = await signUp(app.url)
  await call(app.url, profile.update, { token: ada.token, body: { company_name: `${MARK} Ltd` } })
  await connect(ada)
  await practise(ada)
  await practise(bob)
  await addContact(MARK)
  await anEmailOfAda()
  await anAnswerToAda()
  await aBatchOfAda()
})
afterAll(() => app.end())

/** An account that nothing is sent by: the practice mailbox comes after it. */
async function connect({ token }: TestUser): Promise<void> {
  const body = {
    smtp_host: `smtp.${MARK}.example`,
    smtp_port: 587,
    smtp_username: MARK,
    smtp_password: 'secret',
    smtp_from: `ada@${MARK}.example`,
  }
  const { status, error } = await call(app.url, mailboxes.save, { token, body })
  if (status !== 200) throw new Error(`The account is not saved: ${error.detail}`)
}

async function practise({ token }: TestUser): Promise<void> {
  const { status, error } = await call(app.url, mailboxes.practice, { token })
  if (status !== 200) throw new Error(`No practice mailbox: ${error.detail}`)
}

async function addContact(name: string) {
  const email = `${name.toLowerCase()}@${MARK}.example`
  const body = { name: `${name} ${MARK}`, email, company: MARK, notes: MARK }
  const { status, body: contact, error } = await call(app.url, contacts.add, { token: ada.token, body })
  if (status !== 200) throw new Error(`No contact: ${error.detail}`)
  return contact
}

let email: Promise<number> | undefined
function anEmailOfAda(): Promise<number> {
  const body = { to: `kim@${MARK}.example`, subject: MARK, content: `Good day from ${MARK}` }
  email ??= call(app.url, emails.send, { token: ada.token, body }).then(({ status, body: sent, error }) => {
    if (status !== 200) throw new Error(`No mail: ${error.detail}`)
    return sent.id
  })
  return email
}

let received: Promise<number> | undefined
/** A mail in Ada's inbox with one attachment. */
function anAnswerToAda(): Promise<number> {
  received ??= takeIn().then(async () => {
    const { body } = await call(app.url, emails.list, { token: ada.token, query: { folder: 'inbox' } })
    return body[0]?.id ?? 0
  })
  return received
}

async function takeIn(): Promise<void> {
  const { context } = app
  const [mailbox] = await mailboxesOf(context.db, ada.id)
  if (mailbox === undefined) throw new Error('Ada has no mailbox')
  const arrival = {
    userId: ada.id,
    mailboxId: mailbox.id,
    raw: Buffer.from(MAIL),
    receivedAt: context.clock.now(),
  }
  await inTransaction(context.db, (tx) => ingestRaw(context, tx, arrival))
}

const MAIL = `From: Kim ${MARK} <kim@${MARK}.example>
To: ada@${MARK}.example
Subject: ${MARK}
Message-ID: <1@${MARK}.example>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain

Good day, says ${MARK}.
--b
Content-Type: application/octet-stream
Content-Disposition: attachment; filename=${MARK}.bin

${MARK}
--b--
`.replaceAll('\n', '\r\n')

let batch: Promise<number> | undefined
function aBatchOfAda(): Promise<number> {
  batch ??= call(app.url, outreach.generateAndSend, { token: ada.token }).then(({ status, body, error }) => {
    if (status !== 200) throw new Error(`No run: ${error.detail}`)
    return body.batch_id
  })
  return batch
}

async function seenByAda(endpoint: Endpoint, params: Params): Promise<unknown> {
  const answer = await ask(endpoint, { params, token: ada.token })
  expect(answer.status).toBe(200)
  return JSON.parse(answer.text)
}

type Asked = { params?: Params; query?: Record<string, string>; body?: unknown; token?: string }

/** A call as bytes: what the contract's types would forbid is what an attacker sends. */
async function ask(
  endpoint: Endpoint,
  { params, query, body, token }: Asked,
): Promise<{ status: number; text: string }> {
  const search = new URLSearchParams(query).toString()
  const response = await fetch(`${app.url}${pathOf(endpoint, params)}?${search}`, {
    method: endpoint.method,
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, text: await response.text() }
}

test.each(wantSession)('%s wants a session', async (_, endpoint) => {
  const params = Object.fromEntries(
    [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, '1']),
  )
  for (const token of [undefined, 'nonsense', `${ada.token.slice(0, -3)}AAA`]) {
    const answer = await ask(endpoint, { params, ...(token === undefined ? {} : { token }) })
    expect(answer.status).toBe(401)
    expect(JSON.parse(answer.text)).toMatchObject({ code: 'UNAUTHENTICATED' })
  }
})

test('every call with a parameter has a fixture', () => {
  const forgotten = withParams.map(([name]) => name).filter((name) => FIXTURES[name] === undefined)
  const advice = forgotten.map(
    (name) =>
      `Add '${name}' to FIXTURES in tests/tenants.test.ts: how to make a row of Ada's, and how to look at it, so that the sweep can try it as Bob.`,
  )
  expect(advice).toEqual([])
})

test.each(withParams)("%s treats another's row as if it did not exist", async (name, endpoint) => {
  const fixture = FIXTURES[name]
  if (fixture === undefined) throw new Error(`There is no fixture for ${name}`)
  const { own, missing, body, look } = fixture
  const theirs = await own()
  const before = await look(theirs)
  const tried = await ask(endpoint, { params: theirs, body, token: bob.token })
  const nothing = await ask(endpoint, { params: missing, body, token: bob.token })
  expect(tried.status).toBe(404)
  expect(tried).toEqual(nothing)
  expect(await look(theirs)).toEqual(before)
})

test.each(reading)("%s shows nothing of another's", async (name, endpoint) => {
  let adaSees = ''
  for (const query of QUERIES[name] ?? [{}]) {
    const bobs = await ask(endpoint, { query, token: bob.token })
    expect(bobs.status).toBe(200)
    expect(bobs.text.toLowerCase()).not.toContain(MARK)
    adaSees += (await ask(endpoint, { query, token: ada.token })).text.toLowerCase()
  }
  if (SHOW_THE_MARK.has(name)) expect(adaSees).toContain(MARK)
})
