import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { emails } from '#contract/mail/emails.ts'
import type { MailAction } from '#contract/mail/email-actions.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { call } from '../../../../tests/support/client.ts'
import { scriptedFolder, startHostileImap } from '../../../../tests/support/hostile-imap.ts'
import { mailAccountAt } from '../../../../tests/support/mail-account.ts'
import { type MailServers, startMailServers, testMail } from '../../../../tests/support/mail-servers.ts'
import { type MeddlingProxy, startMeddlingProxy } from '../../../../tests/support/meddling-imap.ts'
import { setPlan } from '../../../../tests/support/plans.ts'
import {
  addContact,
  connectReader,
  contactOf,
  listFolder,
  type Reader,
  readOnce,
} from '../../../../tests/support/reading.ts'
import { makeSearchable } from '../../../../tests/support/stored-mails.ts'
import { A_PICTURE, uploadAs } from '../../../../tests/support/writing.ts'
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts'
import { runSql } from '../../../platform/database/transaction.ts'
import { openImap } from '../../../platform/gateways/imap.ts'
import { APPEND_MS } from './append-sent.ts'

let app: TestApp
let servers: MailServers
let serial = 0
const NAMES = Array.from({ length: 50 }, (_, at) => `user${at}`)
const proxies: MeddlingProxy[] = []

beforeAll(async () => {
  servers = await startMailServers({ users: Object.fromEntries(NAMES.map((name) => [name, 'open sesame'])) })
  app = await startTestApp({ roles: ['web'] })
})

afterAll(async () => {
  await app?.end()
  for (const proxy of proxies) await proxy.stop()
  await servers?.stop()
})

type Owner = Reader & { name: string; address: string; commands: readonly string[] }
type Folder = Parameters<typeof listFolder>[2]

/** A new user with an account of their own. */
async function newOwner(hide?: string[]): Promise<Owner> {
  const name = NAMES[serial++] ?? ''
  const address = `${name}@muster.example`
  const proxy = hide === undefined ? null : await startMeddlingProxy({ target: servers.dovecot, hide })
  if (proxy !== null) proxies.push(proxy)
  const at = proxy === null ? {} : { host: proxy.host, port: proxy.port }
  const server = { ...servers.dovecot.user(name), ...at }
  const reader = await connectReader(app, server, address, servers.sink.port)
  return { ...reader, name, address, commands: proxy?.commands ?? [] }
}

const ID = '<parcel-notice.0001@parcels.example>'
/** Two notices of a sender that gives every mail the same Message-ID. */
const notice = (parcel: string, day: string, euros = 12) =>
  testMail(
    {
      From: 'Parcels <info@parcels.example>',
      Subject: `Customs papers for parcel ${parcel}`,
      Date: `${day} Nov 2026 08:00:00 +0000`,
      'Message-ID': ID,
    },
    `Please pay ${euros} EUR for parcel ${parcel}.\r\n`,
  )
const [FIRST, SECOND] = [notice('4711', '01'), notice('9922', '09', 80)]
const [FIRST_SUBJECT, SECOND_SUBJECT] = ['Customs papers for parcel 4711', 'Customs papers for parcel 9922']

const deliver = (to: Owner, raw: string | Buffer, folder = 'INBOX') =>
  servers.dovecot.deliver(to.name, folder, raw)
const subjects = async (owner: Owner, folder?: Folder) =>
  (await listFolder(app, owner, folder)).map(({ subject }) => subject).sort()
const act = async (owner: Owner, action: MailAction, folder?: Folder) => {
  const ids = (await listFolder(app, owner, folder)).map(({ id }) => id)
  return (await call(app.url, emails.act, { token: owner.token, body: { action, ids } })).body.changed
}

/** Acts as another mail program, on its own connection. */
async function elsewhere<T>(
  { name }: Owner,
  work: (session: Awaited<ReturnType<typeof openImap>>) => Promise<T>,
): Promise<T> {
  const session = await openImap(servers.dovecot.user(name), { guard: app.context.guard })
  try {
    return await work(session)
  } finally {
    session.close()
  }
}

/** Moves every message of a folder, as another mail program does. */
const moveAll = (owner: Owner, from: string, to: string) =>
  elsewhere(owner, async (session) => {
    await session.openFolder(from, false)
    await session.move(await session.existingUids({ from: 1 }), to)
  })
