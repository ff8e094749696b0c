import PostalMime from 'postal-mime'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { aiUsage } from '#contract/models/ai-usage.ts'
import { type BriefFields, briefs } from '#contract/outreach/briefs.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { dashboard } from '#contract/overview/dashboard.ts'
import { emails } from '#contract/mail/emails.ts'
import { outreach, type Preview } from '#contract/outreach/runs.ts'
import { call } from '../../../tests/support/client.ts'
import { signUp, type TestUser } from '../../../tests/support/factories.ts'
import { type ModelAnswer, type ModelServer, startModel } from '../../../tests/support/model.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { connectWriter } from '../../../tests/support/writing.ts'

// What first mails are about, and the first of them before anything leaves.

const GARDENS: BriefFields = {
  offer: 'We look after the gardens of restaurants and hotels, all year round',
  audience: 'houses with a terrace',
  benefit: 'Your guests sit in the green from April on.',
  proof: 'Hotel Sonne has worked with us since 2019.',
  ask: 'May I come by and look at your terrace?',
  tone: 'friendly',
  language: 'en',
  signature: 'Ada Muster\nMuster Gardens\n+49 30 1234567',
}

let app: TestApp
let modelled: TestApp
let model: ModelServer
let sink: SmtpSink
let user: TestUser
let base: string

beforeAll(async () => {
  model = await startModel('')
  sink = await startSmtpSink()
  app = await startTestApp()
  modelled = await startTestApp({ environment: { AI_BASE_URL: model.baseUrl, AI_MODEL: 'test-model' } })
})
afterAll(async () => {
  await app.end()
  await modelled.end()
  await model.stop()
  await sink.stop()
})
afterEach(() => {
  sink.clear()
  model.questions.length = 0
})

/** A user with a mailbox, so many contacts, and what the mails are about. */
async function ready(on: TestApp, count: number, brief: BriefFields | null = GARDENS): Promise<void> {
  base = on.url
  user = await connectWriter(on, sink)
  for (let index = 0; index < count; index++) await addContact(index)
  if (brief !== null) await saveBrief(brief)
}

const NAMES = ['Anna', 'Ben', 'Cleo', 'Dan', 'Eva', 'Finn', 'Greta', 'Hugo']

async function addContact(index: number): Promise<void> {
  const body = {
    name: `${NAMES[index]} Berg`,
    email: `person${index}@customer.example`,
    company: `House ${index}`,
  }
  expect((await call(base, contacts.add, { token: user.token, body })).status).toBe(200)
}

const as = () => ({ token: user.token })
const saveBrief = async (body: BriefFields) => (await call(base, briefs.save, { ...as(), body })).body
const run = async () => (await call(base, outreach.generateAndSend, as())).body
const show = async () => (await call(base, outreach.previews, as())).body
const estimate = async () => (await call(base, outreach.estimate, as())).body
const change = (id: number, body: { subject?: string; body?: string; left_out?: boolean }) =>
  call(base, outreach.changePreview, { ...as(), params: { id }, body })
const usedToday = async () => 5 - ((await call(base, aiUsage.get, as())).body.plan.left ?? 0)

/** The mail that a person got. */
async function mailTo(index: number) {
  const mails = sink.received.filter(({ envelope }) => envelope.to[0] === `person${index}@customer.example`)
  expect(mails).toHaveLength(1)
  const { subject, text } = await PostalMime.parse(mails[0]?.raw ?? '')
  return { subject, text: withoutLink(text ?? '') }
}

/** The link about unsubscribing is each mail's own. */
const withoutLink = (text: string) => text.replace(/(?<=\/unsubscribe\/)\S+/, '…').trimEnd()
const asReceived = ({ subject, text }: Preview) => ({ subject, text: withoutLink(text) })

