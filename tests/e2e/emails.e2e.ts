import { AxeBuilder } from '@axe-core/playwright'
import type { Locator, Page } from '@playwright/test'
import { type Email, type EmailDetail, emails } from '#contract/emails.ts'
import { pathOf } from '#contract/endpoint.ts'
import { mailboxes } from '#contract/mailboxes.ts'
import { type E2eUser, expect, signedIn, test } from '../support/e2e.ts'

/** An invented person answers within 40 seconds; what they say is in their address. */
const ANSWER_MS = 60_000

const bearer = (user: E2eUser) => ({ Authorization: `Bearer ${user.token}` })

/** A signed-in user in their mail, with the practice mailbox or with none. */
async function inMail(page: Page, ready: { mailbox?: boolean; at?: string } = {}): Promise<E2eUser> {
  const user = await signedIn(page)
  if (ready.mailbox !== false) {
    const answer = await page.request.post(pathOf(mailboxes.practice), { headers: bearer(user) })
    expect(answer.ok()).toBe(true)
  }
  await page.goto(ready.at ?? '/emails')
  await expect(page.getByRole('heading', { level: 1, name: 'Email Management', exact: true })).toBeVisible()
  return user
}

async function sendByCall(page: Page, user: E2eUser, to: string, subject: string): Promise<void> {
  const data = { to, subject, content: `About ${subject}.` }
  const answer = await page.request.post(pathOf(emails.send), { headers: bearer(user), data })
  expect(answer.ok(), await answer.text()).toBe(true)
}

const folder = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Folders' }).getByRole('button', { name: new RegExp(`^${name}`) })
const list = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const rows = (page: Page, name: string) => list(page, name).getByRole('listitem')
const toast = (page: Page, text: string) => page.locator('[aria-live]').getByText(text, { exact: true })
const compose = (page: Page): Locator => page.getByRole('dialog', { name: 'Compose' })
const search = (page: Page) => page.getByLabel('Search emails')

async function write(page: Page, mail: { to: string; subject: string; content: string }): Promise<void> {
  await page.getByRole('button', { name: 'Compose', exact: true }).click()
  await compose(page).getByLabel('To').fill(mail.to)
  await compose(page).getByLabel('Subject').fill(mail.subject)
  await compose(page).getByLabel('Content').fill(mail.content)
}
const sendButton = (page: Page) => compose(page).getByRole('button', { name: 'Send Email' })

test('a mail leaves, its answer arrives by itself, and is read by opening it', async ({ page }) => {
  test.setTimeout(120_000)
  await inMail(page)
  await expect(page).toHaveTitle('Email Management · Howl')
  await expect(page.getByText('Times are in Europe/Berlin')).toBeVisible()
  await expect(list(page, 'Inbox')).toContainText('Inbox is empty')

  await write(page, {
    to: 'anna+interested@bakery.example',
    subject: 'Bread on Fridays',
    content: 'Hello Anna, would you like to supply us?',
  })
  await sendButton(page).click()
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
  await expect(opened).not.toContainText('would you like to supply us?')
  await opened.getByRole('button', { name: 'Show quoted text' }).click()
  await expect(opened).toContainText('would you like to supply us?')
  await page.reload()
  await expect(opened).toBeVisible()
  await expect(folder(page, 'Inbox')).toHaveText('Inbox')
})

test('what is wrong is said beside its field', async ({ page }) => {
  await inMail(page)
  await write(page, { to: 'nobody', subject: '', content: '' })
  await sendButton(page).click()
  await expect(compose(page)).toContainText('Please enter a valid email address')
  await expect(compose(page)).toContainText('Please enter a subject')
  await expect(compose(page)).toContainText('Please write something')
  await expect(compose(page).getByLabel('To')).toBeFocused()
})

test('what was typed outlives Esc, and not Cancel', async ({ page }) => {
  await inMail(page)
  await write(page, { to: 'ben@garden.example', subject: 'Tulips', content: 'Three boxes, please.' })
  await page.keyboard.press('Escape')
  await expect(compose(page)).toBeHidden()
  await page.getByRole('button', { name: 'Compose', exact: true }).click()
  await expect(compose(page).getByLabel('Content')).toHaveValue('Three boxes, please.')
  await compose(page).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Compose', exact: true }).click()
  await expect(compose(page).getByLabel('Content')).toHaveValue('')
})

