import { describe, expect, test } from 'vitest'
import { recipientsOf } from '#contract/formats/address-line.ts'
import type { Delivery, Email, EmailDetail } from '#contract/mail/emails.ts'
import type { MailAccount } from '#contract/mail/mailboxes.ts'
import { ApiError } from '#web/platform/api/errors.ts'
import { currentToasts } from '#web/platform/ui/toast.ts'
import { sayHowSent } from './after-sending.ts'
import { answer, answerSubject, EMPTY_DRAFT, forwardSubject, isEmpty, newMail } from './new-draft.ts'
import { isDuplicate, wantsSettings } from './check-draft.ts'
import { editorHtml, isPlain, mailHtml } from './draft-html.ts'
import { linkAddress } from './LinkField.tsx'
import { badRecipient, beingTyped, withChosen } from '../../crm/contacts/recipients.ts'
import { instantIn, sendTimes } from './send-times.ts'
import { begunWith, senderOf, sendersOf } from './sender.ts'

describe('recipients', () => {
  test('are split at commas and semicolons, but not inside a name', () => {
    expect(recipientsOf('ann@x.org, "Berg, Bea" <bea@y.org>; cy@z.org,')).toEqual([
      'ann@x.org',
      '"Berg, Bea" <bea@y.org>',
      'cy@z.org',
    ])
  })

  test('that are not addresses are reported', () => {
    expect(badRecipient('ann@x.org, bea')).toBe('bea')
    expect(badRecipient('Ann <ann@x.org>, bea@y.org')).toBeNull()
  })

  test('a chosen one replaces what was typed', () => {
    expect(beingTyped('ann@x.org, be')).toBe('be')
    expect(withChosen('ann@x.org, be', 'Bea Berg', 'bea@y.org')).toBe('ann@x.org, Bea Berg <bea@y.org>, ')
    expect(withChosen('be', 'Berg, Bea', 'bea@y.org')).toBe('"Berg, Bea" <bea@y.org>, ')
  })
})

describe('a reply or forward', () => {
  test.each([
    ['Hello', 'Re: Hello'],
    ['Re: Hello', 'Re: Hello'],
    ['RE: AW: Re[2]: Hello', 'Re: Hello'],
    ['Regarding lunch', 'Re: Regarding lunch'],
    ['', 'Re:'],
  ])('to "%s" has one Re:', (given, expected) => expect(answerSubject(given)).toBe(expected))

  test('as a forward has one Fwd:', () => {
    expect(forwardSubject('Fwd: WG: Hello')).toBe('Fwd: Hello')
    expect(forwardSubject('Re: Hello')).toBe('Fwd: Re: Hello')
  })

  const mail = {
    from: 'bea@far.example',
    from_name: 'Bea',
    from_line: '',
    sender: 'Bea',
    reply_to: '',
    to: 'ada@muster.example, cy@far.example',
    cc: 'Cy <CY@far.example>, dan@far.example',
    subject: 'Lunch',
    message_id: '<1@far.example>',
  } as EmailDetail

  test('goes to the sender, or to Reply-To', () => {
    expect(answer('reply', mail, ['ada@muster.example']).draft.to).toBe('"Bea" <bea@far.example>')
    expect(answer('reply', { ...mail, reply_to: 'list@far.example' }, []).draft.to).toBe('list@far.example')
  })

  test.each([
    [{ from: '"ceo@bank.test"@attack.test' }, '"Bea" <"ceo@bank.test"@attack.test>'],
    [{ from_name: 'Boss <ceo@bank.test>' }, 'bea@far.example'],
    [{ from_name: 'Be\u202ea' }, '"Bea" <bea@far.example>'],
    [{ from: '', from_name: 'Boss' }, ''],
    [
      { from_line: 'Bea <bea@far.example>, "A, B" <"a> "@far.example>' },
      '"Bea" <bea@far.example>, "A, B" <"a> "@far.example>',
    ],
  ])('to the real sender, or to all: %o', (of, to) => {
    expect(answer('reply', { ...mail, ...of }, []).draft.to).toBe(to)
    expect(badRecipient(to)).toBeNull()
  })

  test('to all leaves out the user and duplicates', () => {
    const { draft, inReplyTo } = answer('reply-all', mail, ['Ada@Muster.example'])
    expect(draft.cc).toBe('cy@far.example, dan@far.example')
    expect(inReplyTo).toBe('<1@far.example>')
  })

  test("to the user's own mail goes to its recipients", () => {
    expect(answer('reply', mail, ['bea@far.example']).draft.to).toBe('ada@muster.example, cy@far.example')
  })
})

