import type { Locator, Page } from '@playwright/test'
import type { Email, EmailDetail } from '#contract/emails.ts'
import { expect, test } from '../support/e2e.ts'
import { folder, inMail, list, MAIL, rows, toast } from '../support/mail-page.ts'

/** An invented person answers within 40 seconds; what they say is in their address. */
const ANSWER_MS = 60_000

const compose = (page: Page): Locator => page.getByRole('dialog', { name: 'Compose' })
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
  remote_allowed: false,
  kind: 'personal',
  html: null,
  invitation: null,
  attachments: [{ id: 0, name: 'invoice.pdf', type: 'application/pdf', size: 48_200 }],
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
  await expect(rows(page, 'Inbox')).toContainText('(starred)')
  await expect(page.getByRole('heading', { level: 2, name: /^January 2026/ })).toBeVisible()
  await expect(rows(page, 'Inbox')).toContainText('Jan 5, 2026')
  const mail = page.getByRole('region', { name: MAIL.subject, exact: true })
  const link = mail.getByRole('link', { name: 'https://parcels.example/t?id=7' })
  await expect(link).toHaveAttribute('title', 'parcels.example')
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(mail).not.toContainText('When does it leave?')
  const saved = page.waitForEvent('download')
  await mail.getByRole('button', { name: 'Download invoice.pdf' }).click()
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
  await expect(frame).toHaveAttribute(
    'sandbox',
    'allow-same-origin allow-popups allow-popups-to-escape-sandbox',
  )
  await expect(frame.contentFrame().getByText('Dear Ada')).toBeVisible()
  expect(asked.every((url) => !url.includes('remote'))).toBe(true)
  await page.getByRole('button', { name: 'Show pictures' }).click()
  await expect(frame).toHaveAttribute('src', /&remote=1$/)
  await expect(page.getByRole('button', { name: 'Show pictures' })).toBeHidden()
})
