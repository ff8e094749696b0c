import { describe, expect, test } from 'vitest'
import { authservIdOf, hasAuthenticSender } from './authentication-results.ts'
import { parseMail } from './parse.ts'

const US = 'mx.muster.example'

const isAuthentic = async (headers: string[], authservId: string | null = US) =>
  hasAuthenticSender(
    await parseMail(Buffer.from(`${headers.join('\r\n')}\r\n\r\nHello\r\n`)),
    authservId ?? undefined,
  )

const FROM = 'From: Feedback <feedback@arf.provider.example>'
const results = (...parts: string[]) => `Authentication-Results: ${[US, ...parts].join('; ')}`

describe('a sender is authentic', () => {
  test.each([
    ['by DMARC', results('dmarc=pass (p=REJECT sp=REJECT) header.from=arf.provider.example')],
    [
      'by a signature of the domain',
      results('spf=none', 'dkim=pass header.d=arf.provider.example header.s=a'),
    ],
    [
      'by one of the domain above it',
      results('dkim=fail header.d=x.example', 'dkim=pass header.i=@provider.example'),
    ],
    [
      'with a version, folds, blanks and capitals',
      `Authentication-Results: MX.muster.example 1;\r\n\tDKIM/1 = Pass\r\n\theader.d=ARF.provider.example`,
    ],
  ])('%s', async (_, header) => {
    expect(await isAuthentic([header, FROM])).toBe(true)
  })

  test('by a server that goes by many names', async () => {
    const header = 'Authentication-Results: in5.mail.example; dmarc=pass header.from=arf.provider.example'
    expect(await isAuthentic([header, FROM], '.mail.example')).toBe(true)
    expect(
      await isAuthentic([header.replace('mail.example', 'notmail.example'), FROM], '.mail.example'),
    ).toBe(false)
  })
})

describe('a sender is not', () => {
  const PASS = results('dmarc=pass header.from=arf.provider.example')
  test.each([
    ['without a result', [FROM]],
    ['by the word of another server', [PASS.replace(US, 'mx.evil.example'), FROM]],
    ['by the word of one whose name begins alike', [PASS.replace(US, `${US}.evil.example`), FROM]],
    [
      'by a header below the server’s own',
      [results('dmarc=none header.from=arf.provider.example'), PASS, FROM],
    ],
    ['by a header below another server’s', ['Authentication-Results: mx.evil.example; none', PASS, FROM]],
    [
      'if DMARC failed, whatever else passed',
      [results('dmarc=fail header.from=arf.provider.example', 'dkim=pass header.d=provider.example'), FROM],
    ],
    ['by DMARC of another domain', [results('dmarc=pass header.from=evil.example'), FROM]],
    ['by a signature of another domain', [results('dkim=pass header.d=evil.example'), FROM]],
    ['by one of a domain below it', [results('dkim=pass header.d=x.arf.provider.example'), FROM]],
    ['by one of a top-level domain', [results('dkim=pass header.d=example'), FROM]],
    ['by SPF alone', [results('spf=pass smtp.mailfrom=feedback@arf.provider.example'), FROM]],
    [
      'by words in a comment',
      [results('spf=pass (x; dmarc=pass header.from=arf.provider.example; y)'), FROM],
    ],
    [
      'by words in quotes',
      [
        results('spf=pass smtp.mailfrom="x; dmarc=pass header.from=arf.provider.example; y"@evil.example'),
        FROM,
      ],
    ],
    [
      'by what follows an open comment',
      [results('spf=pass (x', 'dmarc=pass header.from=arf.provider.example'), FROM],
    ],
    [
      'by what follows a comment that is closed twice',
      [results('spf=pass x)', 'dmarc=pass header.from=arf.provider.example'), FROM],
    ],
    [
      'by a property that is there twice',
      [results('dkim=pass header.d=evil.example header.d=provider.example'), FROM],
    ],
    ['with two senders', [PASS, FROM, 'From: evil@evil.example']],
    ['with two senders in one From', [PASS, `${FROM}, evil@evil.example`]],
    ['with none', [PASS, 'Subject: Hello']],
  ])('%s', async (_, headers) => {
    expect(await isAuthentic(headers)).toBe(false)
  })

  test('where it is not known what the server calls itself', async () => {
    expect(await isAuthentic([PASS, FROM], null)).toBe(false)
    expect(authservIdOf(new Map(), 'imap.muster.example')).toBeUndefined()
  })
})

test('the operator names servers, and the large providers are known', () => {
  const operators = new Map([['imap.muster.example', US]])
  expect(authservIdOf(operators, 'IMAP.muster.example')).toBe(US)
  expect(authservIdOf(operators, 'imap.gmail.com')).toBe('mx.google.com')
  expect(authservIdOf(operators, 'imap.gmail.com.evil.example')).toBeUndefined()
})