const onServer = (owner: Owner, path: string) =>
  elsewhere(owner, async (session) => {
    await session.openFolder(path, true)
    const rows = await Array.fromAsync(session.envelopes({ from: 1 }))
    return rows.map(({ envelope }) => envelope?.subject).sort()
  })

describe('two mails under one Message-ID are two', () => {
  test('after the first was moved by another program; both are found', async () => {
    const ada = await newOwner()
    await deliver(ada, FIRST)
    await readOnce(app, ada)
    await moveAll(ada, 'INBOX', 'Archive')
    await readOnce(app, ada)
    await deliver(ada, SECOND)
    await readOnce(app, ada)
    expect(await subjects(ada)).toEqual([SECOND_SUBJECT])
    expect(await subjects(ada, 'archived')).toEqual([FIRST_SUBJECT])
    await makeSearchable(app, ada.id)
    for (const [folder, words, subject] of [
      ['inbox', '80 EUR', SECOND_SUBJECT],
      ['archived', '12 EUR', FIRST_SUBJECT],
    ] as const) {
      const query = { folder, search: words }
      const found = await call(app.url, emails.list, { token: ada.token, query })
      expect(found.body.map((mail) => mail.subject)).toEqual([subject])
    }
  })

  test('while the first is in the trash, and after it was deleted for good', async () => {
    const ada = await newOwner()
    await deliver(ada, FIRST)
    await readOnce(app, ada)
    await act(ada, 'trash')
    await readOnce(app, ada)
    await deliver(ada, SECOND)
    await readOnce(app, ada)
    expect([await subjects(ada), await subjects(ada, 'trash')]).toEqual([[SECOND_SUBJECT], [FIRST_SUBJECT]])
    await act(ada, 'delete', 'trash')
    await readOnce(app, ada)
    await deliver(ada, notice('5050', '12'), 'Archive')
    await readOnce(app, ada)
    expect(await subjects(ada, 'archived')).toEqual(['Customs papers for parcel 5050'])
    expect([await subjects(ada), await subjects(ada, 'trash')]).toEqual([[SECOND_SUBJECT], []])
  })

  test('also if only the text differs, and not its length', async () => {
    const ada = await newOwner()
    await deliver(ada, notice('4711', '01', 12), 'Archive')
    await readOnce(app, ada)
    await deliver(ada, notice('4711', '01', 80))
    await readOnce(app, ada)
    expect([await subjects(ada), await subjects(ada, 'archived')]).toEqual([[FIRST_SUBJECT], [FIRST_SUBJECT]])
  })

  test('in a folder whose messages are listed by their envelopes; only the doubtful ones are fetched', async () => {
    const ada = await newOwner([])
    const others = Array.from({ length: 25 }, (_, at) =>
      testMail({ 'Message-ID': `<${at}@far.example>`, Subject: `Mail ${at}` }),
    )
    await servers.dovecot.deliverMany(ada.name, 'INBOX', [FIRST, ...others])
    await servers.dovecot.deliverMany(ada.name, 'Projects', [SECOND, ...others])
    expect(await readOnce(app, ada)).toBe(27)
    expect(await subjects(ada, 'archived')).toEqual([SECOND_SUBJECT])
    const fetches = ada.commands.flatMap((line) => /^UID FETCH (\S+) .*BODY/.exec(line)?.[1] ?? [])
    expect(fetches).toEqual(['1:26', '1'])
  })

  test('also in one second under one subject, where one of them is known by its envelope', async () => {
    const ada = await newOwner()
    const others = Array.from({ length: 25 }, (_, at) =>
      testMail({ 'Message-ID': `<${at}@far.example>`, Subject: `Mail ${at}` }),
    )
    await servers.dovecot.deliverMany(ada.name, 'Archive', [...others, notice('4711', '01', 12)])
    await deliver(ada, notice('4711', '01', 1200), 'Projects')
    for (let pass = 0; pass < 2; pass += 1) await readOnce(app, ada)
    const found = (await listFolder(app, ada, 'archived')).filter(({ subject }) => subject === FIRST_SUBJECT)
    const both = ['Please pay 12 EUR for parcel 4711.', 'Please pay 1200 EUR for parcel 4711.']
    expect(found.map(({ content }) => content.trim()).sort()).toEqual(both)
  })

  test('when the second arrives at the moment at which the first disappears', async () => {
    const ada = await newOwner()
    await deliver(ada, FIRST, 'Sent')
    await readOnce(app, ada)
    await elsewhere(ada, async (session) => {
      await session.openFolder('Sent', false)
      await session.expunge(await session.existingUids({ from: 1 }))
    })
    await deliver(ada, SECOND)
    await readOnce(app, ada)
    app.clock.forward(1000)
    await readOnce(app, ada)
    expect([await subjects(ada), await subjects(ada, 'sent')]).toEqual([[SECOND_SUBJECT], []])
  })

  test('for a mail that an earlier version stored without a digest', async () => {
    const ada = await newOwner()
    await deliver(ada, FIRST)
    await readOnce(app, ada)
    const [first] = await listFolder(app, ada)
    await runSql(app.context.db, 'UPDATE emails SET digest = NULL WHERE user_id = $1', [ada.id])
    await moveAll(ada, 'INBOX', 'Archive')
    await deliver(ada, notice('4711', '01', 80))
    await readOnce(app, ada)
    expect((await listFolder(app, ada, 'archived')).map(({ id }) => id)).toEqual([first?.id])
    expect(await subjects(ada)).toEqual([FIRST_SUBJECT])
  })

  test('for which a large one is read without holding up the account', async () => {
    const ada = await newOwner()
    const large = (euros: number) =>
      testMail(
        { Subject: 'Long', 'Message-ID': ID, Date: 'Sun, 01 Nov 2026 08:00:00 +0000' },
        `${'Words that fill a mail.\r\n'.repeat(4000)}${euros} EUR\r\n`,
      )
    await deliver(ada, large(12))
    await readOnce(app, ada)
    await runSql(app.context.db, 'UPDATE emails SET digest = NULL WHERE user_id = $1', [ada.id])
    const held: unknown[] = []
    const { blobs } = app.context
    const get = vi.spyOn(blobs, 'get').mockImplementation(async (key) => {
      const free = "SELECT pg_try_advisory_xact_lock(hashtextextended('ingest', $1)) AS free"
      held.push((await runSql(app.context.db, free, [ada.id])).rows)
      get.mockRestore()
      return blobs.get(key)
    })
    await deliver(ada, large(80))
    await readOnce(app, ada)
    get.mockRestore()
    expect(held).toEqual([[{ free: true }]])
    expect(await subjects(ada)).toEqual(['Long', 'Long'])
  })

  test('and an answer belongs to the newer one', async () => {
    const ada = await newOwner()
    await deliver(ada, SECOND)
    await deliver(ada, FIRST)
    await readOnce(app, ada)
    const headers = { From: ada.address, To: 'info@parcels.example', Subject: 'Paid', 'In-Reply-To': ID }
    await deliver(ada, testMail(headers), 'Sent')
    await readOnce(app, ada)
    const [answer] = await listFolder(app, ada, 'sent')
    const thread = await call(app.url, emails.thread, { token: ada.token, params: { id: answer?.id ?? 0 } })
    expect(thread.body.map(({ subject }) => subject).sort()).toEqual([SECOND_SUBJECT, 'Paid'])
  })

  test('as versions of a draft that another program saves are: the newer takes the place of the older', async () => {
    const ada = await newOwner()
    const draft = (text: string) =>
      testMail(
        { From: ada.address, To: 'bob@far.example', Subject: 'Plan', 'Message-ID': '<plan@phone>' },
        text,
      )
    await deliver(ada, draft('Begun\r\n'), 'Drafts')
    await readOnce(app, ada)
    await elsewhere(ada, async (session) => {
      await session.openFolder('Drafts', false)
      await session.expunge(await session.existingUids({ from: 1 }))
    })
    await deliver(ada, draft('Done\r\n'), 'Drafts')
    for (let pass = 0; pass < 2; pass += 1) {
      app.clock.forward(1000)
      await readOnce(app, ada)
    }
    expect((await listFolder(app, ada, 'drafts')).map(({ content }) => content.trim())).toEqual(['Done'])
  })

  test('when a move is tried again on a server without MOVE: the copy of the other one is not taken for its own', async () => {
    const ada = await newOwner(['MOVE'])
    await deliver(ada, SECOND, 'Trash')
    await deliver(ada, FIRST)
    await readOnce(app, ada)
    await act(ada, 'trash')
    await runSql(app.context.db, 'UPDATE pending_actions SET attempts = 3 WHERE user_id = $1', [ada.id])
    await readOnce(app, ada)
    expect(await onServer(ada, 'Trash')).toEqual([FIRST_SUBJECT, SECOND_SUBJECT])
    expect(await onServer(ada, 'INBOX')).toEqual([])
  })
})

