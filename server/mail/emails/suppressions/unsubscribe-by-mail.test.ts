import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { contacts } from '#contract/crm/contacts.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { call } from '../../../../tests/support/client.ts'
import { type MailServers, startMailServers, testMail } from '../../../../tests/support/mail-servers.ts'
import {
  addContact,
  connectReader,
  contactOf,
  listFolder,
  readOnce,
  type Reader,
} from '../../../../tests/support/reading.ts'
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts'
import { runSql } from '../../../platform/database/transaction.ts'

let reading: TestApp
let sending: TestApp
let servers: MailServers

beforeAll(async () => {
  servers = await startMailServers({ users: { ada: 'open sesame', ben: 'open sesame' } })
  reading = await startTestApp({ roles: ['web'] })
  sending = await startTestApp({ roles: ['web', 'worker'], database: { url: reading.databaseUrl } })
})
afterAll(async () => {
  await sending?.end()
  await reading?.end()
  await servers?.stop()
})
afterEach(() => servers.sink.clear())

type Owner = Reader & { name: string }

/** A user of that mailbox who has written to these contacts in one run, and the unsubscribe address that each of them got. */
async function wrote(name: string, to: string[]): Promise<{ owner: Owner; addresses: Map<string, URL> }> {
  const address = `${name}@muster.example`
  const reader = await connectReader(reading, servers.dovecot.user(name), address, servers.sink.port)
  for (const each of to) await addContact(reading, reader, each)
  const run = await call(sending.url, outreach.generateAndSend, { token: reader.token })
  expect(run.body.summary).toMatchObject({ sent: to.length })
  const addresses = servers.sink.received.map(({ envelope, raw }): [string, URL] => {
    const header = raw.toString().replaceAll(/\r\n[ \t]+/g, ' ')
    const mailto = /^List-Unsubscribe: <(mailto:[^>]+)>, <http:[^>]+>\r$/im.exec(header)?.[1] ?? ''
    return [envelope.to[0] ?? '', new URL(mailto)]
  })
  servers.sink.clear()
  return { owner: { ...reader, name }, addresses: new Map(addresses) }
}

const subjectOf = (mailto: URL | undefined) => mailto?.searchParams.get('subject') ?? ''

/** Delivers what a mail program sends when "Unsubscribe" is clicked, and reads the mailbox. */
async function unsubscribe(owner: Owner, subject: string, from: string): Promise<void> {
  const to = `${owner.name}@muster.example`
  const headers = { From: from, To: to, Subject: subject, 'Message-ID': `<${Math.random()}@far.example>` }
  const words = 'Apple Mail sent this email to unsubscribe from the message\r\n'
  await servers.dovecot.deliver(owner.name, 'INBOX', testMail(headers, words))
  await readOnce(reading, owner)
}

const suppressions = async ({ id }: Owner) =>
  (
    await runSql(
      reading.context.db,
      'SELECT address_key, reason FROM suppressions WHERE user_id = $1 ORDER BY 1',
      [id],
    )
  ).rows

test('a mail with the token of one of our mails suppresses its recipient, and nobody else', async () => {
  const ada = await wrote('ada', ['bob@far.example', 'eve@far.example'])
  const ben = await wrote('ben', ['bob@far.example'])
  const [bob, eve] = [ada.addresses.get('bob@far.example'), ada.addresses.get('eve@far.example')]
  expect(bob?.pathname).toBe('ada@muster.example')

  // A forged token, a truncated one, and one of another user's mail do nothing.
  const token = subjectOf(bob)
  for (const wrong of [
    `${token.slice(0, -5)}${token.at(-5) === 'a' ? 'b' : 'a'}${token.slice(-4)}`,
    token.slice(0, -20),
    subjectOf(ben.addresses.get('bob@far.example')),
  ])
    await unsubscribe(ada.owner, wrong, 'stranger@far.example')
  expect(await suppressions(ada.owner)).toEqual([])

  // Mail to Bob is forwarded to another address, from which his program unsubscribes twice.
  await unsubscribe(ada.owner, token, 'bob@private.example')
  await unsubscribe(ada.owner, token, 'bob@private.example')
  expect(await suppressions(ada.owner)).toEqual([{ address_key: 'bob@far.example', reason: 'unsubscribed' }])
  expect(await suppressions(ben.owner)).toEqual([])
  expect(await contactOf(reading, ada.owner, 'bob@far.example')).toMatchObject({
    computed_status: 'sent',
    suppressed: 'unsubscribed',
  })

  // Unsubscribing from the address that was mailed does not count as a reply either. It holds after a bounce too.
  await runSql(
    reading.context.db,
    `INSERT INTO suppressions (user_id, address_key, reason, created_at) VALUES ($1, 'eve@far.example', 'bounced', now())`,
    [ada.owner.id],
  )
  await unsubscribe(ada.owner, subjectOf(eve), 'eve@far.example')
  expect(await contactOf(reading, ada.owner, 'eve@far.example')).toMatchObject({
    computed_status: 'sent',
    suppressed: 'unsubscribed',
  })
  const eves = (
    await call(reading.url, contacts.list, { token: ada.owner.token, query: { search: 'eve@far' } })
  ).body
  const lifted = await call(reading.url, contacts.liftMailing, {
    token: ada.owner.token,
    body: { ids: eves.map(({ id }) => id) },
  })
  expect(lifted.body).toMatchObject({ changed: 0, unchanged: 1 })
  const mails = await runSql(
    reading.context.db,
    "SELECT DISTINCT kind FROM emails WHERE user_id = $1 AND direction = 'in'",
    [ada.owner.id],
  )
  expect(mails.rows).toEqual([{ kind: 'automatic' }])
  expect(await listFolder(reading, ada.owner)).not.toHaveLength(0)
})
