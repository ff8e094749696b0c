import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emails } from '#contract/mail/emails.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { call } from '../../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../../tests/support/factories.ts'
import { testMail } from '../../../../tests/support/mail-servers.ts'
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts'
import { inTransaction, runSql } from '../../../platform/database/transaction.ts'
import { mailboxesOf } from '../../mailboxes/mailboxes.ts'
import { ingestRaw } from '../emails.ts'
import { purgeDeleted } from '../retention/purge-deleted.ts'

let app: TestApp
let ada: TestUser
let serial = 0

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
})
afterAll(() => app?.end())

/** A user with mails of these subjects in the inbox, and the ids of the mails in that order. */
async function withMails(...subjects: string[]): Promise<number[]> {
  ada = await signUp(app.url)
  await call(app.url, mailboxSetup.practice, { token: ada.token })
  const mailboxId = (await mailboxesOf(app.context.db, ada.id))[0]?.id ?? 0
  for (const subject of subjects) {
    const raw = Buffer.from(testMail({ Subject: subject, 'Message-ID': `<${(serial += 1)}@far.example>` }))
    await inTransaction(app.context.db, (tx) =>
      ingestRaw(app.context, tx, { userId: ada.id, mailboxId, raw, receivedAt: app.clock.now() }),
    )
  }
  const { rows } = await runSql(app.context.db, 'SELECT id FROM emails WHERE user_id = $1 ORDER BY id', [
    ada.id,
  ])
  return (rows as { id: number }[]).map(({ id }) => id)
}

const one = async (id: number) => (await call(app.url, emails.get, { token: ada.token, params: { id } })).body
const counts = async () => (await call(app.url, emails.counts, { token: ada.token })).body
type OneMail = (typeof emails)[
  | 'archive'
  | 'unarchive'
  | 'trash'
  | 'restore'
  | 'deleteFromTrash'
  | 'markRead'
  | 'spam']
const act = (endpoint: OneMail, id: number) => call(app.url, endpoint, { token: ada.token, params: { id } })
const many = (
  body: Parameters<typeof call<typeof emails.act>>[2] extends { body?: infer B } | undefined ? B : never,
) => call(app.url, emails.act, { token: ada.token, ...(body === undefined ? {} : { body }) })
const set = (column: string, value: unknown, id: number) =>
  runSql(app.context.db, `UPDATE emails SET ${column} = $1 WHERE user_id = $2 AND id = $3`, [
    value,
    ada.id,
    id,
  ])