describe('a copy of a mail is the same mail', () => {
  test('in another folder, with other header fields, line ends and lines at the end', async () => {
    const ada = await newOwner()
    await deliver(ada, FIRST)
    await readOnce(app, ada)
    await deliver(ada, `X-Status: A\r\nReceived: by filter\r\n${FIRST}\r\n\r\n`, 'Archive')
    expect(await readOnce(app, ada)).toBe(0)
    expect([await subjects(ada), await subjects(ada, 'archived')]).toEqual([[FIRST_SUBJECT], []])
  })

  test('after its account was moved to a server that encodes texts in another way', async () => {
    const ada = await newOwner()
    const encoded = (encoding: string, text: string) =>
      testMail(
        {
          Subject: 'Menu',
          'Message-ID': '<menu@far.example>',
          Date: 'Sun, 01 Nov 2026 08:00:00 +0000',
          'Content-Type': 'text/plain; charset=utf-8',
          'Content-Transfer-Encoding': encoding,
        },
        text,
      )
    await deliver(ada, encoded('quoted-printable', 'Caf=C3=A9 and cake\r\n'), 'Archive')
    await readOnce(app, ada)
    const base64 = Buffer.from('Café and\r\ncake').toString('base64')
    await deliver(ada, encoded('base64', `${base64}\r\n`))
    expect(await readOnce(app, ada)).toBe(0)
  })

  test('in the account at another provider, which counts another size, of a mail known by its envelope', async () => {
    const ada = await newOwner()
    await deliver(ada, FIRST)
    await readOnce(app, ada)
    const sql = 'UPDATE emails SET digest = NULL, has_body = false WHERE user_id = $1'
    await runSql(app.context.db, sql, [ada.id])
    const name = NAMES[serial++] ?? ''
    await deliver({ ...ada, name }, `X-Moved: yes\r\n${FIRST}`)
    const { password } = servers.dovecot.user(name)
    const moved = await call(app.url, mailboxSetup.save, {
      token: ada.token,
      body: { imap_username: name, imap_password: password },
    })
    expect(moved.status).toBe(200)
    expect(await readOnce(app, ada)).toBe(0)
    expect(await subjects(ada)).toEqual([FIRST_SUBJECT])
  })

  test('and does not come back after it was deleted for good', async () => {
    const ada = await newOwner()
    await deliver(ada, FIRST)
    await readOnce(app, ada)
    await act(ada, 'trash')
    await act(ada, 'delete', 'trash')
    await readOnce(app, ada)
    await deliver(ada, FIRST, 'Projects')
    expect(await readOnce(app, ada)).toBe(0)
  })

  test('in each account that it came to, and once in its conversation', async () => {
    const ada = await newOwner()
    const second = await secondAccount(ada)
    const shown = []
    for (const owner of [ada, second]) {
      await deliver(owner, `Delivered-To: ${owner.name}\r\n${FIRST}`)
      expect(await readOnce(app, owner)).toBe(1)
      const query = { mailbox: owner.mailboxId }
      shown.push((await call(app.url, emails.list, { token: ada.token, query })).body)
    }
    expect(shown.map((rows) => rows.map(({ subject, isRead }) => [subject, isRead]))).toEqual([
      [[FIRST_SUBJECT, false]],
      [[FIRST_SUBJECT, false]],
    ])
    for (const id of shown.flatMap((rows) => rows.map((row) => row.id))) {
      const thread = await call(app.url, emails.thread, { token: ada.token, params: { id } })
      expect(thread.body.map((mail) => mail.id)).toEqual([id])
    }
  })

  test('and a reply that came to two accounts counts once', async () => {
    const ada = await newOwner()
    const second = await secondAccount(ada)
    const raw = await send(ada, 'bob@far.example', 'An offer', 'Would you like it?')
    const date = app.clock.now().toUTCString()
    const headers = { From: 'bob@far.example', 'Message-ID': '<b@far>', 'In-Reply-To': idOf(raw), Date: date }
    for (const owner of [ada, second]) {
      await deliver(owner, testMail(headers, 'Yes, please.\r\n'))
      await readOnce(app, owner)
    }
    const { rows } = await runSql(
      app.context.db,
      "SELECT sum(r) AS replies FROM mail_activity, unnest(replies) r WHERE user_id = $1 AND source = 'read'",
      [ada.id],
    )
    expect(Number((rows[0] as { replies: unknown }).replies)).toBe(1)
  })
})