test('without a mailbox the settings are explained, and nothing typed is lost', async ({ page }) => {
  await inMail(page, { mailbox: false })
  await expect(list(page, 'Inbox').getByRole('link', { name: 'Connect a mailbox' })).toBeVisible()
  await write(page, { to: 'ben@garden.example', subject: 'Tulips', content: 'Three boxes, please.' })
  await sendButton(page).click()
  const needed = page.getByRole('dialog', { name: 'Email Configuration Required' })
  await expect(needed).toBeVisible()
  await expect(compose(page)).toBeHidden()
  await needed.getByRole('button', { name: 'Maybe Later' }).click()
  await expect(compose(page).getByLabel('Content')).toHaveValue('Three boxes, please.')

  // Within two seconds it would be a duplicate.
  await compose(page).getByLabel('Subject').fill('Tulips and roses')
  await sendButton(page).click()
  await needed.getByRole('button', { name: 'Configure Now' }).click()
  await expect(page).toHaveURL(/\/profile$/)
  await page.goto('/emails')
  await page.getByRole('button', { name: 'Compose', exact: true }).click()
  await expect(compose(page).getByLabel('Subject')).toHaveValue('Tulips and roses')
})

test('a refusal keeps the dialog; a double click is one mail', async ({ page }) => {
  await inMail(page)
  await page.route('**/api/v1/emails/send', (route) =>
    route.fulfill({ status: 400, json: { detail: 'The mail server refused this mail: 550 No such user' } }),
  )
  await write(page, { to: 'ben@garden.example', subject: 'Tulips', content: 'Three boxes, please.' })
  await sendButton(page).click()
  await expect(compose(page).getByRole('alert')).toHaveText(
    'The mail server refused this mail: 550 No such user',
  )
  await sendButton(page).click()
  await expect(toast(page, 'Duplicate click ignored')).toBeVisible()
  await page.unrouteAll()

  let calls = 0
  page.on('request', (request) => (calls += request.url().endsWith('/emails/send') ? 1 : 0))
  await compose(page).getByLabel('Subject').fill('Roses')
  await sendButton(page).dblclick()
  await expect(toast(page, 'Email sent')).toBeVisible()
  expect(calls).toBe(1)
})

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
  await page.route('**/api/v1/emails/?*', (route) => route.fulfill({ status: 500, json: { detail: 'Oh' } }))
  await inMail(page)
  await expect(list(page, 'Inbox')).toContainText('Email list not available')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(list(page, 'Inbox')).toContainText('Inbox is empty')
})

