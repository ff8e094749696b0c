import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contacts } from '#contract/crm/contacts.ts'
import type { BodyInput } from '#contract/platform/endpoint.ts'
import { TAGS_MAX, TAGS_PER_CONTACT_MAX, tags } from '#contract/crm/tags.ts'
import { todos } from '#contract/crm/todos.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { forgetActionsBefore } from './bulk-actions-store.ts'

let app: TestApp
let ada: TestUser

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
})
beforeEach(async () => {
  ada = await signUp(app.url)
})
afterAll(() => app?.end())

const add = async (name: string, more: object = {}) =>
  (
    await call(app.url, contacts.add, {
      token: ada.token,
      body: { name, email: `${name.toLowerCase()}@x.example`, ...more },
    })
  ).body
const read = async (id: number) =>
  (await call(app.url, contacts.get, { token: ada.token, params: { id } })).body
const tagsOf = async (id: number) => (await read(id)).tags.map(({ name }) => name)
const listed = async (query: object = {}) =>
  (await call(app.url, contacts.list, { token: ada.token, query })).body.map(({ name }) => name).toSorted()
const addTag = (name: string, colour?: 'red') =>
  call(app.url, tags.add, { token: ada.token, body: { name, ...(colour && { colour }) } })
const allTags = async () =>
  (await call(app.url, tags.list, { token: ada.token, query: { counts: 'true' } })).body
const tagMany = (body: BodyInput<typeof contacts.tagMany>) =>
  call(app.url, contacts.tagMany, { token: ada.token, body })
const untagMany = (body: BodyInput<typeof contacts.untagMany>) =>
  call(app.url, contacts.untagMany, { token: ada.token, body })
const removeMany = (body: BodyInput<typeof contacts.removeMany>) =>
  call(app.url, contacts.removeMany, { token: ada.token, body })
const rowsOf = async (table: string) =>
  (await runSql(app.context.db, `SELECT FROM ${table} WHERE user_id = $1`, [ada.id])).rows.length
const undo = (id: number | null) =>
  call(app.url, contacts.undoMany, { token: ada.token, params: { id: id ?? 0 } })

