import PostalMime from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aiUsage } from '#contract/models/ai-usage.ts'
import { automaticMail } from '#contract/outreach/automatic-mail.ts'
import { contacts } from '#contract/crm/contacts.ts'
import type { BodyInput } from '#contract/platform/endpoint.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { templates } from '#contract/outreach/templates.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { type ModelServer, startModel } from '../../../tests/support/model.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { movableClock, startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { connectWriter } from '../../../tests/support/writing.ts'

// Runs that are written from a template of the user's library, with a real mail server. A language model is set up: it must
// not be asked.

const FAIR = {
  name: 'After the fair',
  subject: 'The fair{% if company %} and {{ company }}{% endif %}',
  body: '{{ greeting }},\n\nit was good to meet you as {{ position | default: "a guest" }}.\n\n{{ my_name }}',
}
/** Nothing stands in for a company that is not known. */
const BAKERY = { name: 'Bread', subject: 'Bread for {{ company }}', body: '{{ greeting }}, we bake at four.' }

const clock = movableClock()
let app: TestApp
let sink: SmtpSink
let model: ModelServer
let ada: TestUser

beforeAll(async () => {
  clock.stand()
  clock.forward(Date.parse('2031-01-13T10:00:00Z') - clock.now().getTime())
  model = await startModel('')
  sink = await startSmtpSink()
  app = await startTestApp({ clock, environment: { AI_BASE_URL: model.baseUrl, AI_MODEL: 'test-model' } })
})
afterAll(async () => {
  await app.end()
  await model.stop()
  await sink.stop()
})
beforeEach(async () => {
  sink.clear()
  model.questions.length = 0
  ada = await connectWriter(app, sink)
})

type Asked = NonNullable<BodyInput<typeof outreach.generateAndSend>>
const as = () => ({ token: ada.token })
const run = (body: Asked) => call(app.url, outreach.generateAndSend, { ...as(), body })
const show = async (body: Asked) => (await call(app.url, outreach.previews, { ...as(), body })).body
const estimate = async (template_id?: number) =>
  (
    await call(app.url, outreach.estimate, {
      ...as(),
      query: template_id === undefined ? {} : { template_id },
    })
  ).body
const change = (id: number, body: BodyInput<typeof outreach.changePreview>) =>
  call(app.url, outreach.changePreview, { ...as(), params: { id }, body })
const current = async () => (await call(app.url, outreach.current, as())).body

async function addTemplate(body: typeof FAIR): Promise<number> {
  const added = await call(app.url, templates.add, { ...as(), body })
  expect(added.status).toBe(200)
  return added.body.id
}

async function addContact(name: string, more: Partial<BodyInput<typeof contacts.add>> = {}): Promise<number> {
  const body = { name, email: `${name.split(' ')[0]?.toLowerCase()}@customer.example`, ...more }
  const added = await call(app.url, contacts.add, { ...as(), body })
  expect(added.status).toBe(200)
  return added.body.id
}

/** The mails that have left, by the first part of their address. */
async function received() {
  const mails = await Promise.all(
    sink.received.map(async ({ envelope, raw }) => {
      const { subject, text, headers } = await PostalMime.parse(raw)
      return [envelope.to[0]?.split('@')[0] ?? '', { subject, text: text ?? '', headers }] as const
    }),
  )
  return Object.fromEntries(mails)
}

