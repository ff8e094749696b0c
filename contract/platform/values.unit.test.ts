import { describe, expect, it } from 'vitest'
import { typedInstant } from './typed-instant.ts'
import { profile } from '../accounts/profile.ts'
import { registration } from '../accounts/new-accounts.ts'
import { emailAddress, isEmailAddress, isTimeZone, line, requiredLine, requiredText, text } from './values.ts'

describe('an e-mail address', () => {
  it.each([
    'a@b.example',
    'o’hara+x@sub.domain.example',
    'jörg@münchen.example',
    '"a> b"@c.example',
    '"a@b.example"@c.example',
  ])('%s is one', (address) => {
    expect(isEmailAddress(address)).toBe(true)
  })
  it.each([
    '',
    'a',
    'a@b',
    'a@b@c.example',
    'a b@c.example',
    '"a"b"@c.example',
    '"a@c.example',
    '""@c.example',
    '"a\r\nRCPT TO:<b>"@c.example',
    'a@b.example\r\nBcc: c',
    'a\0@b.example',
    `${'x'.repeat(250)}@b.example`,
  ])('%j is none', (address) => {
    expect(isEmailAddress(address)).toBe(false)
  })
  it('has the blanks around it taken off', () => {
    expect(emailAddress.parse('  a@b.example ')).toBe('a@b.example')
  })
  it.each([
    ['"ana.b"@c.example', 'ana.b@c.example'],
    [String.raw`"a\n\a"@c.example`, 'ana@c.example'],
    [String.raw`"a\ b"@c.example`, '"a b"@c.example'],
    ['"ceo@bank.example"@c.example', '"ceo@bank.example"@c.example'],
    ['"ana."@c.example', '"ana."@c.example'],
    [String.raw`"a\"b"@c.example`, String.raw`"a\"b"@c.example`],
  ])('has only the quotes that it needs: %s is %s', (typed, kept) => {
    expect(emailAddress.parse(typed)).toBe(kept)
  })
})

describe('text', () => {
  it('loses what no database keeps, and nothing else', () => {
    expect(text(100).parse(' a\0b \ud800 ')).toBe('ab \ufffd')
  })
  it('that is required is not blank', () => {
    expect(requiredText(10, 'Please write').safeParse(' \0 ').success).toBe(false)
  })
})

describe('a line', () => {
  it.each(['a\r\nBcc: b@x.example', 'a\nb', 'a\rb', 'a\u001bb', 'a\u0085b', 'a\u2028b', 'a\u007fb'])(
    'is not %j',
    (typed) => {
      for (const schema of [line(100), requiredLine(100, 'Please write')])
        expect(schema.safeParse(typed).error?.issues[0]?.message).toBe(
          'Please use one line, without control characters',
        )
    },
  )
  it('may end in a line end, and a tab is a blank', () => {
    expect(line(100).parse(' Ann\tLee\r\n')).toBe('Ann Lee')
    expect(requiredLine(100, 'Please write').parse('王小明 – Łódź')).toBe('王小明 – Łódź')
  })
})

it('knows the zones of the runtime', () => {
  expect(isTimeZone('Europe/Berlin')).toBe(true)
  expect(isTimeZone('Mars/Olympus')).toBe(false)
})

describe('an instant', () => {
  it.each([
    ['2026-12-01T10:00:00.000Z', '2026-12-01T10:00:00.000Z'],
    ['2026-12-01T10:00:00+02:00', '2026-12-01T08:00:00.000Z'],
    ['2026-12-01 10:00', '2026-12-01T10:00:00.000Z'],
    ['2026-12-01', '2026-12-01T00:00:00.000Z'],
    ['2028-02-29T23:59', '2028-02-29T23:59:00.000Z'],
  ])('%s is %s, wherever the server stands', (typed, meant) => {
    const zone = process.env['TZ']
    process.env['TZ'] = 'America/New_York'
    try {
      expect(new Date(typedInstant.parse(typed)).toISOString()).toBe(meant)
    } finally {
      process.env['TZ'] = zone ?? 'UTC'
    }
  })
  it.each(['5', 'next week 5', 'Dec 5 2027', '2026-02-30T10:00:00Z', '2026-13-01', '2026-12-01T25:00Z', ''])(
    '%j is none',
    (typed) => {
      expect(typedInstant.safeParse(typed).success).toBe(false)
    },
  )
})

describe('a link of a profile', () => {
  const isTaken = (link: string) => {
    const person = {
      email: 'a@b.example',
      password: 'correct horse battery',
      name: 'Ada',
      username: 'ada-muster',
    }
    const taken = (['social_link', 'calendly_link'] as const).flatMap((field) => [
      profile.update.body?.safeParse({ [field]: link }).success,
      registration.safeParse({ ...person, [field]: link }).success,
    ])
    expect(new Set(taken).size).toBe(1)
    return taken[0]
  }
  it.each([
    '',
    'https://calendly.com/ada',
    'HTTP://a.example',
    'linkedin.com/in/ada',
    'a.example:8443/x',
    '@ada',
  ])('may be %j', (link) => expect(isTaken(link)).toBe(true))
  it.each([
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'java\tscript:alert(1)',
    '\u200bjavascript:1',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox',
    'file:///etc/passwd',
    'blob:https://a.example/1',
  ])('is never %j', (link) => expect(isTaken(link)).toBe(false))
})