describe('one mail', () => {
  test('goes to the archive and back, to the trash and back, and the counts follow', async () => {
    const [id = 0] = await withMails('Plans')
    expect((await act(emails.archive, id)).body).toEqual({ ok: true })
    expect(await one(id)).toMatchObject({ status: 'archived', original_folder: 'inbox' })
    expect(await counts()).toMatchObject({ inbox: 0, archived: 1, unread_inbox: 0 })
    expect((await act(emails.unarchive, id)).body).toEqual({ ok: true, restored_to: 'inbox' })
    await act(emails.trash, id)
    expect(await one(id)).toMatchObject({ status: 'trashed', original_folder: 'inbox' })
    expect(await counts()).toMatchObject({ inbox: 0, archived: 0, trash: 1 })
    expect((await act(emails.restore, id)).body).toEqual({ ok: true, restored_to: 'inbox' })
    expect(await counts()).toMatchObject({ inbox: 1, trash: 0, unread_inbox: 1 })
  })

  test('is not changed by the same action twice', async () => {
    const [id = 0] = await withMails('Twice')
    for (const endpoint of [emails.trash, emails.trash, emails.archive, emails.archive])
      await act(endpoint, id)
    expect(await one(id)).toMatchObject({ status: 'archived', original_folder: 'trash' })
    expect((await act(emails.unarchive, id)).body.ok).toBe(true)
    expect((await act(emails.unarchive, id)).body).toEqual({ ok: true, restored_to: 'trash' })
    expect((await act(emails.restore, id)).body).toEqual({ ok: true, restored_to: 'inbox' })
  })

  test('is starred and read; without a value the star is toggled', async () => {
    const [id = 0] = await withMails('Star')
    const star = (body?: { starred?: boolean }) =>
      call(app.url, emails.star, {
        token: ada.token,
        params: { id },
        ...(body === undefined ? {} : { body }),
      })
    expect((await star()).body).toEqual({ ok: true, isStarred: true })
    expect((await star()).body.isStarred).toBe(false)
    expect((await star({ starred: true })).body.isStarred).toBe(true)
    expect((await star({ starred: true })).body.isStarred).toBe(true)
    await act(emails.markRead, id)
    expect(await one(id)).toMatchObject({ isRead: true, isStarred: true })
    expect((await counts()).unread_inbox).toBe(0)
    await call(app.url, emails.markUnread, { token: ada.token, params: { id } })
    expect((await counts()).unread_inbox).toBe(1)
  })

  test('is marked as spam, and as not spam', async () => {
    const [id = 0] = await withMails('Win')
    await act(emails.spam, id)
    expect((await one(id)).status).toBe('spam')
    const back = await call(app.url, emails.notSpam, { token: ada.token, body: { email_id: id } })
    expect(back.body).toEqual({ ok: true, restored_to: 'inbox' })
  })

  test('is deleted for good only from the trash, and never shown again; its content is purged after 30 days', async () => {
    const [id = 0] = await withMails('Secret')
    const refused = await act(emails.deleteFromTrash, id)
    expect([refused.status, refused.error.code, refused.error.detail]).toEqual([
      409,
      'CONFLICT',
      'Only emails in the trash can be deleted for good.',
    ])
    await act(emails.trash, id)
    expect((await act(emails.deleteFromTrash, id)).status).toBe(200)
    expect((await act(emails.deleteFromTrash, id)).status).toBe(200)
    for (const endpoint of [emails.restore, emails.archive, emails.markRead])
      expect([(await act(endpoint, id)).status, (await act(endpoint, id)).error.detail]).toEqual([
        404,
        'Email not found',
      ])
    expect(await counts()).toMatchObject({ trash: 0 })
    const words = async () =>
      (await runSql(app.context.db, 'SELECT 1 FROM email_bodies WHERE user_id = $1', [ada.id])).rows.length
    await purgeDeleted(app.context)
    expect(await words()).toBe(1)
    app.clock.forward(30 * 86_400_000 + 1000)
    await purgeDeleted(app.context)
    expect(await words()).toBe(0)
    const { rows } = await runSql(app.context.db, 'SELECT subject, snippet FROM emails WHERE user_id = $1', [
      ada.id,
    ])
    expect(rows).toEqual([{ subject: '', snippet: '' }])
  })

  test('that is scheduled or on its way stays, with a sentence that says why', async () => {
    const [scheduled = 0, sending = 0] = await withMails('Later', 'Now')
    await set('direction', 'out', scheduled)
    await set('folder', 'scheduled', scheduled)
    await set('folder', 'sent', sending)
    await runSql(
      app.context.db,
      `INSERT INTO deliveries (user_id, email_id, mailbox_id, state, recipients, next_try_at)
       SELECT user_id, id, mailbox_id, 'deferred', '{}', '2100-01-01' FROM emails WHERE id = $1`,
      [sending],
    )
    expect((await act(emails.trash, scheduled)).error).toMatchObject({
      code: 'CONFLICT',
      detail: 'This email is scheduled. Cancel it first.',
    })
    expect((await act(emails.archive, sending)).error).toMatchObject({
      code: 'CONFLICT',
      detail: 'This email is still being sent. Cancel it first, or wait until it has been sent.',
    })
    expect((await many({ action: 'trash', ids: [scheduled, sending] })).body.changed).toEqual([])
  })

  test('that is missing, or belongs to another user, is not found', async () => {
    const [id = 0] = await withMails('Mine')
    const bob = await signUp(app.url)
    for (const [user, params] of [
      [bob, { id }],
      [ada, { id: 987_654_321 }],
    ] as const) {
      const { status, error } = await call(app.url, emails.trash, { token: user.token, params })
      expect([status, error.detail]).toEqual([404, 'Email not found'])
    }
  })
})

describe('many mails', () => {
  test('are changed at once; those that the action does not apply to are skipped', async () => {
    const ids = await withMails('One', 'Two', 'Three')
    const { body } = await many({ action: 'archive', ids: [...ids, 987_654_321] })
    expect(new Set(body.changed)).toEqual(new Set(ids))
    expect((await many({ action: 'archive', ids })).body).toEqual({ ok: true, changed: [] })
    expect(await counts()).toMatchObject({ inbox: 0, archived: 3 })
    expect((await many({ action: 'unarchive', ids: ids.slice(0, 2) })).body.changed).toHaveLength(2)
    expect(await counts()).toMatchObject({ inbox: 2, archived: 1 })
  })

  test('include those collapsed under them, if asked', async () => {
    const [, second = 0] = await withMails('Same', 'Same', 'Same', 'Other')
    expect((await many({ action: 'read', ids: [second] })).body.changed).toEqual([second])
    expect((await many({ action: 'trash', ids: [second], collapsed: true })).body.changed).toHaveLength(3)
    expect(await counts()).toMatchObject({ inbox: 1, trash: 3 })
  })

  test('in the trash are deleted for good by one call, and only once', async () => {
    const ids = await withMails('One', 'Two', 'Three')
    await many({ action: 'trash', ids: ids.slice(1) })
    expect((await call(app.url, emails.emptyTrash, { token: ada.token })).body).toEqual({
      ok: true,
      deleted: 2,
    })
    const again = await call(app.url, emails.emptyTrash, { token: ada.token })
    expect([again.status, again.error.detail]).toEqual([400, 'Trash is already empty'])
    expect(await counts()).toMatchObject({ inbox: 1, trash: 0 })
  })

  test('change once when the same call is made fifty times at once', async () => {
    const ids = await withMails('One', 'Two')
    const answers = await Promise.all(Array.from({ length: 50 }, () => many({ action: 'archive', ids })))
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect(answers.flatMap(({ body }) => body.changed)).toHaveLength(2)
    expect(await counts()).toMatchObject({ inbox: 0, archived: 2 })
  })
})
