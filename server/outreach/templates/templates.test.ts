import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contacts } from '#contract/crm/contacts.ts'
import { profile } from '#contract/accounts/profile.ts'
import { templates, TEMPLATES_MAX } from '#contract/outreach/templates.ts'
import { runSql } from '#server/platform/database/transaction.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { movableClock, startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { USUAL_VOICE } from '../briefs/briefs.ts'
import { findTemplate, readTemplate, renderTemplate, UnusableTemplate } from './templates.ts'

const clock = movableClock()
const TEXT = {
  name: 'Bread',
  subject: 'Bread for {{ company | default: "you" }}',
  body: 'Hello {{ first_name }}?',
}
let app: TestApp
let ada: TestUser

beforeAll(async () => {
  app = await startTestApp({ roles: ['web'], clock })
})
afterAll(() => app?.end())

const signIn = async () => {
  ada = await signUp(app.url, { name: 'Ada Berg' })
  return ada.token
}
const add = (body: typeof TEXT, token = ada.token) => call(app.url, templates.add, { token, body })
const names = async (token = ada.token) =>
  (await call(app.url, templates.list, { token })).body.map(({ name }) => name)
const addContact = (body: { name: string; email: string; company?: string }) =>
  call(app.url, contacts.add, { token: ada.token, body })

