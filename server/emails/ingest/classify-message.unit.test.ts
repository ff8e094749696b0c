import { describe, expect, test } from 'vitest'
import { parseMail } from '../../mail/parse.ts'
import { incomingMessage } from './incoming-message.ts'
import { classifyMessage, type OurMails } from './classify-message.ts'

const AT = new Date('2026-06-02T10:00:00Z')
const OURS = { id: 7, correspondentKey: 'bob@far.example' }

async function judged(
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
    newestTo: new Map(),
    contactsMailed: new Map(),
    tokens: new Map(),
    ...ours,
  })
}

describe('judge', () => {
  test('a mail that names ours is a reply, from whatever address and folder', async () => {
    expect(await judged({ 'In-Reply-To': '<ours@here>' }, 'Yes, please!')).toMatchObject({
      isReply: true,
      intent: 'interested',
    })
    const elsewhere = await judged(
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

  test('without naming one, only a contact after a mail of ours replies', async () => {
    const mailed = (at: string) => ({ contactsMailed: new Map([['bob@far.example', new Date(at)]]) })
    expect((await judged({}, 'Hello', mailed('2026-06-01T10:00:00Z'))).isReply).toBe(true)
    expect((await judged({}, 'Hello', mailed('2026-06-03T10:00:00Z'))).isReply).toBe(false)
    expect((await judged({}, 'Hello', mailed('2026-06-01T10:00:00Z'), 'junk')).isReply).toBe(false)
    expect((await judged({}, 'Hello')).isReply).toBe(false)
  })

  test('machines and lists never reply', async () => {
    const named = { 'In-Reply-To': '<ours@here>' }
    expect(await judged({ ...named, 'Auto-Submitted': 'auto-replied' }, 'Away')).toMatchObject({
      isReply: false,
      intent: 'out_of_office',
    })
    expect((await judged({ ...named, 'List-Id': '<all.far.example>' }, 'Hello all')).isReply).toBe(false)
    expect((await judged(named, 'I am out of the office until Monday.')).isReply).toBe(false)
  })

  test('a wish to be left alone suppresses, in a reply only', async () => {
    const words = 'Please unsubscribe me.'
    expect((await judged({ 'In-Reply-To': '<ours@here>' }, words)).suppress).toMatchObject([
      { key: 'bob@far.example', reason: 'unsubscribed' },
    ])
    expect((await judged({}, words)).suppress).toEqual([])
  })

  test('what a mail program writes takes off the list, and is no reply', async () => {
    const token = `1.7.${'s'.repeat(43)}`
    const named = { 'In-Reply-To': '<ours@here>', Subject: `unsubscribe-${token}` }
    const by = (tokens: [string, string][]) =>
      judged({ ...named, From: 'else@private.example' }, 'Please!', { tokens: new Map(tokens) })
    expect(await by([[token, 'bob@far.example']])).toMatchObject({
      isReply: false,
      intent: 'unsubscribe',
      receivedFrom: [],
      suppress: [{ key: 'bob@far.example', reason: 'unsubscribed' }],
    })
    // Not ours, or another user's: nothing at all.
    expect(await by([])).toMatchObject({ isReply: false, intent: null, receivedFrom: [], suppress: [] })
    const apple = { ...named, Subject: 'unsubscribe' }
    const words = 'Apple Mail sent this email to unsubscribe from the message “Offer”.'
    expect((await judged(apple, words)).suppress).toEqual([])
    const written = { newestTo: new Map([['bob@far.example', OURS]]) }
    expect(await judged(apple, words, written)).toMatchObject({
      isReply: false,
      suppress: [{ key: 'bob@far.example', reason: 'unsubscribed' }],
    })
  })

  test('a complaint suppresses, a report that a mail is no spam does not', async () => {
    const report = (type: string) =>
      judged(
        { 'Content-Type': 'multipart/report; report-type=feedback-report; boundary=b' },
        `--b\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: ${type}\r\nOriginal-Rcpt-To: bob@far.example\r\n--b--`,
        { newestTo: new Map([['bob@far.example', OURS]]) },
      )
    expect((await report('abuse')).suppress).toMatchObject([{ key: 'bob@far.example', reason: 'complaint' }])
    expect(await report('not-spam')).toMatchObject({ suppress: [], reasons: [] })
    expect(await report('auth-failure')).toMatchObject({ suppress: [], reasons: [] })
  })

  test('a dead address that our mail was led to is not the one that we wrote to', async () => {
    const report = (address: string) =>
      judged(
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
