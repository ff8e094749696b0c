import { describe, expect, it } from 'vitest'
import { readDeliveryReport } from './delivery-report.ts'
import { readComplaint } from './complaints.ts'
import { parseMail } from '../parse.ts'

const raw = (...lines: string[]) => parseMail(Buffer.from(lines.join('\r\n')))
const daemon = [
  'From: Mail Delivery System <MAILER-DAEMON@mx.example.net>',
  'To: anna@example.com',
  'Subject: Mail delivery failed',
]
const spoken = async (...lines: string[]) => readDeliveryReport(await raw(...daemon, '', ...lines))

const standard = (
  fields: string[],
  { text = 'Your mail could not be delivered.', subject = 'Undelivered Mail Returned to Sender' } = {},
) =>
  raw(
    'From: MAILER-DAEMON@mx.example.net',
    'To: anna@example.com',
    `Subject: ${subject}`,
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    text,
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.net',
    '',
    ...fields,
    '--b',
    'Content-Type: message/rfc822',
    '',
    'Message-ID: <sent@example.com>',
    'To: bob@example.org',
    'Subject: Offer',
    '',
    'words',
    '--b--',
  )

describe('standard reports (RFC 3464)', () => {
  it('names recipient, status, words and the original mail', async () => {
    const report = readDeliveryReport(
      await standard([
        'Final-Recipient: rfc822; bob@example.org',
        'Action: failed',
        'Status: 5.1.1',
        'Diagnostic-Code: smtp; 550 5.1.1 <bob@example.org>:',
        '  User unknown',
      ]),
    )
    expect(report).toEqual({
      originalMessageId: 'sent@example.com',
      recipients: [
        {
          address: 'bob@example.org',
          action: 'failed',
          status: '5.1.1',
          diagnostic: '550 5.1.1 <bob@example.org>: User unknown',
          hard: true,
        },
      ],
    })
  })

  it('prefers the address the mail was sent to, and reads xtext and brackets', async () => {
    const report = readDeliveryReport(
      await standard([
        'Original-Recipient: rfc822;bob+2Btag@example.org',
        'Final-Recipient: RFC822; <bob@inner.example.org>',
        'Action: failed',
        'Status: 5.0.0',
      ]),
    )
    expect(report?.recipients[0]?.address).toBe('bob+tag@example.org')
  })

  it('keeps several recipients apart', async () => {
    const report = readDeliveryReport(
      await standard([
        'Final-Recipient: rfc822; a@example.org',
        'Action: failed',
        'Status: 5.1.1',
        '',
        'Final-Recipient: rfc822; b@example.org',
        'Action: delayed',
        'Status: 4.2.2',
        '',
        'Final-Recipient: rfc822; c@example.org',
        'Action: delivered',
        'Status: 2.0.0',
      ]),
    )
    expect(report?.recipients.map(({ address, action, hard }) => [address, action, hard])).toEqual([
      ['a@example.org', 'failed', true],
      ['b@example.org', 'delayed', false],
      ['c@example.org', 'delivered', false],
    ])
  })

  it('takes the words of the text where the report has none', async () => {
    const report = readDeliveryReport(
      await standard(['Final-Recipient: rfc822; bob@example.org', 'Action: failed', 'Status: 5.0.0'], {
        text: 'Failed recipients:\r\n\r\nbob@example.org: Domain does not exist',
      }),
    )
    expect(report?.recipients[0]).toMatchObject({
      hard: true,
      diagnostic: expect.stringContaining('Domain does not exist'),
    })
  })
})

describe('hard or not', () => {
  it.each([
    ['5.1.1', '550 5.1.1 user unknown'],
    ['5.1.10', '550 5.1.10 RESOLVER.ADR.RecipientNotFound; not found'],
    ['5.2.1', '550 5.2.1 The email account that you tried to reach is disabled.'],
    ['5.4.4', 'Host or domain name not found'],
    ['5.0.0', '550 No such user here'],
    ['5.4.1', '550 5.4.1 [bob@example.org]: Recipient address rejected: Access denied'],
    ['5.1.2', '550 5.1.2 Bad destination host'],
    ['5.0.0', "554 delivery error: dd This user doesn't have a yahoo.com account"],
    ['5.1.1', ''],
    ['5.5.0', '550 Requested action not taken: mailbox unavailable'],
    [
      '4.0.0',
      'DNS Error: DNS type mx lookup of example.org responded with code NXDOMAIN Domain name not found: example.org',
    ],
  ])('hard: %s %s', async (status, words) => {
    const report = readDeliveryReport(
      await standard([
        'Final-Recipient: rfc822; bob@example.org',
        'Action: failed',
        `Status: ${status}`,
        `Diagnostic-Code: smtp; ${words}`,
      ]),
    )
    expect(report?.recipients[0]?.hard).toBe(true)
  })

  it.each([
    ['5.2.2', '552 5.2.2 Mailbox full'],
    ['5.1.1', '552 5.2.2 Over quota'],
    ['5.7.1', '554 5.7.1 Message blocked as spam'],
    ['5.1.1', '550 5.7.1 IP address blacklisted by recipient'],
    ['4.4.1', 'Connection timed out'],
    ['5.1.8', '553 5.1.8 Domain of sender address does not exist'],
    ['5.0.0', '554 5.7.26 Unauthenticated email is not accepted due to DMARC policy'],
    ['4.2.2', '452 4.2.2 over quota'],
    ['5.3.4', '552 5.3.4 Message too large'],
    ['4.1.1', '450 4.1.1 User unknown in local recipient table'],
    ['5.4.7', '554 5.4.7 delivery time expired'],
    ['5.0.0', ''],
    ['4.7.0', '421 4.7.0 Try again later'],
  ])('not hard: %s %s', async (status, words) => {
    const report = readDeliveryReport(
      await standard([
        'Final-Recipient: rfc822; bob@example.org',
        'Action: failed',
        `Status: ${status}`,
        `Diagnostic-Code: smtp; ${words}`,
      ]),
    )
    expect(report?.recipients[0]?.hard).toBe(false)
  })
})