describe('a run from a template', () => {
  it('writes its words to each chosen contact, filled in, with the way out, and asks no model', async () => {
    const template_id = await addTemplate(FAIR)
    const anna = await addContact('Anna Berg', { company: 'Berg Bakery', position: 'Owner' })
    const mill = await addContact('info', { name: 'Mill GmbH', email: 'info@customer.example' })
    await addContact('Carl')
    const audience = { contact_ids: [anna, mill] }
    const { body } = await run({ audience, template_id, expected: 2 })
    expect(body).toMatchObject({ done: true, summary: { total: 2, sent: 2, warnings: 0, skipped: 0 } })
    expect(body.results.map(({ status, reason }) => [status, reason])).toEqual([
      ['sent', null],
      ['sent', null],
    ])
    const mails = await received()
    expect(Object.keys(mails).toSorted()).toEqual(['anna', 'info'])
    expect(mails['anna']).toMatchObject({ subject: 'The fair and Berg Bakery' })
    expect(mails['anna']?.text).toMatch(
      /^Hello Anna,\n\nit was good to meet you as Owner\.\n\n.+\n\n--\nYou do not want such mail\? http/,
    )
    expect(mails['anna']?.headers.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['list-unsubscribe', 'list-unsubscribe-post']),
    )
    // The greeting names nobody who is not certain, and a default stands in.
    expect(mails['info']).toMatchObject({ subject: 'The fair' })
    expect(mails['info']?.text).toContain('Hello,\n\nit was good to meet you as a guest.')
    expect(model.questions).toEqual([])
    const { plan } = (await call(app.url, aiUsage.get, as())).body
    expect(plan.left).toBe(plan.requests_a_day)
  })

  it('keeps the words that it began with, whatever becomes of the template', async () => {
    const template_id = await addTemplate(FAIR)
    await addContact('Anna')
    await addContact('Bert')
    const hours = { limited: true, days: [1, 2, 3, 4, 5], from_hour: 20, until_hour: 22 }
    await call(app.url, automaticMail.saveHours, { ...as(), body: hours })
    expect((await run({ template_id })).body).toMatchObject({ state: 'running', waits: { kind: 'hours' } })
    const later = { subject: 'Something else', body: 'Something else' }
    await call(app.url, templates.update, { ...as(), params: { id: template_id }, body: later })
    await call(app.url, templates.remove, { ...as(), params: { id: template_id } })
    const { batch_id } = (await current()) ?? { batch_id: 0 }
    const noModel = await call(app.url, outreach.withoutModel, { ...as(), params: { id: batch_id } })
    expect([noModel.status, noModel.error.detail]).toEqual([409, 'This run already writes from a template.'])
    await call(app.url, outreach.pause, { ...as(), params: { id: batch_id } })
    await call(app.url, automaticMail.saveHours, { ...as(), body: { ...hours, limited: false } })
    await call(app.url, outreach.resume, { ...as(), params: { id: batch_id } })
    await sink.waitFor(2)
    const mails = await received()
    expect([mails['anna']?.subject, mails['bert']?.subject]).toEqual(['The fair', 'The fair'])
    expect(mails['bert']?.text).toContain('it was good to meet you as a guest.')
    expect(model.questions).toEqual([])
  })

  it('does not begin with a template that is gone, or not finished', async () => {
    await addContact('Anna')
    const other = { token: (await signUp(app.url)).token, body: FAIR }
    const foreign = (await call(app.url, templates.add, other)).body.id
    const deleted = await addTemplate(FAIR)
    await call(app.url, templates.remove, { ...as(), params: { id: deleted } })
    const open = await addTemplate({ ...FAIR, body: 'Hello, we meet at [the harbour].' })
    const gone = 'This template is no longer there. Please choose another one.'
    const unfinished = 'Please replace what stands in square brackets first: [the harbour].'
    for (const [template_id, sentence] of [
      [999_999, gone],
      [foreign, gone],
      [deleted, gone],
      [open, unfinished],
    ] as const) {
      const refused = { status: 400, error: { detail: sentence, fields: { template_id: sentence } } }
      expect(await run({ template_id })).toMatchObject(refused)
      expect(await call(app.url, outreach.previews, { ...as(), body: { template_id } })).toMatchObject(
        refused,
      )
      expect(await estimate(template_id)).toMatchObject({ template: { fault: sentence }, example: null })
    }
    expect(await current()).toBeNull()
    expect(sink.count).toBe(0)
  })

  it('joins no other run, and a plain call joins it', async () => {
    const template_id = await addTemplate(FAIR)
    await addContact('Anna')
    const hours = { limited: true, days: [1, 2, 3, 4, 5], from_hour: 20, until_hour: 22 }
    await call(app.url, automaticMail.saveHours, { ...as(), body: hours })
    const begun = await run({ template_id })
    expect(await run({ template_id })).toMatchObject({
      status: 409,
      error: { detail: 'Another run is under way. Wait until it is over, or cancel it.' },
    })
    expect((await run({})).body.batch_id).toBe(begun.body.batch_id)
  })
})

