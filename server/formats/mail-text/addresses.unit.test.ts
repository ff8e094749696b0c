import { describe, expect, it } from 'vitest'
import { withQuotes } from '#contract/platform/local-part.ts'
import { addressKey, formatAddress, isSendable, parseAddressList } from './addresses.ts'

describe('parseAddressList', () => {
  it.each([
    ['anna@example.com', [{ name: '', address: 'anna@example.com' }]],
    [
      '"Lee, Anna" <anna@example.com>, Bob (home) <bob@example.com>',
      [
        { name: 'Lee, Anna', address: 'anna@example.com' },
        { name: 'Bob', address: 'bob@example.com' },
      ],
    ],
    [
      'Team: a@example.com, B <b@example.com>;, c@example.com',
      [
        { name: '', address: 'a@example.com' },
        { name: 'B', address: 'b@example.com' },
        { name: '', address: 'c@example.com' },
      ],
    ],
    ['undisclosed-recipients:;', []],
    ['=?UTF-8?Q?J=C3=BCrgen?= <j@example.com>', [{ name: 'Jürgen', address: 'j@example.com' }]],
    ['Jürgen <j@example.com>', [{ name: 'Jürgen', address: 'j@example.com' }]],
    ['Mary <@relay.example:mary@example.net>', [{ name: 'Mary', address: 'mary@example.net' }]],
    [
      'a@example.com; b@example.com',
      [
        { name: '', address: 'a@example.com' },
        { name: '', address: 'b@example.com' },
      ],
    ],
    ['MAILER-DAEMON (Mail Delivery System)', [{ name: 'MAILER-DAEMON', address: '' }]],
    ['', []],
  ])('reads %s', (header, expected) => {
    expect(parseAddressList(header)).toEqual(expected)
  })

  it('never takes an address out of a quoted name', () => {
    expect(parseAddressList('"boss@example.com" <evil@example.net>')).toEqual([
      { name: 'boss@example.com', address: 'evil@example.net' },
    ])
  })
})

