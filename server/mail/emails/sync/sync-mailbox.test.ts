import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emails } from '#contract/mail/emails.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { call } from '../../../../tests/support/client.ts'
import { type MailServers, startMailServers, testMail } from '../../../../tests/support/mail-servers.ts'
import {
  addContact,
  connectReader,
  contactOf,
  listFolder,
  type Reader,
  readOnce,
} from '../../../../tests/support/reading.ts'
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts'
import { runSql } from '../../../platform/database/transaction.ts'
import { APPEND_MS } from './append-sent.ts'

let app: TestApp
let servers: MailServers
let serial = 0
const NAMES = Array.from({ length: 30 }, (_, at) => `user${at}`)

beforeAll(async () => {
  servers = await startMailServers({ users: Object.fromEntries(NAMES.map((name) => [name, 'open sesame'])) })
  app = await startTestApp({ roles: ['web'] })
})

afterAll(async () => {
  await app?.end()
  await servers?.stop()
})

type Owner = Reader & { name: string }

/** A new user with an account of their own. */
async function newReader(): Promise<Owner> {
  const name = NAMES[serial++] ?? ''
  return {
    ...(await connectReader(app, servers.dovecot.user(name), `${name}@muster.example`, servers.sink.port)),
    name,
  }
}

const deliver = (to: Owner, raw: string | Buffer, folder = 'INBOX', at?: Date) =>
  servers.dovecot.deliver(to.name, folder, raw, at)
const numbered = (count: number, from = 1) =>
  Array.from({ length: count }, (_, at) =>
    testMail({ 'Message-ID': `<${from + at}@far.example>`, Subject: `Mail ${from + at}` }),
  )
const folders = async ({ token }: Owner) => (await call(app.url, mailboxes.get, { token })).body.folders
const sql = async (text: string, values: unknown[]) =>
  (await runSql(app.context.db, text, values)).rows as Record<string, unknown>[]

/** Sends a message through the sink. Returns its Message-ID. */
async function send(from: Owner, to: string, subject = 'An offer'): Promise<string> {
  const sent = await call(app.url, emails.send, {
    token: from.token,
    body: { to, subject, content: 'Would you like to see it?' },
  })
  if (sent.status !== 200) throw new Error(sent.error.detail)
  const detail = await call(app.url, emails.get, { token: from.token, params: { id: sent.body.id } })
  return detail.body.message_id
}

