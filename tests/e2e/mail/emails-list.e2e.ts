import type { Email } from '#contract/mail/emails.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { expect, test } from '../../support/e2e.ts'
import { expectSound } from '../../support/sound-page.ts'
import { type MailServers, startMailServers } from '../../support/mail-servers.ts'
import {
  button,
  bearer,
  deliver,
  dialog,
  folder,
  inMail,
  list,
  MAIL,
  openMail,
  row,
  rows,
  search,
  sendByCall,
  serveList,
  withMailbox,
} from '../../support/mail-page.ts'
import { toast } from '../../support/toast.ts'

const PASSWORD = 'open sesame'
/** How long an answer may take from the mail server to the screen. */
const ARRIVES_MS = 20_000

let servers: MailServers
test.beforeAll(async () => {
  servers = await startMailServers({
    users: { kim: PASSWORD, lea: PASSWORD, mia: PASSWORD, noa: PASSWORD },
  })
})
test.afterAll(() => servers?.stop())

test('pages, page size, search and folders stand in the address', async ({ page }) => {
  const user = await inMail(page, { at: '/emails?folder=sent' })
  await expect(list(page, 'Sent')).toContainText('Sent is empty')
  for (let number = 1; number <= 12; number += 1) {
    await sendByCall(page, user, `person${number}+silent@tea.example`, `Offer ${number}`)
  }
  await expect(rows(page, 'Sent')).toHaveCount(10)
  await expect(page.getByText('Showing 1 to 10 of 12 emails')).toBeVisible()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page).toHaveURL(/page=2/)
  await expect(rows(page, 'Sent')).toHaveCount(2)
  await page.goBack()
  await expect(rows(page, 'Sent')).toHaveCount(10)

  await page.getByLabel('Emails per page').selectOption('5')
  await expect(rows(page, 'Sent')).toHaveCount(5)
  await page.getByRole('button', { name: 'Last page' }).click()
  await expect(page.getByText('Showing 11 to 12 of 12 emails')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Showing 11 to 12 of 12 emails')).toBeVisible()

  await page.keyboard.press('/')
  await expect(search(page)).toBeFocused()
  await search(page).fill('Offer 7')
  await expect(rows(page, 'Sent')).toHaveCount(1)
  await expect(page).toHaveURL(/search=Offer\+7/)
  await search(page).fill('nothing of the kind')
  await expect(list(page, 'Sent')).toContainText('No emails found')
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(rows(page, 'Sent')).toHaveCount(5)
  await expect(search(page)).toHaveValue('')

  for (const name of ['Drafts', 'Scheduled', 'Archived', 'Spam', 'Trash', 'Inbox']) {
    await folder(page, name).click()
    await expect(folder(page, name)).toHaveAttribute('aria-current', 'page')
    await expect(list(page, name)).toContainText(`${name} is empty`)
  }
  await page.goto('/emails?folder=sent&page=40')
  await expect(page.getByText('Showing 11 to 12 of 12 emails')).toBeVisible()
})