test('a text without formatting makes a plain mail', () => {
  expect(isPlain('<p>Hello<br>you</p><p></p>')).toBe(true)
  expect(isPlain('<p>Hello <strong>you</strong></p>')).toBe(false)
})

test('empty lines keep their height in other mail programs and return unchanged to the editor', () => {
  const written = '<p>One</p><p></p><ul><li><p>Two</p></li></ul><p></p>'
  const sent =
    '<p style="margin:0">One</p><p style="margin:0"><br></p><ul><li><p style="margin:0">Two</p></li></ul>'
  expect(mailHtml(written)).toBe(sent)
  expect(editorHtml(sent)).toBe(
    '<p style="margin:0">One</p><p></p><ul><li><p style="margin:0">Two</p></li></ul>',
  )
})

test.each([
  ['bakery.example/x', 'https://bakery.example/x'],
  ['http://bakery.example', 'http://bakery.example'],
  ['ann@bakery.example', 'mailto:ann@bakery.example'],
  ['mailto:ann@bakery.example', 'mailto:ann@bakery.example'],
  ['javascript:alert(1)', null],
  ['https://bank.example@evil.example/', null],
  ['bread', null],
  ['', null],
])('the address %j becomes the link %j', (typed, address) => {
  expect(linkAddress(typed)).toBe(address)
})

describe('suggested times to send later', () => {
  const iso = (now: string, zone: string) =>
    sendTimes(new Date(now), zone).map(({ label, at }) => `${label} ${at.toISOString()}`)

  test('are in the user’s zone, also across the end of summer time', () => {
    expect(iso('2026-10-24T08:00:00Z', 'Europe/Berlin')).toEqual([
      'Later today 2026-10-24T12:00:00.000Z',
      'Tomorrow morning 2026-10-25T07:00:00.000Z',
      'Tomorrow afternoon 2026-10-25T12:00:00.000Z',
      'Monday morning 2026-10-26T07:00:00.000Z',
    ])
    expect(iso('2026-07-10T23:00:00Z', 'Asia/Kolkata')[0]).toBe('Later today 2026-07-11T08:30:00.000Z')
  })

  test('move a skipped hour to the one after', () => {
    expect(instantIn('2026-03-29', '02:30', 'Europe/Berlin')?.toISOString()).toMatch(/T0[01]:30/)
    expect(instantIn('soon', '02:30', 'Europe/Berlin')).toBeNull()
  })
})

test('a signature has an empty line above it and does not count as content', () => {
  const { draft, signature } = newMail('', 'Ada\nMuster Ltd')
  expect(draft.text).toBe('\n\n-- \nAda\nMuster Ltd')
  expect(newMail().draft.text).toBe('')
  expect(isEmpty(draft, signature)).toBe(true)
  expect(isEmpty({ ...draft, text: `Hello${draft.text}` }, signature)).toBe(false)
  expect(isEmpty({ ...draft, to: 'a@b.example' }, signature)).toBe(false)
  expect(isEmpty(EMPTY_DRAFT, '')).toBe(true)
})

test('the same mail within two seconds is a duplicate', () => {
  const draft = { ...EMPTY_DRAFT, to: 'a@b.example', subject: 'Hi', text: 'Hello' }
  const last = { draft, at: 10_000 }
  expect(isDuplicate(null, draft, 10_000)).toBe(false)
  expect(isDuplicate(last, { ...draft }, 11_999)).toBe(true)
  expect(isDuplicate(last, { ...draft }, 12_000)).toBe(false)
  expect(isDuplicate(last, { ...draft, text: 'Hello again' }, 10_100)).toBe(false)
})

