import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contacts } from '#contract/crm/contacts.ts'
import { emails } from '#contract/mail/emails.ts'
import { meetings } from '#contract/crm/meetings.ts'
import { writing } from '#contract/mail/writing.ts'
import { call } from '../../../../tests/support/client.ts'
import type { TestUser } from '../../../../tests/support/factories.ts'
import { type ModelServer, startModel } from '../../../../tests/support/model.ts'
import { type SmtpSink, startSmtpSink } from '../../../../tests/support/smtp-sink.ts'
import { startTestApp, type TestApp } from '../../../../tests/support/test-app.ts'
import { connectWriter, header, receive, sendAs } from '../../../../tests/support/writing.ts'

let app: TestApp
let model: ModelServer
let sink: SmtpSink
let user: TestUser
const ZONE = { 'X-User-Timezone': 'Europe/Berlin' }

beforeAll(async () => {
  sink = await startSmtpSink()
  model = await startModel()
  app = await startTestApp({ environment: { AI_BASE_URL: model.baseUrl, AI_MODEL: 'small' } })
})
afterAll(async () => {
  await app.end()
  await model.stop()
  await sink.stop()
})
beforeEach(async () => {
  user = await connectWriter(app, sink)
})
afterEach(() => {
  model.questions.length = 0
  sink.clear()
})

let messages = 0
/** A mail from Bea; what it answers is given by Message-IDs. */
function mailSaying(words: string, headers: Record<string, string> = {}): string {
  const all = {
    From: 'Bea Müller <bea@customer.example>',
    To: 'ada@muster.example',
    Subject: 'Your offer',
    'Message-ID': `<m${(messages += 1)}@customer.example>`,
    'Content-Type': 'text/plain; charset=utf-8',
    ...headers,
  }
  return `${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')}\n${words}\n`
}
const preview = async (id: number, by = user) =>
  (await call(app.url, emails.replyPreview, { token: by.token, body: { email_id: id }, headers: ZONE })).body
const followUp = async (to: string) =>
  (await call(app.url, emails.followUpPreview, { token: user.token, body: { to }, headers: ZONE })).body
const answers = (body: string, more: object = {}) => JSON.stringify({ body, intent: 'other', ...more })
const allow = (body: { learns_tone?: boolean; reads_replies?: boolean }) =>
  call(app.url, writing.saveSettings, { token: user.token, body })
const prompt = () => model.questions.at(-1)?.prompt ?? ''
/** What the model was shown as data. */
const shown = () => [...prompt().matchAll(/(----- data [\w-]+ -----)\n(.*?)\n\1/gs)].map(([, , text]) => text)

const FINE = answers('Hello Bea,\n\nthank you very much, I will look into it.\n\nKind regards,\nAda Muster')

