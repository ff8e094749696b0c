import { describe, expect, it } from 'vitest'
import { emailAddress, isEmailAddress, isTimeZone, requiredText, text } from './values.ts'

describe('an e-mail address', () => {
  it.each(['a@b.example', 'o’hara+x@sub.domain.example', 'jörg@münchen.example'])('%s is one', (address) => {
    expect(isEmailAddress(address)).toBe(true)
  })
  it.each([
    '',
    'a',
    'a@b',
    'a@b@c.example',
    'a b@c.example',
    'a@b.example\r\nBcc: c',
    'a\0@b.example',
    `${'x'.repeat(250)}@b.example`,
  ])('%j is none', (address) => {
    expect(isEmailAddress(address)).toBe(false)
  })
  it('has the blanks around it taken off', () => {
    expect(emailAddress.parse('  a@b.example ')).toBe('a@b.example')
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

it('knows the zones of the runtime', () => {
  expect(isTimeZone('Europe/Berlin')).toBe(true)
  expect(isTimeZone('Mars/Olympus')).toBe(false)
})