/** Another account of this user, on the same servers. */
async function secondAccount(owner: Owner): Promise<Owner> {
  await setPlan(app, owner, 'starter')
  const name = NAMES[serial++] ?? ''
  const { host, port, password } = servers.dovecot.user(name)
  const address = `${name}@muster.example`
  const added = await call(app.url, mailboxSetup.addAccount, {
    token: owner.token,
    body: mailAccountAt(servers.sink, { login: name, password, from: address, imap: { host, port } }),
  })
  if (added.status !== 200) throw new Error(added.error.detail)
  return { ...owner, name, address, mailboxId: added.body.id }
}

/** Sends a mail through the sink. Returns it as the server took it. */
async function send(from: Owner, to: string, subject: string, content: string): Promise<string> {
  const before = servers.sink.received.length
  const sent = await call(app.url, emails.send, { token: from.token, body: { to, subject, content } })
  if (sent.status !== 200) throw new Error(sent.error.detail)
  return (
    servers.sink.received
      .slice(before)
      .find(({ username }) => username === from.name)
      ?.raw.toString() ?? ''
  )
}
const idOf = (raw: string) => /^Message-ID: (<[^>]+>)/im.exec(raw)?.[1] ?? ''
const underAnotherId = (raw: string, id: string) => raw.replace(idOf(raw), id)

