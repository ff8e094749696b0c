import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { emails } from '#contract/mail/emails.ts'
import type { MailAction } from '#contract/mail/email-actions.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { call } from '../../../../tests/support/client.ts'
import { startDovecot } from '../../../../tests/support/dovecot.ts'
import { type MailServers, startMailServers, testMail } from '../../../../tests/support/mail-servers.ts'
import { type MeddlingProxy, startMeddlingProxy } from '../../../../tests/support/meddling-imap.ts'
import { connectReader, listFolder, type Reader, readOnce } from '../../../../tests/support/reading.ts'
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts'
import { inTransaction, runSql } from '../../../platform/database/transaction.ts'
import { openImap } from '../../../platform/gateways/imap.ts'
import { takeFlags } from './relocations-store.ts'

let app: TestApp
let servers: MailServers
let serial = 0
const NAMES = Array.from({ length: 30 }, (_, at) => `user${at}`)
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

type Owner = Reader & { name: string }

/** A new user with these messages in the inbox, synced once; through a meddling proxy if `hide` is given. */
async function newOwner(
  subjects: string[],
  hide?: string[],
): Promise<Owner & { proxy: MeddlingProxy | null }> {
  const name = NAMES[serial++] ?? ''
  await servers.dovecot.deliverMany(name, 'INBOX', subjects.map(message))
  const proxy = hide === undefined ? null : await startMeddlingProxy({ target: servers.dovecot, hide })
  if (proxy !== null) proxies.push(proxy)
  const at = proxy === null ? {} : { host: proxy.host, port: proxy.port }
  const reader = await connectReader(
    app,
    { ...servers.dovecot.user(name), ...at },
    `${name}@muster.example`,
    servers.sink.port,
  )
  await readOnce(app, reader)
  return { ...reader, name, proxy }
}

const message = (subject: string) => testMail({ Subject: subject, 'Message-ID': `<${subject}@far.example>` })

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

/** Subjects and flags of a folder on the server. */
const onServer = (owner: Owner, path: string) =>
  elsewhere(owner, async (session) => {
    await session.openFolder(path, true)
    const rows = await Array.fromAsync(session.envelopes({ from: 1 }))
    return rows
      .map(({ envelope, flags }) =>
        [
          envelope?.subject,
          ...[...flags].filter((flag) => flag === '\\Seen' || flag === '\\Flagged').sort(),
        ].join(' '),
      )
      .sort()
  })

const idOf = async (owner: Owner, subject: string): Promise<number> => {
  const { rows } = await runSql(app.context.db, 'SELECT id FROM emails WHERE user_id = $1 AND subject = $2', [
    owner.id,
    subject,
  ])
  if (rows.length !== 1) throw new Error(`${rows.length} mails called ${subject}`)
  return (rows[0] as { id: number }).id
}
const act = async (owner: Owner, action: MailAction, ...subjects: string[]) => {
  const ids = await Promise.all(subjects.map((subject) => idOf(owner, subject)))
  return (await call(app.url, emails.act, { token: owner.token, body: { action, ids } })).body.changed
}
const one = async (owner: Owner, subject: string) =>
  (await call(app.url, emails.get, { token: owner.token, params: { id: await idOf(owner, subject) } })).body
const subjects = async (owner: Owner, folder: Parameters<typeof listFolder>[2]) =>
  (await listFolder(app, owner, folder)).map(({ subject }) => subject).sort()
const trouble = async ({ token }: Owner) => (await call(app.url, mailboxes.get, { token })).body.last_error
const pending = async ({ id }: Owner) =>
  (
    await runSql(app.context.db, 'SELECT last_error, given_up_at FROM pending_actions WHERE user_id = $1', [
      id,
    ])
  ).rows