describe('a gap', () => {
  it('is told before the run with the contacts that it concerns, and they get no mail', async () => {
    const template_id = await addTemplate(BAKERY)
    await addContact('Anna', { company: 'Berg Bakery' })
    for (const name of ['Bert', 'Cleo', 'Dan', 'Eva']) await addContact(name)
    expect(await estimate(template_id)).toMatchObject({
      to_send: 1,
      with_gap: 4,
      gaps: [{ field: 'company', contacts: 4, names: ['Bert', 'Cleo', 'Dan'] }],
      template: { name: 'Bread', fault: null },
      uses_model: false,
      tokens: 0,
      example: { name: 'Anna', subject: 'Bread for Berg Bakery' },
    })
    expect(await estimate()).toMatchObject({ to_send: 5, with_gap: 0, gaps: [], template: null })
    const audience = { filter: {} }
    const counted = await call(app.url, outreach.estimateAudience, {
      ...as(),
      body: { audience, template_id },
    })
    expect(counted.body.skipped).toEqual([
      { reason: 'The template would have a gap: company', contacts: 4, names: ['Bert', 'Cleo', 'Dan'] },
    ])
    expect((await show({ template_id })).map(({ name }) => name)).toEqual(['Anna'])
    const { body } = await run({ template_id })
    expect(body.summary).toMatchObject({ sent: 1, skipped: 4, warnings: 0 })
    expect(body.results.find(({ name }) => name === 'Bert')).toMatchObject({
      status: 'skipped',
      reason: 'The template would have a gap: company',
    })
    expect(Object.keys(await received())).toEqual(['anna'])
    // Whoever got none is not taken for mailed: with the brief, or once the gap is filled, they get one.
    expect(await estimate()).toMatchObject({ to_send: 4, already_mailed: 1 })
  })

  it('that would leave no subject is one too', async () => {
    const only = { ...FAIR, subject: '{% if company %}For {{ company }}{% endif %}' }
    const template_id = await addTemplate(only)
    await addContact('Anna', { company: 'Berg Bakery' })
    await addContact('Bert')
    expect(await estimate(template_id)).toMatchObject({
      to_send: 1,
      gaps: [{ field: 'subject', contacts: 1, names: ['Bert'] }],
    })
    expect((await run({ template_id })).body.summary).toMatchObject({ sent: 1, skipped: 1 })
  })

  it('that the user has filled by hand is none', async () => {
    const template_id = await addTemplate(BAKERY)
    const anna = await addContact('Anna', { company: 'Berg Bakery' })
    await show({ template_id })
    expect((await change(anna, { template_id, subject: 'Bread for you' })).status).toBe(200)
    await call(app.url, contacts.update, { ...as(), params: { id: anna }, body: { company: '' } })
    expect(await estimate(template_id)).toMatchObject({ to_send: 1, edited: 1, with_gap: 0 })
    expect(await show({ template_id })).toMatchObject([{ subject: 'Bread for you', outdated: true }])
    expect((await run({ template_id })).body.summary.sent).toBe(1)
    expect((await received())['anna']?.subject).toBe('Bread for you')
  })
})

