import type { Page } from '@playwright/test'
import { expect, test } from '../../support/e2e.ts'
import {
  button,
  deliver,
  dialog,
  folder,
  list,
  openMail,
  row,
  rows,
  withMailbox,
} from '../../support/mail-page.ts'
import { type MailServers, startMailServers } from '../../support/mail-servers.ts'
import { ARRIVES_MS, PASSWORD } from '../../support/mail-writing.ts'
import { toast } from '../../support/toast.ts'

let servers: MailServers
test.beforeAll(async () => {
  servers = await startMailServers({ users: { ada: PASSWORD } })
})
test.afterAll(() => servers?.stop())

const goTo = async (page: Page, name: string) => {
  await folder(page, name).click()
  await expect(folder(page, name)).toHaveAttribute('aria-current', 'page')
}
const press = async (page: Page, where: string, subject: string, action: string) => {
  await row(page, where, subject).hover()
  await button(row(page, where, subject), action).click()
}

test('mails are archived, thrown away, brought back and marked, and are so after a reload', async ({
  page,
}) => {
  await deliver(
    servers,
    'ada',
    ['Five', 'Four', 'Three', 'Two', 'One'].map((subject) => ({ from: 'anna@bakery.example', subject })),
  )
  await withMailbox(page, servers, 'ada', PASSWORD)
  await openMail(page)
  await expect(rows(page, 'Inbox')).toHaveCount(5, { timeout: ARRIVES_MS })
  await press(page, 'Inbox', 'One', 'Archive')
  await expect(toast(page, 'Email archived successfully')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page, 'Email moved back to Inbox folder')).toBeVisible()
  await expect(rows(page, 'Inbox')).toHaveCount(5)
  await press(page, 'Inbox', 'Five', 'Report spam')
  await expect(toast(page, 'Reported as spam')).toBeVisible()
  await press(page, 'Inbox', 'Four', 'Star')
  await expect(button(row(page, 'Inbox', 'Four'), 'Star')).toHaveAttribute('aria-pressed', 'true')
  await press(page, 'Inbox', 'Four', 'Mark as read')
  await expect(toast(page, 'Marked as read')).toBeVisible()

  for (const subject of ['One', 'Two', 'Three']) await page.getByLabel(`Select ${subject}`).check()
  const bar = page.getByRole('toolbar', { name: 'Selected emails' })
  await button(bar, 'Move to trash').click()
  await button(dialog(page, 'Move 3 emails to trash?'), 'Move to trash').click()
  await expect(toast(page, '3 emails moved to trash')).toBeVisible()
  await goTo(page, 'Trash')
  await press(page, 'Trash', 'One', 'Restore')
  await button(dialog(page, 'Restore “One”?'), 'Restore').click()
  await expect(toast(page, 'Email "One" restored to Inbox')).toBeVisible()
  await press(page, 'Trash', 'Two', 'Delete permanently')
  await button(dialog(page, 'Delete “Two” permanently?'), 'Delete permanently').click()
  await expect(rows(page, 'Trash')).toHaveCount(1)
  await page.getByRole('button', { name: 'Empty Trash' }).click()
  await button(dialog(page, 'Empty Trash?'), 'Empty Trash').click()
  await expect(list(page, 'Trash')).toContainText('Trash is empty')
  await page.reload()
  await expect(list(page, 'Trash')).toContainText('Trash is empty')
  await goTo(page, 'Spam')
  await press(page, 'Spam', 'Five', 'Not spam')
  await expect(toast(page, 'Marked not spam')).toBeVisible()

  await goTo(page, 'Inbox')
  await expect(rows(page, 'Inbox')).toHaveCount(3)
  await expect(row(page, 'Inbox', 'Five')).toBeVisible()
  await expect(button(row(page, 'Inbox', 'Four'), 'Star')).toHaveAttribute('aria-pressed', 'true')
  await expect(row(page, 'Inbox', 'Four')).not.toContainText('(unread)')
  await expect(row(page, 'Inbox', 'One')).toContainText('(unread)')
})
