import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seeded } from '../../../tests/support/seeded.ts'
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

const PATH = 'Return-Path: <bounce-7=x.example@arf.provider.example>'
const RECEIVED = `Received: from out.provider.example (out.provider.example [192.0.2.7]) by ${US} (Postfix) with ESMTPS id 4Qx1; Fri, 27 Nov 2026 10:00:00 +0000`
const DKIM_PASS = 'dkim=pass header.d=provider.example header.s=s1'
const STRANGER = [
  'Received: from desk (unknown [198.51.100.4]) by out.provider.example with ESMTP; Fri, 27 Nov 2026 09:59:00 +0000',
  FROM,
]

describe('a sender is authentic by what is written by', () => {
  test.each<[string, string[], (string | undefined)?]>([
    [
      'Gmail',
      [
        PATH,
        RECEIVED.replace(US, 'mx.google.com'),
        'Authentication-Results: mx.google.com; dkim=pass header.i=@provider.example header.s=s1 header.b="Ab/c+d=="; arc=pass (i=1 spf=pass spfdomain=x.example dkim=pass dkdomain=x.example); spf=pass (google.com: domain of bounce-7=x.example@arf.provider.example designates 192.0.2.7 as permitted sender) smtp.mailfrom="bounce-7=x.example@arf.provider.example"; dmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from=provider.example',
        ...STRANGER.slice(0, 1),
        'From: Feedback <feedback@provider.example>',
      ],
      'mx.google.com',
    ],
    [
      'Yahoo, where a second signature is of a kind that it does not know',
      [
        PATH,
        'Received: from 192.0.2.7(EHLO out.provider.example) by atlas-production.v2.omega.yahoo.com with SMTPs; Fri, 27 Nov 2026 10:00:00 +0000',
        'Authentication-Results: atlas-production.v2.omega.yahoo.com; dkim=pass header.i=@arf.provider.example header.s=rsa1; dkim=perm_fail header.i=@arf.provider.example header.s=ed1; spf=pass smtp.mailfrom=arf.provider.example; dmarc=pass(p=REJECT) header.from=arf.provider.example;',
        RECEIVED,
        ...STRANGER,
      ],
      '.yahoo.com',
    ],
    [
      'Fastmail, one header for each checker, below what its own servers have added',
      [
        PATH,
        'Received: from phl-mx-03.internal ([10.0.0.3]) by store7.internal (LMTPProxy); Fri, 27 Nov 2026 10:00:01 +0000',
        'Authentication-Results: mx3.messagingengine.com; x-csa=none; x-me-sender=none; x-ptr=pass smtp.helo=out.provider.example policy.ptr=out.provider.example',
        'Authentication-Results: mx3.messagingengine.com; bimi=skipped (DMARC did not pass)',
        'Authentication-Results: mx3.messagingengine.com; arc=none (no signatures found)',
        'Authentication-Results: mx3.messagingengine.com; dkim=pass (2048-bit rsa key sha256) header.d=provider.example header.i=@provider.example header.b=Ab12Cd34 header.a=rsa-sha256 header.s=s1 x-bits=2048; dmarc=none policy.published-domain-policy=none header.from=arf.provider.example; spf=pass smtp.mailfrom=bounce@arf.provider.example smtp.helo=out.provider.example',
        RECEIVED.replace(US, 'mx3.messagingengine.com'),
        ...STRANGER,
      ],
      '.messagingengine.com',
    ],
    [
      'OpenDKIM and OpenDMARC above the Received line, without a policy',
      [
        PATH,
        results('dmarc=none (p=none dis=none) header.from=arf.provider.example'),
        results(
          'dkim=pass (2048-bit key; unprotected) header.d=provider.example header.i=@provider.example header.a=rsa-sha256 header.s=s1 header.b=Qw34',
          'dkim-atps=neutral',
        ),
        RECEIVED,
        ...STRANGER,
      ],
    ],
    [
      'OpenDKIM and OpenDMARC below the Received line, with a policy',
      [
        PATH,
        RECEIVED,
        results('dmarc=pass (p=quarantine dis=none) header.from=arf.provider.example'),
        results('dkim=pass (2048-bit key) header.d=provider.example header.s=s1 header.b=Qw34'),
        ...STRANGER,
      ],
    ],
    [
      'rspamd, with quotes in comments',
      [
        PATH,
        RECEIVED,
        results(
          DKIM_PASS,
          'dkim=fail ("body hash did not verify") header.d=list.example header.s=k1',
          'arc=pass ("relay.example:s=arcselector7:i=1")',
          `spf=pass (${US}: domain of "bounce-7=x.example@arf.provider.example" designates 192.0.2.7 as permitted sender) smtp.mailfrom="bounce-7=x.example@arf.provider.example"`,
          'dmarc=unknown',
        ),
        ...STRANGER,
      ],
    ],
    [
      'Exim',
      [
        PATH,
        results(
          'iprev=pass (out.provider.example) smtp.remote-ip=192.0.2.7',
          'spf=pass smtp.mailfrom=arf.provider.example',
          'dkim=pass header.d=provider.example header.s=s1 header.a=rsa-sha256',
          'dmarc=pass header.from=arf.provider.example',
        ),
        RECEIVED,
        ...STRANGER,
      ],
    ],
    [
      'Zoho',
      [
        PATH,
        'Authentication-Results: mx.zohomail.com; dkim=pass  header.i=@provider.example; spf=pass (zohomail.com: domain of arf.provider.example designates 192.0.2.7 as permitted sender)  smtp.mailfrom=bounce@arf.provider.example; dmarc=pass(p=none dis=none)  header.from=arf.provider.example',
        RECEIVED,
        ...STRANGER,
      ],
      'mx.zohomail.com',
    ],
    ...['neutral', 'temperror', 'permerror', 'perm_fail'].map((result): [string, string[]] => [
      `a server that finds ${result} for a second signature of the same domain`,
      [results(DKIM_PASS, `dkim=${result} header.d=provider.example header.s=ed1`), FROM],
    ]),
  ])('%s', async (_, headers, authservId = US) => {
    expect(await isAuthentic(headers, authservId)).toBe(true)
  })
})

