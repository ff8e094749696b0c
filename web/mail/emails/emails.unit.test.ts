import { expect, test } from 'vitest'
import type { EmailSettings, MailAccount } from '#contract/mail/mailboxes.ts'
import { mailboxProblem } from './mailbox-problem.ts'
import { mailQuery, readPageLocation } from './page/page-location.ts'

const read = (query: string) => readPageLocation(new URLSearchParams(query))

const START = {
  folder: 'inbox',
  search: '',
  filter: 'all',
  mailbox: null,
  page: 1,
  pageSize: null,
  emailId: null,
}

test('an address holds folder, search, filter, mailbox, page, page size and the open mail', () => {
  const location = {
    folder: 'sent',
    search: 'moon',
    filter: 'starred',
    mailbox: 4,
    page: 3,
    pageSize: 20,
    emailId: 7,
  } as const
  expect(read('folder=sent&search=moon&filter=starred&mailbox=4&page=3&page_size=20&email=7')).toEqual(
    location,
  )
  expect(read(mailQuery(location))).toEqual(location)
})

test.each([
  '',
  'folder=nowhere&page=-2&email=x&filter=sent',
  'page=0&email=-1&search=%20&page_size=7&mailbox=a',
])('invalid values in %j are ignored', (query) => {
  expect(read(query)).toEqual(START)
})

test('a mailbox tells its most important trouble, and a wait that its server asks for is none of the settings', () => {
  const now = new Date('2026-11-27T12:00:00Z')
  const settings = { configured: true, practice: false, more_troubles: 0, waits_until: null } as EmailSettings
  const told = (over: Partial<EmailSettings>, accounts: MailAccount[] = []) =>
    mailboxProblem({ ...settings, last_error: null, ...over }, accounts, now)
  expect(told({})).toBeNull()
  expect(told({ last_error: '535 Wrong password', more_troubles: 2 })).toEqual({
    sentence: 'There is a problem with your mailbox. 535 Wrong password. And 2 more on your profile page.',
    isWait: false,
  })
  const wait = { last_error: 'Asked to wait. Throttled', waits_until: '2026-11-27T12:01:32Z' }
  expect(told(wait)).toEqual({
    sentence: 'Asked to wait. Throttled. Howl tries again in 2 minutes.',
    isWait: true,
  })
  const other = { address: 'sales@own.example', connected: true, more_troubles: 0, ...wait } as MailAccount
  expect(told({}, [other])?.sentence).toBe(
    'sales@own.example: Asked to wait. Throttled. Howl tries again in 2 minutes.',
  )
})
