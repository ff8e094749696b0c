import { expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { emails } from '#contract/mail/emails.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { events } from '#contract/platform/events.ts'
import type { Endpoint } from '#contract/platform/endpoint.ts'
import { blankReply } from '../../../tests/support/blank-reply.ts'
import { show, toast } from '../../../tests/support/component-page.tsx'
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
} from '../../../tests/support/fake-mailbox.ts'
import { EmailsPage } from './EmailsPage.tsx'

const settings = { ...blankReply(mailboxes.get), configured: true, smtp_from: ACCOUNT.address }
const focus = () => window.dispatchEvent(new Event('focus'))

test('the page has its title, its landmarks, its zone, and folders with their figures', async () => {
  const api = fakeMailbox({ subject: 'Bread' }).answers(emails.counts, {
    ...blankReply(emails.counts),
    unread_inbox: 1234,
    drafts: 2,
    archived: 3,
    trash: 5,
    spam: 4,
    inbox: 2000,
    sent: 9,
    scheduled: 6,
    delivered: 9,
  })
  await openMail()
  await expect.poll(() => document.title).toBe('Email Management · Howl')
  await expect.element(page.getByText('Times are in Europe/Berlin')).toBeVisible()
  for (const landmark of ['banner', 'main', 'contentinfo'])
    expect(page.getByRole(landmark).elements()).toHaveLength(1)
  const folders = () =>
    page
      .getByRole('navigation', { name: 'Folders' })
      .getByRole('button')
      .elements()
      .map(({ textContent }) => textContent)
  await expect
    .poll(folders)
    .toEqual(['Inbox 1,234', 'Sent', 'Drafts 2', 'Scheduled 6', 'Archived 3', 'Spam 4', 'Trash 5'])
  await expect.poll(() => api.calls(emails.list).length).toBeGreaterThan(0)
  const [made] = api.calls(emails.list)
  expect(made?.query).toMatchObject({ folder: 'inbox', timezone: 'Europe/Berlin', page_size: '10' })
  expect(made?.headers.get('X-User-Timezone')).toBe('Europe/Berlin')

  // No figures at all are figures of nothing.
  api.answers(emails.counts)
  api.tells({ topic: 'emails' })
  await expect.poll(folders).toEqual(['Inbox', 'Sent', 'Drafts', 'Scheduled', 'Archived', 'Spam', 'Trash'])
})

test('figures that cannot be loaded are left out', async () => {
  fakeMailbox({ subject: 'Bread' }).refuses(emails.counts, 404, 'No')
  await openMail()
  await expect.element(row('Inbox', 'Bread')).toBeVisible()
  await expect.element(folder('Inbox')).toHaveTextContent('Inbox')
})

test('the inbox is read at the start, every 30 seconds, on focus and by Refresh; figures every 15', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  // Without live events the page has to ask by itself.
  const api = fakeMailbox().fails(events.stream)
  const times = (endpoint: Endpoint) => api.calls(endpoint).length
  await openMail()
  await expect.element(list('Inbox')).toMatchTextContent('Inbox is empty')
  await expect.poll(() => times(emails.ingest)).toBe(1)

  const counts = times(emails.counts)
  vi.advanceTimersByTime(16_000)
  await expect.poll(() => times(emails.counts)).toBeGreaterThan(counts)
  expect(times(emails.check)).toBe(0)
  for (const occasion of [
    () => vi.advanceTimersByTime(15_000),
    focus,
    // A click may give the window the focus, too.
    () => button(page, 'Refresh').click(),
  ]) {
    const before = { checks: times(emails.check), lists: times(emails.list) }
    // Repeated: it joins a check that is not answered yet.
    await expect
      .poll(async () => {
        await occasion()
        return times(emails.check)
      })
      .toBeGreaterThan(before.checks)
    await expect.poll(() => times(emails.list)).toBeGreaterThan(before.lists)
  }
  // Another folder is looked at without asking the mail server.
  await folder('Sent').click()
  await expect.element(list('Sent')).toMatchTextContent('Sent is empty')
  const before = { checks: times(emails.check), counts: times(emails.counts) }
  vi.advanceTimersByTime(31_000)
  focus()
  await expect.poll(() => times(emails.counts)).toBeGreaterThan(before.counts)
  expect(times(emails.check)).toBe(before.checks)
  expect(times(emails.ingest)).toBe(1)
})

test('without live events the list is asked for every 15 seconds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const api = fakeMailbox({ subject: 'Bread', status: 'archived' })
  api.fails(events.stream)
  await openMail(undefined, 'Archived')
  await expect.element(row('Archived', 'Bread')).toBeVisible()
  api.mails.length = 0
  vi.advanceTimersByTime(15_000)
  await expect.element(list('Archived')).toMatchTextContent('Archived is empty')
})

test('whoever only passes by asks for no list', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const api = fakeMailbox()
  show(<EmailsPage />, { at: '/emails' })
  // No locator waits here: while one does, timers that are faked go on.
  await expect.poll(() => api.calls(emails.counts).length).toBeGreaterThan(0)
  vi.advanceTimersByTime(99)
  expect(api.calls(emails.list)).toEqual([])
  vi.advanceTimersByTime(100)
  await expect.poll(() => api.calls(emails.list).length).toBeGreaterThan(0)
})

test.each([
  [400, 'IMAP_NOT_CONFIGURED', 'Please configure your email settings in the Profile page to receive emails'],
  [500, 'INTERNAL', 'Email configuration error. Please check your settings in Profile page'],
] as const)('mail that cannot be fetched at the start (%i) is told', async (status, code, sentence) => {
  fakeMailbox().refuses(emails.ingest, status, 'x', { code })
  await openMail()
  await expect.element(toast(sentence)).toBeVisible()
})