test('the keyboard walks, opens and closes', async ({ page }) => {
  const user = await inMail(page, { at: '/emails?folder=sent' })
  for (const subject of ['First', 'Second', 'Third']) {
    await sendByCall(page, user, 'eva+silent@tea.example', subject)
  }
  await expect(rows(page, 'Sent')).toHaveCount(3)
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await expect(rows(page, 'Sent').first().getByRole('link')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Third', exact: true })).toBeVisible()
  await page.keyboard.press('j')
  await expect(page.getByRole('region', { name: 'Second', exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/email=/)
  await expect(rows(page, 'Sent').nth(1).getByRole('link')).toBeFocused()
})

test('a list that cannot be loaded can be tried again', async ({ page }) => {
  let asked = 0
  await page.route('**/api/v1/emails/?*', (route) => {
    asked += 1
    return route.fulfill({ status: 500, json: { detail: 'Oh' } })
  })
  // A folder that nothing asks for on its own.
  await inMail(page, { mailbox: false })
  await expect(list(page, 'Inbox')).toContainText('Email list not available')
  // Asked once more before that is said.
  expect(asked).toBe(2)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(list(page, 'Inbox')).toContainText('Inbox is empty')
})

const numbered = (count: number, from = 'Anna Berg <anna@bakery.example>') =>
  Array.from({ length: count }, (_, index) => ({ from, subject: `Offer ${count - index}` }))

test('new mail comes in by itself; a page further back stays and says so', async ({ page }) => {
  await deliver(servers, 'kim', numbered(12))
  await withMailbox(page, servers, 'kim', PASSWORD)
  await openMail(page)
  await expect(page.getByText('Showing 1 to 10 of 12 emails')).toBeVisible({ timeout: ARRIVES_MS })
  await expect(rows(page, 'Inbox').first()).toContainText('Offer 1')
  await deliver(servers, 'kim', [{ from: 'ben@garden.example', subject: 'Tulips' }])
  await expect(rows(page, 'Inbox').first()).toContainText('Tulips', { timeout: ARRIVES_MS })
  await expect(folder(page, 'Inbox')).toHaveText(/^Inbox\s*13$/)

  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(rows(page, 'Inbox')).toHaveCount(3)
  await expect(rows(page, 'Inbox').first()).toContainText('Offer 10')
  await deliver(servers, 'kim', [{ from: 'cleo@books.example', subject: 'Books' }])
  await expect(page.getByRole('button', { name: 'New mail' })).toBeVisible({ timeout: ARRIVES_MS })
  await expect(rows(page, 'Inbox').first()).toContainText('Offer 10')
  await expect(rows(page, 'Inbox')).toHaveCount(3)
  await page.getByRole('button', { name: 'New mail' }).click()
  await expect(rows(page, 'Inbox').first()).toContainText('Books')
})

test('search understands words and operators', async ({ page }) => {
  const mails = [
    { from: 'Anna Berg <anna@bakery.example>', subject: 'Bread on Fridays', text: 'Rye and spelt.' },
    { from: 'Ben Ott <ben@garden.example>', subject: 'Garden', text: 'Roses and bread boards.' },
    { from: 'Anna Berg <anna@bakery.example>', subject: 'Cake' },
  ]
  await deliver(servers, 'lea', mails)
  await withMailbox(page, servers, 'lea', PASSWORD)
  await openMail(page)
  await expect(rows(page, 'Inbox')).toHaveCount(3, { timeout: ARRIVES_MS })
  await search(page).focus()
  await expect(page.getByText('before:2026-11-01')).toBeVisible()
  const found = async (words: string, ...subjects: string[]) => {
    await search(page).fill(words)
    await expect(rows(page, 'Inbox')).toHaveCount(subjects.length)
    for (const subject of subjects) await expect(row(page, 'Inbox', subject)).toBeVisible()
  }
  await found('bread', 'Bread on Fridays', 'Garden')
  await expect(page.getByText('before:2026-11-01')).toBeHidden()
  await found('from:anna', 'Bread on Fridays', 'Cake')
  await found('from:anna bread', 'Bread on Fridays')
  await found('subject:garden', 'Garden')
  await search(page).fill('before:2020-01-01')
  await expect(list(page, 'Inbox')).toContainText('No emails found')
  await page.getByRole('button', { name: 'Clear search' }).click()
  await expect(rows(page, 'Inbox')).toHaveCount(3)
  await page.getByLabel('Filter').selectOption('With attachments')
  await expect(list(page, 'Inbox')).toContainText('No emails found')
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(rows(page, 'Inbox')).toHaveCount(3)
})

test('a long page draws what can be seen, and the keys reach the rest', async ({ page }) => {
  await deliver(servers, 'mia', numbered(48))
  await withMailbox(page, servers, 'mia', PASSWORD)
  await openMail(page, '/emails?page_size=50')
  await expect(page.getByText('Showing 1 to 48 of 48 emails')).toBeVisible({ timeout: ARRIVES_MS })
  await expect(rows(page, 'Inbox').first()).toHaveAttribute('aria-setsize', '48')
  expect(await rows(page, 'Inbox').count()).toBeLessThan(40)
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('k')
  await expect(row(page, 'Inbox', 'Offer 48').getByRole('link')).toBeFocused()
  await expect(row(page, 'Inbox', 'Offer 48')).toBeInViewport()
  await page.keyboard.press('k')
  await expect(row(page, 'Inbox', 'Offer 47').getByRole('link')).toBeFocused()
})

test('two accounts are one inbox, or one of them', async ({ page }) => {
  await deliver(servers, 'noa', numbered(2))
  const user = await withMailbox(page, servers, 'noa', PASSWORD)
  await openMail(page)
  await expect(rows(page, 'Inbox')).toHaveCount(2, { timeout: ARRIVES_MS })
  await expect(page.getByLabel('Mailbox')).toHaveCount(0)
  const practice = await page.request.post(pathOf(mailboxSetup.practice), { headers: bearer(user) })
  expect(practice.ok()).toBe(true)
  await page.reload()
  await page.getByLabel('Mailbox').selectOption({ index: 1 })
  await expect(page).toHaveURL(/mailbox=\d+/)
  await expect(list(page, 'Inbox')).toContainText('Inbox is empty')
  await expect(folder(page, 'Inbox')).toHaveText('Inbox')
  await page.getByLabel('Mailbox').selectOption('noa@muster.example')
  await expect(rows(page, 'Inbox')).toHaveCount(2)
  await expect(folder(page, 'Inbox')).toHaveText(/^Inbox\s*2$/)
  await rows(page, 'Inbox').first().hover()
  await button(rows(page, 'Inbox').first(), 'Archive').click()
  await expect(folder(page, 'Inbox')).toHaveText(/^Inbox\s*1$/)
  await expect(folder(page, 'Archived')).toHaveText(/^Archived\s*1$/)
  await page.keyboard.press('z')
  await expect(folder(page, 'Inbox')).toHaveText(/^Inbox\s*2$/)
  await page.getByLabel('Mailbox').selectOption('All mailboxes')
  await expect(rows(page, 'Inbox')).toHaveCount(2)
})

test('a mail is fetched when it is pointed at, and not marked as read by that', async ({ page }) => {
  await serveList(page, [MAIL])
  await inMail(page)
  const fetched = page.waitForRequest(/\/emails\/41$/)
  await rows(page, 'Inbox').hover()
  await fetched
  await expect(rows(page, 'Inbox')).toContainText('(unread)')
})

test('a finger finds the actions of a row behind a button', async ({ browser, howl }) => {
  const context = await browser.newContext({
    baseURL: howl.url,
    viewport: { width: 390, height: 800 },
    hasTouch: true,
    isMobile: true,
  })
  const page = await context.newPage()
  await serveList(page, [MAIL])
  await page.route('**/api/v1/emails/archive/41', (route) => route.fulfill({ json: { ok: true } }))
  await inMail(page)
  await rows(page, 'Inbox').getByRole('button', { name: 'More actions' }).tap()
  await page.getByRole('menuitem', { name: 'Archive' }).tap()
  await expect(toast(page, 'Email archived successfully')).toBeVisible()
  await context.close()
})

test('without live events the list is asked for by itself', async ({ page }) => {
  await page.route('**/api/v1/events', (route) => route.abort())
  await serveList(page, [MAIL])
  await inMail(page, { at: '/emails?folder=archived' })
  await expect(rows(page, 'Archived')).toHaveCount(1)
  await page.unroute('**/api/v1/emails/?*')
  await expect(list(page, 'Archived')).toContainText('Archived is empty', { timeout: 20_000 })
})

test('who is not signed in is told so, or led away', async ({ page }) => {
  await page.route('**/api/v1/emails/?*', (route) =>
    route.fulfill({ status: 401, json: { detail: 'Not signed in' } }),
  )
  await inMail(page)
  await expect(list(page, 'Inbox')).toContainText('Please log in to view emails')
  await page.evaluate(() => localStorage.clear())
  await page.goto('/emails')
  await expect(page).toHaveURL(/:\d+\/$/)
})

test('problems with receiving are shown once, those of the account stay in one line', async ({ page }) => {
  await page.route('**/api/v1/emails/ingest-imap', (route) =>
    route.fulfill({ status: 400, json: { detail: 'x', code: 'IMAP_NOT_CONFIGURED' } }),
  )
  await page.route('**/api/v1/email-settings/', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ json: { ...(await answer.json()), last_error: '535 Wrong password.' } })
  })
  await inMail(page)
  await expect(
    toast(page, 'Please configure your email settings in the Profile page to receive emails'),
  ).toBeVisible()
  await expect(page.getByText('There is a problem with your mailbox. 535 Wrong password.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Check your email settings' })).toHaveAttribute(
    'href',
    '/profile',
  )
  await page.route('**/api/v1/emails/ingest-imap', (route) =>
    route.fulfill({ status: 500, json: { detail: 'x' } }),
  )
  await page.reload()
  await expect(
    toast(page, 'Email configuration error. Please check your settings in Profile page'),
  ).toBeVisible()

  let detail = 'IMAP authentication failed'
  await page.route('**/api/v1/emails/fast-imap-check', (route) =>
    route.fulfill({ status: 400, json: { detail } }),
  )
  const checked = page.waitForResponse('**/emails/fast-imap-check')
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await checked
  detail = 'Your mailbox is over its quota.'
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(toast(page, detail)).toBeVisible()
  await expect(toast(page, 'IMAP authentication failed')).toHaveCount(0)
})

