import type { Page } from '@playwright/test'
import { contacts } from '#contract/crm/contacts.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { events } from '#contract/platform/events.ts'
import { ask, type E2eUser, expect, signedIn, test } from '../../support/e2e.ts'
import { toast } from '../../support/toast.ts'

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function openContacts(page: Page): Promise<E2eUser> {
  const user = await signedIn(page)
  await page.goto('/contacts')
  await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible()
  return user
}

const addBySelf = (page: Page, user: E2eUser, fields: Record<string, string | string[]>) =>
  ask(page, user, contacts.add, fields)

test('a contact is added, changed and deleted', async ({ page }) => {
  await openContacts(page)
  await expect(page.getByText('No contacts yet')).toBeVisible()

  await button(page, 'Add Contact').first().click()
  const adding = page.getByRole('dialog', { name: 'Add New Contact' })
  await adding.getByRole('button', { name: 'Add Contact' }).click()
  await expect(adding.getByText("Please enter the contact's name")).toBeVisible()
  await expect(adding.getByText('Please enter a valid email address')).toBeVisible()
  await adding.getByLabel('Name').fill('Bob Builder')
  await adding.getByLabel('Email').fill('bob@build.example')
  await adding.getByLabel('Company').fill('Build Ltd')
  await adding.getByLabel('Notes').fill('Met at the fair in Hamburg, wants bricks')
  await adding.getByRole('button', { name: 'Add Contact' }).click()
  await expect(toast(page, 'Contact added')).toBeVisible()
  await expect(adding).toBeHidden()
  await expect(row(page, 'Bob Builder')).toContainText('Never')
  await expect(row(page, 'Bob Builder')).toContainText('New')

  await expect(row(page, 'Bob Builder')).toContainText('Met at the fair in Hamburg,…')
  await button(page, 'Read More').click()
  await expect(row(page, 'Bob Builder')).toContainText('wants bricks')
  await button(page, 'Read Less').click()
  await expect(row(page, 'Bob Builder')).not.toContainText('wants bricks')

  await button(page, 'Edit Bob Builder').click()
  const editing = page.getByRole('dialog', { name: 'Edit Contact' })
  await expect(editing.getByLabel('Email')).toHaveValue('bob@build.example')
  await editing.getByLabel('Name').fill('Robert Builder')
  await editing.getByLabel('Status').selectOption('Active')
  const saving = page.waitForRequest((request) => request.method() === 'PUT')
  await editing.getByRole('button', { name: 'Save Changes' }).click()
  expect((await saving).postDataJSON()).toEqual({ name: 'Robert Builder', status: 'active' })
  await expect(toast(page, 'Contact updated')).toBeVisible()
  await expect(row(page, 'Robert Builder')).toContainText('Active')

  await button(page, 'Delete Robert Builder').click()
  const asking = page.getByRole('dialog', { name: 'Delete Robert Builder?' })
  await asking.getByRole('button', { name: 'Cancel' }).click()
  await expect(row(page, 'Robert Builder')).toBeVisible()
  await button(page, 'Delete Robert Builder').click()
  await asking.getByRole('button', { name: 'Delete' }).click()
  await expect(toast(page, 'Contact deleted')).toBeVisible()
  await expect(page.getByText('No contacts yet')).toBeVisible()
})

test('what changes before the live stream is open is shown as soon as it is', async ({ page }) => {
  const user = await signedIn(page)
  let askedAt = Infinity
  let letOpen = () => {}
  const held = new Promise<void>((resolve) => (letOpen = resolve))
  await page.route(`**${pathOf(events.stream)}`, async (route) => {
    askedAt = Date.now()
    await held
    await route.continue()
  })
  await page.goto('/contacts')
  await expect(page.getByText('No contacts yet')).toBeVisible()
  await addBySelf(page, user, { name: 'Anna', email: 'anna@north.example' })
  // A stream that opens at once has missed nothing.
  await expect.poll(() => Date.now() - askedAt).toBeGreaterThan(1000)
  letOpen()
  await expect(row(page, 'Anna')).toBeVisible()
})

test('search and filters narrow the list and stay in the address', async ({ page }) => {
  const user = await openContacts(page)
  await addBySelf(page, user, { name: 'Anna', email: 'anna@north.example', company: 'North' })
  await addBySelf(page, user, {
    name: 'Bert',
    email: 'bert@south.example',
    company: 'South',
    status: 'active',
  })
  await expect(row(page, 'Anna')).toBeVisible()

  await page.getByRole('searchbox', { name: 'Search contacts' }).fill('bert')
  await expect(row(page, 'Anna')).toBeHidden()
  await expect(row(page, 'Bert')).toBeVisible()
  await page.reload()
  await expect(row(page, 'Bert')).toBeVisible()
  await expect(row(page, 'Anna')).toBeHidden()
  await button(page, 'Clear filters').click()
  await expect(row(page, 'Anna')).toBeVisible()

  await page.getByRole('combobox', { name: 'Status' }).selectOption('Active')
  await expect(row(page, 'Anna')).toBeHidden()
  await page.getByRole('combobox', { name: 'Status' }).selectOption('All statuses')
  await button(page, 'More Filters').click()
  await page.getByLabel('Email domain').fill('north.example')
  await expect(row(page, 'Bert')).toBeHidden()
  await expect(row(page, 'Anna')).toBeVisible()
  await page.getByLabel('Last contact from').fill('2026-01-01')
  await expect(page.getByText('No contacts match')).toBeVisible()
})
