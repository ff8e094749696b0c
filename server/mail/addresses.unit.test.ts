import { describe, expect, it } from 'vitest'
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
