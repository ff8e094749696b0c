import { expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { emails } from '#contract/mail/emails.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { openPage } from '../../../../tests/support/component-page.tsx'
import {
  ACCOUNT,
  button,
  fakeMailbox,
  folder,
  list,
  openMail,
  row,
  rows,
  search,
} from '../../../../tests/support/fake-mailbox.ts'

const offers = (count: number) => Array.from({ length: count }, (_, at) => ({ subject: `Offer ${at + 1}.` }))
const count = (where: string) => expect.poll(() => rows(where).elements().length)
const shows = (text: string) => expect.element(page.getByText(text, { exact: true })).toBeVisible()
const pages = page.getByRole('navigation', { name: 'Pagination' })
const numbers = () =>
  pages
    .getByRole('button', { name: /^Page \d+$/ })
    .elements()
    .map((each) => each.textContent)

test('pages, page size and search stand in the address, and in its history', async () => {
  fakeMailbox(...offers(12))
  openPage('/emails?search=Offer')
  await count('Inbox').toBe(10)
  await shows('Showing 1 to 10 of 12 emails')
  await button(page, 'Next page').click()
  await expect.poll(() => location.search).toContain('page=2')
  await count('Inbox').toBe(2)
  history.back()
  await count('Inbox').toBe(10)
  expect(location.search).toBe('?search=Offer')
  await page.getByLabelText('Emails per page').selectOptions('5')
  await count('Inbox').toBe(5)
  await button(page, 'Last page').click()
  await shows('Showing 11 to 12 of 12 emails')
  await search.fill('Offer 7')
  await count('Inbox').toBe(1)
  await expect.poll(() => location.search).toContain('search=Offer+7')
  await search.fill('nothing of the kind')
  await expect.element(list('Inbox')).toMatchTextContent('No emails found')
  await button(page, 'Clear search').click()
  await count('Inbox').toBe(5)
  await expect.element(search).toHaveValue('')
})

test('an address is opened as it says; a page beyond the last is the last', async () => {
  fakeMailbox(...offers(12))
  openPage('/emails?page=40&page_size=5')
  await shows('Showing 11 to 12 of 12 emails')
  await expect.element(page.getByLabelText('Emails per page')).toHaveValue('5')
})

test('the pages of many mails', async () => {
  fakeMailbox(...offers(120))
  await openMail()
  const sizes = () => page.getByLabelText('Emails per page').getByRole('option').elements()
  await shows('Showing 1 to 10 of 120 emails')
  expect(sizes().map((each) => each.textContent)).toEqual(
    ['5', '10', '20', '50'].map((size) => `${size} per page`),
  )
  expect(numbers()).toEqual(['1', '2', '3', '4', '5'])
  await expect.element(button(pages, 'First page')).toBeDisabled()
  await expect.element(button(pages, 'Previous page')).toBeDisabled()
  await button(pages, 'Page 5').click()
  await shows('Showing 41 to 50 of 120 emails')
  await expect.poll(numbers).toEqual(['3', '4', '5', '6', '7'])
  await expect.element(button(pages, 'Page 5')).toHaveAttribute('aria-current', 'page')
  await button(pages, 'Next page').click()
  await shows('Showing 51 to 60 of 120 emails')
  await button(pages, 'Last page').click()
  await shows('Showing 111 to 120 of 120 emails')
  await expect.element(button(pages, 'Next page')).toBeDisabled()
  await expect.element(button(pages, 'Last page')).toBeDisabled()
  await button(pages, 'Previous page').click()
  await shows('Showing 101 to 110 of 120 emails')
  await button(pages, 'First page').click()
  await shows('Showing 1 to 10 of 120 emails')
})

test('a list that cannot be loaded is asked for once more, and can be tried again', async () => {
  const api = fakeMailbox().refuses(emails.list, 500, 'Oh')
  await openMail(undefined, 'Archived')
  await expect.element(list('Archived')).toMatchTextContent('Email list not available')
  // Once more or, where live events began late, again.
  expect(api.calls(emails.list).length).toBeGreaterThanOrEqual(2)
  api.answers(emails.list)
  await button(page, 'Try again').click()
  await expect.element(list('Archived')).toMatchTextContent('Archived is empty')
})

test('who is not signed in is told so', async () => {
  fakeMailbox().refuses(emails.list, 401, 'Not signed in')
  await openMail()
  await expect.element(list('Inbox')).toMatchTextContent('Please log in to view emails')
})

test('each empty folder says so, and without a mailbox what to do', async () => {
  fakeMailbox().answers(mailboxes.get)
  await openMail(undefined, 'Sent')
  for (const name of ['Sent', 'Drafts', 'Scheduled', 'Archived', 'Spam', 'Trash', 'Inbox']) {
    await folder(name).click()
    await expect.element(folder(name)).toHaveAttribute('aria-current', 'page')
    await expect.element(list(name)).toMatchTextContent(`${name} is empty`)
  }
  await expect
    .element(list('Inbox').getByRole('link', { name: 'Connect a mailbox' }))
    .toHaveAttribute('href', '/profile')
})

test('the search explains itself; what it does not find here is shown where it is', async () => {
  fakeMailbox(
    { subject: 'Bread', attachments: [] },
    ...offers(3).map((mail) => ({ ...mail, status: 'archived' as const })),
  )
  await openMail()
  const help = page.getByText('before:2026-11-01')
  await search.click()
  await expect.element(help).toBeVisible()
  await search.fill('offer')
  await expect.element(help).not.toBeVisible()
  await expect.element(list('Inbox')).toMatchTextContent('No emails found')
  await expect.element(list('Inbox')).toMatchTextContent('Nothing in Inbox matches “offer”.')
  await button(list('Inbox'), 'Archived 3').click()
  await count('Archived').toBe(3)
  await expect.element(search).toHaveValue('offer')
  await search.fill('zeppelin')
  await expect.element(list('Archived')).toMatchTextContent('Nothing in the other folders matches either.')
  await folder('Inbox').click()
  await page.getByLabelText('Filter').selectOptions('With attachments')
  await expect.element(list('Inbox')).toMatchTextContent('No emails found')
  await button(page, 'Show all').click()
  await count('Inbox').toBe(1)
})

test('two accounts are one inbox, or one of them, each with its figures', async () => {
  fakeMailbox({ subject: 'One', mailbox_id: 1 }, { subject: 'Two', mailbox_id: 1 }).answers(
    mailboxes.accounts,
    [ACCOUNT, { ...ACCOUNT, id: 2, address: 'office@muster.example', primary: false, default: false }],
  )
  await openMail()
  const picker = page.getByLabelText('Mailbox', { exact: true })
  await picker.selectOptions('office@muster.example')
  await expect.poll(() => location.search).toContain('mailbox=2')
  await expect.element(list('Inbox')).toMatchTextContent('Inbox is empty')
  await expect.element(folder('Inbox')).toHaveTextContent('Inbox')
  await picker.selectOptions('ada@muster.example')
  await count('Inbox').toBe(2)
  await expect.element(folder('Inbox')).toMatchTextContent(/^Inbox\s*2$/)
  await row('Inbox', 'One').hover()
  await button(row('Inbox', 'One'), 'Archive').click()
  await expect.element(folder('Inbox')).toMatchTextContent(/^Inbox\s*1$/)
  await expect.element(folder('Archived')).toMatchTextContent(/^Archived\s*1$/)
  await picker.selectOptions('All mailboxes')
  await count('Inbox').toBe(1)
})

test('one account needs no choice of accounts', async () => {
  fakeMailbox({ subject: 'One' })
  await openMail()
  await count('Inbox').toBe(1)
  await expect.element(page.getByLabelText('Mailbox', { exact: true })).not.toBeInTheDocument()
})

test('a mail is fetched when it is pointed at, and not marked as read by that', async () => {
  const api = fakeMailbox({ subject: 'Bread' })
  await openMail()
  // A pointer that is there already would not enter the row.
  await page.getByRole('heading', { level: 1 }).hover()
  await row('Inbox', 'Bread').hover()
  await expect.poll(() => api.calls(emails.get).length).toBe(1)
  await expect.element(row('Inbox', 'Bread')).toMatchTextContent('(unread)')
  expect(api.calls(emails.markRead)).toEqual([])
})

test('a mail that a pointer only passes is not fetched', async () => {
  // Where the pointer rests from before, no row may come below it.
  await page.elementLocator(document.documentElement).hover({ position: { x: 1, y: 1 } })
  const api = fakeMailbox({ subject: 'Bread' })
  await openMail()
  await expect.element(row('Inbox', 'Bread')).toBeVisible()
  const bread = row('Inbox', 'Bread').element()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  // Both at once: while an action of a locator is under way, timers that are faked go on.
  for (const type of ['pointerover', 'pointerout'])
    bread.dispatchEvent(new PointerEvent(type, { bubbles: true }))
  await vi.advanceTimersByTimeAsync(1000)
  expect(api.calls(emails.get)).toEqual([])
})

test('a list grows by what is told of, but a page further back stays, and says that there is new mail', async () => {
  const api = fakeMailbox(...offers(13))
  openPage('/emails?page=2')
  await count('Inbox').toBe(3)
  api.mails.unshift({ ...api.mails[0]!, id: 99, subject: 'Books' })
  api.tells({ topic: 'emails' })
  await expect.element(button(page, 'New mail')).toBeVisible()
  await expect.element(rows('Inbox').first()).toMatchTextContent('Offer 11.')
  await count('Inbox').toBe(3)
  await button(page, 'New mail').click()
  await expect.element(rows('Inbox').first()).toMatchTextContent('Books')
  api.mails.unshift({ ...api.mails[0]!, id: 100, subject: 'Tulips' })
  api.tells({ topic: 'emails' })
  await expect.element(rows('Inbox').first()).toMatchTextContent('Tulips')
})