test('a server that asks for a wait is told as such, and the keyboard goes on when that is over', async ({
  page,
}) => {
  let waits: object = {
    last_error: 'The mail server asks Howl to wait. Request is throttled',
    waits_until: new Date(Date.now() + 90_000).toISOString(),
    more_troubles: 2,
  }
  await page.route('**/api/v1/email-settings/', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ json: { ...(await answer.json()), ...waits } })
  })
  await inMail(page)
  await expect(
    page.getByText(
      'The mail server asks Howl to wait. Request is throttled. Howl tries again in 2 minutes. And 2 more on your profile page.',
    ),
  ).toBeVisible()
  await expect(page.getByRole('link', { name: 'Check your email settings' })).toHaveCount(0)
  waits = {}
  const again = page.getByRole('button', { name: 'Try again now' })
  await again.press('Enter')
  await expect(again).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Refresh' })).toBeFocused()
  await page.unrouteAll({ behavior: 'wait' })
})

const SENT: Email = {
  ...MAIL,
  status: 'sent',
  isRead: true,
  isStarred: false,
  attachments: [],
  from_name: '',
}
const ON_THEIR_WAY: Email[] = [
  {
    ...SENT,
    id: 51,
    to: 'ben@garden.example',
    subject: 'Tulips',
    delivery: { state: 'deferred', reason: '451 Greylisted.', next_try_at: '2030-01-05T10:00:00.000Z' },
  },
  {
    ...SENT,
    id: 52,
    to: 'cleo@books.example',
    subject: 'Books',
    delivery: { state: 'failed', reason: '550 5.1.1 No such user here.' },
  },
  { ...SENT, id: 53, to: 'dan@bikes.example', subject: 'Bikes', delivery: { state: 'queued' } },
  { ...SENT, id: 54, to: 'eva@tea.example', subject: 'Tea', delivery: { state: 'unsure' } },
  { ...SENT, id: 55, to: 'finn@boats.example', subject: 'Boats', delivery: { state: 'sent' } },
]