describe("reports in the server's own words", () => {
  it('qmail', async () => {
    const report = await spoken(
      'Hi. This is the qmail-send program at mx.example.net.',
      "I'm afraid I wasn't able to deliver your message to the following addresses.",
      '',
      '<bob@example.org>:',
      '192.0.2.1 does not like recipient.',
      'Remote host said: 550 5.1.1 User unknown',
      '',
      '--- Below this line is a copy of the message.',
      '',
      'Message-ID: <sent@example.com>',
      'To: bob@example.org',
    )
    expect(report).toMatchObject({
      originalMessageId: 'sent@example.com',
      recipients: [{ address: 'bob@example.org', action: 'failed', status: '5.1.1', hard: true }],
    })
    expect(report?.recipients).toHaveLength(1)
  })

  it('exim, two recipients', async () => {
    const report = await spoken(
      'This message was created automatically by mail delivery software.',
      'A message that you sent could not be delivered to one or more of its',
      'recipients. This is a permanent error. The following address(es) failed:',
      '',
      '  bob@example.org',
      '    host mx.example.org [192.0.2.1]: 550 5.1.1 No such user',
      '  eve@example.org',
      '    host mx.example.org [192.0.2.1]: 552 5.2.2 Mailbox full',
      '',
      '------ This is a copy of the message, including all the headers. ------',
      'To: bob@example.org',
    )
    expect(report?.recipients.map(({ address, hard }) => [address, hard])).toEqual([
      ['bob@example.org', true],
      ['eve@example.org', false],
    ])
  })

  it('Exchange', async () => {
    const report = await spoken(
      'Your message did not reach some or all of the intended recipients.',
      '',
      '      Subject:  Offer',
      '',
      'The following recipient(s) could not be reached:',
      '',
      '      bob@example.org on 3/3/2026 10:00 AM',
      '            The recipient name is not recognized',
    )
    expect(report?.recipients).toMatchObject([{ address: 'bob@example.org', hard: true }])
  })

  it('a delay is no failure', async () => {
    const report = readDeliveryReport(
      await raw(
        'From: Mail Delivery Subsystem <mailer-daemon@example.net>',
        'Subject: Delivery Status Notification (Delay)',
        'X-Failed-Recipients: bob@example.org',
        '',
        'Delivery to the following recipient has been delayed:',
        '',
        '     bob@example.org',
        '',
        'Message will be retried for 2 more day(s)',
      ),
    )
    expect(report?.recipients).toMatchObject([{ address: 'bob@example.org', action: 'delayed', hard: false }])
  })

  it("falls back on the original's recipient", async () => {
    const report = await spoken(
      'Error: No valid recipients for this message',
      '',
      'Original Message:',
      'From: anna@example.com',
      'To: bob@example.org',
    )
    expect(report?.recipients).toMatchObject([{ address: 'bob@example.org' }])
  })
})

it('is null for the mail of people', async () => {
  expect(
    readDeliveryReport(
      await raw(
        'From: Bob <bob@example.org>',
        'Subject: Re: failure notice',
        '',
        'My mail could not be delivered, what now?',
      ),
    ),
  ).toBeNull()
  expect(
    readDeliveryReport(
      await raw(
        'From: Postmaster <postmaster@example.org>',
        'Subject: New password rules',
        '',
        'Please change yours.',
      ),
    ),
  ).toBeNull()
})

it('reads complaints (RFC 5965)', async () => {
  const complaint = readComplaint(
    await raw(
      'From: fbl@example.net',
      'Content-Type: multipart/report; report-type=feedback-report; boundary=b',
      '',
      '--b',
      'Content-Type: message/feedback-report',
      '',
      'Feedback-Type: abuse',
      'Original-Rcpt-To: <bob@example.org>',
      '--b',
      'Content-Type: message/rfc822',
      '',
      'Message-ID: <sent@example.com>',
      '',
      'x',
      '--b--',
    ),
  )
  expect(complaint).toEqual({
    address: 'bob@example.org',
    feedbackType: 'abuse',
    originalMessageId: 'sent@example.com',
  })
  expect(readComplaint(await raw('From: bob@example.org', 'Subject: I complain', '', 'x'))).toBeNull()
})
