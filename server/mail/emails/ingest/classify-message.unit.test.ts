import { describe, expect, test } from 'vitest'
import { parseMail } from '../../../formats/mail-text/parse.ts'
import { incomingMessage } from './incoming-message.ts'
import { classifyMessage, type OurMails } from './classify-message.ts'

const AT = new Date('2026-06-02T10:00:00Z')
const OURS = { id: 7, correspondentKey: 'bob@far.example', recipientKeys: ['bob@far.example'] }

async function classified(
  headers: Record<string, string>,
  text: string,
  ours: Partial<OurMails> = {},
  role: 'inbox' | 'junk' = 'inbox',
) {
  const lines = Object.entries({
    From: 'bob@far.example',
    Date: 'Tue, 02 Jun 2026 10:00:00 +0000',
    ...headers,
  })
  const raw = Buffer.from(`${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${text}\r\n`)
  const mail = incomingMessage(
    await parseMail(raw),
    raw,
    { role, ownKeys: new Set() },
    { receivedAt: AT, flags: new Set(), size: raw.length },
  )
  return classifyMessage(mail, () => mail.body?.text ?? '', {
    byMessageId: new Map([['ours@here', OURS]]),
    left: new Map([['ours@here', OURS]]),
    newestTo: new Map(),
    contactsMailed: new Map(),
    tokens: new Map(),
    ...ours,
  })
}

describe('classifyMessage', () => {
  test('a message that refers to ours is a reply, from any address and folder', async () => {
    expect(await classified({ 'In-Reply-To': '<ours@here>' }, 'Yes, please!')).toMatchObject({
      isReply: true,
      intent: 'interested',
    })
    const elsewhere = await classified(
      { From: 'bob@private.example', References: '<x@y> <ours@here>' },
      'Thanks.',
      {},
      'junk',
    )
    expect(elsewhere.receivedFrom.map(({ key, replied }) => [key, replied])).toEqual([
      ['bob@private.example', true],
      ['bob@far.example', true],
    ])
  })

  test('who says no speaks for whom was asked, too, but for nobody else whom the mail went to', async () => {
    const refusedBy = async (recipientKeys: string[]) => {
      const left = new Map([['ours@here', { ...OURS, recipientKeys }]])
      const headers = { From: 'bob@private.example', 'In-Reply-To': '<ours@here>' }
      return (await classified(headers, 'No thanks, we are not interested.', { left })).refused
    }
    expect(await refusedBy(['bob@far.example'])).toEqual(['bob@private.example', 'bob@far.example'])
    expect(await refusedBy(['bob@far.example', 'eve@far.example'])).toEqual(['bob@private.example'])
  })

  test('without a reference, only a contact we mailed before can reply', async () => {
    const mailed = (at: string) => ({ contactsMailed: new Map([['bob@far.example', new Date(at)]]) })
    expect((await classified({}, 'Hello', mailed('2026-06-01T10:00:00Z'))).isReply).toBe(true)
    expect((await classified({}, 'Hello', mailed('2026-06-03T10:00:00Z'))).isReply).toBe(false)
    expect((await classified({}, 'Hello', mailed('2026-06-01T10:00:00Z'), 'junk')).isReply).toBe(false)
    expect((await classified({}, 'Hello')).isReply).toBe(false)
  })

  test('automatic answers and list mail are never replies', async () => {
    const named = { 'In-Reply-To': '<ours@here>' }
    expect(await classified({ ...named, 'Auto-Submitted': 'auto-replied' }, 'Away')).toMatchObject({
      isReply: false,
      intent: 'out_of_office',
    })
    expect((await classified({ ...named, 'List-Id': '<all.far.example>' }, 'Hello all')).isReply).toBe(false)
    expect((await classified(named, 'I am out of the office until Monday.')).isReply).toBe(false)
  })

  test('an unsubscribe request suppresses the address, but only in a reply', async () => {
    const text = 'Please unsubscribe me.'
    expect((await classified({ 'In-Reply-To': '<ours@here>' }, text)).suppress).toMatchObject([
      { key: 'bob@far.example', reason: 'unsubscribed' },
    ])
    expect((await classified({}, text)).suppress).toEqual([])
  })

  test('an unsubscribe message from a mail program suppresses the address and is not a reply', async () => {
    const token = `1.7.${'s'.repeat(43)}`
    const named = { 'In-Reply-To': '<ours@here>', Subject: `unsubscribe-${token}` }
    const by = (tokens: string[]) =>
      classified({ ...named, From: 'else@private.example' }, 'Please!', {
        tokens: new Map(tokens.map((each) => [each, OURS])),
      })
    expect(await by([token])).toMatchObject({
      isReply: false,
      intent: 'unsubscribe',
      receivedFrom: [],
      suppress: [{ key: 'bob@far.example', reason: 'unsubscribed' }],
    })
    // Not our token, or another user's: no effect at all.
    expect(await by([])).toMatchObject({ isReply: false, intent: null, receivedFrom: [], suppress: [] })
    const apple = { ...named, Subject: 'unsubscribe' }
    const text = 'Apple Mail sent this email to unsubscribe from the message “Offer”.'
    expect((await classified(apple, text)).suppress).toEqual([])
    const written = { newestTo: new Map([['bob@far.example', OURS]]) }
    expect(await classified(apple, text, written)).toMatchObject({
      isReply: false,
      suppress: [{ key: 'bob@far.example', reason: 'unsubscribed' }],
    })
  })

  test('a complaint that names our message suppresses the address, a not-spam report does not', async () => {
    const report = (type: string, id = 'ours@here') =>
      classified(
        { 'Content-Type': 'multipart/report; report-type=feedback-report; boundary=b' },
        `--b\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: ${type}\r\nOriginal-Rcpt-To: bob@far.example\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <${id}>\r\n--b--`,
        { newestTo: new Map([['bob@far.example', OURS]]) },
      )
    expect((await report('abuse')).suppress).toMatchObject([{ key: 'bob@far.example', reason: 'complaint' }])
    expect(await report('abuse', 'guessed@here')).toMatchObject({
      suppress: [],
      failures: [],
      reasons: [{ emailId: OURS.id, isProven: false }],
    })
    expect(await report('not-spam')).toMatchObject({ suppress: [], reasons: [] })
    expect(await report('auth-failure')).toMatchObject({ suppress: [], reasons: [] })
  })

  test('a dead forwarding target is not the address that we wrote to', async () => {
    const report = (address: string) =>
      classified(
        {
          From: 'MAILER-DAEMON@far.example',
          Subject: 'Undelivered Mail Returned to Sender',
          'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b',
        },
        `--b\r\n\r\nIt came back.\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nFinal-Recipient: rfc822; ${address}\r\nAction: failed\r\nStatus: 5.1.1\r\n--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <ours@here>\r\nTo: bob@far.example\r\n--b--`,
      )
    const elsewhere = await report('bob@private.example')
    expect(elsewhere).toMatchObject({ bounced: [], suppress: [] })
    expect(elsewhere.reasons).toMatchObject([{ emailId: OURS.id }])
    expect((await report('bob@mail.far.example')).bounced).toEqual(['bob@far.example'])
  })
})
