import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outreach } from '#contract/outreach/runs.ts'
import { call } from '../../../tests/support/client.ts'
import type { TestUser } from '../../../tests/support/factories.ts'
import { addContact, contactOf, listFolder } from '../../../tests/support/reading.ts'
import { type SmtpSink, startSmtpSink } from '../../../tests/support/smtp-sink.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { connectWriter, detailOf, header, receive, sendAs } from '../../../tests/support/writing.ts'
import { runSql } from '../../platform/database/transaction.ts'
import { lookForAbuse } from './look-for-abuse.ts'

// What strangers and recipients can do to a user by writing reports: docs/mail.md has the table.

const DAY_MS = 86_400_000
const SERVER = 'mx.muster.example'
let sink: SmtpSink
let app: TestApp

beforeAll(async () => {
  sink = await startSmtpSink()
  app = await startTestApp({ environment: { AUTHSERV_IDS: `imap.muster.example=${SERVER}` } })
})
afterAll(async () => {
  await app.end()
  await sink.stop()
})

const rows = async <Row>(text: string, values: unknown[] = []) =>
  (await runSql(app.context.db, text, values)).rows as Row[]
const look = () => lookForAbuse(app.context)

const PEOPLE = ['bob@one.example', 'eve@two.example', 'kim@three.example', 'lea@four.example']
const MANY = Array.from({ length: 40 }, (_, n) => `person${n}@company${n}.example`)

/** A user who has mailed these people, with whose server her Howl is set to trust, and `others` more today. */
async function sender(to: readonly string[] = PEOPLE, others = 150): Promise<TestUser> {
  const user = await connectWriter(app, sink)
  const answers = await Promise.all(to.map((each) => sendAs(app, user, { to: each })))
  expect(answers.map(({ status }) => status)).toEqual(to.map(() => 200))
  await rows(`UPDATE mailboxes SET imap_host = 'imap.muster.example' WHERE user_id = $1`, [user.id])
  await sentToday(user, others)
  return user
}

const sentToday = (user: TestUser, mails: number) =>
  rows(
    `INSERT INTO sending_days AS s (user_id, day, sent, strangers, role_addresses)
     VALUES ($1, date_bin('1 day', $2::timestamptz, 'epoch'), $3, 0, 0)
     ON CONFLICT (user_id, day) DO UPDATE SET sent = s.sent + excluded.sent`,
    [user.id, app.clock.now(), mails],
  )

/** The newest mail to somebody, as it left: its Message-ID, and the token of its unsubscribe address. */
function mailTo(address: string): { id: string; token: string } {
  const mail = sink.received.findLast(({ envelope }) => envelope.to.includes(address))
  const [, token = ''] = /unsubscribe-([\w.-]+)/.exec(header(mail, 'List-Unsubscribe') ?? '') ?? []
  return { id: (header(mail, 'Message-ID') ?? '').replaceAll(/[<>]/g, ''), token }
}

type Forgery = { from?: string; results?: string[]; id?: string; headers?: string[]; address: string }