describe('an action here', () => {
  test('is pushed to the server: read, star, archive, trash, spam, and all the way back', async () => {
    const ada = await newOwner(['one', 'two', 'three', 'four'])
    await act(ada, 'read', 'one')
    await act(ada, 'star', 'one')
    await act(ada, 'archive', 'one', 'two')
    await act(ada, 'trash', 'three')
    await act(ada, 'spam', 'four')
    await readOnce(app, ada)
    expect(await onServer(ada, 'Archive')).toEqual(['one \\Flagged \\Seen', 'two'])
    expect(await onServer(ada, 'Trash')).toEqual(['three'])
    expect(await onServer(ada, 'Junk')).toEqual(['four'])
    expect(await pending(ada)).toEqual([])
    await act(ada, 'unarchive', 'one', 'two')
    await act(ada, 'restore', 'three')
    await act(ada, 'not-spam', 'four')
    await act(ada, 'unread', 'one')
    await act(ada, 'unstar', 'one')
    await readOnce(app, ada)
    await readOnce(app, ada)
    expect(await onServer(ada, 'INBOX')).toEqual(['four', 'one', 'three', 'two'])
    expect(await subjects(ada, 'inbox')).toEqual(['four', 'one', 'three', 'two'])
    const { rows } = await runSql(app.context.db, 'SELECT 1 FROM emails WHERE user_id = $1', [ada.id])
    expect(rows).toHaveLength(4)
  })

  test('that deletes permanently does so on the server too', async () => {
    const ada = await newOwner(['keep', 'away'])
    await act(ada, 'trash', 'away')
    await readOnce(app, ada)
    expect((await call(app.url, emails.emptyTrash, { token: ada.token })).body.deleted).toBe(1)
    await readOnce(app, ada)
    await readOnce(app, ada)
    expect(await onServer(ada, 'Trash')).toEqual([])
    expect([await subjects(ada, 'trash'), await subjects(ada, 'inbox')]).toEqual([[], ['keep']])
  })

  test('creates the folder that the account lacks', async () => {
    const bare = await startDovecot({ users: { bare: 'pass' }, folders: ['Sent'] })
    try {
      await bare.deliverMany('bare', 'INBOX', ['one', 'two', 'three'].map(message))
      const ada = { ...(await connectReader(app, bare.user('bare'))), name: 'bare' }
      await readOnce(app, ada)
      await act(ada, 'archive', 'one')
      await act(ada, 'trash', 'two')
      await act(ada, 'spam', 'three')
      await readOnce(app, ada)
      await readOnce(app, ada)
      const session = await openImap(bare.user('bare'), { guard: app.context.guard })
      const folders = (await session.listFolders()).map(({ path }) => path)
      session.close()
      expect(folders.sort()).toEqual(['Archive', 'INBOX', 'Junk', 'Sent', 'Trash'])
      expect([
        await subjects(ada, 'archived'),
        await subjects(ada, 'trash'),
        await subjects(ada, 'spam'),
      ]).toEqual([['one'], ['two'], ['three']])
    } finally {
      await bare.stop()
    }
  })

  test('wins over the old state on the server', async () => {
    const ada = await newOwner(['one'])
    await act(ada, 'read', 'one')
    await act(ada, 'star', 'one')
    const { rows } = await runSql(
      app.context.db,
      'SELECT path, uid_validity, uid FROM email_locations WHERE user_id = $1',
      [ada.id],
    )
    const {
      path,
      uid_validity: uidValidity,
      uid,
    } = rows[0] as { path: string; uid_validity: string; uid: number }
    const at = { userId: ada.id, mailboxId: ada.mailboxId, path, uidValidity }
    await inTransaction(app.context.db, (tx) => takeFlags(tx, at, [{ uid, seen: false, flagged: false }]))
    expect(await one(ada, 'one')).toMatchObject({ isRead: true, isStarred: true })
    await readOnce(app, ada)
    await inTransaction(app.context.db, (tx) => takeFlags(tx, at, [{ uid, seen: false, flagged: false }]))
    expect(await one(ada, 'one')).toMatchObject({ isRead: false, isStarred: false })
  })

  test('on a message that was just moved elsewhere is done where it is now', async () => {
    const ada = await newOwner(['one'])
    await act(ada, 'archive', 'one')
    await act(ada, 'read', 'one')
    await elsewhere(ada, async (session) => {
      await session.openFolder('INBOX', false)
      await session.move(await session.existingUids({ from: 1 }), 'Junk')
    })
    await readOnce(app, ada)
    await readOnce(app, ada)
    expect(await onServer(ada, 'Archive')).toEqual(['one \\Seen'])
    expect(await one(ada, 'one')).toMatchObject({
      status: 'archived',
      original_folder: 'inbox',
      isRead: true,
    })
    expect(await pending(ada)).toEqual([])
  })
})

