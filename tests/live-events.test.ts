import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assistant } from '#contract/assistant/assistant.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { meetings } from '#contract/crm/meetings.ts'
import { tags } from '#contract/crm/tags.ts'
import { todos } from '#contract/crm/todos.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import type { LiveEvent, Topic } from '#contract/platform/events.ts'
import { LIVE_CHANNEL } from '#server/platform/http/events.ts'
import { call } from './support/client.ts'
import { signUp, type TestUser } from './support/factories.ts'
import { anInvoice } from './support/invoices.ts'
import { startTestApp, type TestApp } from './support/test-app.ts'

// What one tab changes, the others are told of. Component tests play these events on a fake server; here the real one sends them.

let app: TestApp
let ada: TestUser
let listener: pg.Client
let told: Topic[] = []

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'] })
  ada = await signUp(app.url)
  listener = new pg.Client({ connectionString: app.databaseUrl })
  await listener.connect()
  listener.on('notification', ({ payload = '{}' }) => {
    const { userId, event } = JSON.parse(payload) as { userId?: number; event?: LiveEvent }
    if (userId === ada.id && event !== undefined && 'topic' in event) told.push(event.topic)
  })
  await listener.query(`LISTEN ${LIVE_CHANNEL}`)
})
afterAll(async () => {
  await listener?.end()
  await app?.end()
})

/** Does something as the user, and sees that their tabs are told of it. */
async function tells<T extends { status: number }>(topic: Topic, act: () => Promise<T>): Promise<T> {
  // What came before has arrived once this is answered.
  await listener.query('SELECT 1')
  told = []
  const answer = await act()
  expect(answer.status).toBe(200)
  await expect.poll(() => told).toContain(topic)
  return answer
}
const mine = () => ({ token: ada.token })

test('tasks', async () => {
  const { body } = await tells('todos', () =>
    call(app.url, todos.add, { ...mine(), body: { title: 'Call' } }),
  )
  const params = { id: body.id }
  await tells('todos', () => call(app.url, todos.update, { ...mine(), params, body: { title: 'Call Bea' } }))
  await tells('todos', () => call(app.url, todos.toggle, { ...mine(), params }))
  await tells('todos', () => call(app.url, todos.remove, { ...mine(), params }))
})

test('meetings', async () => {
  const times = { start_time: '2027-03-09T09:00:00.000Z', end_time: '2027-03-09T10:00:00.000Z' }
  const meeting = { title: 'Review', type: 'phone', ...times } as const
  const { body } = await tells('meetings', () => call(app.url, meetings.add, { ...mine(), body: meeting }))
  const params = { id: body.id }
  await tells('meetings', () =>
    call(app.url, meetings.update, { ...mine(), params, body: { title: 'Plan' } }),
  )
  await tells('meetings', () => call(app.url, meetings.remove, { ...mine(), params }))
})

test('contacts and their tags', async () => {
  const anna = { name: 'Anna', email: 'anna@north.example' }
  const { body } = await tells('contacts', () => call(app.url, contacts.add, { ...mine(), body: anna }))
  const params = { id: body.id }
  await tells('contacts', () => call(app.url, contacts.update, { ...mine(), params, body: { name: 'Ann' } }))
  await tells('contacts', () => call(app.url, tags.add, { ...mine(), body: { name: 'Baker' } }))
  await tells('contacts', () => call(app.url, contacts.remove, { ...mine(), params }))
})

test('invoices', async () => {
  const { body } = await tells('invoices', () =>
    call(app.url, invoices.add, { ...mine(), body: anInvoice() }),
  )
  const params = { id: body.id }
  await tells('invoices', () => call(app.url, invoices.issue, { ...mine(), params }))
})

test('what becomes of a proposal', async () => {
  const wish = async () => {
    const asked = await call(app.url, assistant.chat, {
      ...mine(),
      body: { message: 'Remind me to call the bank' },
    })
    const [proposal] = asked.body.result.proposals
    if (proposal === undefined) throw new Error(asked.body.text)
    return { params: { id: proposal.id }, hash: proposal.hash }
  }
  const declined = await wish()
  await tells('assistant', () => call(app.url, assistant.decline, { ...mine(), params: declined.params }))
  const { params, hash } = await wish()
  await tells('assistant', () => call(app.url, assistant.approve, { ...mine(), params, body: { hash } }))
})