function report(kind: 'delivery-status' | 'feedback-report', fields: string[], forgery: Forgery): string {
  const { from = 'Abuse <abuse@evil.example>', results = [], id, headers = [] } = forgery
  return [
    ...results.map((each) => `Authentication-Results: ${each}`),
    `From: ${from}`,
    'To: ada@muster.example',
    'Subject: About your mail',
    `Message-ID: <report-${crypto.randomUUID()}@evil.example>`,
    `Date: ${app.clock.now().toUTCString()}`,
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${kind}; boundary="cut"`,
    '',
    '--cut',
    'Content-Type: text/plain',
    '',
    'About your mail.',
    '--cut',
    `Content-Type: message/${kind}`,
    '',
    ...fields,
    '--cut',
    'Content-Type: text/rfc822-headers',
    '',
    ...(id === undefined ? [] : [`Message-ID: <${id}>`]),
    ...headers,
    'From: ada@muster.example',
    'Subject: An offer',
    '--cut--',
    '',
  ].join('\r\n')
}

const complaint = (forgery: Forgery) =>
  report(
    'feedback-report',
    ['Feedback-Type: abuse', 'User-Agent: X/1', 'Version: 1', `Original-Rcpt-To: <${forgery.address}>`],
    forgery,
  )

const bounce = (forgery: Forgery) =>
  report(
    'delivery-status',
    [
      'Reporting-MTA: dns; mx.far.example',
      '',
      `Final-Recipient: rfc822; ${forgery.address}`,
      'Action: failed',
      'Status: 5.1.1',
      'Diagnostic-Code: smtp; 550 5.1.1 User unknown',
      '',
    ],
    forgery,
  )

const suppressions = (user: TestUser) =>
  rows<{ address_key: string; reason: string }>(
    'SELECT address_key, reason FROM suppressions WHERE user_id = $1 ORDER BY address_key',
    [user.id],
  )
const certain = async (user: TestUser) =>
  (
    await rows<{ address_key: string }>(
      'SELECT address_key FROM failed_addresses WHERE user_id = $1 AND is_certain ORDER BY address_key',
      [user.id],
    )
  ).map((row) => row.address_key)
const found = (user: TestUser) =>
  rows<{ pattern_type: string }>('SELECT pattern_type FROM abuse_patterns WHERE user_id = $1', [user.id])
const isActive = async (user: TestUser) =>
  (await rows<{ is_active: boolean }>('SELECT is_active FROM users WHERE id = $1', [user.id]))[0]?.is_active
const bouncedAt = async (user: TestUser) =>
  rows('SELECT FROM correspondents WHERE user_id = $1 AND bounced_at IS NOT NULL', [user.id])

const YAHOO = 'Yahoo <feedback@arf.mail.yahoo.com>'
const BY_YAHOO = `${SERVER}; dkim=pass header.i=@arf.mail.yahoo.com; dmarc=pass (p=REJECT) header.from=arf.mail.yahoo.com`

describe('reports that name no mail of the user', () => {
  test('four complaints from anybody change nothing, and neither do forty', async () => {
    const user = await sender(MANY)
    for (const [index, address] of MANY.entries()) {
      await receive(app, user, complaint({ address }))
      if (index === 3 || index === 39) await look()
    }
    expect(await isActive(user)).toBe(true)
    expect(await found(user)).toEqual([])
    expect(await suppressions(user)).toEqual([])
    expect(await certain(user)).toEqual([])
    // Nor do those of forty recipients who know the ids of their mails: only they themselves get no more mail.
    for (const address of MANY) await receive(app, user, complaint({ address, id: mailTo(address).id }))
    await look()
    expect(await suppressions(user)).toHaveLength(40)
    expect(await certain(user)).toEqual([])
    expect(await found(user)).toEqual([])
    expect(await isActive(user)).toBe(true)
  })

  test('delivery reports suppress nobody, and stay unread, and are shown as not confirmed', async () => {
    const user = await sender()
    for (const address of PEOPLE) {
      await receive(app, user, bounce({ address }))
      await receive(app, user, bounce({ address, id: `${crypto.randomUUID()}@muster.example` }))
      await receive(
        app,
        user,
        bounce({ address, headers: ['List-Unsubscribe: <mailto:a@b?subject=unsubscribe-1.1.guess>'] }),
      )
    }
    expect(await suppressions(user)).toEqual([])
    expect(await bouncedAt(user)).toEqual([])
    expect(
      (await listFolder(app, user, 'inbox')).map(({ isRead, is_report }) => [isRead, is_report]),
    ).toEqual(Array.from({ length: 12 }, () => [false, true]))
    const sent = await listFolder(app, user, 'sent')
    expect((await detailOf(app, user, sent[0]?.id ?? 0)).delivery).toMatchObject({
      state: 'sent',
      reason: 'Not confirmed, because the report names none of your emails: 550 5.1.1 User unknown',
    })
    expect((await sendAs(app, user, { to: PEOPLE[0] ?? '' })).status).toBe(200)
  })

  test('a provider that is authentic but names no mail changes nothing either', async () => {
    const user = await sender()
    for (const address of PEOPLE)
      await receive(app, user, complaint({ address, from: YAHOO, results: [BY_YAHOO] }))
    await look()
    expect([await suppressions(user), await certain(user), await found(user)]).toEqual([[], [], []])
  })
})

describe('reports that name a mail of the user', () => {
  test('suppress whom it went to, and nobody else', async () => {
    const user = await sender()
    const [bob = '', eve = ''] = PEOPLE
    // Eve knows the id of the mail that she got.
    await receive(app, user, bounce({ address: bob, id: mailTo(eve).id }))
    expect(await suppressions(user)).toEqual([])
    await receive(app, user, complaint({ address: bob, id: mailTo(eve).id }))
    expect(await suppressions(user)).toEqual([{ address_key: eve, reason: 'complaint' }])
    await receive(app, user, bounce({ address: bob, id: mailTo(bob).id }))
    expect(await suppressions(user)).toEqual([
      { address_key: bob, reason: 'bounced' },
      { address_key: eve, reason: 'complaint' },
    ])
    expect(await bouncedAt(user)).toHaveLength(1)
    expect((await listFolder(app, user, 'inbox'))[0]).toMatchObject({ isRead: true, is_report: true })
  })

  test('of a mail to several people, accuse nobody: each of them could have written it', async () => {
    const user = await sender([])
    await sendAs(app, user, { to: 'bob@one.example, eve@two.example', cc: 'kim@three.example' })
    const { id } = mailTo('bob@one.example')
    for (const address of PEOPLE.slice(0, 3)) {
      await receive(app, user, bounce({ address, id }))
      await receive(app, user, complaint({ address, id }))
    }
    expect(await suppressions(user)).toEqual([])
    await receive(
      app,
      user,
      complaint({ address: 'kim@three.example', id, from: YAHOO, results: [BY_YAHOO] }),
    )
    expect(await suppressions(user)).toEqual([{ address_key: 'kim@three.example', reason: 'complaint' }])
  })

  test('may name it by the unsubscribe token, where a relay has changed the Message-ID', async () => {
    const user = await sender([])
    await addContact(app, user, 'bob@one.example')
    await call(app.url, outreach.generateAndSend, { token: user.token })
    await expect.poll(() => mailTo('bob@one.example').token).not.toBe('')
    const { token } = mailTo('bob@one.example')
    const headers = [`List-Unsubscribe: <mailto:ada@muster.example?subject=unsubscribe-${token}>`]
    await receive(app, user, bounce({ address: 'bob@one.example', id: '0100@eu.amazonses.example', headers }))
    expect(await contactOf(app, user, 'bob@one.example')).toMatchObject({ suppressed: 'bounced' })
  })
})

describe('what proves where a report comes from', () => {
  // server/formats/mail-text/authentication-results.unit.test.ts has what else may be in that header.
  test('neither a header that anybody can write, nor an authentic sender that is no provider of feedback', async () => {
    const user = await sender()
    const forgeries: Partial<Forgery>[] = [
      { results: [] },
      { results: [BY_YAHOO.replace(SERVER, 'mx.evil.example')] },
      { results: [`${SERVER}; dkim=none; dmarc=fail header.from=arf.mail.yahoo.com`, BY_YAHOO] },
      {
        from: 'abuse@evil.example',
        results: [`${SERVER}; dkim=pass header.d=evil.example; dmarc=pass header.from=evil.example`],
      },
    ]
    for (const [index, forgery] of forgeries.entries()) {
      const address = PEOPLE[index] ?? ''
      await receive(app, user, complaint({ from: YAHOO, ...forgery, address, id: mailTo(address).id }))
    }
    await look()
    expect(await suppressions(user)).toHaveLength(4)
    expect(await certain(user)).toEqual([])
    expect(await found(user)).toEqual([])
  })

  test('a provider’s complaints count, from several domains; a warning comes first, and a ban a day later', async () => {
    const user = await sender()
    const complain = (address: string) =>
      receive(app, user, complaint({ from: YAHOO, results: [BY_YAHOO], address, id: mailTo(address).id }))
    for (const address of PEOPLE) await complain(address)
    expect(await certain(user)).toEqual(PEOPLE)
    await look()
    expect(await found(user)).toEqual([{ pattern_type: 'complaint_rate' }])
    expect(await isActive(user)).toBe(true)

    // It goes on within the day, and nothing follows yet.
    app.clock.forward(0.9 * DAY_MS)
    await look()
    expect(await isActive(user)).toBe(true)
    app.clock.forward(0.2 * DAY_MS)
    await sentToday(user, 150)
    const more = PEOPLE.map((each) => each.replace('@', '-too@'))
    for (const address of more) expect((await sendAs(app, user, { to: address })).status).toBe(200)
    for (const address of more) await complain(address)
    await look()
    expect(await isActive(user)).toBe(false)
  })

  test('complaints from one domain are no evidence, whatever names are below it', async () => {
    const people = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@${name}.one.example`)
    const user = await sender(people)
    for (const address of people)
      await receive(
        app,
        user,
        complaint({ from: YAHOO, results: [BY_YAHOO], address, id: mailTo(address).id }),
      )
    await look()
    expect(await certain(user)).toHaveLength(5)
    expect(await found(user)).toEqual([])
  })
})