describe('a change in another mail program', () => {
  test('is made by Howl: a delivery report that it understood is read on the server too, and stays read', async () => {
    const ada = await newOwner([])
    const { status } = await call(app.url, emails.send, {
      token: ada.token,
      body: { to: 'gone@far.example', subject: 'An offer', content: 'Would you like to see it?' },
    })
    expect(status).toBe(200)
    const ours = servers.sink.received.find(({ envelope }) => envelope.to.includes('gone@far.example'))
    const id = /^Message-ID: (<.+>)/im.exec(ours?.raw.toString() ?? '')?.[1] ?? ''
    const report = (about: string, of: string) =>
      testMail(
        {
          From: 'MAILER-DAEMON@far.example',
          Subject: `About ${about}`,
          'Message-ID': `<about-${about}>`,
          'MIME-Version': '1.0',
          'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b',
        },
        `--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.far.example\r\n\r\nFinal-Recipient: rfc822; ${about}\r\nAction: failed\r\nStatus: 5.1.1\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: ${of}\r\n--b--\r\n`,
      )
    for (const about of ['gone@far.example', 'stranger@far.example'])
      await servers.dovecot.deliver(
        ada.name,
        'INBOX',
        report(about, about.startsWith('gone') ? id : '<another@far.example>'),
      )
    const here = async () =>
      (await listFolder(app, ada, 'inbox')).map(({ subject, isRead }) => [subject, isRead]).sort()
    const read = [
      ['About gone@far.example', true],
      ['About stranger@far.example', false],
    ]
    await readOnce(app, ada)
    expect(await here()).toEqual(read)
    await readOnce(app, ada)
    await readOnce(app, ada)
    expect(await onServer(ada, 'INBOX')).toEqual([
      'About gone@far.example \\Seen',
      'About stranger@far.example',
    ])
    expect(await here()).toEqual(read)
  })

  test('is made here: flags, moves and deletions, and the message keeps its id', async () => {
    const ada = await newOwner(['one', 'two', 'three', 'four'])
    const before = await Promise.all(['one', 'two', 'three', 'four'].map((subject) => idOf(ada, subject)))
    await elsewhere(ada, async (session) => {
      await session.openFolder('INBOX', false)
      const [one = 0, two = 0, three = 0, four = 0] = await session.existingUids({ from: 1 })
      await session.setFlags([one], { add: ['\\Seen', '\\Flagged'] })
      await session.move([one], 'Archive')
      await session.move([two], 'Trash')
      await session.move([three], 'Junk')
      await session.expunge([four])
    })
    await readOnce(app, ada)
    expect(await one(ada, 'one')).toMatchObject({
      status: 'archived',
      original_folder: 'inbox',
      isRead: true,
      isStarred: true,
    })
    expect(await one(ada, 'two')).toMatchObject({ status: 'trashed', original_folder: 'inbox' })
    expect((await one(ada, 'three')).status).toBe('spam')
    // It might still turn up in a folder that was read before it was moved: the next pass tells.
    expect(await subjects(ada, 'inbox')).toEqual(['four'])
    await readOnce(app, ada)
    expect(await subjects(ada, 'inbox')).toEqual([])
    expect(await Promise.all(['one', 'two', 'three', 'four'].map((subject) => idOf(ada, subject)))).toEqual(
      before,
    )
  })

  test('that is undone brings the message back as it was', async () => {
    const ada = await newOwner(['one'])
    const inbox = (path: string, to: string) =>
      elsewhere(ada, async (session) => {
        await session.openFolder(path, false)
        await session.move(await session.existingUids({ from: 1 }), to)
      })
    for (const [path, to] of [
      ['INBOX', 'Sent'],
      ['Sent', 'INBOX'],
    ] as const) {
      await inbox(path, to)
      await readOnce(app, ada)
      await readOnce(app, ada)
      expect(await subjects(ada, to === 'Sent' ? 'sent' : 'inbox')).toEqual(['one'])
      expect(await idOf(ada, 'one')).toBeGreaterThan(0)
    }
  })

  test('that every pass missed brings the same message back where it turns up', async () => {
    const ada = await newOwner(['one', 'two'])
    const before = await idOf(ada, 'one')
    await act(ada, 'star', 'one')
    await readOnce(app, ada)
    await elsewhere(ada, async (session) => {
      await session.openFolder('INBOX', false)
      const [uid] = await session.findByMessageId('INBOX', 'one@far.example')
      await session.openFolder('INBOX', false)
      await session.expunge(uid === undefined ? [] : [uid])
    })
    await readOnce(app, ada)
    await readOnce(app, ada)
    expect(await subjects(ada, 'inbox')).toEqual(['two'])
    // In Sent it looks like another message: one that was sent.
    await elsewhere(ada, (session) =>
      session.append('Sent', Buffer.from(message('one')), ['\\Flagged'], new Date()),
    )
    await readOnce(app, ada)
    expect(await idOf(ada, 'one')).toBe(before)
    expect(await subjects(ada, 'sent')).toEqual(['one'])
    expect(await one(ada, 'one')).toMatchObject({ isStarred: true })
  })

  test('that moves on before the next pass leaves no second message behind', async () => {
    const ada = await newOwner(['one'])
    const before = await idOf(ada, 'one')
    // What a pass sees that reads one folder before the move and the other after it.
    await elsewhere(ada, (session) => session.append('Sent', Buffer.from(message('one')), [], new Date()))
    await readOnce(app, ada)
    expect(await subjects(ada, 'sent')).toEqual(['one'])
    await elsewhere(ada, async (session) => {
      const uids = await session.findByMessageId('Sent', 'one@far.example')
      await session.openFolder('Sent', false)
      await session.expunge(uids)
    })
    await readOnce(app, ada)
    await readOnce(app, ada)
    expect(await subjects(ada, 'sent')).toEqual([])
    expect(await idOf(ada, 'one')).toBe(before)
    expect(await subjects(ada, 'inbox')).toEqual(['one'])
  })

  test('leaves no blob behind when the second row was too large for the database', async () => {
    const put = vi.spyOn(app.context.blobs, 'put')
    const ada = await newOwner([])
    const large = Buffer.from(message('one') + 'A line of a long message.\r\n'.repeat(5000))
    const append = (folder: string) =>
      elsewhere(ada, (session) => session.append(folder, large, [], new Date()))
    const expunge = (folder: string) =>
      elsewhere(ada, async (session) => {
        const uids = await session.findByMessageId(folder, 'one@far.example')
        await session.openFolder(folder, false)
        await session.expunge(uids)
      })
    await append('INBOX')
    await readOnce(app, ada)
    const [first] = put.mock.calls.map(([key]) => key)

    // Seen in both folders, then only in the first: the second row is dropped.
    await append('Sent')
    await readOnce(app, ada)
    await expunge('Sent')
    await readOnce(app, ada)
    await readOnce(app, ada)
    // Gone from everywhere, then in the other folder: the second row is joined to the first.
    await expunge('INBOX')
    await readOnce(app, ada)
    await readOnce(app, ada)
    await append('Sent')
    await readOnce(app, ada)
    expect(await subjects(ada, 'sent')).toEqual(['one'])

    const written = [...new Set(put.mock.calls.map(([key]) => key))]
    put.mockRestore()
    expect(written).toHaveLength(3)
    const there = await Promise.all(
      written.map((key) =>
        app.context.blobs.get(key).then(
          () => [key],
          () => [],
        ),
      ),
    )
    expect(there.flat()).toEqual([first])
  })

  test('does not delete messages in a folder that cannot be read or has a new UIDVALIDITY', async () => {
    const ada = await newOwner(['one', 'two'], [])
    await act(ada, 'archive', 'two')
    await readOnce(app, ada)
    await elsewhere(ada, async (session) => {
      await session.openFolder('INBOX', false)
      await session.move(await session.existingUids({ from: 1 }), 'Projects').catch(async () => {
        await session.createFolder('Projects')
        await session.openFolder('INBOX', false)
        return session.move(await session.existingUids({ from: 1 }), 'Projects')
      })
    })
    ada.proxy?.setMeddling((command) =>
      /^(SELECT|EXAMINE) "?Projects/.test(command) ? { refuse: 'The disk of this folder is broken' } : 'pass',
    )
    for (let at = 0; at < 3; at += 1) await readOnce(app, ada)
    expect(await subjects(ada, 'inbox')).toEqual(['one'])
    ada.proxy?.setMeddling(() => 'pass')
    await servers.dovecot.resetUidValidity(ada.name, 'Archive')
    for (let at = 0; at < 3; at += 1) await readOnce(app, ada)
    expect(await subjects(ada, 'archived')).toEqual(['one', 'two'])
    expect(await subjects(ada, 'inbox')).toEqual([])
  })
})

