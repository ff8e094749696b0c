import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emails } from '#contract/emails.ts'
import { call } from '../../../tests/support/client.ts'
import { type MailServers, startMailServers } from '../../../tests/support/mail-servers.ts'
import { connectReader, type Reader, readOnce } from '../../../tests/support/reading.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { A_PICTURE, folderOf, sendAs, uploadAs } from '../../../tests/support/writing.ts'
import { openImap } from '../../gateways/imap.ts'

let app: TestApp
let servers: MailServers
let serial = 0
const NAMES = Array.from({ length: 12 }, (_, at) => `user${at}`)

beforeAll(async () => {
  servers = await startMailServers({ users: Object.fromEntries(NAMES.map((name) => [name, 'open sesame'])) })
  app = await startTestApp({ roles: ['web'] })
})
afterAll(async () => {
  await app?.end()
  await servers?.stop()
})

type Owner = Reader & { name: string }
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
const update = (owner: Owner, id: number, body: { content?: string; subject?: string }) =>
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
  expect((await folderOf(app, owner, 'drafts')).map(({ id }) => id)).toEqual([body.id])
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
  expect(await folderOf(app, owner, 'drafts')).toEqual([])
  expect((await folderOf(app, owner, 'sent')).map(({ subject }) => subject)).toEqual(['Sent'])
})

test('a draft from another program can be continued here, and the other program sees it', async () => {
  const owner = await newOwner()
  const raw =
    'From: me@muster.example\r\nSubject: Begun elsewhere\r\nMessage-ID: <begun@far.example>\r\n\r\nHalf a sen\r\n'
  await servers.dovecot.deliver(owner.name, 'Drafts', raw)
  await readOnce(app, owner)
  const [draft] = await folderOf(app, owner, 'drafts')
  expect(draft?.subject).toBe('Begun elsewhere')
  expect((await update(owner, draft?.id ?? 0, { content: 'A whole sentence.' })).status).toBe(200)
  await later(owner)
  const found = await onServer(owner, 'Drafts')
  expect(found.map(({ text, subject }) => [subject, text?.trim()])).toEqual([
    ['Begun elsewhere', 'A whole sentence.'],
  ])
  await later(owner)
  expect(await folderOf(app, owner, 'drafts')).toHaveLength(1)
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
  expect(await folderOf(app, owner, 'drafts')).toEqual([])
})

/** Another program puts what it made of the draft in its place, under its Message-ID. */
async function changeElsewhere({ name }: Owner, was: string, is: string, date?: string): Promise<void> {
  const session = await openImap(servers.dovecot.user(name), { guard: app.context.guard })
  try {
    await session.openFolder('Drafts', false)
    const uids = await session.existingUids({ from: 1 })
    const [row] = await Array.fromAsync(session.fetchRaw(uids))
    const raw = (row?.raw ?? '').toString().replace(was, is)
    const dated = date === undefined ? raw : raw.replace(/^Date: .*(?=\r)/m, `Date: ${date}`)
    await session.append('Drafts', Buffer.from(dated), ['\\Draft'], new Date())
    await session.expunge(uids)
  } finally {
    session.close()
  }
}
const LATER = 'Mon, 01 Jan 2035 08:00:00 +0000'
const shown = async (owner: Owner) =>
  (await folderOf(app, owner, 'drafts')).map(({ content }) => content.trim()).toSorted()
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
    const [draft] = await folderOf(app, owner, 'drafts')
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
    expect((await folderOf(app, owner, 'drafts')).map(({ id }) => id)).toEqual([body.id])
  })
})
