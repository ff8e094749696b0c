import type { Page, Request } from '@playwright/test'
import type { Email } from '#contract/mail/emails.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { emails } from '#contract/mail/emails.ts'
import { type E2eUser, expect, test } from '../../support/e2e.ts'
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
  sendByCall,
  serveList,
  withMailbox,
} from '../../support/mail-page.ts'
import { type MailServers, startMailServers } from '../../support/mail-servers.ts'
import { ARRIVES_MS, compose, PASSWORD, write } from '../../support/mail-writing.ts'
import { toast } from '../../support/toast.ts'

/** An invented person answers within 40 seconds; what they say is in their address. */
const ANSWER_MS = 75_000
const DAY_MS = 86_400_000

let servers: MailServers
test.beforeAll(async () => {
  servers = await startMailServers({ users: { oda: PASSWORD, pia: PASSWORD } })
})
test.afterAll(() => servers?.stop())

test('a mail leaves, its answer arrives by itself, and is read by opening it', async ({ page }) => {
  test.setTimeout(120_000)
  await inMail(page)
  await expect(page).toHaveTitle('Email Management · Howl')
  await expect(page.getByText('Times are in Europe/Berlin')).toBeVisible()
  for (const landmark of ['banner', 'main', 'contentinfo'] as const)
    await expect(page.getByRole(landmark)).toHaveCount(1)
  await expect(list(page, 'Inbox')).toContainText('Inbox is empty')

  const composer = await write(page, {
    to: 'anna+interested@bakery.example',
    subject: 'Bread on Fridays',
    content: 'Hello Anna, would you like to supply us?',
  })
  await button(composer, 'Send Email').click()
  await expect(toast(page, 'Email sent')).toBeVisible()
  await expect(compose(page)).toBeHidden()

  await folder(page, 'Sent').click()
  await expect(page).toHaveURL(/folder=sent/)
  const sent = rows(page, 'Sent')
  await expect(sent).toHaveCount(1)
  await expect(sent).toContainText('anna+interested@bakery.example')
  await expect(sent).toContainText('Just now')
  await expect(page.getByRole('heading', { level: 2, name: /^Today/ })).toContainText('1')
  await sent.getByRole('link').click()
  const own = page.getByRole('region', { name: 'Bread on Fridays', exact: true })
  await expect(own).toContainText('would you like to supply us?')

  await expect(folder(page, 'Inbox')).toHaveText(/^Inbox\s*1$/, { timeout: ANSWER_MS })
  await folder(page, 'Inbox').click()
  const answer = rows(page, 'Inbox').first()
  await expect(answer).toContainText('(unread)')
  await expect(answer).toContainText('Interested')
  await answer.getByRole('link').click()
  await expect(folder(page, 'Inbox')).toHaveText('Inbox')
  await expect(answer).not.toContainText('(unread)')
  const opened = page.getByRole('region', { name: /Re: Bread on Fridays/ })
  await expect(opened.getByRole('heading', { name: /Re: Bread on Fridays/ })).toBeVisible()
  await button(opened, 'Show quoted text').click()
  await expect(opened).toContainText('would you like to supply us?')
  await page.reload()
  await expect(opened).toBeVisible()
  await expect(folder(page, 'Inbox')).toHaveText('Inbox')
})

/** A mail of so many milliseconds ago. */
const aged = (id: number, ago: number, more: Partial<Email> = {}): Email => ({
  ...MAIL,
  id,
  subject: `Mail ${id}`,
  timestamp: new Date(Date.now() - ago).toISOString(),
  ...more,
})

const COUNTS = {
  unread_inbox: 1234,
  drafts: 2,
  archived: 3,
  trash: 5,
  spam: 4,
  inbox: 2000,
  sent: 9,
  scheduled: 6,
  delivered: 9,
}