describe('a sender is not authentic by', () => {
  const NONE = results('dmarc=none header.from=arf.provider.example')
  const DKIM = results(DKIM_PASS)
  const FASTMAIL = (...parts: string[]) => results(...parts).replace(US, 'mx3.messagingengine.com')
  test.each<[string, string[], (string | undefined)?]>([
    ['a forged header below the server’s own Received', [NONE, RECEIVED, DKIM, ...STRANGER]],
    ['a forged header where the results are below Received', [RECEIVED, NONE, DKIM, RECEIVED, FROM]],
    ['a forged header where there is no Received', [NONE, DKIM, FROM]],
    [
      'one below the Received of Fastmail',
      [RECEIVED, FASTMAIL('x-csa=none'), RECEIVED, FASTMAIL(DKIM_PASS), ...STRANGER],
      '.messagingengine.com',
    ],
    [
      'a header of another server above Received',
      [NONE, DKIM.replace(US, 'mx.evil.example'), RECEIVED, FROM],
    ],
    ['headers that disagree about a signature', [DKIM, DKIM.replace('pass', 'fail'), RECEIVED, FROM]],
    [
      'headers that disagree about DMARC',
      [
        results('dmarc=pass header.from=arf.provider.example'),
        results('dmarc=fail header.from=arf.provider.example'),
        RECEIVED,
        FROM,
      ],
    ],
    ['headers of which one can be read in two ways', [DKIM, results('x=pass (a\\b)'), RECEIVED, FROM]],
    [
      'a signature if another breaks a policy',
      [results(DKIM_PASS, DKIM_PASS.replace('pass', 'policy')), FROM],
    ],
    [
      'Microsoft 365, which names no server',
      [
        RECEIVED,
        'Authentication-Results: spf=pass (sender IP is 192.0.2.7) smtp.mailfrom=arf.provider.example; dkim=pass (signature was verified) header.d=arf.provider.example;dmarc=pass action=none header.from=arf.provider.example;compauth=pass reason=100',
        ...STRANGER,
      ],
    ],
    ['a signature that was not checked', [results(DKIM_PASS.replace('pass', 'perm_fail')), FROM]],
    ['a domain without policy and without a signature', [NONE, FROM]],
    ['quotes in a comment that are never closed', [PATH, results('spf=pass (of "x)', DKIM_PASS), FROM]],
    ...['"a(b)c"', '"a) (b"', '"a;b"', '"a\\b"'].map((quote): [string, string[]] => [
      `a comment with ${quote} in it`,
      [PATH, results(`spf=pass (of ${quote} c)`, DKIM_PASS), FROM],
    ]),
    [
      'quotes in a comment if the envelope’s sender is not known',
      [results('spf=pass (of "a")', DKIM_PASS), FROM],
    ],
    [
      'quotes in a comment if that sender is only in what the server was sent',
      [results('spf=pass (of "a")', DKIM_PASS), RECEIVED, PATH, FROM],
    ],
  ])('%s', async (_, headers, authservId = US) => {
    expect(await isAuthentic(headers, authservId)).toBe(false)
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

describe('whatever a sender calls itself elsewhere', () => {
  const BANK = 'From: Bank <a@bank.example>'
  const EVIL = 'dkim=pass header.d=evil.example'
  const piece = fc.oneof(
    fc.constantFrom(
      '; dkim=pass header.d=bank.example ',
      ';dmarc=pass header.from=bank.example ',
      '; dkim=pass header.x=',
      ' header.d=x header.i=@bank.example ',
      ' header.d=bank.example',
      ' header.x=',
      '@bank.example',
      '@evil.example',
      '=3B',
      '=20',
      ') ;',
      '\u2003',
      '\u00a0',
      'x',
      '"',
      '\\',
      '(',
      ')',
      ';',
      ' ',
      '=',
    ),
    fc.string({ maxLength: 3, unit: 'grapheme-ascii' }),
  )
  const hostile = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))
  const encoded = (text: string) =>
    Buffer.from(text)
      .toString('latin1')
      .replaceAll(/[^\w.@-]/g, (char) => `=${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
  const signature = (tags: string) => `DKIM-Signature: v=1; a=rsa-sha256; ${tags}; h=from; b=Ab12==`
  const received = (names: string) =>
    `Received: from ${names} by ${US} with ESMTP id 1; Fri, 27 Nov 2026 10:00:00 +0000`

  /** Servers that write a value as it came in, and the mails that have it in the header that it came from. */
  const SERVERS: Record<string, (text: string) => string[]> = {
    'i= in the signature': (text) => [
      results(`${EVIL} header.i=${text}@evil.example`),
      signature(`d=evil.example; s=a; i=${encoded(text)}@evil.example`),
    ],
    'i= alone in the results': (text) => [
      results(`dkim=pass header.i=${text}@evil.example header.s=a`),
      signature(`d=evil.example; s=a; i = ${encoded(text)}@evil.example`),
    ],
    'i= before the domain': (text) => [
      results(`dkim=pass header.i=${text}@evil.example header.d=evil.example`),
      signature(`i=${encoded(text)}@evil.example; d=evil.example; s=a`),
    ],
    's= in the signature': (text) => [
      results(`${EVIL} header.s=${text.replaceAll(';', '')}`),
      signature(`d=evil.example; s=a${text.replaceAll(';', '')}`),
    ],
    HELO: (text) => [
      results(EVIL, `spf=none smtp.helo=x${text}`),
      received(`x${text} (unknown [192.0.2.1])`),
    ],
    'HELO in a comment': (text) => [
      received(`unknown (HELO x${text}) (192.0.2.1)`),
      results(EVIL, `spf=none (${US}: x${text} is neither permitted nor denied) smtp.helo=x${text}`),
    ],
    'the name in From': (text) => [
      results(EVIL, `x-from=pass header.from=${text} <a@bank.example>`),
      `From: =?utf-8?B?${Buffer.from(text).toString('base64')}?= <a@bank.example>`,
    ],
    'the name in From, in quotes': (text) => [
      results(EVIL, `x-from=pass (${text})`),
      `From: "${text.replaceAll(/["\\]/g, '\\$&')}" <a@bank.example>`,
    ],
  }

  test.each(Object.keys(SERVERS))('no result of its own counts: %s', async (name) => {
    const write = SERVERS[name] ?? (() => [])
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        const headers = write(text)
        const hasFrom = headers.some((each) => each.startsWith('From:'))
        expect(await isAuthentic(hasFrom ? headers : [...headers, BANK]), headers.join('\n')).toBe(false)
      }),
      { numRuns: 1500, seed: 6376 },
    )
  })

  test.each([
    [
      'i=',
      signature(
        'd=evil.example; s=a; i=x=3B=20dkim=3Dpass=20header.d=3Dbank.example=20header.x=3D@evil.example',
      ),
    ],
    ['d=', signature('d=evil.example dkim=pass; s=a')],
    ['HELO', received('x; dkim=pass header.d=bank.example (unknown [192.0.2.1])')],
    ['HELO with quotes', received('x"y (unknown [192.0.2.1])')],
    ['a signature that may be cut', signature(`x=${'a'.repeat(20_000)}; i=x`)],
  ])('a result that may be its own does not count: %s', async (_, header) => {
    const forged = results(`${EVIL} header.i=x`, 'dkim=pass header.d=bank.example header.x=@evil.example')
    expect(await isAuthentic([forged, BANK])).toBe(true)
    expect(await isAuthentic([forged, header, BANK])).toBe(false)
  })

  test('nor one that may be a comment in From', async () => {
    const headers = [
      results('dkim=pass header.d=bank.example'),
      `${BANK.replace('a@', '<a@')}> (; dkim=pass header.d=bank.example)`,
    ]
    expect(await isAuthentic(headers)).toBe(false)
  })

  test('nor one in a mail with more headers than are kept', async () => {
    const many = Array.from({ length: 500 }, (_, n) => `X-${n}: a`)
    expect(await isAuthentic([results('dkim=pass header.d=bank.example'), BANK, ...many])).toBe(false)
  })

  test('honest signatures change nothing', async () => {
    const honest = signature('d=bank.example; s=s1._x; i=bounce+a=3Db@bank.example')
    expect(await isAuthentic([results('dkim=pass header.d=bank.example'), honest, BANK])).toBe(true)
  })
})

test('the operator names servers, and the large providers are known', () => {
  const operators = new Map([['imap.muster.example', US]])
  expect(authservIdOf(operators, 'IMAP.muster.example')).toBe(US)
  expect(authservIdOf(operators, 'imap.gmail.com')).toBe('mx.google.com')
  expect(authservIdOf(operators, 'imap.gmail.com.evil.example')).toBeUndefined()
})