test('troubles with receiving are told once, those of the account stay in one line', async ({ page }) => {
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
  await expect(page.getByText('Your mailbox is in trouble. 535 Wrong password.')).toBeVisible()
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

const MAIL: Email = {
  id: 41,
  subject: 'Your order of November',
  from: 'shop@bakery.example',
  from_name: 'Berg Bakery',
  to: 'ada@muster.example',
  content: 'Thank you for your order. It leaves tomorrow.',
  status: 'received',
  isRead: false,
  isStarred: true,
  timestamp: '2026-01-05T09:00:00.000Z',
  attachments: ['invoice.pdf'],
  tags: [],
  original_folder: null,
  schedule_at: null,
  thread_id: 1,
  contact_id: null,
  intent: null,
  delivery: null,
  collapsed: 1,
}
const DETAIL: EmailDetail = {
  ...MAIL,
  content: 'Track it at https://parcels.example/t?id=7.\n\n> When does it leave?',
  new_words: 'Track it at https://parcels.example/t?id=7.',
  cc: '',
  bcc: '',
  reply_to: '',
  message_id: '<1@bakery.example>',
  in_reply_to: null,
  html_url: null,
  remote_parts: 0,
  kind: 'personal',
  files: [{ id: 0, name: 'invoice.pdf', type: 'application/pdf', size: 48_200 }],
}

/** Shows these mails in place of the server's, one of them whole. */
async function serve(page: Page, mails: Email[], whole: Partial<EmailDetail> = {}): Promise<void> {
  await page.route('**/api/v1/emails/?*', (route) =>
    route.fulfill({ json: mails, headers: { 'X-Total-Count': String(mails.length) } }),
  )
  await page.route(/\/api\/v1\/emails\/\d+$/, (route) => {
    const id = Number(new URL(route.request().url()).pathname.split('/').at(-1))
    const mail = mails.find((each) => each.id === id)
    if (mail === undefined) return route.fulfill({ status: 404, json: { detail: 'Email not found' } })
    return route.fulfill({ json: { ...DETAIL, ...mail, ...whole, content: DETAIL.content } })
  })
}

test('links tell where they lead, files are saved, a missing mail is named', async ({ page }) => {
  await serve(page, [MAIL])
  await page.route('**/attachments/0', (route) => route.fulfill({ body: 'a file' }))
  await inMail(page, { at: '/emails?email=41' })
  await expect(rows(page, 'Inbox').getByLabel('Starred')).toBeVisible()
  await expect(page.getByRole('heading', { level: 2, name: /^January 2026/ })).toBeVisible()
  await expect(rows(page, 'Inbox')).toContainText('Jan 5, 2026')
  const mail = page.getByRole('region', { name: MAIL.subject, exact: true })
  const link = mail.getByRole('link', { name: 'https://parcels.example/t?id=7' })
  await expect(link).toHaveAttribute('title', 'parcels.example')
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(mail).not.toContainText('When does it leave?')
  const saved = page.waitForEvent('download')
  await mail.getByRole('button', { name: /invoice\.pdf/ }).click()
  expect((await saved).suggestedFilename()).toBe('invoice.pdf')
  await page.goto('/emails?email=42')
  await expect(page.getByRole('region', { name: 'Email', exact: true })).toContainText('Email not found')
})

test('HTML stands in a sandbox; pictures come when they are asked for', async ({ page }) => {
  const asked: string[] = []
  await page.route('**/emails/41/frame?*', (route) => {
    asked.push(route.request().url())
    return route.fulfill({ contentType: 'text/html', body: '<p>Dear Ada</p>' })
  })
  await serve(page, [MAIL], { html_url: '/api/v1/emails/41/frame?key=k', remote_parts: 3 })
  await inMail(page, { at: '/emails?email=41' })
  const frame = page.getByTitle('Mail content')
  await expect(frame).toHaveAttribute('sandbox', 'allow-popups allow-popups-to-escape-sandbox')
  await expect(frame.contentFrame().getByText('Dear Ada')).toBeVisible()
  expect(asked.every((url) => !url.includes('remote'))).toBe(true)
  await page.getByRole('button', { name: 'Show pictures' }).click()
  await expect(frame).toHaveAttribute('src', /&remote=1$/)
  await expect(page.getByRole('button', { name: 'Show pictures' })).toBeHidden()
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
  await serve(page, ON_THEIR_WAY)
  await inMail(page, { at: '/emails?folder=sent&email=52' })
  const row = (name: string) => rows(page, 'Sent').filter({ hasText: name })
  await expect(row('Tulips')).toContainText('Deferred')
  await expect(row('Tulips')).toContainText('451 Greylisted. Next try on Jan 5, 2030 at 11:00.')
  await expect(row('Books')).toContainText('550 5.1.1 No such user here.')
  await expect(row('Bikes')).toContainText('Queued')
  await expect(row('Tea')).toContainText('Unsure')
  await expect(row('Boats')).toContainText('Thank you for your order.')
  await expect(page.getByRole('region', { name: 'Books', exact: true })).toContainText(
    'Failed. 550 5.1.1 No such user here.',
  )
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

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1440, 1024, 390]) {
    test(`the mail is accessible and fits: ${colorScheme}, ${width} px`, async ({ page }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 900 })
      await inMail(page)
      await expect(list(page, 'Inbox')).toContainText('Inbox is empty')
      await look(page)
      await serve(page, [...INBOX, ...ON_THEIR_WAY])
      await page.reload()
      await expect(rows(page, 'Inbox')).toHaveCount(9)
      await look(page)
      await rows(page, 'Inbox').nth(1).getByRole('link').click()
      await expect(page.getByRole('button', { name: 'Show quoted text' })).toBeVisible()
      await look(page)
      if (width === 390) {
        await expect(list(page, 'Inbox')).toBeHidden()
        await page.getByRole('button', { name: 'Back' }).click()
        await expect(list(page, 'Inbox')).toBeVisible()
      }
      await page.getByRole('button', { name: 'Compose', exact: true }).click()
      await expect(compose(page)).toBeVisible()
      await sendButton(page).click()
      await expect(compose(page)).toContainText('Please enter a subject')
      await look(page)
    })
  }
}

async function look(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'])
    .analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([])
  const tooWide = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(tooWide).toBe(0)
}