/** The words of a mail, sent again by another program, with a file or without. */
function fromPhone(raw: string, date: string, file: string | null): string {
  const words = 'Would you like it?\r\n'
  const headers = {
    From: /^From: (.*)\r$/m.exec(raw)?.[1] ?? '',
    To: 'bob@far.example',
    Subject: 'An offer',
    Date: date,
    'Message-ID': `<${file ?? 'none'}@phone.example>`,
  }
  if (file === null) return testMail(headers, words)
  return testMail(
    { ...headers, 'MIME-Version': '1.0', 'Content-Type': 'multipart/mixed; boundary=b' },
    `--b\r\nContent-Type: text/plain\r\n\r\n${words}--b\r\nContent-Type: application/pdf; name=${file}\r\nContent-Disposition: attachment; filename=${file}\r\n\r\nbytes\r\n--b--\r\n`,
  )
}

describe('a sent mail that its provider files under a Message-ID of its own', () => {
  test('is in Sent once, here and on the server, and answers to it are replies', async () => {
    const ada = await newOwner()
    await addContact(app, ada, 'bob@far.example')
    for (const text of ['First text', 'Second text']) {
      const raw = await send(ada, 'bob@far.example', 'An offer', text)
      await deliver(ada, underAnotherId(raw, `<${text.slice(0, 5)}@provider.example>`), 'Sent')
    }
    app.clock.forward(APPEND_MS + 1000)
    await readOnce(app, ada)
    await readOnce(app, ada)
    expect(await subjects(ada, 'sent')).toEqual(['An offer', 'An offer'])
    expect(await onServer(ada, 'Sent')).toEqual(['An offer', 'An offer'])
    const headers = { From: 'bob@far.example', Subject: 'Yes', 'In-Reply-To': '<First@provider.example>' }
    await deliver(ada, testMail(headers, 'Yes, please send it.\r\n'))
    await readOnce(app, ada)
    const [reply] = await listFolder(app, ada)
    const thread = await call(app.url, emails.thread, { token: ada.token, params: { id: reply?.id ?? 0 } })
    expect(thread.body.map(({ content }) => content).sort()).toEqual(['First text', 'Yes, please send it.'])
    expect((await contactOf(app, ada, 'bob@far.example')).computed_status).toBe('interested')
  })

  test('is in Sent once, whatever was changed in its subject to send it', async () => {
    const ada = await newOwner()
    const raw = await send(ada, 'bob@far.example', 'An  offer =?', 'Would you like it?')
    await deliver(ada, underAnotherId(raw, '<subject@provider.example>'), 'Sent')
    app.clock.forward(APPEND_MS + 1000)
    for (let pass = 0; pass < 2; pass += 1) await readOnce(app, ada)
    expect(await subjects(ada, 'sent')).toHaveLength(1)
    expect(await onServer(ada, 'Sent')).toHaveLength(1)
  })

  test('is known by the header of Exchange, whatever else is changed', async () => {
    const ada = await newOwner()
    const raw = await send(ada, 'bob@far.example', 'An offer', 'Would you like it?')
    const copy = testMail(
      {
        From: ada.address,
        To: 'Bob <bob@far.example>',
        Subject: 'An offer',
        Date: 'Mon, 02 Nov 2026 08:00:00 +0000',
        'Message-ID': '<AM0PR01@outlook.example>',
        'X-Microsoft-Original-Message-ID': idOf(raw),
      },
      'Would you like it? Sent in the name of a company\r\n',
    )
    await deliver(ada, copy, 'Sent')
    await readOnce(app, ada)
    app.clock.forward(APPEND_MS + 1000)
    await readOnce(app, ada)
    expect([await subjects(ada, 'sent'), await onServer(ada, 'Sent')]).toEqual([['An offer'], ['An offer']])
  })

  test('stays one when the copy comes after we have filed our own, and by its own Message-ID too', async () => {
    const ada = await newOwner()
    const raw = await send(ada, 'bob@far.example', 'An offer', 'Would you like it?')
    app.clock.forward(APPEND_MS + 1000)
    await readOnce(app, ada)
    await deliver(ada, underAnotherId(raw, '<late@provider.example>'), 'Sent')
    await deliver(ada, raw, 'Sent')
    await readOnce(app, ada)
    expect(await subjects(ada, 'sent')).toEqual(['An offer'])
  })

  test.each(['before', 'after'])(
    'is not taken for mails that a phone sends with the same words and other files, %s our copy is filed',
    async (when) => {
      const ada = await newOwner()
      const raw = await send(ada, 'bob@far.example', 'An offer', 'Would you like it?')
      app.clock.forward(APPEND_MS + 1000)
      if (when === 'after') for (let pass = 0; pass < 2; pass += 1) await readOnce(app, ada)
      const date = app.clock.now().toUTCString()
      for (const file of ['one.pdf', 'two.pdf']) await deliver(ada, fromPhone(raw, date, file), 'Sent')
      if (when === 'after') await deliver(ada, fromPhone(raw, date, null), 'Sent')
      for (let pass = 0; pass < 2; pass += 1) await readOnce(app, ada)
      const sent = when === 'after' ? 4 : 3
      expect(await subjects(ada, 'sent')).toHaveLength(sent)
      const first = (await listFolder(app, ada, 'sent'))[0]?.id ?? 0
      await call(app.url, emails.act, { token: ada.token, body: { action: 'trash', ids: [first] } })
      await readOnce(app, ada)
      expect(await onServer(ada, 'Sent')).toHaveLength(sent - 1)
    },
  )

  test('is in Sent once, with its files and a picture in its text', async () => {
    const ada = await newOwner()
    const { file } = await uploadAs(app, ada, 'Müller offer.pdf', 'bytes')
    const before = servers.sink.received.length
    const body = {
      to: 'bob@far.example',
      subject: 'An offer',
      content: 'Here it is.',
      html: `<p>Here it is. <img alt="" src="${A_PICTURE}"></p>`,
      attachments: [file.id],
    }
    expect((await call(app.url, emails.send, { token: ada.token, body })).status).toBe(200)
    const raw = servers.sink.received.slice(before).find(({ username }) => username === ada.name)?.raw
    await deliver(ada, underAnotherId(raw?.toString() ?? '', '<files@provider.example>'), 'Sent')
    await readOnce(app, ada)
    app.clock.forward(APPEND_MS + 1000)
    await readOnce(app, ada)
    expect([await subjects(ada, 'sent'), await onServer(ada, 'Sent')]).toEqual([['An offer'], ['An offer']])
  })

  test('is not taken for another mail to the same person about the same', async () => {
    const ada = await newOwner()
    const raw = await send(ada, 'bob@far.example', 'An offer', 'Would you like it?')
    const other = underAnotherId(raw, '<phone@phone.example>').replace(
      'Would you like it?',
      'Forget my mail.',
    )
    await deliver(ada, other, 'Sent')
    app.clock.forward(APPEND_MS + 1000)
    await readOnce(app, ada)
    expect(await subjects(ada, 'sent')).toEqual(['An offer', 'An offer'])
    expect(await onServer(ada, 'Sent')).toEqual(['An offer', 'An offer'])
  })
})