test('a mail that has not left says why', async ({ page }) => {
  await serveList(page, ON_THEIR_WAY)
  await inMail(page, { at: '/emails?folder=sent' })
  const row = (name: string) => rows(page, 'Sent').filter({ hasText: name })
  await expect(row('Tulips')).toContainText('Deferred')
  await expect(row('Tulips')).toContainText('451 Greylisted. Next try on Jan 5, 2030 at 11:00.')
  await expect(row('Books')).toContainText('550 5.1.1 No such user here.')
  await expect(row('Bikes')).toContainText('Queued')
  await expect(row('Tea')).toContainText('Unsure')
  await expect(row('Boats')).toContainText('Thank you for your order.')
})

const INBOX: Email[] = [
  MAIL,
  {
    ...MAIL,
    id: 42,
    subject: 'Re: Bread on Fridays, and a rather long subject that will not fit into its line',
    from_name: 'Anna Berg',
    intent: 'interested',
    isStarred: false,
    attachments: [],
    collapsed: 3,
  },
  {
    ...MAIL,
    id: 43,
    subject: 'Re: Garden',
    from_name: 'Ben Ott',
    intent: 'question',
    isRead: true,
    isStarred: false,
  },
  { ...MAIL, id: 44, subject: '', from_name: '', intent: 'out_of_office', isRead: true, attachments: [] },
]

test('the mail is accessible and fits', async ({ page }) => {
  await inMail(page)
  await expect(list(page, 'Inbox')).toContainText('Inbox is empty')
  await expectSound(page)
  await serveList(page, [...INBOX, ...ON_THEIR_WAY])
  await page.reload()
  await expect(rows(page, 'Inbox')).toHaveCount(9)
  await expectSound(page)
  await page.getByLabel('Select all on this page').check()
  await expect(page.getByRole('toolbar', { name: 'Selected emails' })).toContainText('9 selected')
  await expectSound(page)
  await page.getByRole('button', { name: 'Clear selection' }).click()
  await search(page).focus()
  await expect(page.getByText('has:attachment')).toBeVisible()
  await expectSound(page)
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('?')
  await expect(dialog(page, 'Keyboard shortcuts')).toBeVisible()
  await expectSound(page)
  await page.keyboard.press('Escape')
  await folder(page, 'Trash').click()
  await expect(page.getByRole('button', { name: 'Empty Trash' })).toBeVisible()
  await expectSound(page)
})