describe('a server', () => {
  test.each([
    ['without MOVE', ['MOVE']],
    ['without MOVE and UIDPLUS', ['MOVE', 'UIDPLUS']],
    ['that does not report new UIDs', ['UIDPLUS']],
    ['without CONDSTORE', ['CONDSTORE', 'QRESYNC']],
  ])('%s stays in sync all the same', async (_, hide) => {
    const ada = await newOwner(['one', 'two', 'three', 'four'], hide)
    await elsewhere(ada, async (session) => {
      await session.openFolder('INBOX', false)
      const [, , , four = 0] = await session.existingUids({ from: 1 })
      // Flagged as deleted by another program, but not yet expunged: not ours to remove.
      await session.setFlags([four], { add: ['\\Deleted'] })
    })
    await act(ada, 'star', 'one')
    await act(ada, 'archive', 'one')
    await act(ada, 'trash', 'two')
    await readOnce(app, ada)
    await act(ada, 'delete', 'two')
    await elsewhere(ada, async (session) => {
      await session.openFolder('INBOX', false)
      const [three = 0] = await session.existingUids({ from: 1 })
      await session.setFlags([three], { add: ['\\Seen'] })
    })
    await readOnce(app, ada)
    await readOnce(app, ada)
    expect(await onServer(ada, 'INBOX')).toEqual(['four', 'three \\Seen'])
    expect(await onServer(ada, 'Archive')).toEqual(['one \\Flagged'])
    expect(await onServer(ada, 'Trash')).toEqual([])
    expect([
      await subjects(ada, 'inbox'),
      await subjects(ada, 'archived'),
      await subjects(ada, 'trash'),
    ]).toEqual([['four', 'three'], ['one'], []])
    expect((await one(ada, 'three')).isRead).toBe(true)
    expect(await pending(ada)).toEqual([])
    const said = ada.proxy?.commands.join('\n') ?? ''
    expect([said.includes('UID MOVE'), said.includes('UID EXPUNGE'), said.includes('CHANGEDSINCE')]).toEqual([
      !hide.includes('MOVE'),
      !hide.includes('UIDPLUS'),
      !hide.includes('CONDSTORE'),
    ])
  })

  test('that refuses is tried again, the page shows what it said, and the sync goes on', async () => {
    const ada = await newOwner(['one', 'two'], [])
    ada.proxy?.setMeddling((command) =>
      command.startsWith('UID MOVE') ? { refuse: '[NOPERM] You may not move mail' } : 'pass',
    )
    await act(ada, 'archive', 'one')
    await servers.dovecot.deliver(ada.name, 'INBOX', message('three'))
    expect(await readOnce(app, ada)).toBe(1)
    expect(await pending(ada)).toMatchObject([{ last_error: 'You may not move mail', given_up_at: null }])
    const told = 'Your changes to 1 email in INBOX could not be made on the server: You may not move mail'
    expect(await trouble(ada)).toBe(told)
    for (let at = 0; at < 6; at += 1) {
      app.clock.forward(20 * 60_000)
      await readOnce(app, ada)
    }
    expect(await trouble(ada)).toBe(told)
    expect((await one(ada, 'one')).status).toBe('archived')
    ada.proxy?.setMeddling(() => 'pass')
    await act(ada, 'unarchive', 'one')
    await act(ada, 'archive', 'one')
    await readOnce(app, ada)
    expect(await onServer(ada, 'Archive')).toEqual(['one'])
    expect(await trouble(ada)).toBeNull()
  })

  test.each([
    ['moving', [], /^UID MOVE/],
    ['copying', ['MOVE'], /^UID COPY/],
    ['removing', ['MOVE', 'UIDPLUS'], /^UID STORE .*Deleted/],
    ['flagging', [], /^UID STORE/],
  ])(
    'that is cut off after %s a message and before its reply duplicates none and loses none',
    async (_, hide, when) => {
      const ada = await newOwner(['one', 'two'], hide)
      let cuts = 0
      ada.proxy?.setMeddling((command) => (when.test(command) && (cuts += 1) === 1 ? 'swallow' : 'pass'))
      await act(ada, 'star', 'one')
      await act(ada, 'archive', 'one')
      for (let at = 0; at < 4; at += 1) {
        await readOnce(app, ada)
        app.clock.forward(20 * 60_000)
      }
      expect(cuts).toBeGreaterThan(0)
      expect([await onServer(ada, 'INBOX'), await onServer(ada, 'Archive')]).toEqual([
        ['two'],
        ['one \\Flagged'],
      ])
      expect([await subjects(ada, 'inbox'), await subjects(ada, 'archived')]).toEqual([['two'], ['one']])
      expect(await pending(ada)).toEqual([])
    },
  )
})

test('a worker with an idle connection pushes actions at once, and notices changes on the server', async () => {
  const working = await startTestApp()
  try {
    const name = NAMES[serial++] ?? ''
    await servers.dovecot.deliverMany(name, 'INBOX', ['one', 'two'].map(message))
    const reader = await connectReader(working, servers.dovecot.user(name))
    const ada = { ...reader, name }
    await expect.poll(() => listFolder(working, ada)).toHaveLength(2)
    const inbox = await listFolder(working, ada)
    const id = inbox.find(({ subject }) => subject === 'one')?.id ?? 0
    await call(working.url, emails.archive, { token: ada.token, params: { id } })
    await expect.poll(() => onServer(ada, 'Archive')).toContain('one')
    await elsewhere(ada, async (session) => {
      await session.openFolder('INBOX', false)
      await session.move(await session.existingUids({ from: 1 }), 'Trash')
    })
    await expect.poll(() => listFolder(working, ada, 'trash')).toHaveLength(1)
  } finally {
    await working.end()
  }
})
