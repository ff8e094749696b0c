import { expect, test } from 'vitest'
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