test('a sent mail is filed once by a server without UIDVALIDITY, whose envelopes and searches say little', async () => {
  const folders = {
    INBOX: scriptedFolder(['one']),
    Sent: { ...scriptedFolder([], '\\Sent'), says: { uidValidity: null } },
  }
  const far = await startHostileImap({
    folders,
    script({ name, rest }, { line, ok }) {
      if (name !== 'UID SEARCH' || !rest.includes('HEADER')) return false
      line('* SEARCH')
      ok()
      return true
    },
  })
  try {
    const name = NAMES[serial++] ?? ''
    const address = `${name}@muster.example`
    const server = { ...far, username: name, password: 'open sesame' }
    const ada = {
      ...(await connectReader(app, server, address, servers.sink.port)),
      name,
      address,
      commands: [],
    }
    const mail = await send(ada, 'bob@far.example', 'An offer', 'Would you like it?')
    const raw = underAnotherId(
      mail,
      `<own@provider.example>\r\nX-Microsoft-Original-Message-ID: ${idOf(mail)}`,
    )
    const sent = far.folders.get('Sent')
    sent?.mails.push({ uid: sent.uidNext++, raw, flags: new Set() })
    await readOnce(app, ada)
    app.clock.forward(APPEND_MS + 1000)
    for (let pass = 0; pass < 2; pass += 1) await readOnce(app, ada)
    expect(await subjects(ada, 'sent')).toEqual(['An offer'])
    expect(sent?.mails).toHaveLength(1)
  } finally {
    await far.stop()
  }
})