test.each([
  ['Please configure your account', true],
  ['The SMTP password was not taken', true],
  ['Check your email settings', true],
  ['550-5.1.1 No such user - gsmtp', false],
  ['Message too large', false],
])('a refusal with %j leads to the settings: %s', (detail, leads) => {
  expect(wantsSettings(new ApiError('answer', 400, detail))).toBe(leads)
})

test('the code alone leads to the settings', () => {
  expect(wantsSettings(new ApiError('answer', 400, 'x', { code: 'SMTP_NOT_CONFIGURED' }))).toBe(true)
  expect(wantsSettings(new Error('smtp'))).toBe(false)
})

describe('the message after a reply was sent', () => {
  const said = (state: Delivery['state'] | null) => {
    sayHowSent({ delivery: state === null ? null : { state } } as Email, 'Email sent')
    const { kind, text } = currentToasts().at(-1) ?? {}
    return `${kind}: ${text}`
  }
  test.each(['sent', 'queued', null] as const)('%s is sent', (state) => {
    expect(said(state)).toBe('success: Email sent')
  })
  test.each([
    ['sending', 'The mail server has not answered yet. The email is still on its way.'],
    ['deferred', 'The mail server cannot accept the email yet. Howl will try again.'],
    ['unsure', 'Howl does not know yet whether the email was sent, and is checking.'],
  ] as const)('%s is not', (state, words) => {
    expect(said(state)).toBe(`info: ${words}`)
  })
})

describe('the sender', () => {
  const account = (id: number, over: Partial<MailAccount> = {}): MailAccount => ({
    id,
    address: `${id}@muster.example`,
    practice: false,
    primary: false,
    default: false,
    connected: true,
    last_error: null,
    more_troubles: 0,
    waits_until: null,
    reads_replies: true,
    oauth: null,
    ...over,
  })
  const inUse = account(1, { primary: true, default: true })
  const practice = account(3, { practice: true, primary: true })
  const own = [inUse, account(2), account(4, { connected: false }), account(5, { address: '' })]
  const practising = [practice, account(1, { default: true }), account(2)]
  const ids = (accounts: MailAccount[]) => accounts.map(({ id }) => id)

  test('is any account that is connected and has an address', () =>
    expect(ids(sendersOf(own, 4))).toEqual([1, 2]))

  test('is the practice mailbox during practice, or the account that the mail came to', () => {
    expect(ids(sendersOf(practising, null))).toEqual([3])
    expect(ids(sendersOf(practising, 2))).toEqual([3, 2])
  })

  test('is the one in use where the chosen one has gone, or the only one that can send', () => {
    expect(senderOf(own, null, 2)?.id).toBe(2)
    expect(senderOf(own, 4, 4)?.id).toBe(1)
    expect(senderOf(practising, null, 2)?.id).toBe(3)
    const onlyReads = account(5, { address: '', primary: true, default: true })
    expect(senderOf([onlyReads, account(6)], null, null)?.id).toBe(6)
    expect(senderOf([onlyReads], null, null)).toBeUndefined()
  })

  test('of an answer is the account that received the mail, if it is still connected', () => {
    expect(begunWith(own, { mailbox_id: 2 }, false)).toBe(2)
    expect(begunWith(own, { mailbox_id: 4 }, false)).toBeNull()
    expect(begunWith(practising, { mailbox_id: 2 }, false)).toBe(2)
  })

  test('of a draft is its own account, but a new mail from before practice stays in practice', () => {
    expect(begunWith(own, { mailbox_id: 2, in_reply_to: null }, true)).toBe(2)
    expect(begunWith(practising, { mailbox_id: 2, in_reply_to: null }, true)).toBeNull()
    expect(begunWith(practising, { mailbox_id: 2, in_reply_to: 'a@far.example' }, true)).toBe(2)
    const scheduled = { mailbox_id: 2, in_reply_to: null, status: 'scheduled' }
    expect(begunWith(practising, scheduled, true)).toBe(2)
  })
})