test('folders with their figures, days with theirs, sizes and pages', async ({ page }) => {
  const mails = [
    aged(1, 1000),
    aged(2, DAY_MS, { isRead: true }),
    aged(3, DAY_MS, { isStarred: false }),
    aged(4, 40 * DAY_MS),
    { ...MAIL, id: 5 },
  ]
  await serveList(page, mails, 120)
  await page.route('**/api/v1/emails/counts', (route) => route.fulfill({ json: COUNTS }))
  const asked = page.waitForRequest('**/api/v1/emails/?*')
  await inMail(page)
  const request = await asked
  const query = new URL(request.url()).searchParams
  expect(Object.fromEntries(query)).toMatchObject({ folder: 'inbox', timezone: 'Europe/Berlin' })
  expect(query.get('page_size')).toBe('10')
  expect(request.headers()['x-user-timezone']).toBe('Europe/Berlin')

  const folders = page.getByRole('navigation', { name: 'Folders' }).getByRole('button')
  await expect(folders).toHaveText([
    /^Inbox\s*1,234$/,
    /^Sent$/,
    /^Drafts\s*2$/,
    /^Scheduled\s*6$/,
    /^Archived\s*3$/,
    /^Spam\s*4$/,
    /^Trash\s*5$/,
  ])
  const days = list(page, 'Inbox').getByRole('heading', { level: 2 })
  await expect(days).toHaveText([
    /^Today\s*1 email$/,
    /^Yesterday\s*2 emails$/,
    /^[A-Z][a-z]+ 20\d\d\s*1 email$/,
    /^January 2026\s*1 email$/,
  ])
  await expect(row(page, 'Inbox', MAIL.subject)).toContainText('Jan 5, 2026')
  await expect(row(page, 'Inbox', MAIL.subject)).toContainText('(starred)')
  await expect(rows(page, 'Inbox').getByRole('time').first()).toHaveText('Just now')

  await expect(page.getByLabel('Emails per page').locator('option')).toHaveText([
    '5 per page',
    '10 per page',
    '20 per page',
    '50 per page',
  ])
  const pages = page.getByRole('navigation', { name: 'Pagination' })
  const numbers = pages.getByRole('button', { name: /^Page \d+$/ })
  const shows = (text: string) => expect(page.getByText(text, { exact: true })).toBeVisible()
  await shows('Showing 1 to 10 of 120 emails')
  await expect(numbers).toHaveText(['1', '2', '3', '4', '5'])
  await expect(button(pages, 'First page')).toBeDisabled()
  await expect(button(pages, 'Previous page')).toBeDisabled()
  await button(pages, 'Page 5').click()
  await shows('Showing 41 to 50 of 120 emails')
  await expect(numbers).toHaveText(['3', '4', '5', '6', '7'])
  await expect(button(pages, 'Page 5')).toHaveAttribute('aria-current', 'page')
  await button(pages, 'Next page').click()
  await shows('Showing 51 to 60 of 120 emails')
  await button(pages, 'Last page').click()
  await shows('Showing 111 to 120 of 120 emails')
  await expect(button(pages, 'Next page')).toBeDisabled()
  await expect(button(pages, 'Last page')).toBeDisabled()
  await button(pages, 'Previous page').click()
  await shows('Showing 101 to 110 of 120 emails')
  await button(pages, 'First page').click()
  await shows('Showing 1 to 10 of 120 emails')

  // No figures at all are figures of nothing.
  await page.route('**/api/v1/emails/counts', (route) =>
    route.fulfill({ status: 404, json: { detail: 'No' } }),
  )
  await page.reload()
  await expect(rows(page, 'Inbox')).toHaveCount(5)
  await expect(folders).toHaveText(['Inbox', 'Sent', 'Drafts', 'Scheduled', 'Archived', 'Spam', 'Trash'])
})