describe('requests to unsubscribe', () => {
  const asks = (forgery: {
    from: string
    id?: string
    subject?: string
    results?: string[]
    text?: string
  }) =>
    [
      ...(forgery.results ?? []).map((each) => `Authentication-Results: ${each}`),
      `From: ${forgery.from}`,
      'To: ada@muster.example',
      `Subject: ${forgery.subject ?? 'unsubscribe'}`,
      `Message-ID: <${crypto.randomUUID()}@evil.example>`,
      `Date: ${app.clock.now().toUTCString()}`,
      ...(forgery.id === undefined ? [] : [`In-Reply-To: <${forgery.id}>`]),
      '',
      forgery.text ?? '',
    ].join('\r\n')

  test('that anybody can have written are obeyed until the user lifts them', async () => {
    const user = await sender()
    for (const each of PEOPLE) await addContact(app, user, each)
    const [bob = '', eve = '', kim = '', lea = ''] = PEOPLE
    await receive(app, user, asks({ from: bob }))
    await receive(app, user, asks({ from: eve, subject: 'Re: An offer', text: 'Please unsubscribe me.' }))
    // These are written by whom they come from: the server has checked it, or it answers the mail that only Lea got.
    await receive(
      app,
      user,
      asks({ from: kim, results: [`${SERVER}; dmarc=pass header.from=three.example`] }),
    )
    await receive(
      app,
      user,
      asks({ from: lea, id: mailTo(lea).id, subject: 'Re: An offer', text: 'Please unsubscribe me.' }),
    )
    expect((await suppressions(user)).map(({ reason }) => reason)).toEqual([
      'asked',
      'asked',
      'unsubscribed',
      'unsubscribed',
    ])
  })
})