describe('isSendable', () => {
  it.each([
    'a@example.com',
    "o'brien+tag@mail.example.co.uk",
    '"a b"@example.com',
    '"a> "@example.com',
    'jürgen@bücher.example',
    'x@xn--bcher-kva.example',
  ])('takes %s', (address) => {
    expect(isSendable(address)).toBe(true)
  })

  it.each([
    '',
    '@',
    'a@',
    '@example.com',
    'a@localhost',
    'a b@example.com',
    'a@example..com',
    '.a@example.com',
    'a..b@example.com',
    'a@-example.com',
    'a@example.com\r\nRCPT TO:<b@example.com>',
    'a@example.com\0',
    'Anna <a@example.com>',
    'a@example.com, b@example.com',
    'a@b@example.com',
    'a@[127.0.0.1]',
    'a@127.0.0.1',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(20)}.com`,
    'a@exa mple.com',
    'a@example.com.',
    'a@exam\u00adple.com',
    'a\ud800@example.com',
  ])('refuses %j', (address) => {
    expect(isSendable(address)).toBe(false)
  })
})

it('gives two spellings of one address the same key', () => {
  expect(addressKey('  Anna@BÜCHER.example ')).toBe('anna@xn--bcher-kva.example')
  expect(addressKey('anna@xn--bcher-kva.EXAMPLE')).toBe('anna@xn--bcher-kva.example')
})

it('writes an address on one line, the name quoted where it must be', () => {
  expect(formatAddress({ name: 'Anna Lee', address: 'a@example.com' })).toBe('Anna Lee <a@example.com>')
  expect(formatAddress({ name: 'Lee, "A"', address: 'a@example.com' })).toBe('"Lee, \\"A\\"" <a@example.com>')
  expect(formatAddress({ name: 'A\r\nBcc: x@example.com', address: 'a@example.com' })).not.toMatch(/[\r\n]/)
  expect(formatAddress({ name: '', address: 'a@example.com' })).toBe('a@example.com')
})

it('opens groups, and takes groups in groups for one', () => {
  const all = parseAddressList(
    'Team: Bo <bo@b.example>, cy@c.example;, Others: x: y: "D: E" <d@d.example>;, e@e.example',
  )
  expect(all.map(({ address }) => address)).toEqual([
    'bo@b.example',
    'cy@c.example',
    'd@d.example',
    'e@e.example',
  ])
  expect(parseAddressList('a:"\\;b:c:d <d@d.example>').map(({ address }) => address)).toEqual(['d@d.example'])
})

describe('a sender who is somebody else', () => {
  it.each([
    // Encoded words are decoded after the structure is known (RFC 2047 5).
    [
      '=?utf-8?Q?Boss_=3Cceo=40bank.test=3E?=, <real@attack.test>',
      [
        { name: 'Boss <ceo@bank.test>', address: '' },
        { name: '', address: 'real@attack.test' },
      ],
    ],
    [
      '=?utf-8?Q?Boss_=3Cceo=40bank.test=3E?= <real@attack.test>',
      [{ name: 'Boss <ceo@bank.test>', address: 'real@attack.test' }],
    ],
    ['=?utf-8?B?Qm9zcyA8Y2VvQGJhbmsudGVzdD4=?=', [{ name: 'Boss <ceo@bank.test>', address: '' }]],
    ['=?utf-8?Q?ceo@bank.test?=', [{ name: 'ceo@bank.test', address: '' }]],
    [
      '=?utf-8?Q?a=2C_b=40c.test?= <real@attack.test>',
      [{ name: 'a, b@c.test', address: 'real@attack.test' }],
    ],
    [
      '=?utf-8?Q?x,<ceo@bank.test>?= <real@attack.test>',
      [{ name: 'x,<ceo@bank.test>', address: 'real@attack.test' }],
    ],
    // In quotes they are decoded too, as all mail programs do.
    [
      '"=?utf-8?Q?Boss=22_=3Cceo=40bank.test=3E?=" <real@attack.test>',
      [{ name: 'Boss" <ceo@bank.test>', address: 'real@attack.test' }],
    ],
    [
      'real@attack.test (=?utf-8?Q?ceo=40bank.test?=)',
      [{ name: 'ceo@bank.test', address: 'real@attack.test' }],
    ],
    // … and an address is never decoded.
    ['=?utf-8?q?ceo?=@attack.test', [{ name: '', address: '=?utf-8?q?ceo?=@attack.test' }]],
    [
      '<=?utf-8?Q?ceo=40bank.test=3E?=@attack.test>',
      [{ name: '', address: '=?utf-8?Q?ceo=40bank.test=3E?=@attack.test' }],
    ],
    ['ceo@bank.test <real@attack.test>', [{ name: 'ceo@bank.test', address: 'real@attack.test' }]],
    ['<ceo@bank.test> <real@attack.test>', [{ name: 'real@attack.test', address: 'ceo@bank.test' }]],
  ])('%s', (header, expected) => {
    expect(parseAddressList(header)).toEqual(expected)
  })

  it.each([
    ['"ceo@bank.test"@attack.test', '"ceo@bank.test"@attack.test'],
    ['<"a> "@x.test>', '"a> "@x.test'],
    ['Boss <"a, b; c"@x.test>', '"a, b; c"@x.test'],
    ['"a\\"b"@x.test', '"a\\"b"@x.test'],
    ['a."b c"@x.test', '"a.b c"@x.test'],
    ['"anna"@x.test', 'anna@x.test'],
    ['"anna.lee"(work)@x.test', 'anna.lee@x.test'],
  ])('the address of %s is %s, which is answerable', (header, address) => {
    const [mailbox] = parseAddressList(header)
    expect(mailbox?.address).toBe(address)
    expect(isSendable(address)).toBe(true)
    expect(parseAddressList(formatAddress({ name: 'B, C', address }))).toEqual([{ name: 'B, C', address }])
    expect(parseAddressList(formatAddress({ name: '', address }))).toEqual([{ name: '', address }])
  })
})

describe('encoded words', () => {
  it.each([
    ['=?utf-8?Q?J=C3?= =?utf-8?Q?=BCrgen?= <j@x.test>', 'Jürgen'],
    ['=?utf-8?Q?J=C3=BCrgen?= =?iso-8859-1?Q?_B=F6ll?= <j@x.test>', 'Jürgen Böll'],
    ['=?utf-8?Q?J=C3=BCrgen?= B. =?utf-8?Q?B=C3=B6ll?= <j@x.test>', 'Jürgen B. Böll'],
    ['"=?utf-8?Q?J=C3=BCrgen?=" <j@x.test>', 'Jürgen'],
    ['=?utf-8?Q?Böll,_Jürgen?= <j@x.test>', 'Böll, Jürgen'],
    ['=?utf-8?Q?Jane Doe?= <j@x.test>', 'Jane Doe'],
    ['=?utf-8?Q?(Anna)_"A"?= <j@x.test>', '(Anna) "A"'],
    ['=?utf-8?B?SsO8cmdlbg <j@x.test>', '=?utf-8?B?SsO8cmdlbg'],
    ['=?nonsense?Q?x=41?= <j@x.test>', 'xA'],
    ['=?utf-8?X?abc?= <j@x.test>', '=?utf-8?X?abc?='],
    ['=?utf-8?Q?a=0D=0ABcc:_b=40c.test?= <j@x.test>', 'a Bcc: b@c.test'],
  ])('in %s say %s', (header, name) => {
    expect(parseAddressList(header)).toEqual([{ name, address: 'j@x.test' }])
  })
})

describe('what is broken', () => {
  it.each([
    ['Anna <j@x.test', [{ name: 'Anna', address: 'j@x.test' }]],
    [
      '<a@b.test, c@d.test',
      [
        { name: '', address: 'a@b.test' },
        { name: '', address: 'c@d.test' },
      ],
    ],
    ['a < b <j@x.test>', [{ name: 'a b', address: 'j@x.test' }]],
    ['"Anna <j@x.test>', [{ name: '"Anna', address: 'j@x.test' }]],
    ['"Anna"j@x.test', [{ name: 'Anna', address: 'j@x.test' }]],
    [
      'a@[IPv6:::1], j@x.test',
      [
        { name: '', address: 'a@[IPv6:::1]' },
        { name: '', address: 'j@x.test' },
      ],
    ],
    ['<@a.test,@b.test:j@x.test>', [{ name: '', address: 'j@x.test' }]],
    ['Boss <>', [{ name: 'Boss', address: '' }]],
    ['<>', []],
    [', ,', []],
    [
      'j@x.test, , k@x.test',
      [
        { name: '', address: 'j@x.test' },
        { name: '', address: 'k@x.test' },
      ],
    ],
  ])('%s', (header, expected) => {
    expect(parseAddressList(header)).toEqual(expected)
  })

  it('is cut at a number of addresses', () => {
    expect(parseAddressList('a@b.test,'.repeat(5000))).toHaveLength(2000)
  })
})

it('gives back the quotes that an IMAP server has taken off', () => {
  expect(withQuotes('ceo@bank.test@attack.test')).toBe('"ceo@bank.test"@attack.test')
  expect(withQuotes('a> @x.test')).toBe('"a> "@x.test')
  expect(withQuotes('anna@x.test')).toBe('anna@x.test')
  expect(withQuotes('')).toBe('')
})
