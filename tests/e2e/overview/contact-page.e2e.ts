import type { Page } from '@playwright/test'
import { Client } from 'pg'
import { contacts } from '#contract/crm/contacts.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { type E2eUser, expect, type Howl, signedIn, test } from '../../support/e2e.ts'
import { expectSound } from '../../support/sound-page.ts'
import { toast } from '../../support/toast.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function addContact(page: Page, user: E2eUser, fields: Record<string, unknown>): Promise<number> {
  const answer = await page.request.post(pathOf(contacts.add), {
    headers: { Authorization: `Bearer ${user.token}` },
    data: fields,
  })
  expect(answer.ok()).toBe(true)
  return ((await answer.json()) as { id: number }).id
}

async function sql(howl: Howl, text: string, values: unknown[]): Promise<void> {
  const client = new Client({ connectionString: howl.databaseUrl })
  await client.connect()
  await client.query(text, values)
  await client.end()
}

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
  if (mails > 0) await sql(howl, MAILS, [user.id, mails])
  await page.goto('/contacts')
  await page.getByRole('link', { name: 'Bea Bright' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Bea Bright' })).toBeVisible()
  return { user, id }
}

test('the name leads to all that is known of a contact', async ({ page, howl }) => {
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
  await page.getByRole('link', { name: 'Contacts', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Contacts' })).toBeVisible()
})

test('a mail, a task and a meeting begin with the contact in them', async ({ page, howl }) => {
  await openBea(page, howl)
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

  const meet = page.getByRole('link', { name: 'Schedule Meeting' })
  await expect(meet).toHaveAttribute('href', '/meetings?attendee=bea%40x.example')
})

test('notes are written where they stand, and a change from elsewhere does not take them away', async ({
  page,
  howl,
}) => {
  const { user, id } = await openBea(page, howl)
  const notes = page.getByRole('textbox', { name: 'Notes' })
  await expect(notes).toHaveValue('Likes bricks')
  await notes.fill('Likes red bricks')
  const answer = await page.request.put(pathOf(contacts.update, { id }), {
    headers: { Authorization: `Bearer ${user.token}` },
    data: { company: 'Brighter Ltd' },
  })
  expect(answer.ok()).toBe(true)
  await expect(page.getByRole('region', { name: 'Details' }).getByText('Brighter Ltd')).toBeVisible()
  await expect(notes).toHaveValue('Likes red bricks')
  await page.route(`**${pathOf(contacts.update, { id })}`, (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({ status: 500, json: { detail: 'The disk is full.' } })
      : route.continue(),
  )
  await button(page, 'Save notes').click()
  await expect(page.getByRole('alert').filter({ hasText: 'The disk is full.' })).toBeVisible()
  await expect(notes).toHaveValue('Likes red bricks')
  await page.unroute(`**${pathOf(contacts.update, { id })}`)
  await button(page, 'Save notes').click()
  await expect(toast(page, 'Contact updated')).toBeVisible()
  await page.reload()
  await expect(notes).toHaveValue('Likes red bricks')
  await notes.fill('Nothing')
  await page.keyboard.press('Escape')
  await expect(notes).toHaveValue('Likes red bricks')
})

test('tags are changed on the page, a new one made on the fly', async ({ page, howl }) => {
  await openBea(page, howl)
  await button(page, 'Edit tags').click()
  const dialog = page.getByRole('dialog', { name: 'Tags of Bea Bright' })
  await dialog.getByRole('combobox', { name: 'Tags' }).fill('Trade fair')
  await dialog.getByRole('option', { name: 'Create “Trade fair”' }).click()
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByRole('list', { name: 'Tags' }).getByText('Trade fair')).toBeVisible()
  await button(page, 'Edit tags').click()
  await dialog.getByRole('button', { name: 'Remove tag Trade fair' }).click()
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(page.getByRole('list', { name: 'Tags' })).toBeHidden()
})

test('it says why no mail goes to a contact, and what the user stopped the user allows again', async ({
  page,
  howl,
}) => {
  const { user } = await openBea(page, howl)
  await sql(
    howl,
    `INSERT INTO suppressions (user_id, address_key, reason, created_at) VALUES ($1, 'bea@x.example', 'unsubscribed', now())`,
    [user.id],
  )
  await page.reload()
  await expect(page.getByText('they unsubscribed. Only they can change that.')).toBeVisible()
  await expect(button(page, 'Allow mailing')).toBeHidden()
  await sql(howl, `UPDATE suppressions SET reason = 'manual' WHERE user_id = $1`, [user.id])
  await page.reload()
  await expect(page.getByText('you stopped them.')).toBeVisible()
  await button(page, 'Allow mailing').click()
  await expect(page.getByText('Bea Bright can be mailed again')).toBeVisible()
  await expect(page.getByText('you stopped them.')).toBeHidden()
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

test('a long history comes in pages', async ({ page, howl }) => {
  await openBea(page, howl, 75)
  const entries = page.getByRole('region', { name: 'Timeline' }).getByRole('listitem')
  await expect(entries).toHaveCount(30)
  await button(page, 'Show earlier').click()
  await expect(entries).toHaveCount(60)
  await button(page, 'Show earlier').click()
  await expect(entries).toHaveCount(76)
  await expect(button(page, 'Show earlier')).toBeHidden()
})

test('a contact that is none says so, and what cannot be loaded is tried again', async ({ page, howl }) => {
  const { id } = await openBea(page, howl)
  for (const address of ['/contacts/987654321', '/contacts/nonsense']) {
    await page.goto(address)
    await expect(page.getByText('This contact does not exist.')).toBeVisible()
  }
  await page.getByRole('link', { name: 'Back to Contacts' }).click()
  await expect(page.getByRole('link', { name: 'Bea Bright' })).toBeVisible()
  const timeline = `**/api/v1/contacts/${id}/timeline*`
  await page.route(timeline, (route) => route.fulfill({ status: 500, json: { detail: 'Oh' } }))
  await page.goto(`/contacts/${id}`)
  await expect(page.getByText('Failed to load the timeline')).toBeVisible()
  await page.unroute(timeline)
  await button(page, 'Try again').click()
  await expect(page.getByText('Added to contacts')).toBeVisible()
})

test('everybody can read it, at every size', async ({ page, howl }) => {
  await openBea(page, howl, 4, { tags: ['VIP', 'Trade fair'] })
  await expect(page.getByText('The words of mail 2')).toBeVisible()
  await expectSound(page)
})