describe('the first mails of a template', () => {
  it('leave as they were shown, changed or left out, and one can be sent to oneself', async () => {
    const template_id = await addTemplate(FAIR)
    const [anna, bert] = [await addContact('Anna'), await addContact('Bert')]
    await addContact('Cleo')
    const shown = await show({ template_id })
    expect(shown.map(({ name, subject, fallback }) => [name, subject, fallback])).toEqual([
      ['Anna', 'The fair', null],
      ['Bert', 'The fair', null],
      ['Cleo', 'The fair', null],
    ])
    expect(shown[0]?.text).toContain('You do not want such mail?')
    const edited = { template_id, subject: 'Our talk', body: 'Hello Anna, shall we go on with our talk?' }
    expect((await change(anna, edited)).body).toMatchObject({ edited: true, outdated: false })
    expect((await change(bert, { template_id, left_out: true })).body).toMatchObject({ left_out: true })
    const sent = await call(app.url, outreach.testPreview, {
      ...as(),
      params: { id: anna },
      body: { template_id },
    })
    expect(sent.body).toEqual({ to: 'ada@muster.example' })
    await sink.waitFor(1)
    expect((await received())['ada']).toMatchObject({ subject: '[Test] Our talk' })
    sink.clear()
    expect(await estimate(template_id)).toMatchObject({ to_send: 2, edited: 1, left_out: 1 })
    expect((await run({ template_id })).body.summary).toMatchObject({ sent: 2, skipped: 1 })
    const mails = await received()
    expect(Object.keys(mails).toSorted()).toEqual(['anna', 'cleo'])
    expect(mails['anna']).toMatchObject({ subject: 'Our talk' })
    expect(mails['cleo']?.text).toContain('it was good to meet you as a guest.')
    expect(model.questions).toEqual([])
  })

  it('are written anew from each text, and a change stays with its text', async () => {
    const fair = await addTemplate(FAIR)
    const bread = await addTemplate({ ...BAKERY, subject: 'Bread' })
    const [anna, bert] = [await addContact('Anna'), await addContact('Bert')]
    await show({ template_id: fair })
    await change(anna, { template_id: fair, subject: 'Our talk' })
    await change(bert, { template_id: fair, left_out: true })
    const subjects = async (template_id: number) =>
      (await show({ template_id })).map(({ subject, left_out }) => [subject, left_out])
    expect(await subjects(bread)).toEqual([
      ['Bread', false],
      ['Bread', true],
    ])
    expect(await estimate(bread)).toMatchObject({ to_send: 1, edited: 0, left_out: 1 })
    // Taken back in, they get the words that they are shown.
    await change(bert, { template_id: bread, left_out: false })
    expect(await subjects(fair)).toEqual([
      ['Our talk', false],
      ['The fair', false],
    ])
    // The words of the template that it has now.
    await call(app.url, templates.update, {
      ...as(),
      params: { id: fair },
      body: { subject: 'The autumn fair' },
    })
    expect(await show({ template_id: fair })).toMatchObject([
      { subject: 'Our talk', outdated: true },
      { subject: 'The autumn fair', outdated: false },
    ])
    expect((await run({ template_id: bread })).body.summary.sent).toBe(2)
    const mails = await received()
    expect([mails['anna']?.subject, mails['bert']?.subject]).toEqual(['Bread', 'Bread'])
  })

  it('say so when they are no longer there', async () => {
    const template_id = await addTemplate(FAIR)
    const anna = await addContact('Anna')
    const none = { status: 404 }
    expect(await change(anna, { template_id, left_out: true })).toMatchObject(none)
    await show({ template_id })
    // From another text nothing was shown.
    expect(await change(anna, { subject: 'Our talk' })).toMatchObject(none)
    const test = (body: { template_id?: number }) =>
      call(app.url, outreach.testPreview, { ...as(), params: { id: anna }, body })
    expect(await test({})).toMatchObject(none)
    await call(app.url, templates.remove, { ...as(), params: { id: template_id } })
    expect(await change(anna, { template_id, subject: 'Our talk' })).toMatchObject(none)
  })
})