describe('a first sync', () => {
  test('brings every folder, each message where it belongs, with its flags, text and files', async () => {
    const ada = await newReader()
    await deliver(
      ada,
      testMail(
        {
          From: 'Bob Builder <bob@far.example>',
          To: `${ada.name}@muster.example`,
          Subject: 'Größe',
          'Message-ID': '<1@far>',
        },
        'The first words.\r\n',
      ),
    )
    await deliver(ada, testMail({ 'Message-ID': '<2@far>', Subject: 'Win' }), 'Junk')
    await deliver(ada, testMail({ 'Message-ID': '<3@far>', Subject: 'Old' }), 'Archive')
    await deliver(ada, testMail({ 'Message-ID': '<4@far>', Subject: 'Away' }), 'Trash')
    await deliver(
      ada,
      testMail({
        From: `${ada.name}@muster.example`,
        To: 'carl@far.example',
        'Message-ID': '<5@here>',
        Subject: 'Written elsewhere',
      }),
      'Sent',
    )
    await deliver(ada, testMail({ 'Message-ID': '<6@far>', Subject: 'Filed' }), 'Projects')
    expect(await readOnce(app, ada)).toBe(6)

    const [mail] = await listFolder(app, ada)
    expect(mail).toMatchObject({
      subject: 'Größe',
      from: 'bob@far.example',
      from_name: 'Bob Builder',
      content: 'The first words.',
      isRead: false,
    })
    expect((await listFolder(app, ada, 'spam')).map(({ subject }) => subject)).toEqual(['Win'])
    expect((await listFolder(app, ada, 'archived')).map(({ subject }) => subject).sort()).toEqual([
      'Filed',
      'Old',
    ])
    expect((await listFolder(app, ada, 'trash')).map(({ subject }) => subject)).toEqual(['Away'])
    expect((await listFolder(app, ada, 'sent')).map(({ subject, isRead }) => [subject, isRead])).toEqual([
      ['Written elsewhere', true],
    ])
    expect(
      (await folders(ada)).map(({ path, behind, last_error }) => [path, behind, last_error]),
    ).toContainEqual(['INBOX', 0, null])
    expect(await readOnce(app, ada)).toBe(0)
  })

  test('of thousands of messages misses none, newest first', async () => {
    const ada = await newReader()
    await servers.dovecot.deliverMany(ada.name, 'INBOX', numbered(1500))
    expect(await readOnce(app, ada)).toBe(1500)
    const [row] = await sql(
      'SELECT count(DISTINCT message_id) AS mails, count(*) AS all FROM emails WHERE user_id = $1',
      [ada.id],
    )
    expect(row).toEqual({ mails: 1500, all: 1500 })
    const order = await sql('SELECT message_id FROM emails WHERE user_id = $1 ORDER BY id LIMIT 1', [ada.id])
    expect(order[0]?.['message_id']).toBe('1301@far.example')
  })

  test('of many messages leaves the tables analyzed', async () => {
    const ada = await newReader()
    await servers.dovecot.deliverMany(ada.name, 'INBOX', numbered(1000))
    const seen = async () =>
      (await sql(`SELECT reltuples AS mails FROM pg_class WHERE oid = 'emails'::regclass`, []))[0]?.['mails']
    await sql('ANALYZE emails', [])
    const before = Number(await seen())
    await readOnce(app, ada)
    await expect.poll(seen).toBe(before + 1000)
  })

  test.each([
    ['a small message in the raw message', 2, { html: null, html_in_raw: true }],
    ['a large one in its row', 2000, { html: expect.stringContaining('<p>Word 1999'), html_in_raw: false }],
  ])('keeps the HTML of %s', async (_, paragraphs, row) => {
    const ada = await newReader()
    const html = Array.from({ length: paragraphs }, (_none, n) => `<p>Word ${n} of a <b>bold</b> offer</p>`)
    const headers = {
      'Message-ID': `<html-${paragraphs}@far>`,
      'MIME-Version': '1.0',
      'Content-Type': 'text/html',
    }
    await deliver(ada, testMail(headers, html.join('\r\n')))
    await readOnce(app, ada)
    expect(await sql('SELECT html, html_in_raw FROM email_bodies WHERE user_id = $1', [ada.id])).toEqual([
      row,
    ])
    const [mail] = await listFolder(app, ada)
    const { body } = await call(app.url, emails.get, { token: ada.token, params: { id: mail?.id ?? 0 } })
    expect(body.html).toContain(`<p>Word ${paragraphs - 1} of a <b>bold</b> offer</p>`)
    expect(body.html_url).not.toBeNull()
  })

  test('keeps a large attachment whole', async () => {
    const ada = await newReader()
    const file = Buffer.alloc(2_000_000, 'howl').toString('base64').replaceAll(/.{76}/g, '$&\r\n')
    const body = `--b\r\nContent-Type: text/plain\r\n\r\nSee the file.\r\n--b\r\nContent-Type: application/pdf; name="plan.pdf"\r\nContent-Disposition: attachment; filename="plan.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\n${file}\r\n--b--\r\n`
    await deliver(
      ada,
      testMail(
        { 'Message-ID': '<big@far>', 'MIME-Version': '1.0', 'Content-Type': 'multipart/mixed; boundary=b' },
        body,
      ),
    )
    await readOnce(app, ada)
    const [mail] = await listFolder(app, ada)
    expect(mail?.attachments).toEqual(['plan.pdf'])
    const [row] = await sql('SELECT raw_key, files FROM email_bodies WHERE user_id = $1', [ada.id])
    expect(row?.['files']).toMatchObject([{ name: 'plan.pdf', type: 'application/pdf', size: 2_000_000 }])
    expect((await app.context.blobs.get(String(row?.['raw_key']))).includes('plan.pdf')).toBe(true)
  })

  test('lists the messages of a slow or mostly known folder by their envelopes, and completes them', async () => {
    const ada = await newReader()
    await servers.dovecot.deliverMany(ada.name, 'Archive', numbered(60))
    await deliver(ada, testMail({ Subject: 'No name of its own' }, 'Words without an id.\r\n'), 'Archive')
    expect(await readOnce(app, ada)).toBe(61)
    const rows = await sql('SELECT has_body, snippet FROM emails WHERE user_id = $1', [ada.id])
    expect(rows.every((row) => row['has_body'] === true && row['snippet'] !== '')).toBe(true)
    expect((await folders(ada)).find(({ path }) => path === 'Archive')?.behind).toBe(0)
  })
})