describe('a mail to oneself is two: the one that was sent, and the one that arrived', () => {
  const bySubject = (owner: Owner) =>
    Promise.all((['inbox', 'sent', 'archived', 'trash'] as const).map((folder) => subjects(owner, folder)))
  const note = (owner: Owner) =>
    testMail(
      {
        From: owner.address,
        To: owner.address,
        Subject: 'Note',
        'Message-ID': `<note@${owner.name}.example>`,
        Date: 'Sun, 01 Nov 2026 08:00:00 +0000',
      },
      'Buy clay\r\n',
    )
  /** What a provider files and delivers of it; Gmail's copy in Sent has a Received header, too. */
  async function sentToSelf(owner: Owner): Promise<void> {
    const raw = await send(owner, owner.address, 'Note', 'Buy clay')
    await deliver(owner, `Received: from howl\r\n${raw}`, 'Sent')
    await deliver(owner, `Received: from far\r\n${raw}`)
    app.clock.forward(APPEND_MS + 1000)
    await readOnce(app, owner)
    expect(await bySubject(owner)).toEqual([['Note'], ['Note'], [], []])
  }

  test.each(['Archive', 'Projects'])(
    'the one that arrived is followed to %s, and the sent one goes to the trash alone',
    async (path) => {
      const ada = await newOwner()
      await sentToSelf(ada)
      await elsewhere(ada, (session) => session.createFolder(path))
      await moveAll(ada, 'INBOX', path)
      await readOnce(app, ada)
      expect(await bySubject(ada)).toEqual([[], ['Note'], ['Note'], []])
      await act(ada, 'trash', 'sent')
      for (let pass = 0; pass < 2; pass += 1) await readOnce(app, ada)
      expect(await bySubject(ada)).toEqual([[], [], ['Note'], ['Note']])
      expect([await onServer(ada, path), await onServer(ada, 'Trash')]).toEqual([['Note'], ['Note']])
    },
  )

  test('the sent one is followed, and the one that arrived stays', async () => {
    const ada = await newOwner()
    await sentToSelf(ada)
    const [sent] = await listFolder(app, ada, 'sent')
    await moveAll(ada, 'Sent', 'Archive')
    for (let pass = 0; pass < 2; pass += 1) await readOnce(app, ada)
    expect(await bySubject(ada)).toEqual([['Note'], [], ['Note'], []])
    expect((await listFolder(app, ada, 'archived')).map(({ id }) => id)).toEqual([sent?.id])
  })

  test('also where one more folder shows every mail, as at Gmail', async () => {
    const ada = await newOwner()
    const raw = await send(ada, ada.address, 'Note', 'Buy clay')
    for (const path of ['INBOX', 'Sent', 'All mail']) await deliver(ada, `Received: from far\r\n${raw}`, path)
    app.clock.forward(APPEND_MS + 1000)
    for (let pass = 0; pass < 2; pass += 1) await readOnce(app, ada)
    expect(await bySubject(ada)).toEqual([['Note'], ['Note'], [], []])
    await elsewhere(ada, async (session) => {
      await session.openFolder('INBOX', false)
      await session.expunge(await session.existingUids({ from: 1 }))
    })
    for (let pass = 0; pass < 2; pass += 1) await readOnce(app, ada)
    expect(await bySubject(ada)).toEqual([[], ['Note'], ['Note'], []])
  })

  test('both are followed when both are moved', async () => {
    const ada = await newOwner()
    await sentToSelf(ada)
    await moveAll(ada, 'Sent', 'Archive')
    await moveAll(ada, 'INBOX', 'Archive')
    for (let pass = 0; pass < 3; pass += 1) await readOnce(app, ada)
    expect(await bySubject(ada)).toEqual([[], [], ['Note', 'Note'], []])
  })

  test('also when the one that arrived goes to the trash on a server that does not say its new UID', async () => {
    const ada = await newOwner(['UIDPLUS'])
    await sentToSelf(ada)
    await act(ada, 'trash')
    for (let pass = 0; pass < 2; pass += 1) await readOnce(app, ada)
    expect(await bySubject(ada)).toEqual([[], ['Note'], [], ['Note']])
    await act(ada, 'delete', 'trash')
    for (let pass = 0; pass < 2; pass += 1) await readOnce(app, ada)
    expect([await onServer(ada, 'Sent'), await onServer(ada, 'Trash')]).toEqual([['Note'], []])
  })

  test('also where the one that arrived was put away before the account was connected', async () => {
    const ada = await newOwner()
    await deliver(ada, note(ada), 'Sent')
    await deliver(ada, `Received: from far\r\n${note(ada)}`, 'Projects')
    await readOnce(app, ada)
    expect(await bySubject(ada)).toEqual([[], ['Note'], ['Note'], []])
    await servers.dovecot.resetUidValidity(ada.name, 'Projects')
    for (let pass = 0; pass < 2; pass += 1) await readOnce(app, ada)
    expect(await bySubject(ada)).toEqual([[], ['Note'], ['Note'], []])
  })
})

test('who knows the Message-ID of our mail can neither hide it nor be taken for us', async () => {
  const ada = await newOwner()
  const raw = await send(ada, 'bob@far.example', 'An offer', 'Would you like it?')
  app.clock.forward(APPEND_MS + 1000)
  await readOnce(app, ada)
  const forged = { From: ada.address, To: 'bob@far.example', 'Message-ID': idOf(raw) }
  const date = /^Date: (.*)\r$/m.exec(raw)?.[1] ?? ''
  await deliver(ada, testMail({ ...forged, Subject: 'Pay me', Date: date }, 'Pay 900 EUR.\r\n'), 'Projects')
  const original = { 'X-Microsoft-Original-Message-ID': idOf(raw) }
  await deliver(ada, testMail({ ...original, Subject: 'Pay me too', 'Message-ID': '<x@far.example>' }))
  await readOnce(app, ada)
  expect(await subjects(ada, 'sent')).toEqual(['An offer'])
  expect(await subjects(ada, 'archived')).toEqual(['Pay me'])
  expect(await subjects(ada)).toEqual(['Pay me too'])
})
