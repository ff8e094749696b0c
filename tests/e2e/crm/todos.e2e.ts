import type { Page } from '@playwright/test'
import { makeBusy } from '../../support/busy-day.ts'
import { expect, signedIn, test } from '../../support/e2e.ts'
import { toast } from '../../support/toast.ts'

const panel = (page: Page) => page.getByRole('region', { name: 'My Tasks' })
const rows = (page: Page) => panel(page).getByRole('list', { name: 'My Tasks' }).getByRole('listitem')
const row = (page: Page, title: string) => rows(page).filter({ hasText: title })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

async function onDashboard(page: Page): Promise<void> {
  await signedIn(page)
  await page.goto('/dashboard')
  await expect(panel(page)).toBeVisible()
}

test('a task is added, changed, ticked off and deleted', async ({ page }) => {
  await onDashboard(page)
  await expect(panel(page)).toContainText('No tasks found')

  await panel(page).getByRole('button', { name: 'Add Task' }).click()
  const adding = dialog(page, 'Add New Task')
  await expect(adding.getByLabel('Priority')).toHaveValue('medium')
  // An empty submit adds nothing.
  await adding.getByRole('button', { name: 'Add Task' }).click()
  await expect(adding).toContainText('Please enter a title')
  await adding.getByLabel('Title').fill('Call Bea')
  await adding.getByLabel('Due date').fill('2020-03-09')
  await adding.getByLabel('Priority').selectOption('high')
  const words = Array.from({ length: 25 }, (_, at) => `word${at + 1}`).join(' ')
  await adding.getByLabel('Description').fill(words)
  await adding.getByRole('button', { name: 'Add Task' }).click()
  await expect(toast(page, 'Todo added')).toBeVisible()
  await expect(adding).toBeHidden()

  await expect(row(page, 'Call Bea')).toContainText('Mar 09, 2020 (Overdue)')
  await expect(row(page, 'Call Bea')).toContainText('word20…')
  await expect(row(page, 'Call Bea')).not.toContainText('word21')
  await row(page, 'Call Bea').getByRole('button', { name: 'Read More' }).click()
  await expect(row(page, 'Call Bea')).toContainText('word25')
  await row(page, 'Call Bea').getByRole('button', { name: 'Read Less' }).click()
  await expect(row(page, 'Call Bea')).not.toContainText('word25')

  await row(page, 'Call Bea').getByRole('button', { name: 'Edit Call Bea' }).click()
  const editing = dialog(page, 'Edit Task')
  await expect(editing.getByLabel('Title')).toHaveValue('Call Bea')
  await editing.getByLabel('Title').fill('Call Bea Berg')
  await editing.getByRole('button', { name: 'Save Changes' }).click()
  await expect(toast(page, 'Todo updated')).toBeVisible()

  await row(page, 'Call Bea Berg').getByRole('checkbox', { name: 'Mark complete' }).click()
  await expect(row(page, 'Call Bea Berg').getByRole('checkbox')).toBeChecked()
  await expect(row(page, 'Call Bea Berg')).not.toContainText('(Overdue)')

  await row(page, 'Call Bea Berg').getByRole('button', { name: 'Delete Call Bea Berg' }).click()
  const asking = page.getByRole('dialog', { name: /^Delete .*Call Bea Berg/ })
  await asking.getByRole('button', { name: 'Cancel' }).click()
  await expect(row(page, 'Call Bea Berg')).toBeVisible()
  await row(page, 'Call Bea Berg').getByRole('button', { name: 'Delete Call Bea Berg' }).click()
  await asking.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(toast(page, 'Todo deleted')).toBeVisible()
  await expect(panel(page)).toContainText('No tasks found')
})

test('a task is made of a mail, leads back to it, and lets go of it', async ({ page, howl }) => {
  const user = await signedIn(page)
  await makeBusy(howl, user.id)
  await page.goto('/emails?folder=inbox')
  const mail = page.getByRole('region', { name: 'Inbox', exact: true }).getByRole('listitem').first()
  await mail.getByRole('link').first().click()
  const subject = 'Invoice 2041 2'
  await page.getByRole('region', { name: subject }).getByRole('button', { name: 'Make this a task' }).click()
  const adding = dialog(page, 'Add New Task')
  await expect(adding.getByLabel('Title')).toHaveValue(subject)
  await expect(adding).toContainText(`Email: ${subject}`)
  await adding.getByLabel('Title').fill('Pay the invoice')
  await adding.getByRole('button', { name: 'Add Task' }).click()
  await expect(toast(page, 'Todo added')).toBeVisible()

  await page.goto('/dashboard')
  await panel(page).getByLabel('Search tasks').fill('pay the')
  await row(page, 'Pay the invoice')
    .getByRole('link', { name: `Email: ${subject}` })
    .click()
  await expect(page.getByRole('region', { name: subject })).toBeVisible()
  await page.goBack()
  await panel(page).getByLabel('Search tasks').fill('pay the')
  await row(page, 'Pay the invoice').getByRole('button', { name: 'Edit Pay the invoice' }).click()
  const editing = dialog(page, 'Edit Task')
  await editing.getByRole('button', { name: 'Unlink email' }).click()
  await expect(editing).not.toContainText(subject)
  await editing.getByRole('button', { name: 'Save Changes' }).click()
  await expect(toast(page, 'Todo updated')).toBeVisible()
  await expect(row(page, 'Pay the invoice').getByRole('link')).toHaveCount(0)
})
