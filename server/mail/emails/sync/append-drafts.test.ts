import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emails } from '#contract/mail/emails.ts'
import { call } from '../../../../tests/support/client.ts'
import { type MeddlingProxy, startMeddlingProxy } from '../../../../tests/support/meddling-imap.ts'
import { type MailServers, startMailServers } from '../../../../tests/support/mail-servers.ts'
import { connectReader, listFolder, type Reader, readOnce } from '../../../../tests/support/reading.ts'
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts'
import { A_PICTURE, sendAs, uploadAs } from '../../../../tests/support/writing.ts'
import { runSql } from '../../../platform/database/transaction.ts'
import { openImap } from '../../../platform/gateways/imap.ts'

let app: TestApp
let servers: MailServers
let serial = 0
const proxies: MeddlingProxy[] = []
const NAMES = Array.from({ length: 24 }, (_, at) => `user${at}`)

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
type Changes = { to?: string; content?: string; subject?: string }
const newOwner = async (): Promise<Owner> => {
  const name = NAMES[serial++] ?? ''
  return {
    ...(await connectReader(app, servers.dovecot.user(name), `${name}@muster.example`, servers.sink.port)),
    name,
  }
}

/** The messages another program finds in a folder of the account. */
async function onServer({ name }: Owner, folder: string) {
  const session = await openImap(servers.dovecot.user(name), { guard: app.context.guard })
  try {
    const { exists } = await session.openFolder(folder, true)
    const uids = exists === 0 ? [] : await session.existingUids({ from: 1 })
    const rows = await Array.fromAsync(session.fetchRaw(uids))
    return await Promise.all(
      rows.map(async ({ raw, flags }) => ({ ...(await PostalMime.parse(raw ?? '')), flags })),
    )
  } finally {
    session.close()
  }
}

const DRAFT = { to: 'bob@customer.example', subject: 'An offer', content: 'Hello Bob' }
const save = (owner: Owner, body = {}) =>
  call(app.url, emails.saveDraft, { token: owner.token, body: { ...DRAFT, ...body } })
const update = (owner: Owner, id: number, body: Changes) =>
  call(app.url, emails.update, { token: owner.token, params: { id }, body })
/** Syncs the account, long enough after the last change. */
const later = async (owner: Owner) => {
  app.clock.forward(11_000)
  await readOnce(app, owner)
}

test('a draft is in the account’s Drafts folder, complete and only once, however often it changes', async () => {
  const owner = await newOwner()
  const { file } = await uploadAs(app, owner, 'a.txt', 'bytes')
  const { body } = await save(owner, {
    html: '<p>Hello <b>Bob</b></p>',
    bcc: 'eve@x.example',
    attachments: [file.id],
  })
  await readOnce(app, owner)
  expect(await onServer(owner, 'Drafts')).toEqual([])
  await later(owner)
  const [first] = await onServer(owner, 'Drafts')
  expect(first).toMatchObject({ subject: 'An offer', bcc: [{ address: 'eve@x.example' }] })
  expect(first?.html).toContain('<b>Bob</b>')
  expect(first?.attachments.map(({ filename }) => filename)).toEqual(['a.txt'])
  expect([...(first?.flags ?? [])].toSorted()).toEqual(['\\Draft', '\\Seen'])
  for (const content of ['one', 'two', 'three']) await update(owner, body.id, { content })
  await later(owner)
  await later(owner)
  const found = await onServer(owner, 'Drafts')
  expect(found.map(({ text }) => text?.trim())).toEqual(['three'])
  // It is still one draft here.
  expect((await listFolder(app, owner, 'drafts')).map(({ id }) => id)).toEqual([body.id])
})

test('a draft that is discarded or sent leaves the Drafts folder', async () => {
  const owner = await newOwner()
  const thrown = (await save(owner, { subject: 'Thrown' })).body
  const sent = (await save(owner, { subject: 'Sent' })).body
  await later(owner)
  expect(await onServer(owner, 'Drafts')).toHaveLength(2)
  await call(app.url, emails.discard, { token: owner.token, params: { id: thrown.id } })
  expect((await sendAs(app, owner, { ...DRAFT, subject: 'Sent', draft_id: sent.id })).status).toBe(200)
  await later(owner)
  expect(await onServer(owner, 'Drafts')).toEqual([])
  const filed = await onServer(owner, 'Sent')
  expect(filed.map(({ subject }) => subject)).toEqual(['Sent'])
  expect([...(filed[0]?.flags ?? [])]).toEqual(['\\Seen'])
  await later(owner)
  expect(await listFolder(app, owner, 'drafts')).toEqual([])
  expect((await listFolder(app, owner, 'sent')).map(({ subject }) => subject)).toEqual(['Sent'])
})