describe('a known message', () => {
  test('is not duplicated when UIDVALIDITY changes, and nothing is lost', async () => {
    const ada = await newReader()
    await servers.dovecot.deliverMany(ada.name, 'INBOX', numbered(50))
    await readOnce(app, ada)
    await servers.dovecot.resetUidValidity(ada.name, 'INBOX')
    await servers.dovecot.deliverMany(ada.name, 'INBOX', numbered(3, 51))
    expect(await readOnce(app, ada)).toBe(3)
    expect(await listFolder(app, ada)).toHaveLength(53)
    const [locations] = await sql(
      'SELECT count(*) AS locations, count(DISTINCT uid_validity) AS numberings FROM email_locations WHERE user_id = $1',
      [ada.id],
    )
    expect(locations).toEqual({ locations: 53, numberings: 1 })
  })

  test('is one row when it is in two folders, and two rows as two copies in one folder', async () => {
    const ada = await newReader()
    const raw = testMail({ 'Message-ID': '<same@far>', Subject: 'Same' })
    await deliver(ada, raw)
    await deliver(ada, raw, 'Archive')
    await deliver(ada, raw)
    expect(await readOnce(app, ada)).toBe(2)
    expect(await listFolder(app, ada)).toHaveLength(2)
    expect(await listFolder(app, ada, 'archived')).toHaveLength(0)
  })

  test('is also in the inbox when the user wrote to themselves', async () => {
    const ada = await newReader()
    const self = `${ada.name}@muster.example`
    const id = await send(ada, self, 'To myself')
    await deliver(ada, testMail({ From: self, To: self, Subject: 'To myself', 'Message-ID': `<${id}>` }))
    await readOnce(app, ada)
    expect((await listFolder(app, ada)).map(({ subject }) => subject)).toEqual(['To myself'])
    expect(await listFolder(app, ada, 'sent')).toHaveLength(1)
  })

  test('takes over flags set elsewhere, and follows when it is moved there', async () => {
    const ada = await newReader()
    await servers.dovecot.deliverMany(ada.name, 'INBOX', numbered(2))
    await readOnce(app, ada)
    const session = await openAt(ada)
    await session.openFolder('INBOX', false)
    const [first = 0, second = 0] = await session.existingUids({ from: 1 })
    await session.setFlags([first], { add: ['\\Seen', '\\Flagged'] })
    await session.move([second], 'Trash')
    session.close()
    await readOnce(app, ada)
    const inbox = await listFolder(app, ada)
    expect(inbox.map(({ isRead, isStarred }) => [isRead, isStarred])).toEqual([[true, true]])
    expect(await listFolder(app, ada, 'trash')).toMatchObject([
      { status: 'trashed', original_folder: 'inbox' },
    ])
    const locations = await sql('SELECT path FROM email_locations WHERE user_id = $1 ORDER BY path', [ada.id])
    expect(locations.map(({ path }) => path)).toEqual(['INBOX', 'Trash'])
  })
})

async function openAt(ada: Owner) {
  const { openImap } = await import('../../../platform/gateways/imap.ts')
  return openImap(servers.dovecot.user(ada.name), { guard: app.context.guard })
}

