import type { Email } from '#contract/mail/emails.ts'
import { MAIL } from '../../support/a-mail.ts'
import { expect, test } from '../../support/e2e.ts'
import { folder, inMail, rows, search, serveList } from '../../support/mail-page.ts'
import { toast } from '../../support/toast.ts'

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

test('a phone shows six mails at once, and a finger finds all that is done with them', async ({
  browser,
  howl,
}) => {
  const context = await browser.newContext({
    baseURL: howl.url,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const page = await context.newPage()
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

  await page.route('**/api/v1/emails/archive/*', (route) => route.fulfill({ json: { ok: true } }))
  await rows(page, 'Inbox').first().getByRole('button', { name: 'More actions' }).tap()
  await page.getByRole('menuitem', { name: 'Archive' }).tap()
  await expect(toast(page, 'Email archived successfully')).toBeVisible()
  await context.close()
})