test('a draft from another program can be continued here, and the other program sees it', async () => {
  const owner = await newOwner()
  const raw =
    'From: me@muster.example\r\nSubject: Begun elsewhere\r\nMessage-ID: <begun@far.example>\r\n\r\nHalf a sen\r\n'
  await servers.dovecot.deliver(owner.name, 'Drafts', raw)
  await readOnce(app, owner)
  const [draft] = await listFolder(app, owner, 'drafts')
  expect(draft?.subject).toBe('Begun elsewhere')
  expect((await update(owner, draft?.id ?? 0, { content: 'A whole sentence.' })).status).toBe(200)
  await later(owner)
  const found = await onServer(owner, 'Drafts')
  expect(found.map(({ text, subject }) => [subject, text?.trim()])).toEqual([
    ['Begun elsewhere', 'A whole sentence.'],
  ])
  await later(owner)
  expect(await listFolder(app, owner, 'drafts')).toHaveLength(1)
})

test('a draft that another program deletes is gone here too', async () => {
  const owner = await newOwner()
  await save(owner)
  await later(owner)
  const session = await openImap(servers.dovecot.user(owner.name), { guard: app.context.guard })
  await session.openFolder('Drafts', false)
  await session.expunge(await session.existingUids({ from: 1 }))
  session.close()
  await later(owner)
  await later(owner)
  await later(owner)
  expect(await listFolder(app, owner, 'drafts')).toEqual([])
})

/** Acts as another mail program, on its own connection. */
async function elsewhere(
  { name }: Owner,
  work: (session: Awaited<ReturnType<typeof openImap>>) => Promise<void>,
): Promise<void> {
  const session = await openImap(servers.dovecot.user(name), { guard: app.context.guard })
  try {
    await work(session)
  } finally {
    session.close()
  }
}

/** Another program puts what it made of the draft in its place, under its Message-ID. */
function changeElsewhere(owner: Owner, was: string, is: string, date?: string): Promise<void> {
  return elsewhere(owner, async (session) => {
    await session.openFolder('Drafts', false)
    const uids = await session.existingUids({ from: 1 })
    const [row] = await Array.fromAsync(session.fetchRaw(uids))
    const raw = (row?.raw ?? '').toString().replace(was, is)
    const dated = date === undefined ? raw : raw.replace(/^Date: .*(?=\r)/m, `Date: ${date}`)
    await session.append('Drafts', Buffer.from(dated), ['\\Draft'], new Date())
    await session.expunge(uids)
  })
}
const FROM_PHONE =
  'From: me@muster.example\r\nTo: bob@customer.example\r\nSubject: An offer\r\nDate: Sun, 01 Nov 2026 08:00:00 +0000\r\nMessage-ID: <phone@far.example>\r\n\r\nHello Bob\r\n'
const LATER = 'Mon, 01 Jan 2035 08:00:00 +0000'
const shown = async (owner: Owner) =>
  (await listFolder(app, owner, 'drafts')).map(({ content }) => content.trim()).toSorted()
const texts = async (owner: Owner) =>
  (await onServer(owner, 'Drafts')).map(({ text }) => text?.trim()).toSorted()