describe('templates', () => {
  test('are added, changed by field, copied, listed by name and deleted with a way back', async () => {
    const token = await signIn()
    const { body: made } = await add({ ...TEXT, name: '  Bread ' })
    expect(made).toMatchObject(TEXT)
    const params = { id: made.id }
    const changed = await call(app.url, templates.update, { token, params, body: { name: 'Rolls' } })
    expect(changed.body).toMatchObject({ ...TEXT, name: 'Rolls' })
    await add({ ...TEXT, name: 'apple pie' })
    const copy = await call(app.url, templates.duplicate, { token, params })
    expect(copy.body).toMatchObject({ ...TEXT, name: 'Rolls (copy)' })
    expect(await names()).toEqual(['apple pie', 'Rolls', 'Rolls (copy)'])

    expect((await call(app.url, templates.remove, { token, params })).body).toEqual({ ok: true })
    expect(await names()).toEqual(['apple pie', 'Rolls (copy)'])
    expect((await call(app.url, templates.get, { token, params })).status).toBe(404)
    expect((await call(app.url, templates.remove, { token, params })).status).toBe(404)
    expect((await call(app.url, templates.restore, { token, params })).body).toMatchObject({ name: 'Rolls' })
    expect(await names()).toEqual(['apple pie', 'Rolls', 'Rolls (copy)'])
  })

  test('are gone a day after they were deleted', async () => {
    const token = await signIn()
    const [one, other] = [(await add(TEXT)).body, (await add(TEXT)).body]
    await call(app.url, templates.remove, { token, params: { id: one.id } })
    clock.forward(24 * 60 * 60 * 1000 + 1)
    expect((await call(app.url, templates.restore, { token, params: { id: one.id } })).status).toBe(404)
    await call(app.url, templates.remove, { token, params: { id: other.id } })
    const { rows } = await runSql(app.context.db, 'SELECT id FROM templates WHERE user_id = $1', [ada.id])
    expect(rows).toEqual([{ id: other.id }])
  })

  test('belong to their user', async () => {
    await signIn()
    const { body: made } = await add(TEXT)
    const eve = await signUp(app.url)
    const params = { id: made.id }
    const { token } = eve
    const tries = [
      await call(app.url, templates.get, { token, params }),
      await call(app.url, templates.update, { token, params, body: { name: 'Mine' } }),
      await call(app.url, templates.duplicate, { token, params }),
      await call(app.url, templates.remove, { token, params }),
      await call(app.url, templates.restore, { token, params }),
    ]
    expect(tries.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    expect(await names(token)).toEqual([])
    expect(await names()).toEqual(['Bread'])
    expect(await findTemplate(app.context.db, eve.id, made.id)).toBeUndefined()
    expect(await findTemplate(app.context.db, ada.id, made.id)).toMatchObject(TEXT)
  })

  test.each([
    ['no name', { name: ' ' }, 'name', 'Please enter a name'],
    ['no subject', { subject: '' }, 'subject', 'Please enter a subject'],
    ['no text', { body: ' \n' }, 'body', 'Please write a text'],
    ['a subject of two lines', { subject: 'a\nBcc: x' }, 'subject', 'Please use one line'],
    [
      'an unknown field',
      { body: 'Hello\n{{ nmae }}' },
      'body',
      'Line 2: There is no field “nmae”. Is name meant?',
    ],
    ['an open condition', { subject: '{% if name %}x' }, 'subject', 'This condition does not end'],
    ['a text without end', { body: 'x'.repeat(90_000) }, 'body', 'Please keep this under 10000 characters'],
  ])('with %s are refused', async (_, wrong, field, why) => {
    await signIn()
    const answer = await add({ ...TEXT, ...wrong })
    expect(answer.status).toBe(400)
    expect(answer.error?.fields?.[field]).toContain(why)
    expect(await names()).toEqual([])
  })

  test(`are ${TEMPLATES_MAX} at most, whoever adds at the same time`, async () => {
    await signIn()
    await runSql(
      app.context.db,
      `INSERT INTO templates (user_id, name, subject, body, created_at, updated_at)
       SELECT $1, 'n', 's', 'b', $2, $2 FROM generate_series(1, $3::int)`,
      [ada.id, clock.now(), TEMPLATES_MAX - 1],
    )
    const answers = await Promise.all([add(TEXT), add(TEXT), add(TEXT)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  })
})

describe('a template is tried', () => {
  test('for a contact, by default the newest, or for an invented one', async () => {
    const token = await signIn()
    await call(app.url, profile.update, { token, body: { company_name: 'Berg & Co', job_title: 'Baker' } })
    const mine = { my_name: 'Ada Berg', my_company: 'Berg & Co', my_role: 'Baker' }
    const invented = await call(app.url, templates.values, { token })
    expect(invented.body).toMatchObject({ contact: null, values: { first_name: 'Ana', ...mine } })

    const first = (await addContact({ name: 'Schmidt, Anna', email: 'anna@far.example', company: 'Werk' }))
      .body
    const second = (await addContact({ name: 'Müller GmbH', email: 'info@mueller.example' })).body
    const newest = await call(app.url, templates.values, { token })
    expect(newest.body).toMatchObject({
      contact: { id: second.id },
      values: { greeting: 'Hello', first_name: '', name: 'Müller GmbH', company: '', ...mine },
    })
    const chosen = await call(app.url, templates.values, { token, query: { contact_id: first.id } })
    expect(chosen.body).toMatchObject({
      contact: { id: first.id, name: 'Schmidt, Anna' },
      values: { greeting: 'Hello Anna', first_name: 'Anna', company: 'Werk' },
    })
  })

  test('and checked: mistakes, examples that are left, remarks, and whom it has gaps for', async () => {
    const token = await signIn()
    for (const name of ['Bea Berg', 'Bo Lund', 'Cy Ott', 'Dora Fay'])
      await addContact({ name, email: `${name.slice(0, 3).trim()}@far.example` })
    await addContact({ name: 'Ana Ruiz', email: 'ana@far.example', company: 'Werk' })
    await addContact({ name: 'Info', email: 'info@far.example', company: 'Werk' })
    const check = async (subject: string, body: string) =>
      (await call(app.url, templates.check, { token, body: { subject, body } })).body
    const found = await check(
      '[Bread]',
      'Hello {{ first_name }}, I bake. How is {{ company }}? {{ company }}!',
    )
    expect(found).toMatchObject({
      problems: [],
      to_fill: ['Bread'],
      contacts: 6,
      contacts_checked: 6,
      gaps: [
        { field: 'company', contacts: 4, names: ['Bea Berg', 'Bo Lund', 'Cy Ott'] },
        { field: 'first_name', contacts: 1, names: ['Info'] },
      ],
    })
    expect(found.advice.map(({ message }) => message)).toEqual([
      'Short: 8 words. Does it say who writes, and why?',
    ])
    const none = await check(
      'x',
      '{% if company %}{{ company }}{% endif %} {{ first_name | default: "you" }}',
    )
    expect(none.gaps).toEqual([])
    const wrong = await check('x', 'Hello\n {{ constructor }}')
    expect(wrong.problems).toEqual([
      { about: 'body', line: 2, column: 2, message: 'There is no field “constructor”.' },
    ])
  })

  test('and rendered for others to send', async () => {
    await signIn()
    const { body: made } = await add(TEXT)
    const template = await findTemplate(app.context.db, ada.id, made.id)
    const to = { name: 'Ana Ruiz', email: 'ana@far.example', company: '', position: '' }
    const from = { name: 'Ada', company: '', role: '', voice: USUAL_VOICE }
    const mail = { subject: 'Bread for you', text: 'Hello Ana?', blank: [] }
    expect(renderTemplate(template!, to, from)).toEqual(mail)
    expect(renderTemplate(readTemplate(template!), to, from)).toEqual(mail)
    const begun = { ...TEXT, body: 'We bake [rolls].' }
    expect(() => renderTemplate(begun, to, from)).toThrow(UnusableTemplate)
  })
})

test('ten templates of the house are offered to everybody', async () => {
  const token = await signIn()
  const { body } = await call(app.url, templates.house, { token })
  expect(body.map(({ name }) => name)).toEqual([
    'Introduction',
    'Offer',
    'Invitation',
    'Follow-up',
    'Price list',
    'Review',
    'Thanks',
    'Win-back',
    'Reminder',
    'Referral',
  ])
})
