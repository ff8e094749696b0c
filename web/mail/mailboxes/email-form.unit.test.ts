import { expect, test } from 'vitest'
import { bodyOf, type EmailEntries, filledBy, type Proposal, proposalText } from './email-form.ts'

const empty: EmailEntries = {
  smtp_from: 'ada@gmail.com',
  smtp_host: '',
  smtp_port: '',
  smtp_username: '',
  smtp_password: '',
  smtp_use_tls: true,
  imap_host: '',
  imap_port: '',
  imap_username: '',
  imap_password: '',
  imap_use_ssl: true,
  hourly_limit: '',
}
const proposal: Proposal = {
  source: 'table',
  provider: 'Gmail',
  hint: 'Make an app password.',
  smtp_host: 'smtp.gmail.com',
  smtp_port: 465,
  smtp_use_tls: true,
  imap_host: 'imap.gmail.com',
  imap_port: 993,
  imap_use_ssl: true,
  username: 'ada@gmail.com',
  oauth: null,
}

test('a proposal fills an empty form whole', () => {
  const filled = filledBy(proposal, empty, {})
  expect(filled).toEqual({
    smtp_host: 'smtp.gmail.com',
    smtp_port: '465',
    smtp_username: 'ada@gmail.com',
    smtp_use_tls: true,
    imap_host: 'imap.gmail.com',
    imap_port: '993',
    imap_username: 'ada@gmail.com',
    imap_use_ssl: true,
  })
  expect(proposalText(proposal, filled)).toBe('Filled in the servers for Gmail. Make an app password.')
})

test('an address that works without a password is led to the button', () => {
  expect(proposalText({ ...proposal, oauth: 'Google' }, filledBy(proposal, empty, {}))).toBe(
    'Gmail works without a password: use “Connect with Google” above.',
  )
})

test('what somebody has typed stays', () => {
  const typed = { ...empty, smtp_host: 'mail.mine.example', imap_username: 'me' }
  expect(filledBy(proposal, typed, {})).toEqual({
    imap_host: 'imap.gmail.com',
    imap_port: '993',
    imap_use_ssl: true,
  })
})

test('another address replaces what the one before has brought', () => {
  const first = filledBy(proposal, empty, {})
  const second = { ...proposal, smtp_host: 'mail.gmx.net', imap_host: 'imap.gmx.net', username: 'ada@gmx.de' }
  const filled = filledBy(second, { ...empty, ...first }, first)
  expect(filled).toMatchObject({ smtp_host: 'mail.gmx.net', smtp_username: 'ada@gmx.de' })
})

test('an empty password is not sent, and an empty port is none', () => {
  const body = bodyOf({ ...empty, imap_password: 'filled in by itself' })
  expect(body).not.toHaveProperty('smtp_password')
  expect(body).not.toHaveProperty('imap_password')
  expect(body).toMatchObject({ smtp_port: null, imap_port: null, hourly_limit: null })
  expect(bodyOf({ ...empty, smtp_port: ' 587 ' }).smtp_port).toBe('587')
})