describe('a draft that another program has changed', () => {
  test.each([
    ['under a new Date', LATER],
    ['under the old Date', undefined],
  ])('%s is shown as it is now, and changes here do not remove it from the server', async (_, date) => {
    const owner = await newOwner()
    const { body } = await save(owner)
    await later(owner)
    await changeElsewhere(owner, 'Hello Bob', 'Hello Bob, from the train', date)
    for (let pass = 0; pass < 3; pass += 1) await later(owner)
    expect(await shown(owner)).toEqual(['Hello Bob, from the train'])
    expect((await update(owner, body.id, { content: 'Hello' })).status).toBe(404)
    const [draft] = await listFolder(app, owner, 'drafts')
    await update(owner, draft?.id ?? 0, { content: 'Hello Bob, from the office' })
    await later(owner)
    await later(owner)
    expect(await texts(owner)).toEqual(['Hello Bob, from the office'])
    expect(await shown(owner)).toEqual(['Hello Bob, from the office'])
  })

  test('stays beside what was written here in the meantime, here and on the server', async () => {
    const owner = await newOwner()
    const { body } = await save(owner)
    await later(owner)
    await update(owner, body.id, { content: 'Hello from the office' })
    await changeElsewhere(owner, 'Hello Bob', 'Hello from the train', LATER)
    // Twice before the draft is due: it is in no folder, and must not count as deleted.
    for (let pass = 0; pass < 2; pass += 1) {
      app.clock.forward(1000)
      await readOnce(app, owner)
    }
    for (let pass = 0; pass < 3; pass += 1) await later(owner)
    const both = ['Hello from the office', 'Hello from the train']
    expect([await shown(owner), await texts(owner)]).toEqual([both, both])
    await update(owner, body.id, { content: 'Hello from home' })
    await later(owner)
    await later(owner)
    const after = ['Hello from home', 'Hello from the train']
    expect([await shown(owner), await texts(owner)]).toEqual([after, after])
  })

  test('only here stays the same draft when the server gives its messages other UIDs', async () => {
    const owner = await newOwner()
    const { file } = await uploadAs(app, owner, 'a.txt', 'bytes')
    const html = `<p>Hello <b>Bob</b> <img alt="" src="${A_PICTURE}"></p>`
    const { body } = await save(owner, { html, attachments: [file.id] })
    app.clock.forward(5000)
    await update(owner, body.id, { subject: 'Another offer' })
    await later(owner)
    await servers.dovecot.resetUidValidity(owner.name, 'Drafts')
    for (let pass = 0; pass < 3; pass += 1) await later(owner)
    expect((await listFolder(app, owner, 'drafts')).map(({ id }) => id)).toEqual([body.id])
  })

  test.each([
    ['one that was written here', true],
    ['one that another program wrote', false],
  ])('only in its recipients is shown with these: %s', async (_, isOurs) => {
    const owner = await newOwner()
    if (isOurs) await save(owner)
    else await servers.dovecot.deliver(owner.name, 'Drafts', FROM_PHONE)
    await later(owner)
    await changeElsewhere(owner, 'bob@customer.example', 'eve@customer.example')
    for (let pass = 0; pass < 3; pass += 1) await later(owner)
    const drafts = await listFolder(app, owner, 'drafts')
    expect(drafts.map(({ to }) => to)).toEqual(['eve@customer.example'])
    await update(owner, drafts[0]?.id ?? 0, { content: 'Hello Eve' })
    for (let pass = 0; pass < 2; pass += 1) await later(owner)
    const there = await onServer(owner, 'Drafts')
    expect(there.map(({ to, text }) => [to?.[0]?.address, text?.trim()])).toEqual([
      ['eve@customer.example', 'Hello Eve'],
    ])
  })

  test('into a mail in the trash is the same one, and not in Drafts any more', async () => {
    const owner = await newOwner()
    const { body } = await save(owner)
    app.clock.forward(5000)
    await update(owner, body.id, { content: 'Hello again' })
    await later(owner)
    await elsewhere(owner, async (session) => {
      await session.openFolder('Drafts', false)
      await session.move(await session.existingUids({ from: 1 }), 'Trash')
    })
    for (let pass = 0; pass < 3; pass += 1) await later(owner)
    expect([await shown(owner), (await listFolder(app, owner, 'trash')).map(({ id }) => id)]).toEqual([
      [],
      [body.id],
    ])
  })
})

describe('an older copy of a draft that was written here is not taken for what another program wrote', () => {
  const renumber = (owner: Owner) => servers.dovecot.resetUidValidity(owner.name, 'Drafts')
  /** As after a LIST that does not name the folder. */
  const forget = (owner: Owner) =>
    runSql(app.context.db, "DELETE FROM mailbox_folders WHERE user_id = $1 AND path = 'Drafts'", [owner.id])

  test.each([
    ['the folder has got another UIDVALIDITY', renumber],
    ['the folder was not listed for a moment', forget],
  ])('where %s while a change waits', async (_, happens) => {
    const owner = await newOwner()
    const { body } = await save(owner)
    await later(owner)
    await update(owner, body.id, { content: 'Hello again' })
    await happens(owner)
    await readOnce(app, owner)
    for (let pass = 0; pass < 3; pass += 1) await later(owner)
    expect([await shown(owner), await texts(owner)]).toEqual([['Hello again'], ['Hello again']])
    expect((await listFolder(app, owner, 'drafts')).map(({ id }) => id)).toEqual([body.id])
  })

  test('nor is the version of another program that is continued here', async () => {
    const owner = await newOwner()
    await servers.dovecot.deliver(owner.name, 'Drafts', FROM_PHONE)
    await readOnce(app, owner)
    const [draft] = await listFolder(app, owner, 'drafts')
    await update(owner, draft?.id ?? 0, { content: 'Hello again' })
    await renumber(owner)
    await readOnce(app, owner)
    for (let pass = 0; pass < 3; pass += 1) await later(owner)
    expect([await shown(owner), await texts(owner)]).toEqual([['Hello again'], ['Hello again']])
  })

  test('where the connection was lost after it was appended, and the user has typed on', async () => {
    const owner = await newOwner()
    const proxy = await startMeddlingProxy({ target: servers.dovecot })
    proxies.push(proxy)
    await runSql(app.context.db, 'UPDATE mailboxes SET imap_port = $2 WHERE user_id = $1', [
      owner.id,
      proxy.port,
    ])
    const { body } = await save(owner)
    proxy.setMeddling((command) => (command.startsWith('APPEND') ? 'swallow' : 'pass'))
    app.clock.forward(11_000)
    await readOnce(app, owner).catch(() => {})
    expect(new Set(await texts(owner))).toEqual(new Set(['Hello Bob']))
    proxy.setMeddling(() => 'pass')
    await update(owner, body.id, { content: 'Hello again' })
    for (let pass = 0; pass < 3; pass += 1) {
      app.clock.forward(120_000)
      await readOnce(app, owner)
    }
    expect([await shown(owner), await texts(owner)]).toEqual([['Hello again'], ['Hello again']])
  })
})