describe('an answer', () => {
  test('that refers to our message counts as a reply at once, in status, last contact and rate', async () => {
    const ada = await newReader()
    await addContact(app, ada, 'bob@far.example')
    await addContact(app, ada, 'carl@far.example', 'Carl')
    const id = await send(ada, 'bob@far.example')
    await send(ada, 'carl@far.example')
    expect((await contactOf(app, ada, 'bob@far.example')).computed_status).toBe('sent')
    const later = new Date(Date.now() + 2000)
    await deliver(
      ada,
      testMail(
        {
          From: 'bob@far.example',
          Subject: 'Re: An offer',
          'In-Reply-To': `<${id}>`,
          'Message-ID': '<r1@far>',
        },
        'Sounds great, tell me more!\r\n\r\n> Would you like to see it?\r\n',
      ),
      'INBOX',
      later,
    )
    await readOnce(app, ada)
    const bob = await contactOf(app, ada, 'bob@far.example')
    expect(bob.computed_status).toBe('interested')
    expect((await contactOf(app, ada, 'carl@far.example')).computed_status).toBe('sent')
    expect((await call(app.url, emails.responseRate, { token: ada.token })).body).toEqual({
      responseRate: '50%',
      replied: 1,
      mailed: 2,
    })
    const [answer] = await listFolder(app, ada)
    const [, ours] = await listFolder(app, ada, 'sent')
    expect(answer?.intent).toBe('interested')
    expect(answer?.thread_id).toBe(ours?.thread_id)
  })

  test('without a reference counts only from a contact we mailed before', async () => {
    const ada = await newReader()
    await addContact(app, ada, 'bob@far.example')
    await send(ada, 'bob@far.example')
    await send(ada, 'dora@far.example')
    for (const from of ['bob', 'dora'])
      await deliver(
        ada,
        testMail(
          { From: `${from}@far.example`, Subject: 'Hello there', 'Message-ID': `<${from}@far>` },
          'What does it cost?\r\n',
        ),
        'INBOX',
        new Date(Date.now() + 2000),
      )
    await readOnce(app, ada)
    expect((await contactOf(app, ada, 'bob@far.example')).computed_status).toBe('replied')
    const rows = await sql('SELECT replied_at FROM correspondents WHERE user_id = $1 AND address_key = $2', [
      ada.id,
      'dora@far.example',
    ])
    expect(rows).toEqual([{ replied_at: null }])
  })

  test('that was fetched before our message from Sent still counts and joins its conversation', async () => {
    const ada = await newReader()
    await addContact(app, ada, 'bob@far.example')
    await deliver(
      ada,
      testMail({
        From: 'bob@far.example',
        Subject: 'Re: Plans',
        'In-Reply-To': '<p1@here>',
        'Message-ID': '<r@far>',
        Date: 'Tue, 02 Jun 2026 10:00:00 +0000',
      }),
    )
    await deliver(
      ada,
      testMail({
        From: `${ada.name}@muster.example`,
        To: 'bob@far.example',
        Subject: 'Plans',
        'Message-ID': '<p1@here>',
        Date: 'Mon, 01 Jun 2026 10:00:00 +0000',
      }),
      'Sent',
    )
    await readOnce(app, ada)
    expect((await contactOf(app, ada, 'bob@far.example')).computed_status).toBe('replied')
    const threads = await sql('SELECT DISTINCT thread_id FROM emails WHERE user_id = $1', [ada.id])
    expect(threads).toHaveLength(1)
  })

  test('that is automatic is not a reply', async () => {
    const ada = await newReader()
    await addContact(app, ada, 'bob@far.example')
    const id = await send(ada, 'bob@far.example')
    await deliver(
      ada,
      testMail(
        {
          From: 'bob@far.example',
          Subject: 'Automatic reply: An offer',
          'Auto-Submitted': 'auto-replied',
          'In-Reply-To': `<${id}>`,
          'Message-ID': '<o@far>',
        },
        'I am out of office.\r\n',
      ),
    )
    await readOnce(app, ada)
    expect((await contactOf(app, ada, 'bob@far.example')).computed_status).toBe('sent')
    expect((await listFolder(app, ada))[0]?.intent).toBe('out_of_office')
  })

  test('that asks to unsubscribe suppresses the address', async () => {
    const ada = await newReader()
    await addContact(app, ada, 'bob@far.example')
    const id = await send(ada, 'bob@far.example')
    await deliver(
      ada,
      testMail(
        { From: 'bob@far.example', 'In-Reply-To': `<${id}>`, 'Message-ID': '<u@far>' },
        'Please remove me from your list.\r\n',
      ),
    )
    await readOnce(app, ada)
    expect(await contactOf(app, ada, 'bob@far.example')).toMatchObject({
      computed_status: 'replied',
      suppressed: 'unsubscribed',
    })
  })
})