/** A mail of the model that names its reader. */
const written = ({ prompt }: { prompt: string }): ModelAnswer =>
  JSON.stringify({
    subject: `A terrace at ${/House \d/.exec(prompt)?.[0] ?? ''} (${(serial += 1)})`,
    body: `Hello ${/(?<="name":")[A-Z][a-z]+(?= Berg)/.exec(prompt)?.[0] ?? ''},\n\nwe look after the gardens of restaurants and hotels, all year round.\n\nMay I come by and look at your terrace?\n\nBest regards,\nAda Muster`,
  })
let serial = 0

describe('what first mails are about', () => {
  it('is kept in versions, and an earlier one can be used again', async () => {
    await ready(app, 0, null)
    expect((await call(base, briefs.get, as())).body).toBeNull()
    expect(await saveBrief(GARDENS)).toMatchObject({ version: 1, ...GARDENS })
    // The same words once more are no new version.
    expect(await saveBrief(GARDENS)).toMatchObject({ version: 1 })
    expect(await saveBrief({ ...GARDENS, tone: 'formal' })).toMatchObject({ version: 2, tone: 'formal' })
    expect(await saveBrief(GARDENS)).toMatchObject({ version: 3, tone: 'friendly' })
    const { body } = await call(base, briefs.versions, as())
    expect(body.map(({ version, tone }) => [version, tone])).toEqual([
      [3, 'friendly'],
      [2, 'formal'],
      [1, 'friendly'],
    ])
    // Ten clicks at once are ten saves of the same words.
    const clicks = await Promise.all(Array.from({ length: 10 }, () => saveBrief({ ...GARDENS, proof: '' })))
    expect(new Set(clicks.map(({ version }) => version))).toEqual(new Set([4]))
  })

  it('refuses what is missing, too long, or would stay a gap', async () => {
    await ready(app, 0, null)
    const tryBrief = async (fields: Partial<BriefFields>) =>
      (await call(base, briefs.save, { ...as(), body: { ...GARDENS, ...fields } })).error.fields
    expect(await tryBrief({ offer: ' ' })).toEqual({ offer: 'Please say what you offer' })
    expect(await tryBrief({ proof: 'x'.repeat(401) })).toEqual({
      proof: 'Please keep this under 400 characters',
    })
    expect(await tryBrief({ benefit: 'Dear {{name}}' })).toEqual({
      benefit: 'Please write the words themselves: {{ }} is not filled in here',
    })
  })

  it('makes the template: offer, benefit, proof, question and signature, in the chosen language', async () => {
    await ready(app, 1)
    const { example } = await estimate()
    expect(example?.text).toBe(
      [
        'Hi Anna,',
        'my name is Ada Muster, I write to you from Muster Ltd. I am getting in touch because what we do may be of use to House 0.',
        'We look after the gardens of restaurants and hotels, all year round. It is for houses with a terrace. Your guests sit in the green from April on.',
        'Hotel Sonne has worked with us since 2019.',
        'May I come by and look at your terrace?',
        'Best wishes,\nAda Muster\nMuster Gardens\n+49 30 1234567',
        `--\nYou do not want such mail? ${app.context.config.publicUrl}/unsubscribe/…\n`,
      ].join('\n\n'),
    )
    const german = { ...GARDENS, language: 'de', ask: '', proof: '', signature: '' } as const
    const { body } = await call(base, outreach.example, { ...as(), body: german })
    expect(body.text).toContain('Hallo Anna,\n\nmein Name ist Ada Muster')
    expect(body.text).toContain('Viele Grüße\nAda Muster\nMuster Ltd')
    expect(body.text).toContain('--\nSie möchten keine solchen E-Mails? http')
    // An example saves nothing.
    expect((await call(base, briefs.get, as())).body).toMatchObject({ version: 1, language: 'en' })
  })

  it('is what a run writes from, also if it is changed while the run goes on', async () => {
    await ready(app, 1)
    await run()
    expect((await mailTo(0)).text).toContain('Hotel Sonne has worked with us since 2019.')
    const batch = await app.context.db
      .selectFrom('outreach_batches')
      .select('brief_version')
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect(batch.brief_version).toBe(1)
  })
})

