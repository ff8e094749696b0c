import type { Browser, Page } from '@playwright/test'
import { contacts } from '#contract/crm/contacts.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import type { Email } from '#contract/mail/emails.ts'
import { expect, type Howl, test } from '../../support/e2e.ts'
import {
  button,
  bearer,
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
} from '../../support/mail-page.ts'

const DAY_MS = 86_400_000

/** Of today, of yesterday and of earlier months. */
const mails = (count: number): Email[] =>
  Array.from({ length: count }, (_, at) => ({
    ...MAIL,
    id: at + 1,
    subject: `Offer ${at + 1} of the whole range, with a subject that is longer than a phone is wide`,
    from_name: at % 3 === 0 ? '' : 'Anna Berg of the bakery at the harbour',
    intent: at % 2 === 0 ? 'interested' : null,
    isRead: at > 1,
    timestamp: new Date(Date.now() - [0, 0, 0, 1, 1, 40][Math.min(at, 5)]! * DAY_MS).toISOString(),
  }))

async function phone(browser: Browser, howl: Howl, hasTouch: boolean): Promise<Page> {
  const context = await browser.newContext({
    baseURL: howl.url,
    viewport: { width: 390, height: 844 },
    hasTouch,
    isMobile: hasTouch,
  })
  return context.newPage()
}

for (const hasTouch of [true, false]) {
  test(`a ${hasTouch ? 'phone' : 'narrow window'} shows six mails at once, and all that is done with them`, async ({
    browser,
    howl,
  }) => {
    const page = await phone(browser, howl, hasTouch)
    await serveList(page, mails(10), 23)
    await inMail(page)
    await expect(rows(page, 'Inbox')).toHaveCount(10)
    const end = (await page.getByRole('navigation', { name: 'Main' }).boundingBox())?.y ?? 0
    const bottoms = await rows(page, 'Inbox').evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect().bottom),
    )
    expect(bottoms.filter((bottom) => bottom <= end).length).toBeGreaterThanOrEqual(6)
    for (const control of [
      folder(page, 'Sent'),
      search(page),
      page.getByLabel('Filter'),
      page.getByRole('button', { name: 'Refresh' }),
      page.getByRole('button', { name: 'Compose' }),
      page.getByLabel('Select all on this page'),
    ])
      await expect(control).toBeInViewport({ ratio: 1 })
    await expect(page.getByText('Times are in Europe/Berlin')).toBeInViewport({ ratio: 1 })

    // The pages and their size come after the last mail.
    await page.getByText('Showing 1 to 10 of 23 emails').scrollIntoViewIfNeeded()
    const pages = page.getByRole('navigation', { name: 'Pagination' })
    await expect(button(pages, 'Page 3')).toBeInViewport({ ratio: 1 })
    await button(pages, 'Next page').click()
    await expect(page).toHaveURL(/page=2/)
    await page.getByLabel('Emails per page').selectOption('20')
    await expect(page).toHaveURL(/page_size=20/)

    await page.getByLabel('Select all on this page').check()
    const bar = page.getByRole('toolbar', { name: 'Selected emails' })
    await expect(bar).toContainText('10 selected')
    await button(bar, 'Clear selection').click()
    await expect(search(page)).toBeVisible()
    await page.context().close()
  })
}

for (const width of [1440, 390]) {
  test(`one page has no pager, and says what it shows: ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 })
    await serveList(page, mails(4))
    await inMail(page)
    await page.getByText('Showing 1 to 4 of 4 emails').scrollIntoViewIfNeeded()
    await expect(page.getByText('Showing 1 to 4 of 4 emails')).toBeInViewport({ ratio: 1 })
    await expect(page.getByLabel('Emails per page')).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('navigation', { name: 'Pagination' })).toHaveCount(0)
  })
}

test('mail that was sent, and drafts, tell a contact by name', async ({ page }) => {
  const user = await inMail(page, { at: '/emails?folder=sent' })
  await page.request.post(pathOf(contacts.add), {
    headers: bearer(user),
    data: { name: 'Anna Berg', email: 'anna+silent@bakery.example' },
  })
  await sendByCall(page, user, 'anna+silent@bakery.example', 'To a contact')
  await sendByCall(page, user, 'eve+silent@bakery.example', 'To a stranger')
  await openMail(page, '/emails?folder=sent')
  await expect(row(page, 'Sent', 'To a contact')).toContainText('To Anna Berg')
  await expect(row(page, 'Sent', 'To a contact')).not.toContainText('bakery.example')
  await expect(row(page, 'Sent', 'To a stranger')).toContainText('To eve+silent@bakery.example')
  await page.request.post('/api/v1/emails/save-draft', {
    headers: bearer(user),
    data: { subject: 'Begun', to: 'anna+silent@bakery.example, ben@tea.example', content: 'Hi' },
  })
  await folder(page, 'Drafts').click()
  await expect(list(page, 'Drafts')).toContainText('To Anna Berg, ben@tea.example')
})