test('the inbox is read at the start, every 30 seconds, on focus and by Refresh; figures every 15', async ({
  page,
}) => {
  // Without live events the page has to ask by itself.
  await page.route('**/api/v1/events', (route) => route.abort())
  const calls = new Map<string, number>()
  const count = (request: Request) => {
    const { pathname } = new URL(request.url())
    const name = pathname.replace('/api/v1/emails/', '')
    calls.set(name, (calls.get(name) ?? 0) + 1)
  }
  const times = (name: string) => calls.get(name) ?? 0
  let answered = 0
  let [scriptThere, firstAsked, ingested] = [Infinity, Infinity, 0]
  page.on('requestfinished', (request) => {
    const { startTime, responseEnd } = request.timing()
    if (request.url().endsWith('/ingest-imap')) ingested += 1
    if (request.url().endsWith('/emails/counts')) answered += 1
    if (request.url().includes('/EmailsPage-')) scriptThere = startTime + responseEnd
    if (request.url().includes('/emails/?')) firstAsked = Math.min(firstAsked, startTime)
  })
  await page.clock.install()
  page.on('request', count)
  await inMail(page)
  await expect(list(page, 'Inbox')).toContainText('Inbox is empty')
  await expect.poll(() => ingested).toBe(1)
  await expect.poll(() => firstAsked).toBeLessThan(Infinity)
  // Whoever only passes by asks for no list: the page's script is there for 100 ms before that.
  expect(firstAsked).toBeGreaterThan(scriptThere + 95)

  // The 15 seconds begin with the answer.
  await expect.poll(() => answered).toBe(times('counts'))
  await page.evaluate(() => new Promise(requestAnimationFrame))
  const before = { checks: times('fast-imap-check'), counts: times('counts') }
  await page.clock.fastForward(16_000)
  await expect.poll(() => times('counts')).toBeGreaterThan(before.counts)
  expect(times('fast-imap-check')).toBe(before.checks)
  const focus = () => page.evaluate(() => window.dispatchEvent(new Event('focus')))
  const occasions = [
    () => page.clock.fastForward(15_000),
    focus,
    () => page.getByRole('button', { name: 'Refresh' }).click(),
  ]
  for (const occasion of occasions) {
    const lists = times('')
    const checked = page.waitForResponse('**/emails/fast-imap-check')
    await occasion()
    await checked
    await expect.poll(() => times('')).toBeGreaterThan(lists)
  }
  expect(times('fast-imap-check')).toBe(before.checks + occasions.length)
  // Another folder is looked at without asking the mail server.
  await folder(page, 'Sent').click()
  await expect(list(page, 'Sent')).toContainText('Sent is empty')
  const counts = times('counts')
  await page.clock.fastForward(31_000)
  await focus()
  await expect.poll(() => times('counts')).toBeGreaterThan(counts)
  expect(times('fast-imap-check')).toBe(before.checks + occasions.length)
  expect(times('ingest-imap')).toBe(1)
})

const post = async (page: Page, user: E2eUser, path: string, data: object = {}) => {
  const answer = await page.request.post(`/api/v1/emails/${path}`, { headers: bearer(user), data })
  expect(answer.ok(), await answer.text()).toBe(true)
  return (await answer.json()) as { id: number }
}

