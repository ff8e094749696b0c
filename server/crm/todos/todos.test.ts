import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contacts } from '#contract/crm/contacts.ts'
import { todos } from '#contract/crm/todos.ts'
import { call } from '../../../tests/support/client.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { storeMails } from '../../../tests/support/stored-mails.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'

let app: TestApp
let ada: TestUser

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
})
afterAll(() => app?.end())

const add = (body: { title: string } & Record<string, unknown>) =>
  call(app.url, todos.add, { token: ada.token, body })
const titles = async (query: object = {}) =>
  (await call(app.url, todos.list, { token: ada.token, query })).body.map(({ title }) => title)

describe('tasks', () => {
  test('are added, changed by field, ticked off and deleted', async () => {
    ada = await signUp(app.url)
    const { body: made } = await add({
      title: '  Call Bea ',
      due_date: '2026-03-09T10:00:00Z',
      priority: 'high',
    })
    expect(made).toMatchObject({
      title: 'Call Bea',
      description: '',
      due_date: '2026-03-09',
      priority: 'high',
      completed: false,
      contact_id: null,
    })
    const params = { id: made.id }
    const { token } = ada
    const changed = await call(app.url, todos.update, {
      token,
      params,
      body: { description: 'About bread', due_date: '' },
    })
    expect(changed.body).toMatchObject({ title: 'Call Bea', description: 'About bread', due_date: null })
    expect((await call(app.url, todos.toggle, { token, params })).body.completed).toBe(true)
    expect((await call(app.url, todos.toggle, { token, params })).body.completed).toBe(false)
    expect((await call(app.url, todos.remove, { token, params })).body).toEqual({ ok: true })
    expect((await call(app.url, todos.remove, { token, params })).status).toBe(404)
    expect(await titles()).toEqual([])
  })

  test('are searched, filtered and sorted', async () => {
    ada = await signUp(app.url)
    await add({ title: 'beta 100%', priority: 'low', due_date: '2026-05-01' })
    await add({ title: 'Alpha', priority: 'high', description: 'about bread' })
    const { body } = await add({ title: 'gamma', due_date: '2026-04-01' })
    await call(app.url, todos.toggle, { token: ada.token, params: { id: body.id } })
    expect(await titles()).toEqual(['gamma', 'Alpha', 'beta 100%'])
    expect(await titles({ sort: 'title' })).toEqual(['Alpha', 'beta 100%', 'gamma'])
    expect(await titles({ sort: 'due_date' })).toEqual(['gamma', 'beta 100%', 'Alpha'])
    expect(await titles({ sort: 'priority' })).toEqual(['Alpha', 'gamma', 'beta 100%'])
    expect(await titles({ status: 'completed' })).toEqual(['gamma'])
    expect(await titles({ status: 'pending', priority: 'low' })).toEqual(['beta 100%'])
    expect(await titles({ search: 'BREAD' })).toEqual(['Alpha'])
    expect(await titles({ search: '0%' })).toEqual(['beta 100%'])
    expect(await titles({ search: '%' })).toEqual(['beta 100%'])
  })

  test('outlive the contact that they are about', async () => {
    ada = await signUp(app.url)
    const { token } = ada
    const bea = await call(app.url, contacts.add, { token, body: { name: 'Bea', email: 'bea@far.example' } })
    await add({ title: 'Call Bea', contact_id: bea.body.id })
    expect(await titles({ contact_id: bea.body.id })).toEqual(['Call Bea'])
    await call(app.url, contacts.remove, { token, params: { id: bea.body.id } })
    const { body } = await call(app.url, todos.list, { token })
    expect(body).toMatchObject([{ title: 'Call Bea', contact_id: null }])
  })

  test('name their contact or mail, and can be detached from it', async () => {
    ada = await signUp(app.url)
    const { token } = ada
    const bea = await call(app.url, contacts.add, { token, body: { name: 'Bea', email: 'bea@far.example' } })
    const [mail = 0] = await storeMails(app, ada.id, [{ subject: 'Bread', folder: 'archived' }])
    const links = { contact_id: bea.body.id, email_id: mail }
    const { body: made } = await add({ title: 'Call Bea', ...links })
    const about = {
      contact: { id: bea.body.id, name: 'Bea' },
      email: { id: mail, subject: 'Bread', folder: 'archived' },
    }
    expect(made).toMatchObject({ ...links, ...about })
    expect((await call(app.url, todos.list, { token, query: { email_id: mail } })).body).toMatchObject([
      about,
    ])
    expect(await titles({ email_id: mail + 1 })).toEqual([])

    const params = { id: made.id }
    const changed = await call(app.url, todos.update, { token, params, body: { title: 'Call Bea Berg' } })
    expect(changed.body).toMatchObject({ title: 'Call Bea Berg', ...about })
    expect((await call(app.url, todos.toggle, { token, params })).body).toMatchObject(about)
    // A mail that was deleted permanently cannot be opened any more.
    await runSql(app.context.db, `UPDATE emails SET folder = 'deleted' WHERE user_id = $1`, [ada.id])
    expect((await call(app.url, todos.list, { token })).body).toMatchObject([{ email: null }])
    const free = await call(app.url, todos.update, {
      token,
      params,
      body: { contact_id: null, email_id: null },
    })
    expect(free.body).toMatchObject({ contact_id: null, email_id: null, contact: null, email: null })
  })

  test.each([
    ['no title', { title: '  ' }, 'Please enter a title'],
    ['a day that is not', { title: 'x', due_date: '2026-02-30' }, 'This is not a date'],
    ['a year of six digits', { title: 'x', due_date: '+275760-09-13' }, 'This is not a date'],
    ['words for a day', { title: 'x', due_date: 'soon' }, 'This is not a date'],
    ['a title without end', { title: 'x'.repeat(301) }, 'Please keep this under 300 characters'],
  ])('with %s are refused', async (_name, body, detail) => {
    ada = await signUp(app.url)
    const answer = await add(body)
    expect(answer.status).toBe(400)
    expect(JSON.stringify(answer.error)).toContain(detail)
  })

  test.each(['abc', '0', '-1', '1.5'])('id %s is refused', async (id) => {
    ada = await signUp(app.url)
    const answer = await fetch(`${app.url}/api/v1/todos/${id}/toggle`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${ada.token}` },
    })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ detail: 'Invalid todo ID' })
  })
})
