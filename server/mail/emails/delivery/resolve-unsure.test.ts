import { afterAll, beforeAll, expect, test } from 'vitest'
import { emails } from '#contract/mail/emails.ts'
import { call } from '../../../../tests/support/client.ts'
import { type MailServers, startMailServers } from '../../../../tests/support/mail-servers.ts'
import { scriptedFolder, startHostileImap } from '../../../../tests/support/hostile-imap.ts'
import { connectReader, listFolder, type Reader } from '../../../../tests/support/reading.ts'
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts'
import { runSql } from '../../../platform/database/transaction.ts'
import { mailboxesOf } from '../../mailboxes/mailboxes.ts'
import { claimWithinRate, whichMayLeave } from './judge-claims.ts'
import { makeUnsureResolver, type UnsureResolver } from './resolve-unsure.ts'

let app: TestApp
let servers: MailServers
let resolver: UnsureResolver

beforeAll(async () => {
  servers = await startMailServers({
    users: { ada: 'pass', bob: 'pass', carl: 'pass', dan: 'pass', eva: 'pass', fay: 'pass' },
  })
  app = await startTestApp({ roles: ['web'] })
  resolver = makeUnsureResolver(app.context)
})

afterAll(async () => {
  await app?.end()
  await servers?.stop()
})

/** Sends an email that the server accepts without an answer; returns its Message-ID. */
async function leaveUnsure(reader: Reader): Promise<string> {
  servers.sink.setScript(({ step }) => (step === 'dot' ? 'keep-and-drop' : undefined))
  const sent = await call(app.url, emails.send, {
    token: reader.token,
    body: { to: 'eve@far.example', subject: 'Once', content: 'Hello' },
  })
  servers.sink.setScript(undefined)
  expect(await state(reader)).toBe('unsure')
  app.clock.forward(60_000)
  return (await call(app.url, emails.get, { token: reader.token, params: { id: sent.body.id } })).body
    .message_id
}

const state = async (reader: Reader) => (await listFolder(app, reader, 'sent'))[0]?.delivery?.state
async function resolve(): Promise<void> {
  await resolver.resolveDue()
  await resolver.finished()
}

test('an email that is in the Sent folder did go out', async () => {
  const ada = await connectReader(app, servers.dovecot.user('ada'), 'ada@muster.example', servers.sink.port)
  const id = await leaveUnsure(ada)
  const accepted = servers.sink.received.find(({ raw }) => raw.includes(id))
  await servers.dovecot.deliver('ada', 'Sent', accepted?.raw ?? '')
  await resolve()
  expect(await state(ada)).toBe('sent')
})

test('an email that is there under a Message-ID of the provider did go out, and another with its subject did not', async () => {
  const eva = await connectReader(app, servers.dovecot.user('eva'), 'eva@muster.example', servers.sink.port)
  const id = await leaveUnsure(eva)
  const accepted = servers.sink.received.find(({ raw }) => raw.includes(id))?.raw.toString() ?? ''
  const copy = accepted.replace(id, 'copy@provider.example')
  await servers.dovecot.deliver('eva', 'Sent', copy.replace(/Hello\r\n/, 'Another text\r\n'))
  await resolve()
  expect(await state(eva)).toBe('queued')
  await runSql(
    app.context.db,
    "UPDATE deliveries SET state = 'unsure', queue = 'unsure', resends = 0 WHERE user_id = $1",
    [eva.id],
  )
  await servers.dovecot.deliver('eva', 'Sent', copy)
  await resolve()
  expect(await state(eva)).toBe('sent')
})

test('an email that is not there is sent again with the same Message-ID', async () => {
  const bob = await connectReader(app, servers.dovecot.user('bob'), 'bob@muster.example', servers.sink.port)
  await leaveUnsure(bob)
  await resolve()
  expect(await state(bob)).toBe('queued')
})

test('an email is not sent again where the server does not let its Sent folder be read', async () => {
  const Sent = scriptedFolder([], '\\Sent')
  const far = await startHostileImap({ folders: { INBOX: scriptedFolder(), Sent } })
  const server = { ...far, username: 'fay', password: 'pass' }
  const fay = await connectReader(app, server, 'fay@muster.example', servers.sink.port)
  const id = await leaveUnsure(fay)
  const accepted = servers.sink.received.find(({ raw }) => raw.includes(id))?.raw.toString() ?? ''
  Sent.mails.push({ uid: 1, raw: accepted.replace(id, 'copy@provider.example'), flags: new Set() })
  Sent.uidNext = 2
  far.setScript(({ name }, { no }) => name === 'UID FETCH' && (no('Cannot do that'), true))
  for (let time = 0; time < 5; time += 1) {
    await resolve()
    expect(await state(fay)).toBe('unsure')
    app.clock.forward(31 * 60_000)
  }
  // It is found by its own Message-ID even so.
  Sent.mails.push({ uid: 2, raw: accepted, flags: new Set() })
  await resolve()
  expect(await state(fay)).toBe('sent')
  await far.stop()
})

test('a follow-up is not sent again if a reply comes before its turn', async () => {
  const dan = await connectReader(app, servers.dovecot.user('dan'), 'dan@muster.example', servers.sink.port)
  const messageId = await leaveUnsure(dan)
  const sql = (text: string, ...values: unknown[]) => runSql(app.context.db, text, values)
  await sql(`UPDATE emails SET purpose = 'follow_up' WHERE message_id = $1`, messageId)
  await resolve()
  expect(await state(dan)).toBe('queued')
  await sql(
    `INSERT INTO correspondents (user_id, address_key, replied_at)
    SELECT user_id, correspondent_key, $2 FROM emails WHERE message_id = $1`,
    messageId,
    app.clock.now(),
  )
  const [mailbox] = await mailboxesOf(app.context.db, dan.id)
  const run = { userId: dan.id, mailboxId: mailbox?.id ?? 0, inHand: new Set<number>(), nextAt: null }
  const claims = await claimWithinRate(app.context, run, 10)
  expect(claims).toHaveLength(1)
  expect(await whichMayLeave(app.context, run, claims)).toEqual([])
  expect((await listFolder(app, dan, 'sent'))[0]?.delivery).toMatchObject({
    state: 'failed',
    reason:
      'It may have left before. They have replied or bounced since, or the contact was deleted, so it was not sent again.',
  })
})

test('an account that cannot be reached is asked again later, and the email is sent again in the end', async () => {
  const carl = await connectReader(
    app,
    { ...servers.dovecot.user('carl'), port: 1 },
    'carl@muster.example',
    servers.sink.port,
  )
  await leaveUnsure(carl)
  for (const seen of ['unsure', 'unsure', 'queued']) {
    await resolve()
    expect(await state(carl)).toBe(seen)
    app.clock.forward(60_000)
  }
})