describe('the first mails', () => {
  it('leave word for word as they were shown, and the others are written in the run', async () => {
    await ready(app, 7)
    const shown = await show()
    expect(shown.map(({ name }) => name)).toEqual([
      'Anna Berg',
      'Ben Berg',
      'Cleo Berg',
      'Dan Berg',
      'Eva Berg',
    ])
    expect(await show()).toEqual(shown)
    expect(sink.count).toBe(0)
    const { summary } = await run()
    expect(summary).toMatchObject({ sent: 7, warnings: 7, skipped: 0 })
    for (const [index, mail] of shown.entries()) expect(await mailTo(index)).toEqual(asReceived(mail))
    expect((await mailTo(6)).text).toContain('Hi Greta,')
    // They have had theirs.
    await addContact(7)
    expect((await show()).map(({ name }) => name)).toEqual(['Hugo Berg'])
  })

  it('leave with the user’s own words where these were changed', async () => {
    await ready(app, 2)
    const [first, second] = await show()
    const edit = { subject: 'Your terrace', body: 'Hello,\n\nI walked past your house today.\n\nAda' }
    const { body } = await change(first?.contact_id ?? 0, edit)
    expect(body).toMatchObject({ ...edit, edited: true, outdated: false, fallback: null })
    expect(await estimate()).toMatchObject({ to_send: 2, edited: 1, example: { subject: 'Your terrace' } })
    const { summary } = await run()
    // The user's own words are no template.
    expect(summary).toMatchObject({ sent: 2, warnings: 1 })
    expect(await mailTo(0)).toEqual(asReceived(body))
    expect(await mailTo(1)).toEqual(second && asReceived(second))
    // No run offers them again.
    expect(await estimate()).toMatchObject({ to_send: 0, edited: 0 })
    expect(await show()).toEqual([])
  })

  it('leave out whom the user leaves out, in this run only', async () => {
    await ready(app, 3)
    const shown = await show()
    const id = shown[1]?.contact_id ?? 0
    await change(id, { left_out: true })
    expect(await estimate()).toMatchObject({ contacts: 3, to_send: 2, left_out: 1 })
    expect((await show()).map((mail) => mail.left_out)).toEqual([false, true, false])
    const { summary, results } = await run()
    expect(summary).toMatchObject({ sent: 2, skipped: 1 })
    expect(results.find(({ contact_id }) => contact_id === id)).toMatchObject({
      status: 'skipped',
      reason: 'Left out by you',
    })
    expect(sink.received.map(({ envelope }) => envelope.to[0]).sort()).toEqual([
      'person0@customer.example',
      'person2@customer.example',
    ])
    expect(await estimate()).toMatchObject({ to_send: 1, left_out: 0 })
  })

  it('can be taken back in', async () => {
    await ready(app, 1)
    const id = (await show())[0]?.contact_id ?? 0
    await change(id, { left_out: true })
    expect(await estimate()).toMatchObject({ to_send: 0, left_out: 1 })
    await change(id, { left_out: false })
    expect((await run()).summary).toMatchObject({ sent: 1, skipped: 0 })
  })

  it('are written anew after a change of contact or brief; edited ones are kept and say so', async () => {
    await ready(app, 3)
    const before = await show()
    const [one, two] = before.map(({ contact_id }) => contact_id)
    await change(one ?? 0, { body: 'My own words, which are worth keeping.' })
    await saveBrief({ ...GARDENS, proof: 'Hotel Mond came to us last year.' })
    await call(base, contacts.update, {
      ...as(),
      params: { id: two ?? 0 },
      body: { company: 'The Lime Tree' },
    })
    const now = await show()
    expect(now[0]).toMatchObject({
      body: 'My own words, which are worth keeping.',
      edited: true,
      outdated: true,
    })
    expect(now[1]?.text).toContain('The Lime Tree')
    expect(now[2]?.text).toContain('Hotel Mond')
    await run()
    for (const [index, mail] of now.entries()) expect(await mailTo(index)).toEqual(asReceived(mail))
  })

  it('are forgotten after a day, and whenever the user wants', async () => {
    await ready(app, 2)
    const id = (await show())[0]?.contact_id ?? 0
    const other = (await show())[1]?.contact_id ?? 0
    await change(id, { body: 'Words of this morning, which are old by tomorrow.' })
    await change(other, { body: 'Words that were a mistake, and are given up.' })
    expect((await call(base, outreach.discardPreview, { ...as(), params: { id: other } })).status).toBe(200)
    expect((await show()).map(({ edited }) => edited)).toEqual([true, false])
    app.clock.forward(25 * 3_600_000)
    expect(await estimate()).toMatchObject({ edited: 0 })
    expect((await show()).map(({ edited }) => edited)).toEqual([false, false])
  })

  it('can no longer be changed once the run has begun', async () => {
    await ready(app, 2)
    sink.setScript(({ step }) => (step === 'dot' ? { waitMs: 500 } : undefined))
    const id = (await show())[1]?.contact_id ?? 0
    const answered = run()
    await sink.waitFor(1)
    const { status, error } = await change(id, { left_out: true })
    // Its mail may have been queued already: then nothing of it is kept.
    expect([404, 409]).toContain(status)
    expect(error.detail).toMatch(/under way|no longer there/)
    sink.setScript(() => undefined)
    expect((await answered).summary).toMatchObject({ sent: 2 })
  })

  it('go to the user alone as a test, which counts as mail to nobody', async () => {
    await ready(app, 1)
    // The user's own address is among the contacts, too.
    const me = { name: 'Me', email: 'ada@muster.example', company: '' }
    await call(base, contacts.add, { ...as(), body: me })
    const [first] = await show()
    const { body } = await call(base, outreach.testPreview, {
      ...as(),
      params: { id: first?.contact_id ?? 0 },
    })
    expect(body).toEqual({ to: 'ada@muster.example' })
    await sink.waitFor(1)
    expect(sink.received.map(({ envelope }) => envelope.to)).toEqual([['ada@muster.example']])
    const mail = await PostalMime.parse(sink.received[0]?.raw ?? '')
    expect(mail.subject).toBe(`[Test] ${first?.subject}`)
    expect(withoutLink(mail.text ?? '')).toBe(first && asReceived(first).text)
    expect(sink.received[0]?.raw.toString()).not.toMatch(/^List-Unsubscribe/im)
    await expect
      .poll(async () =>
        app.context.db.selectFrom('deliveries').select('queue').where('user_id', '=', user.id).execute(),
      )
      .toEqual([{ queue: null }])
    // The dashboard counts it nowhere.
    expect((await call(base, emails.counts, as())).body).toMatchObject({ sent: 1, delivered: 0 })
    const days = (await call(base, dashboard.activity, { ...as(), query: { time_zone: 'UTC' } })).body
    expect(days.reduce((sum, { sent }) => sum + sent, 0)).toBe(0)
    expect(await estimate()).toMatchObject({ contacts: 2, to_send: 2, already_mailed: 0 })
    const listed = (await call(base, contacts.list, as())).body
    expect(listed.map(({ computed_status }) => computed_status)).toEqual(['new', 'new'])
  })

  it('are refused where they would be a gap, too long, or nothing', async () => {
    await ready(app, 1)
    const id = (await show())[0]?.contact_id ?? 0
    const fault = async (body: Parameters<typeof change>[1]) => (await change(id, body)).error
    expect((await fault({ body: 'Hello {{name}}' })).fields).toEqual({
      body: 'Please write the words themselves: {{ }} is not filled in here',
    })
    expect((await fault({ subject: 'x'.repeat(201) })).fields).toEqual({
      subject: 'Please keep this under 200 characters',
    })
    expect((await change(id, {})).status).toBe(400)
  })

  it('are nobody else’s', async () => {
    await ready(app, 1)
    const id = (await show())[0]?.contact_id ?? 0
    const stranger = await signUp(base)
    const other = { token: stranger.token, params: { id } }
    expect((await call(base, outreach.changePreview, { ...other, body: { left_out: true } })).status).toBe(
      404,
    )
    expect((await call(base, outreach.discardPreview, other)).status).toBe(404)
    expect((await call(base, outreach.testPreview, other)).status).toBe(404)
    expect(await show()).toMatchObject([{ left_out: false }])
  })
})

