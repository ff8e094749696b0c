import type { Page } from '@playwright/test'
import { pathOf } from '#contract/platform/endpoint.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { todos } from '#contract/crm/todos.ts'
import { makeBusy } from '../../support/busy-day.ts'
import { type E2eUser, expect, signedIn, test } from '../../support/e2e.ts'
import { expectSound } from '../../support/sound-page.ts'
import { toast } from '../../support/toast.ts'

const panel = (page: Page) => page.getByRole('region', { name: 'My Tasks' })
const rows = (page: Page) => panel(page).getByRole('list', { name: 'My Tasks' }).getByRole('listitem')
const row = (page: Page, title: string) => rows(page).filter({ hasText: title })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

async function onDashboard(page: Page): Promise<E2eUser> {
  const user = await signedIn(page)
  await page.goto('/dashboard')
  await expect(panel(page)).toBeVisible()
  return user
}

async function addByCall(page: Page, user: E2eUser, data: object): Promise<void> {
  const headers = { Authorization: `Bearer ${user.token}` }
  expect((await page.request.post(pathOf(todos.add), { headers, data })).ok()).toBe(true)
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

test('tasks are searched, filtered and sorted, and come from other tabs by themselves', async ({ page }) => {
  const user = await onDashboard(page)
  await addByCall(page, user, { title: 'Bake bread', priority: 'low', due_date: '2030-05-02' })
  await addByCall(page, user, { title: 'Answer Bea', priority: 'high' })
  await addByCall(page, user, { title: 'Call Cy', due_date: '2030-05-01' })
  await expect(rows(page)).toHaveText([/Call Cy/, /Answer Bea/, /Bake bread/])
  await expect(row(page, 'Call Cy')).toContainText('May 01, 2030')

  await panel(page).getByLabel('Sort tasks').selectOption('due_date')
  await expect(rows(page)).toHaveText([/Call Cy/, /Bake bread/, /Answer Bea/])
  await panel(page).getByLabel('Sort tasks').selectOption('priority')
  await expect(rows(page)).toHaveText([/Answer Bea/, /Call Cy/, /Bake bread/])
  await panel(page).getByLabel('Sort tasks').selectOption('title')
  await expect(rows(page)).toHaveText([/Answer Bea/, /Bake bread/, /Call Cy/])
  await panel(page).getByLabel('Filter by priority').selectOption('low')
  await expect(rows(page)).toHaveText([/Bake bread/])
  await panel(page).getByLabel('Filter by priority').selectOption('all')
  await row(page, 'Call Cy').getByRole('checkbox').click()
  await panel(page).getByLabel('Filter by status').selectOption('pending')
  await expect(rows(page)).toHaveText([/Answer Bea/, /Bake bread/])
  await panel(page).getByLabel('Search tasks').fill('bread')
  await expect(rows(page)).toHaveText([/Bake bread/])
  await panel(page).getByLabel('Search tasks').fill('nothing like it')
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

test('a task about a contact leads to the contact', async ({ page }) => {
  const user = await onDashboard(page)
  const headers = { Authorization: `Bearer ${user.token}` }
  const data = { name: 'Bea Berg', email: 'bea@far.example' }
  const made = await page.request.post(pathOf(contacts.add), { headers, data })
  const { id } = (await made.json()) as { id: number }
  await addByCall(page, user, { title: 'Call Bea', contact_id: id })
  await row(page, 'Call Bea').getByRole('link', { name: 'Contact: Bea Berg' }).click()
  await expect(page).toHaveURL(new RegExp(`/contacts/${id}$`))
})

test('the panel and its dialog can be read by everybody', async ({ page }) => {
  const user = await onDashboard(page)
  await addByCall(page, user, {
    title: 'Call Bea',
    description: 'About bread',
    due_date: '2020-01-01',
    priority: 'high',
  })
  await expect(row(page, 'Call Bea')).toBeVisible()
  await expectSound(page)
  await panel(page).getByRole('button', { name: 'Add Task' }).click()
  await expect(dialog(page, 'Add New Task')).toBeVisible()
  await expectSound(page)
})
