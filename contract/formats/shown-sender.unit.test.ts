import { describe, expect, it } from 'vitest'
import { mailboxOf, recipientsOf } from './address-line.ts'
import { shownAddress, shownMailbox, shownName, shownRecipients, shownSender } from './shown-sender.ts'

const from = (name: string, address: string) => shownMailbox({ name, address })

describe('a name that holds another address', () => {
  it.each([
    'Boss <ceo@bank.test>',
    'ceo@bank.test',
    '"ceo@bank.test"',
    'ceo＠bank.test',
    'ceo﹫bank',
    'ceo(at)bank.test',
    'ceo [at] bank',
    'ce\u200bo@ba\u00adnk.test',
    'ceo @ bank.test',
    'ｃｅｏ@ｂａｎｋ.test',
    'real@attack.test.bank.test',
    'real@attack.test, ceo@bank.test',
    '\u202etset.knab@oec',
    'ceo@@bank.test',
    'ceo@(bank.test)',
    'ceo@[bank.test]',
    'ceo@«bank.test»',
    'ceo (@) bank.test',
    'ceo<@>bank.test',
    'ceo ⓐ bank.test',
    'ceo @ bank .test',
    'ceo @ bank·test',
    'ceo @ bankꓸtest',
    'ceo @ bank。test',
    'No sender',
    ' no  Sender',
  ])('%j gives way to the real one', (name) => {
    expect(from(name, 'real@attack.test')).toBe('real@attack.test')
  })

  it.each([
    'Anna Lee',
    'real@attack.test',
    "'Real@attack.test'",
    'Anna (real@attack.test)',
    'Anna @ Acme',
    'Tom @ Work',
    'Tom @ Acme · Berlin',
    'Anna (@ Acme)',
    '@anna.lee',
    '@anna',
    'Anna at Acme',
  ])('%j stays', (name) => {
    expect(from(name, 'real@attack.test')).toBe(name)
  })

  it('is no sender where there is no address', () => {
    expect(from('Boss <ceo@bank.test>', '')).toBe('No sender')
    expect(from('', '')).toBe('No sender')
    expect(from('Mail Delivery System', '')).toBe('Mail Delivery System')
  })

  it('gives way as well where nobody sees it', () => {
    expect(from('\u2800\u3164 \u200b', 'real@attack.test')).toBe('real@attack.test')
  })
})

describe('what nobody sees', () => {
  it.each([
    ['\u202emoc.knab', '[U+202E]moc.knab'],
    ['An\u200bna\u00ad', 'An[U+200B]na[U+00AD]'],
    ['a\u200b\u200b\u200bb', 'a[U+200B ×3]b'],
    ['pay\u200cpal\u200d', 'pay[U+200C]pal[U+200D]'],
    ['Anna\u200e', 'Anna[U+200E]'],
    ['\u202dمحمد', '[U+202D]محمد'],
    ['a\u{e0041}\ue000', 'a[U+E0041][U+E000]'],
  ])('in the name %j has a mark: %s', (name, shown) => {
    expect(shownName(name)).toBe(shown)
  })

  it.each([
    'Jürgen Böll',
    'می\u200cخواهم',
    'ക്\u200dഷ',
    'ජනශ්\u200dරී',
    'क्\u200cष',
    '渡邉\u{e0101}',
    '👨\u200d👩\u200d👧 Family ❤\ufe0f',
    '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    'ภาษา\u200bไทย',
    'ן. כהן',
    '王小明',
  ])('but honest %j stays', (name) => {
    expect(shownName(name)).toBe(name)
  })

  it('says nothing about the direction of a name that its letters do not say', () => {
    expect(shownName('\u202bمحمد\u202c')).toBe('محمد')
    expect(shownName('\u200fשרה\u200e')).toBe('שרה')
  })

  it('has a mark in addresses always', () => {
    expect(shownAddress('ce\u200bo\u202e@attack.test')).toBe('ce[U+200B]o[U+202E]@attack.test')
    expect(shownAddress('می\u200cخ@attack.test')).toBe('می[U+200C]خ@attack.test')
    expect(shownAddress('"a\u00a0\u2800b"@attack.test')).toBe('"a[U+00A0][U+2800]b"@attack.test')
    expect(shownAddress('ceo@ba\u200bnk.test')).toBe('ceo@ba[U+200B]nk.test (bank.test)')
  })
})

describe('a domain', () => {
  it.each([
    ['bаnk.test', 'xn--bnk-6cd.test'],
    ['аррӏе.com', 'xn--80ak6aa92e.com'],
    ['www.аррӏе.com', 'www.xn--80ak6aa92e.com'],
    ['ροτ.com', 'xn--0xadk.com'],
    ['ｂａｎｋ.test', 'bank.test'],
  ])('%s may be read as another: %s is beside it', (domain, ascii) => {
    expect(shownAddress(`ceo@${domain}`)).toBe(`ceo@${domain} (${ascii})`)
  })

  it.each([
    'bank.test',
    'bücher.example',
    'xn--bcher-kva.example',
    'пример.рф',
    'почта.ru',
    'сор.ru',
    'παράδειγμα.gr',
    '例え.jp',
    '東京タワーtokyo.jp',
    '한국abc.kr',
    'भारत.in',
    'مثال.com',
  ])('%s is as it looks', (domain) => {
    expect(shownAddress(`ceo@${domain}`)).toBe(`ceo@${domain}`)
  })
})

describe('lines', () => {
  it('of senders name all', () => {
    const mail = {
      from: 'a@x.test',
      from_name: 'Lee, A',
      from_line: '"Lee, A" <a@x.test>, "ceo@bank.test" <"b> "@y.test>',
    }
    expect(shownSender(mail)).toBe('Lee, A, "b> "@y.test')
    expect(shownSender({ ...mail, from_line: '' })).toBe('Lee, A')
  })

  it('are taken apart only outside of quotes', () => {
    const line = 'Boss <"a> , b"@x.test>, "B, \\"C\\"" <"ceo@bank.test"@y.test>; "d;e"@z.test'
    expect(recipientsOf(line).map(mailboxOf)).toEqual([
      { name: 'Boss', address: '"a> , b"@x.test' },
      { name: 'B, "C"', address: '"ceo@bank.test"@y.test' },
      { name: '', address: '"d;e"@z.test' },
    ])
  })

  it('of recipients are shown as they are', () => {
    expect(shownRecipients('"Lee, A" <a@x.test>')).toBe('"Lee, A" <a@x.test>')
    expect(shownRecipients('A\u202eb <a@bаnk.test>, c@d.test')).toBe(
      'A[U+202E]b <a@bаnk.test (xn--bnk-6cd.test)>, c@d.test',
    )
  })
})