describe('tags', () => {
  test('have a unique name, ignoring case, and a colour', async () => {
    const { body: vip } = await addTag('  VIP ', 'red')
    expect(vip).toMatchObject({ name: 'VIP', colour: 'red' })
    const again = await addTag('vip')
    expect([again.status, again.error.detail]).toEqual([409, 'You have a tag with this name already.'])
    const { body: other } = await addTag('Customer')
    expect(other.colour).not.toBe('red')
    const taken = await call(app.url, tags.update, {
      token: ada.token,
      params: { id: other.id },
      body: { name: 'Vip' },
    })
    expect(taken.status).toBe(409)
    const renamed = await call(app.url, tags.update, {
      token: ada.token,
      params: { id: vip.id },
      body: { name: 'Vips', colour: 'green' },
    })
    expect(renamed.body).toEqual({ id: vip.id, name: 'Vips', colour: 'green' })
    expect((await addTag(' ')).error.fields).toEqual({ name: 'Please enter a name for the tag' })
    expect((await addTag('x'.repeat(51))).status).toBe(400)
    expect((await allTags()).map(({ name }) => name)).toEqual(['Customer', 'Vips'])
  })

  test('appear in the contact, are created by name, and filter the list and the export', async () => {
    const anna = await add('Anna', { tags: ['VIP', 'vip', 'Trade fair'] })
    await add('Bert')
    expect(anna.tags.map(({ name }) => name)).toEqual(['Trade fair', 'VIP'])
    expect(await listed({ tag: 'vIP' })).toEqual(['Anna'])
    expect(await listed({ tag: 'nobody has it' })).toEqual([])
    const csv = await fetch(`${app.url}/api/v1/contacts/export?tag=vip`, {
      headers: { Authorization: `Bearer ${ada.token}` },
    })
    const text = await csv.text()
    expect(text).toContain('anna@x.example')
    expect(text).not.toContain('bert@x.example')
    await call(app.url, contacts.update, {
      token: ada.token,
      params: { id: anna.id },
      body: { tags: ['vip'] },
    })
    expect(await tagsOf(anna.id)).toEqual(['VIP'])
    await call(app.url, contacts.update, {
      token: ada.token,
      params: { id: anna.id },
      body: { company: 'North' },
    })
    expect(await tagsOf(anna.id), 'what is not named is kept').toEqual(['VIP'])
    const { id: _, last_contact: __, ...everything } = await read(anna.id)
    const whole = await call(app.url, contacts.update, {
      token: ada.token,
      params: { id: anna.id },
      body: { ...everything, position: 'Buyer' },
    })
    expect(whole.body, 'what came may be sent back').toMatchObject({
      position: 'Buyer',
      tags: everything.tags,
    })
    const [, vip] = await allTags()
    expect(vip).toMatchObject({ name: 'VIP', contacts: 1 })
    await call(app.url, tags.remove, { token: ada.token, params: { id: vip?.id ?? 0 } })
    expect(await tagsOf(anna.id)).toEqual([])
    expect(await rowsOf('contact_tags')).toBe(0)
  })

  test('are limited per user and per contact', async () => {
    const many = Array.from({ length: TAGS_PER_CONTACT_MAX + 1 }, (_, index) => `Tag ${index}`)
    const tooMany = await call(app.url, contacts.add, {
      token: ada.token,
      body: { name: 'Anna', email: 'anna@x.example', tags: many },
    })
    expect(tooMany.error.fields).toEqual({ tags: `A contact can have up to ${TAGS_PER_CONTACT_MAX} tags` })
    const anna = await add('Anna', { tags: many.slice(1) })
    const one = await tagMany({ ids: [anna.id], tag: 'One more' })
    expect(one.error.detail).toBe(`Anna has ${TAGS_PER_CONTACT_MAX} tags already. Nothing was changed.`)
    await runSql(
      app.context.db,
      `INSERT INTO tags (user_id, name, name_key, colour, created_at)
       SELECT $1, 'f' || n, 'f' || n, 'gray', now() FROM generate_series(1, $2::int) n`,
      [ada.id, TAGS_MAX - TAGS_PER_CONTACT_MAX],
    )
    expect((await addTag('Beyond')).error.detail).toBe(
      `You can have up to ${TAGS_MAX} tags. Please delete some first.`,
    )
  })

  test('created by two calls at once are one', async () => {
    const ids = await Promise.all(['A', 'B', 'C', 'D'].map(async (name) => (await add(name)).id))
    const answers = await Promise.all(ids.map((id) => tagMany({ ids: [id], tag: 'Same' })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await allTags()).toMatchObject([{ name: 'Same', contacts: 4 }])
  })
})

describe('many contacts at once', () => {
  test('are tagged and untagged by ids or by a filter, and that can be undone exactly', async () => {
    const anna = await add('Anna', { tags: ['VIP'] })
    const bert = await add('Bert', { company: 'North' })
    await add('Carl', { company: 'North' })
    const tagged = await tagMany({ filter: {}, tag: 'vip', expected: 3 })
    expect(tagged.body).toMatchObject({ changed: 2, unchanged: 1 })
    expect(await listed({ tag: 'VIP' })).toEqual(['Anna', 'Bert', 'Carl'])
    expect((await undo(tagged.body.undo_id)).body).toEqual({ restored: 2 })
    expect(await listed({ tag: 'VIP' })).toEqual(['Anna'])
    expect((await undo(tagged.body.undo_id)).error.detail).toBe('This can no longer be undone.')

    await tagMany({ filter: { company: 'north' }, tag: 'Region' })
    const untagged = await untagMany({ ids: [anna.id, bert.id], tag: 'region' })
    expect(untagged.body).toMatchObject({ changed: 1, unchanged: 1 })
    expect(await listed({ tag: 'Region' })).toEqual(['Carl'])
    await undo(untagged.body.undo_id)
    expect(await listed({ tag: 'Region' })).toEqual(['Bert', 'Carl'])
    expect((await untagMany({ ids: [anna.id], tag: 'no such tag' })).body).toEqual({
      changed: 0,
      unchanged: 1,
      undo_id: null,
    })
  })

  test('are deleted, and come back with their tags and tasks under their old ids', async () => {
    const anna = await add('Anna', { tags: ['VIP'], notes: 'kept', status: 'active' })
    const bert = await add('Bert')
    const task = await call(app.url, todos.add, {
      token: ada.token,
      body: { title: 'Call', contact_id: anna.id },
    })
    const before = await read(anna.id)
    const gone = await removeMany({ ids: [anna.id, bert.id, 987_654_321], expected: 2 })
    expect(gone.body).toMatchObject({ changed: 2, unchanged: 0 })
    expect(await listed()).toEqual([])
    const taken = await add('Bert')
    expect((await undo(gone.body.undo_id)).body).toEqual({ restored: 1 })
    expect(await read(anna.id)).toEqual(before)
    expect(await listed({ search: 'ann' })).toEqual(['Anna'])
    expect((await listed()).length).toBe(2)
    expect((await read(taken.id)).name).toBe('Bert')
    const tasks = await call(app.url, todos.list, { token: ada.token, query: { contact_id: anna.id } })
    expect(tasks.body.map(({ id }) => id)).toEqual([task.body.id])
  })

  test('stay unchanged if the user saw another number, or chose nothing', async () => {
    await add('Anna')
    await add('Bert')
    const other = await removeMany({ filter: {}, expected: 1 })
    expect([other.status, other.error.detail]).toEqual([
      409,
      '2 contacts match now, not 1. Please look again.',
    ])
    expect((await removeMany({})).status).toBe(400)
    expect((await removeMany({ ids: [1], filter: {} })).status).toBe(400)
    expect((await removeMany({ ids: Array.from({ length: 10_001 }, (_, index) => index + 1) })).status).toBe(
      400,
    )
    expect(await listed()).toEqual(['Anna', 'Bert'])
  })

  test('an action can be undone within an hour', async () => {
    const anna = await add('Anna')
    const gone = await call(app.url, contacts.remove, { token: ada.token, params: { id: anna.id } })
    app.clock.forward(60 * 60_000)
    expect((await undo(gone.body.undo_id)).status).toBe(404)
    app.clock.forward(-60 * 60_000)
    expect((await undo(gone.body.undo_id)).status).toBe(200)
    expect(await listed()).toEqual(['Anna'])
    expect(await rowsOf('deleted_contacts')).toBe(0)
  })

  test('nothing is kept of contacts whose deletion can no longer be undone', async () => {
    await add('Anna')
    await removeMany({ filter: {}, expected: 1 })
    const before = app.clock.now()
    app.clock.forward(1000)
    await add('Bert')
    await removeMany({ filter: {}, expected: 1 })
    expect(await rowsOf('deleted_contacts')).toBe(2)
    while ((await forgetActionsBefore(app.context.db, before, 20)) > 0);
    expect([await rowsOf('contact_actions'), await rowsOf('deleted_contacts')]).toEqual([1, 1])
  })

  test('can be excluded from mail and included again, except those who unsubscribed', async () => {
    const ids = [(await add('Anna')).id, (await add('Bert')).id, (await add('Carl')).id]
    await runSql(
      app.context.db,
      `INSERT INTO suppressions (user_id, address_key, reason, created_at)
       VALUES ($1, 'carl@x.example', 'unsubscribed', $2)`,
      [ada.id, app.clock.now()],
    )
    const { token } = ada
    const stopped = await call(app.url, contacts.stopMailing, { token, body: { ids } })
    expect(stopped.body).toMatchObject({ changed: 2, unchanged: 1 })
    expect(await Promise.all(ids.map(async (id) => (await read(id)).suppressed))).toEqual([
      'manual',
      'manual',
      'unsubscribed',
    ])
    app.clock.forward(1000)
    const [, ...others] = ids
    await call(app.url, contacts.liftMailing, { token, body: { ids: others } })
    await call(app.url, contacts.stopMailing, { token, body: { ids: others } })
    const undone = await call(app.url, contacts.liftMailing, {
      token,
      body: { filter: {}, stopped_at: stopped.body.at },
    })
    expect(undone.body.changed, 'what was stopped later stays stopped').toBe(1)
    const lifted = await call(app.url, contacts.liftMailing, { token, body: { filter: {} } })
    expect(lifted.body).toEqual({ changed: 1, unchanged: 2 })
    expect((await read(ids[2] ?? 0)).suppressed).toBe('unsubscribed')
  })

  test('five thousand are changed by one call, and that can be undone', async () => {
    const MANY = 5_000
    await runSql(
      app.context.db,
      `INSERT INTO contacts (user_id, name, email, email_key, created_at, updated_at)
       SELECT $1, 'P' || n, 'p' || n || '@x.example', 'p' || n || '@x.example', now(), now()
       FROM generate_series(1, $2::int) n`,
      [ada.id, MANY],
    )
    expect((await tagMany({ filter: {}, tag: 'All' })).body.changed).toBe(MANY)
    expect((await untagMany({ filter: { tag: 'all' }, tag: 'All' })).body.changed).toBe(MANY)
    const { token } = ada
    const stopped = await call(app.url, contacts.stopMailing, { token, body: { filter: {} } })
    expect(stopped.body.changed).toBe(MANY)
    const lifted = await call(app.url, contacts.liftMailing, { token, body: { filter: {} } })
    expect(lifted.body.changed).toBe(MANY)
    const gone = await removeMany({ filter: {}, expected: MANY })
    expect(gone.body.changed).toBe(MANY)
    expect((await undo(gone.body.undo_id)).body.restored).toBe(MANY)
  }, 60_000)
})
