import { describe, expect, test } from 'vitest'
import { seeded } from '../../tests/support/seeded.ts'
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
    [
      'with quoted values, comments and other methods, as Gmail writes them',
      results(
        'dkim=pass header.i=@provider.example header.s=s1 header.b="a+b/c="',
        'arc=pass (i=1 spf=pass spfdomain=x.example dkim=pass)',
        'spf=pass (google.com: domain of bounce@x.example designates 192.0.2.1 as permitted sender) smtp.mailfrom="b=c@x.example"',
      ),
    ],
    [
      'as Microsoft writes it',
      results(
        'spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=x.example',
        ' dkim=none (message not signed)',
        'dmarc=pass action=none header.from=arf.provider.example',
        'compauth=pass reason=100',
      ),
    ],
    ['as Yahoo does', results('spf=none', 'dmarc=pass(p=REJECT) header.from=arf.provider.example', '')],
    [
      'by a signature that ends with an equals sign',
      results('dkim=pass header.b=ab== header.d=provider.example'),
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
    [
      'if a signature of the same domain failed',
      [results('dkim=pass header.d=provider.example', 'dkim=fail header.d=provider.example'), FROM],
    ],
    ['if there is no signature', [results('dkim=pass header.d=provider.example', 'dkim=none'), FROM]],
    [
      'if a signature is named in two ways',
      [results('dkim=pass header.d=provider.example header.i=@evil.example'), FROM],
    ],
    [
      'by two results of DMARC',
      [results('dmarc=pass header.from=evil.example', 'dmarc=pass header.from=arf.provider.example'), FROM],
    ],
    [
      'by a result that holds what SPF has checked',
      [
        results(
          'spf=pass (of x)',
          'dkim=pass header.d=provider.example (y@evil.example) smtp.mailfrom=evil.example',
        ),
        FROM,
      ],
    ],
    ['by words that are no result', [results('spf=pass of x', 'dkim=pass header.d=provider.example'), FROM]],
    [
      'by more results than are read',
      [results('dkim=pass header.d=provider.example', ...Array.from({ length: 50 }, () => 'x=none')), FROM],
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

describe('whatever a sender calls itself', () => {
  const PIECES = [
    'x',
    '"',
    '\\',
    '(',
    ')',
    ';',
    ' ',
    '=',
    '@',
    '" ',
    '" ;',
    ') ;',
    ' (',
    'reason="',
    '; y="',
    '\\"',
  ]
  const WANTED = ['; dkim=pass header.d=provider.example ', ';dmarc=pass header.from=arf.provider.example']
  const random = seeded(8601)
  const oneOf = (all: readonly string[]) => all[Math.floor(random() * all.length)] ?? ''
  const few = () => Array.from({ length: Math.floor(random() * 5) }, () => oneOf(PIECES)).join('')
  const escaped = (text: string) => text.replaceAll(/["\\]/g, '\\$&')
  const spf = (comment: string, from: string) =>
    `spf=pass (mx: domain of ${comment}@evil.example designates 192.0.2.1 as permitted sender) smtp.mailfrom=${from}`

  /** Servers that write a local part as it came in, or escape it, at the one place or the other. */
  const SERVERS: Record<string, (local: string) => string[]> = {
    'in quotes': (local) => [results(spf(`"${local}"`, `"${local}"@evil.example`))],
    'escaped in quotes': (local) => [results(spf(`"${escaped(local)}"`, `"${escaped(local)}"@evil.example`))],
    'in quotes in a comment': (local) => [results(spf(`"${local}"`, 'evil.example'))],
    'in quotes before other words in quotes': (local) => [
      results(`spf=pass smtp.mailfrom="${local}"@evil.example`, 'auth=pass reason="of the network"'),
    ],
    'escaped as a whole': (local) => [results(`spf=pass smtp.mailfrom="${escaped(local)}@evil.example"`)],
    'as it is': (local) => [
      `Return-Path: <"${escaped(local)}"@evil.example>`,
      results(spf(local, `${local}@evil.example`)),
    ],
  }

  test.each(Object.keys(SERVERS))('no result of its own counts: %s', async (name) => {
    const write = SERVERS[name] ?? (() => [])
    for (let n = 0; n < 2000; n += 1) {
      const headers = [...write(few() + oneOf(WANTED) + few()), FROM]
      expect(await isAuthentic(headers), headers.join('\n')).toBe(false)
    }
  })

  test('and they would count if the server had written them', async () => {
    for (const wanted of WANTED) expect(await isAuthentic([results(`spf=pass${wanted}`), FROM])).toBe(true)
  })
})

test('the operator names servers, and the large providers are known', () => {
  const operators = new Map([['imap.muster.example', US]])
  expect(authservIdOf(operators, 'IMAP.muster.example')).toBe(US)
  expect(authservIdOf(operators, 'imap.gmail.com')).toBe('mx.google.com')
  expect(authservIdOf(operators, 'imap.gmail.com.evil.example')).toBeUndefined()
})