describe('a delivery report', () => {
  const report = (to: string, id: string, status: string, diagnostic: string) =>
    testMail(
      {
        From: 'MAILER-DAEMON@far.example',
        Subject: 'Undelivered Mail Returned to Sender',
        'Message-ID': `<b${++serial}@far>`,
        'MIME-Version': '1.0',
        'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b',
      },
      `--b\r\nContent-Type: text/plain\r\n\r\nIt came back.\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.far.example\r\n\r\nFinal-Recipient: rfc822; ${to}\r\nAction: failed\r\nStatus: ${status}\r\nDiagnostic-Code: smtp; ${diagnostic}\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <${id}>\r\nTo: ${to}\r\n--b--\r\n`,
    )

  test('about an address that does not exist suppresses it and is not a reply', async () => {
    const ada = await newReader()
    await addContact(app, ada, 'gone@far.example')
    const id = await send(ada, 'gone@far.example')
    await deliver(ada, report('gone@far.example', id, '5.1.1', '550 5.1.1 User unknown'))
    await readOnce(app, ada)
    expect(await contactOf(app, ada, 'gone@far.example')).toMatchObject({
      computed_status: 'sent',
      suppressed: 'bounced',
    })
    const [ours] = await listFolder(app, ada, 'sent')
    expect(ours?.delivery).toMatchObject({
      state: 'sent',
      reason: expect.stringContaining('User unknown') as string,
    })
    expect((await call(app.url, emails.responseRate, { token: ada.token })).body.replied).toBe(0)
  })

  test('about a full mailbox only leaves a note', async () => {
    const ada = await newReader()
    await addContact(app, ada, 'full@far.example')
    const id = await send(ada, 'full@far.example')
    await deliver(ada, report('full@far.example', id, '4.2.2', '452 4.2.2 Mailbox full'))
    await readOnce(app, ada)
    expect((await contactOf(app, ada, 'full@far.example')).suppressed).toBeNull()
    expect((await listFolder(app, ada, 'sent'))[0]?.delivery?.reason).toContain('Mailbox full')
  })

  test('about an address we never wrote to suppresses nobody', async () => {
    const ada = await newReader()
    await addContact(app, ada, 'friend@far.example')
    await deliver(ada, report('friend@far.example', 'made-up@here', '5.1.1', '550 5.1.1 User unknown'))
    await readOnce(app, ada)
    expect((await contactOf(app, ada, 'friend@far.example')).suppressed).toBeNull()
  })
})

describe('sent mail', () => {
  test('is appended to the Sent folder once, and does not come back as another message', async () => {
    const ada = await newReader()
    await send(ada, 'bob@far.example', 'First')
    await send(ada, 'bob@far.example', 'Second')
    app.clock.forward(APPEND_MS + 1000)
    await readOnce(app, ada)
    await readOnce(app, ada)
    expect(await listFolder(app, ada, 'sent')).toHaveLength(2)
    const session = await openAt(ada)
    const { exists } = await session.openFolder('Sent', true)
    const rows = await Array.fromAsync(session.fetchRaw(await session.existingUids({ from: 1 })))
    session.close()
    expect(exists).toBe(2)
    const taken = servers.sink.received
      .filter(({ username }) => username === ada.name)
      .map(({ raw }) => raw.toString())
    expect(rows.map(({ raw }) => raw?.toString()).sort()).toEqual(taken.sort())
  })

  test('that the server files itself is not filed again', async () => {
    const ada = await newReader()
    for (const subject of ['One', 'Two', 'Three', 'Four', 'Five']) await send(ada, 'bob@far.example', subject)
    for (const { raw } of servers.sink.received.filter(({ username }) => username === ada.name))
      await deliver(ada, raw, 'Sent')
    app.clock.forward(APPEND_MS + 1000)
    await readOnce(app, ada)
    const session = await openAt(ada)
    expect(await session.status('Sent')).toMatchObject({ exists: 5 })
    session.close()
    expect(await listFolder(app, ada, 'sent')).toHaveLength(5)
    expect(await sql('SELECT 1 FROM deliveries WHERE user_id = $1 AND NOT in_sent_folder', [ada.id])).toEqual(
      [],
    )
  })
})