describe('the model is shown the conversation', () => {
  it.each([
    [
      'German',
      'Vielen Dank für das Angebot. Was kostet die Lieferung?',
      'Am 3. November 2026 schrieb Ada Muster:',
    ],
    [
      'French',
      "Merci pour l'offre. Quel est le prix de la livraison ?",
      'Le 3 novembre 2026 à 10:00, Ada Muster a écrit :',
    ],
    [
      'Spanish',
      'Gracias por la oferta. ¿Cuánto cuesta el envío?',
      'El 3 nov 2026, a las 10:00, Ada Muster escribió:',
    ],
    [
      'Italian',
      "Grazie per l'offerta. Quanto costa la consegna?",
      'Il giorno 3 nov 2026, Ada Muster ha scritto:',
    ],
    ['Dutch', 'Bedankt voor de offerte. Wat kost de levering?', 'Op 3 november 2026 schreef Ada Muster:'],
    ['Polish', 'Dziękuję za ofertę. Ile kosztuje dostawa?', 'W dniu 3 listopada 2026 Ada Muster napisał(a):'],
  ])('in %s: each mail once, without quote and signature, and whose it is', async (_, words, attribution) => {
    await sendAs(app, user, {
      to: 'bea@customer.example',
      content: 'We offer rye bread.\n\nAda',
    })
    const own = header(sink.received[0], 'Message-ID') ?? ''
    const id = await receive(
      app,
      user,
      mailSaying(
        `${words}\n\n-- \nBea Müller\nSales, +49 30 1234567\n\n${attribution}\n> We offer rye bread.\n>\n> Ada`,
        { 'In-Reply-To': own, References: own },
      ),
    )
    model.answer(FINE)
    expect((await preview(id)).templated).toBe(false)
    expect(shown()).toHaveLength(2)
    expect(shown()[0]).toBe(`From: Bea Müller\nSubject: Your offer\n\n${words}`)
    expect(shown()[1]).toMatch(/We offer rye bread\./)
    expect(prompt()).toMatch(/mail 1, from the other side, .*mail 2, from the user, /s)
    expect(prompt()).not.toContain('1234567')
    expect(model.questions.at(-1)?.system).toContain('in the language of the newest mail from')
  })

  it('and nothing that a person would not see, or that is not of it', async () => {
    const root = mailSaying('Is it vegan?', { Subject: 'Cake' })
    const thread = { 'In-Reply-To': `<m${messages}@customer.example>`, Subject: 'Re: Cake' }
    await receive(app, user, root)
    await receive(
      app,
      user,
      mailSaying('I am away until May.', { ...thread, 'Auto-Submitted': 'auto-replied' }),
    )
    const other = await connectWriter(app, sink)
    await receive(app, other, mailSaying('A secret of somebody else.', thread))
    const drafted = {
      token: user.token,
      body: { to: 'bea@customer.example', subject: 'Re: Cake', content: 'Half a draft' },
    }
    await call(app.url, emails.saveDraft, {
      ...drafted,
      body: { ...drafted.body, in_reply_to: thread['In-Reply-To'].slice(1, -1) },
    })
    const id = await receive(app, user, mailSaying('And \u200Bgluten\u202E-free?\u{E0041}', thread))
    model.answer(FINE)
    await preview(id)
    expect(shown().join('\n')).toMatch(/And gluten-free\?.*Is it vegan\?/s)
    expect(prompt()).not.toMatch(/away until May|secret|Half a draft|[\p{Cf}]/u)
  })

  it('as far as it is not too long, the newest mails first', async () => {
    await receive(app, user, mailSaying('Mail 0.', { Subject: 'Long' }))
    const root = `<m${messages}@customer.example>`
    let id = 0
    for (let index = 1; index <= 14; index += 1)
      id = await receive(
        app,
        user,
        mailSaying(`Mail ${index}. ${'words '.repeat(index === 14 ? 4000 : 10)}`, {
          'In-Reply-To': root,
          Subject: 'Re: Long',
        }),
      )
    model.answer(FINE)
    await preview(id)
    expect(shown()).toHaveLength(10)
    expect(shown()[0]).toContain('Mail 14.')
    expect(shown()[9]).toContain('Mail 5.')
    expect(prompt().length).toBeLessThan(12_000)
  })

  it('of a follow-up with what the other side had written, and it answers the last mail', async () => {
    const id = await receive(app, user, mailSaying('Please send me your list.'))
    const message = `m${messages}@customer.example`
    await sendAs(app, user, {
      to: 'bea@customer.example',
      content: 'Here is our list.',
      in_reply_to: message,
      quote_of: id,
    })
    model.answer(FINE)
    const { templated, in_reply_to: inReplyTo } = await followUp('bea@customer.example')
    expect([templated, typeof inReplyTo]).toEqual([false, 'string'])
    expect(shown()[0]).toContain('Here is our list.')
    expect(shown()[1]).toContain('Please send me your list.')
  })
})

