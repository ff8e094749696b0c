import type { Page } from '@playwright/test'
import { contacts } from '#contract/crm/contacts.ts'
import { ask, type E2eUser, expect, type Howl, signedIn, test } from '../../support/e2e.ts'
import { sql } from '../../support/sql.ts'
import { toast } from '../../support/toast.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

const addContact = async (page: Page, user: E2eUser, fields: Record<string, unknown>) =>
  (await ask(page, user, contacts.add, fields)).id

const MAILS = `
  INSERT INTO emails (user_id, direction, folder, message_id, thread_id, from_name, from_address, to_line, correspondent_key,
    subject, snippet, collapse_key, is_read, occurred_at, created_at)
  SELECT $1, CASE n % 2 WHEN 0 THEN 'in' ELSE 'out' END, CASE n % 2 WHEN 0 THEN 'inbox' ELSE 'sent' END, 'm' || n || '@x.example', 0,
    'Bea Bright', 'bea@x.example', 'me@howl.example', 'bea@x.example', 'Mail ' || n, 'The words of mail ' || n, 'k' || n, true,
    timestamptz '2026-03-01' - n * interval '1 hour', timestamptz '2026-03-01' FROM generate_series(1, $2::int) n`

async function openBea(
  page: Page,
  howl: Howl,
  mails = 0,
  fields: object = {},
): Promise<{ user: E2eUser; id: number }> {
  const user = await signedIn(page)
  const id = await addContact(page, user, {
    name: 'Bea Bright',
    email: 'bea@x.example',
    company: 'Bright Ltd',
    position: 'Buyer',
    phone: '+49 30 1234567',
    notes: 'Likes bricks',
    ...fields,
  })
  if (mails > 0) await sql(howl.databaseUrl, MAILS, [user.id, mails])
  await page.goto('/contacts')
  await page.getByRole('link', { name: 'Bea Bright' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Bea Bright' })).toBeVisible()
  return { user, id }
}

test('the name leads to all that is known of a contact, and what is written there is kept', async ({
  page,
  howl,
}) => {
  await openBea(page, howl, 2, { tags: ['VIP'] })
  await expect(page).toHaveTitle(/Bea Bright/)
  const details = page.getByRole('region', { name: 'Details' })
  await expect(details.getByRole('link', { name: 'bea@x.example' })).toBeVisible()
  for (const text of ['+49 30 1234567', 'Bright Ltd', 'Buyer', 'Prospect', 'Never'])
    await expect(details.getByText(text, { exact: true })).toBeVisible()
  await expect(page.getByRole('list', { name: 'Tags' }).getByText('VIP')).toBeVisible()
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await expect(timeline.getByRole('listitem')).toHaveCount(3)
  await expect(timeline.getByText('Added to contacts')).toBeVisible()
  await expect(timeline.getByText('The words of mail 2')).toBeVisible()
  await timeline.getByRole('link', { name: 'Mail 2' }).click()
  await expect(page).toHaveURL(/\/emails\?folder=inbox&email=\d+/)
  await page.goBack()

  await button(page, 'Write Email').click()
  const compose = page.getByRole('dialog', { name: 'Compose' })
  await expect(compose.getByLabel('To', { exact: true })).toHaveValue('bea@x.example')
  await compose.getByRole('button', { name: 'Cancel' }).click()
  await expect(compose).toBeHidden()

  await button(page, 'Add Task').click()
  const task = page.getByRole('dialog', { name: 'Add New Task' })
  await expect(task.getByText('Bea Bright')).toBeVisible()
  await task.getByLabel('Title').fill('Send the offer')
  await task.getByRole('button', { name: 'Add Task' }).click()
  await expect(toast(page, 'Todo added')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Timeline' }).getByText('Send the offer')).toBeVisible()

  const notes = page.getByRole('textbox', { name: 'Notes' })
  await notes.fill('Likes red bricks')
  await button(page, 'Save notes').click()
  await expect(toast(page, 'Contact updated')).toBeVisible()
  await page.reload()
  await expect(notes).toHaveValue('Likes red bricks')
  await page.getByRole('link', { name: 'Contacts', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible()
})

test('a contact is edited and deleted from the page, and the deletion undone', async ({ page, howl }) => {
  await openBea(page, howl)
  await button(page, 'Edit Bea Bright').click()
  const editing = page.getByRole('dialog', { name: 'Edit Contact' })
  await editing.getByLabel('Company').fill('North')
  await editing.getByRole('button', { name: 'Save Changes' }).click()
  await expect(toast(page, 'Contact updated')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Details' }).getByText('North')).toBeVisible()
  await button(page, 'Delete Bea Bright').click()
  await page
    .getByRole('dialog', { name: 'Delete Bea Bright?' })
    .getByRole('button', { name: 'Delete' })
    .click()
  await expect(toast(page, 'Contact deleted')).toBeVisible()
  await expect(page.getByText('No contacts yet')).toBeVisible()
  await button(page, 'Undo').click()
  await expect(page.getByRole('link', { name: 'Bea Bright' })).toBeVisible()
})