test('a check that fails is told, except where the account is at fault, which has a line of its own', async () => {
  const api = fakeMailbox()
    .answers(mailboxes.get, { ...settings, last_error: '535 Wrong password.' })
    .refuses(emails.check, 400, 'IMAP authentication failed')
  await openMail()
  await expect
    .element(page.getByText('There is a problem with your mailbox. 535 Wrong password.'))
    .toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Check your email settings' }))
    .toHaveAttribute('href', '/profile')
  focus()
  await expect.poll(() => api.calls(emails.check)).toHaveLength(1)
  api.refuses(emails.check, 400, 'Your mailbox is over its quota.')
  // Repeated: it joins a check that is not answered yet.
  await expect
    .poll(async () => {
      await button(page, 'Refresh').click()
      return toast('Your mailbox is over its quota.').elements().length
    })
    .toBeGreaterThan(0)
  await expect.element(toast('IMAP authentication failed')).not.toBeInTheDocument()
})

test('another account that cannot be read is named', async () => {
  const office = { ...ACCOUNT, id: 2, address: 'office@muster.example', primary: false, default: false }
  fakeMailbox().answers(mailboxes.accounts, [ACCOUNT, { ...office, last_error: 'Wrong password.' }])
  await openMail()
  await expect.element(page.getByText('There is a problem with office@muster.example.')).toBeVisible()
})

test('a server that asks for a wait is told as such, and the keyboard goes on when that is over', async () => {
  const api = fakeMailbox()
    .answers(mailboxes.get, {
      ...settings,
      last_error: 'The mail server asks Howl to wait. Request is throttled',
      waits_until: new Date(Date.now() + 90_000).toISOString(),
      more_troubles: 2,
    })
    .answers(emails.tryAgain, { ok: true })
  await openMail()
  const said =
    'The mail server asks Howl to wait. Request is throttled. Howl tries again in 2 minutes. And 2 more on your profile page.'
  await expect.element(page.getByText(said)).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Check your email settings' })).not.toBeInTheDocument()
  api.answers(mailboxes.get, settings)
  await button(page, 'Try again now').click()
  await expect.element(button(page, 'Try again now')).not.toBeInTheDocument()
  await expect.element(button(page, 'Refresh')).toHaveFocus()
})

/** Of today, of yesterday and of an earlier month. */
const longOnes = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    subject: `Offer ${at + 1} of the whole range, with a subject that is longer than a phone is wide`,
    sender: at % 3 === 0 ? '' : 'Anna Berg of the bakery at the harbour',
    isRead: at > 1,
    timestamp: new Date(Date.now() - [0, 0, 0, 1, 1, 40][Math.min(at, 5)]! * 86_400_000).toISOString(),
  }))
const narrow = async () => {
  onTestFinished(() => page.viewport(1440, 900))
  await page.viewport(390, 844)
}

test('a narrow window shows six mails at once, and all that is done with them', async () => {
  await narrow()
  fakeMailbox(...longOnes(23))
  await openMail()
  await expect.poll(() => rows('Inbox').elements().length).toBe(10)
  const top = (locator: { element(): Element }) => locator.element().getBoundingClientRect().top
  const end = top(page.getByRole('navigation', { name: 'Main' }))
  const seen = rows('Inbox')
    .elements()
    .filter((each) => each.getBoundingClientRect().bottom <= end)
  expect(seen.length).toBeGreaterThanOrEqual(6)
  for (const control of [
    folder('Sent'),
    search,
    page.getByLabelText('Filter'),
    button(page, 'Refresh'),
    button(page, 'Compose'),
    page.getByLabelText('Select all on this page'),
    page.getByText('Times are in Europe/Berlin'),
  ])
    await expect.element(control).toBeInViewport({ ratio: 1 })

  // The pages and their size come after the last mail.
  page.getByText('Showing 1 to 10 of 23 emails').element().scrollIntoView()
  const pages = page.getByRole('navigation', { name: 'Pagination' })
  await expect.element(button(pages, 'Page 3')).toBeInViewport({ ratio: 1 })
  await button(pages, 'Next page').click()
  await expect.poll(() => location.search).toContain('page=2')
  await page.getByLabelText('Emails per page').selectOptions('20')
  await expect.poll(() => location.search).toContain('page_size=20')
  await expect.element(page.getByText('Showing 1 to 20 of 23 emails')).toBeInTheDocument()
  await expect.poll(() => rows('Inbox').elements().length).toBe(20)
  await page.getByLabelText('Select all on this page').click()
  const bar = page.getByRole('toolbar', { name: 'Selected emails' })
  await expect.element(bar).toMatchTextContent('20 selected')
  await button(bar, 'Clear selection').click()
  await expect.element(search).toBeVisible()
})

test.each([1440, 390])('one page has no pager, and says what it shows: %i px', async (width) => {
  if (width < 1440) await narrow()
  fakeMailbox(...longOnes(4))
  await openMail()
  const said = page.getByText('Showing 1 to 4 of 4 emails')
  await expect.element(said).toBeInTheDocument()
  said.element().scrollIntoView()
  await expect.element(said).toBeInViewport({ ratio: 1 })
  await expect.element(page.getByLabelText('Emails per page')).toBeInViewport({ ratio: 1 })
  await expect.element(page.getByRole('navigation', { name: 'Pagination' })).not.toBeInTheDocument()
})