test('out of the archive and out of the trash a mail goes back to its folder', async ({ page }) => {
  await deliver(servers, 'oda', [
    { from: 'anna@bakery.example', subject: 'Arrived' },
    { from: 'win@prizes.example', subject: 'Prize' },
  ])
  const user = await withMailbox(page, servers, 'oda', PASSWORD)
  await openMail(page)
  await expect(rows(page, 'Inbox')).toHaveCount(2, { timeout: ARRIVES_MS })
  const idOf = async (subject: string) => {
    const address = await row(page, 'Inbox', subject).getByRole('link').getAttribute('data-email')
    return Number(address)
  }
  const [arrived, prize] = [await idOf('Arrived'), await idOf('Prize')]
  await sendByCall(page, user, 'ben@garden.example', 'Written')
  const draft = await post(page, user, 'save-draft', { subject: 'Begun', to: 'x@far.example', content: 'Hi' })
  const sentRows = await page.request.get(`${pathOf(emails.list)}?folder=sent`, { headers: bearer(user) })
  const [written] = (await sentRows.json()) as Email[]
  await post(page, user, `spam/${prize}`)
  const all = [arrived, prize, draft.id, written?.id ?? 0]

  for (const id of all) await post(page, user, `archive/${id}`)
  await page.goto('/emails?folder=archived')
  await expect(rows(page, 'Archived')).toHaveCount(4)
  const homes = { Arrived: 'Inbox', Prize: 'Spam', Begun: 'Drafts', Written: 'Sent' }
  for (const [subject, home] of Object.entries(homes)) {
    const mail = row(page, 'Archived', subject)
    await mail.hover()
    await button(mail, 'Unarchive').click()
    await expect(toast(page, `Email moved back to ${home} folder`)).toBeVisible()
  }
  await expect(list(page, 'Archived')).toContainText('Archived is empty')

  for (const id of all) await post(page, user, `trash/${id}`)
  await folder(page, 'Trash').click()
  await expect(rows(page, 'Trash')).toHaveCount(4)
  for (const [subject, home] of Object.entries(homes)) {
    const mail = row(page, 'Trash', subject)
    await mail.hover()
    await button(mail, 'Restore').click()
    await button(dialog(page, `Restore “${subject}”?`), 'Restore').click()
    await expect(toast(page, `Email "${subject}" restored to ${home}`)).toBeVisible()
  }
  for (const [subject, home] of Object.entries(homes)) {
    await folder(page, home).click()
    await expect(row(page, home, subject)).toHaveCount(1)
  }

  // Archived out of the trash, it goes back into the trash.
  await post(page, user, `trash/${arrived}`)
  await post(page, user, `archive/${arrived}`)
  await folder(page, 'Archived').click()
  await row(page, 'Archived', 'Arrived').hover()
  await button(row(page, 'Archived', 'Arrived'), 'Unarchive').click()
  await expect(toast(page, 'Email moved back to Trash folder')).toBeVisible()
})

test('all mails of a folder are chosen at once; a search tells where else it finds', async ({ page }) => {
  const subjects = Array.from({ length: 23 }, (_, index) => `Offer ${23 - index}`)
  await deliver(
    servers,
    'pia',
    subjects.map((subject) => ({ from: 'Anna Berg <anna@bakery.example>', subject })),
  )
  await withMailbox(page, servers, 'pia', PASSWORD)
  await openMail(page)
  await expect(page.getByText('Showing 1 to 10 of 23 emails')).toBeVisible({ timeout: ARRIVES_MS })
  await page.getByLabel('Select all on this page').check()
  await button(list(page, 'Inbox'), 'Select all 23 in Inbox').click()
  await expect(list(page, 'Inbox')).toContainText('All 23 emails in Inbox are selected.')
  const bar = page.getByRole('toolbar', { name: 'Selected emails' })
  await expect(bar).toContainText('23 selected')
  await button(bar, 'Archive').click()
  await expect(toast(page, '23 emails archived')).toBeVisible()
  await expect(list(page, 'Inbox')).toContainText('Inbox is empty')
  await expect(folder(page, 'Archived')).toHaveText(/^Archived\s*23$/)

  await page.getByLabel('Search emails').fill('subject:offer')
  await expect(list(page, 'Inbox')).toContainText('No emails found')
  await button(list(page, 'Inbox'), 'Archived 23').click()
  await expect(page.getByText('Showing 1 to 10 of 23 emails')).toBeVisible()
  await expect(page.getByLabel('Search emails')).toHaveValue('subject:offer')
  await page.getByLabel('Search emails').fill('zeppelin')
  await expect(list(page, 'Archived')).toContainText('Nothing in the other folders matches either.')
})