describe('a text that says what nobody gave', () => {
  it.each([
    ['time', 'Hello Bea,\n\nlet us talk at 15:45 then.\n\nAda Muster'],
    ['date', 'Hello Bea,\n\nyou get it on 24 December.\n\nAda Muster'],
    ['number', 'Hello Bea,\n\nit costs 500 EUR a month.\n\nAda Muster'],
    ['name', 'Hello Bea,\n\nit is a pleasure to read from you.\n\nKind regards,\nJohn Smith'],
  ])('(%s) is written anew once, and counts as one AI request', async (what, wrong) => {
    const id = await receive(app, user, mailSaying('Sounds good, please tell me more.'))
    model.answer((question) => (question.number === 1 ? answers(wrong) : FINE))
    model.questions.length = 0
    const { body, templated } = await preview(id)
    expect([templated, body]).toEqual([false, JSON.parse(FINE).body])
    expect(model.questions).toHaveLength(2)
    expect(prompt()).toMatch(new RegExp(`Your last answer could not be used: .*the ${what} "`))
    const uses = await app.context.db
      .selectFrom('ai_uses')
      .select(['state', 'purpose'])
      .where('user_id', '=', user.id)
      .execute()
    expect(uses).toEqual([{ state: 'used', purpose: 'reply' }])
  })

  it('twice gives way to the template, and costs nothing', async () => {
    const id = await receive(app, user, mailSaying('Sounds good, please tell me more.'))
    model.answer(answers('Hello Bea,\n\nit costs 500 EUR a month.\n\nAda Muster'))
    const { body, templated } = await preview(id)
    expect(templated).toBe(true)
    expect(body).not.toContain('500')
    expect(model.questions).toHaveLength(2)
    const uses = await app.context.db
      .selectFrom('ai_uses')
      .select('state')
      .where('user_id', '=', user.id)
      .execute()
    expect(uses).toEqual([{ state: 'failed' }])
  })

  it('but what stands in the conversation may be said', async () => {
    const id = await receive(
      app,
      user,
      mailSaying('Is it 500 EUR, and can you deliver on 24 December at 15:45?'),
    )
    const text = 'Hello Bea,\n\nyes, 500 EUR, on 24 December at 3:45 pm.\n\nAda Muster'
    model.answer(answers(text))
    expect((await preview(id)).body).toContain('3:45 pm')
  })
})

describe('times', () => {
  it('are up to three that are free, in working hours of the zone, and one has to be offered', async () => {
    const id = await receive(app, user, mailSaying('Can we schedule a call?'))
    const free = await preview(id)
    const [first, second, third] = free.times
    expect(free.schedule).toMatchObject(first ?? {})
    const hours = free.times.map(({ start_iso: start }) =>
      new Date(start).toLocaleTimeString('en-GB', {
        timeZone: 'Europe/Berlin',
        hour: '2-digit',
        minute: '2-digit',
      }),
    )
    expect(hours).toEqual(['10:00', '14:00', '10:00'])
    await call(app.url, meetings.add, {
      token: user.token,
      body: {
        title: 'Taken',
        start_time: second?.start_iso ?? '',
        end_time: second?.end_iso ?? '',
        type: 'phone',
        attendees: [],
      },
    })
    const after = await preview(id)
    expect(after.times[0]).toEqual(first)
    expect(after.times.map(({ start_iso: start }) => start)).not.toContain(second?.start_iso)
    expect(third).toBeDefined()
    expect(after.body).toMatch(
      /at 10:00 \(Europe\/Berlin\)\? I have kept that time free\. .* or .* would suit me as well\./,
    )

    model.answer(FINE)
    expect((await preview(id)).templated).toBe(true)
    model.answer((question) => {
      const { times } = JSON.parse(question.prompt.split('\n')[0] ?? '') as { times: string[] }
      return answers(`Hello Bea,\n\nhow about ${times[0]}?\n\nAda Muster`, {
        sources: [{ line: `how about ${times[0]}?`, of: 'times', quote: times[0] }],
      })
    })
    const offered = await preview(id)
    expect([offered.templated, offered.sources[0]?.kind]).toEqual([false, 'time'])
  })
})