describe('with a language model', () => {
  it('are written from the brief in one AI request, which the run goes on counting on', async () => {
    model.answer(written)
    await ready(modelled, 6)
    const shown = await show()
    expect(shown).toHaveLength(5)
    expect(await usedToday()).toBe(1)
    expect(model.questions).toHaveLength(5)
    expect(model.questions[0]?.prompt).toContain('Hotel Sonne has worked with us since 2019.')
    expect(model.questions[0]?.prompt).not.toContain('1234567')
    // The model closed its letter; what stands below is the user's signature, once.
    expect(shown[0]?.body).toMatch(
      /May I come by and look at your terrace\?\n\nBest wishes,\nAda Muster\nMuster Gardens\n\+49 30 1234567$/,
    )
    await show()
    expect(model.questions).toHaveLength(5)
    const { summary } = await run()
    expect(summary).toMatchObject({ sent: 6, warnings: 0 })
    for (const [index, mail] of shown.entries()) expect(await mailTo(index)).toEqual(asReceived(mail))
    expect(model.questions).toHaveLength(6)
    expect(await usedToday()).toBe(1)
    // The next run is another request.
    await addContact(6)
    await run()
    expect(await usedToday()).toBe(2)
  })

  it('writing one of them again costs nothing the first times, and a changed brief is a new request', async () => {
    model.answer(written)
    await ready(modelled, 2)
    const [first] = await show()
    await call(base, outreach.discardPreview, { ...as(), params: { id: first?.contact_id ?? 0 } })
    const [again] = await show()
    expect(again?.subject).not.toBe(first?.subject)
    expect(await usedToday()).toBe(1)
    await saveBrief({ ...GARDENS, tone: 'plain' })
    await show()
    expect(await usedToday()).toBe(2)
    for (let n = 0; n < 6; n += 1) {
      await call(base, outreach.discardPreview, { ...as(), params: { id: first?.contact_id ?? 0 } })
      await show()
    }
    expect(await usedToday()).toBe(3)
  })

  it('are refused over the plan’s limit, and nothing is written', async () => {
    model.answer(written)
    await ready(modelled, 1)
    for (let n = 0; n < 5; n += 1) {
      await saveBrief({ ...GARDENS, proof: `Reason ${n}.` })
      await show()
    }
    await saveBrief(GARDENS)
    const { status, error } = await call(base, outreach.previews, as())
    expect([status, error.detail]).toEqual([429, 'You have used your 5 AI requests for today.'])
  })

  it('are the template when it is dead, say so, cost nothing, and leave so', async () => {
    model.answer({ status: 500, message: 'broken' })
    await ready(modelled, 1)
    const [shown] = await show()
    expect(shown?.text).toContain('Hi Anna,')
    expect(shown?.fallback).toMatch(/broken/)
    expect(await usedToday()).toBe(0)
    expect((await run()).summary).toMatchObject({ sent: 1, warnings: 1 })
    expect(await mailTo(0)).toEqual(shown && asReceived(shown))
  })

  it.each([
    ['the user’s own is kept', 'https://muster.example/terraces', 0],
    ['another one never leaves', 'https://muster.example.evil.example/terraces', 1],
  ])('a link: %s', async (_, link, warnings) => {
    const body = `Hello, we look after gardens all year round: ${link} May I come by and look at your terrace?`
    model.answer(JSON.stringify({ subject: 'Your terrace', body }))
    await ready(modelled, 1, { ...GARDENS, proof: 'See https://muster.example/terraces.' })
    expect((await run()).summary).toMatchObject({ sent: 1, warnings })
    expect((await mailTo(0)).text).not.toContain('evil')
  })
})