describe('what a line was taken from', () => {
  it('is told with the mail and its words, and nothing that is not there', async () => {
    await sendAs(app, user, { to: 'bea@customer.example', content: 'We deliver rye bread on Fridays.' })
    const id = await receive(app, user, mailSaying('Do you deliver to “Old Town” as well?'))
    const body = 'Hello Bea,\n\nwe do deliver to Old Town.\n\nKind regards,\nAda Muster'
    model.answer(
      answers(body, {
        sources: [
          { line: 'we do deliver to Old Town', of: 'mail 1', quote: 'deliver to "Old Town"' },
          { line: 'we do deliver to Old Town', of: 'mail 1', quote: 'we deliver everywhere' },
          { line: 'we do deliver to Old Town', of: 'mail 7', quote: 'deliver' },
          { line: 'a line that is not there', of: 'mail 1', quote: 'deliver' },
          { line: 'Ada Muster', of: 'sender', quote: 'Ada Muster' },
          { line: 'Ada Muster', of: 'sender', quote: 'Somebody Else' },
          { line: 'Ada Muster', of: 'times', quote: 'Friday at 10:00' },
          'rubbish',
          null,
          { line: 5 },
        ],
      }),
    )
    expect((await preview(id)).sources).toEqual([
      {
        line: 'we do deliver to Old Town',
        kind: 'email',
        email_id: id,
        writer: 'Bea Müller',
        written_at: expect.any(String),
        quote: 'deliver to "Old Town"',
      },
      {
        line: 'Ada Muster',
        kind: 'profile',
        email_id: null,
        writer: '',
        written_at: null,
        quote: 'Ada Muster',
      },
    ])
  })
})

describe('how the user writes', () => {
  const OWN = 'Hi there,\n\ncheers for your note, the bread is in the oven already, so just come round.'
  const samples = () => prompt().split('How the user writes:')[1] ?? ''

  it('is shown only where he allows it', async () => {
    await sendAs(app, user, { to: 'carl@people.example', content: OWN })
    const id = await receive(app, user, mailSaying('Sounds good, please tell me more.'))
    model.answer(FINE)
    await preview(id)
    expect(samples()).toBe('')
    expect((await allow({ learns_tone: true })).body).toEqual({
      learns_tone: true,
      reads_replies: false,
      model_available: true,
    })
    await preview(id)
    expect(samples()).toContain('the bread is in the oven already')
    await allow({ learns_tone: false })
    await preview(id)
    expect(samples()).toBe('')
  })

  it('by mails that he wrote himself, without other people’s words, names and addresses', async () => {
    await allow({ learns_tone: true })
    await call(app.url, contacts.add, {
      token: user.token,
      body: { name: 'Carlotta Nowak', email: 'carl@people.example' },
    })
    await sendAs(app, user, {
      to: 'carl@people.example',
      content: `Hello Carlotta,\n\nwrite to zoe@people.example or call +49 30 1234567, says Nowak, the bread is ready.\n\nOn 3 May 2026, Carlotta wrote:\n> My secret recipe`,
    })
    for (const to of ['dan@people.example', 'eve@people.example'])
      await sendAs(app, user, {
        to,
        content: `Hello ${to},\n\nour summer sale begins, with many kinds of bread for everybody.`,
      })
    const asked = await receive(
      app,
      user,
      mailSaying('A forwarded text of many words, which Bea has written herself.'),
    )
    await sendAs(app, user, {
      to: 'dan@people.example',
      subject: 'Fwd: Your offer',
      content: 'For your information, see what stands below.',
      forward_of: asked,
    })
    model.answer(FINE)
    const proposed = await preview(asked)
    await call(app.url, emails.reply, {
      token: user.token,
      body: { email_id: asked, body: proposed.body, quote_of: asked },
    })
    await app.context.db
      .updateTable('emails')
      .set({ purpose: 'outreach' })
      .where('user_id', '=', user.id)
      .where('subject', '=', 'Bulk')
      .execute()

    const id = await receive(app, user, mailSaying('Sounds good, please tell me more.'))
    await preview(id)
    expect(samples()).toContain('the bread is ready')
    expect(samples()).not.toMatch(
      /Carlotta|Nowak|zoe@|1234567|secret|summer sale|For your information|I will look into it/,
    )
  })

  it('by twenty mails at most, each cut', async () => {
    await allow({ learns_tone: true })
    for (let index = 0; index < 24; index += 1)
      await sendAs(app, user, {
        to: 'carl@people.example',
        content: `Hi,\n\nthis is letter ${index}. ${`and ${index} more `.repeat(100)}`,
      })
    const id = await receive(app, user, mailSaying('Sounds good, please tell me more.'))
    model.answer(FINE)
    await preview(id)
    expect(samples().match(/this is letter/g)).toHaveLength(20)
    expect(samples()).toContain('this is letter 23.')
    expect(samples().length).toBeLessThan(10_000)
  })
})
