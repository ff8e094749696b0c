import type { Page } from '@playwright/test'
import { contacts } from '#contract/crm/contacts.ts'
import { meetings } from '#contract/crm/meetings.ts'
import { todos } from '#contract/crm/todos.ts'
import { makeBusy } from '../../support/busy-day.ts'
import { ask, bearer, expect, signedIn, test } from '../../support/e2e.ts'

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search everything' })
const field = (page: Page) => palette(page).getByRole('combobox', { name: 'Search everything' })
const group = (page: Page, name: string) => palette(page).getByRole('group', { name })
const option = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name })
const marked = (page: Page) => palette(page).getByRole('option', { selected: true })

async function openByKey(page: Page): Promise<void> {
  // Keys are heard once the page is there.
  await expect(page.getByRole('button', { name: 'Search everything' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
}

test('finds contacts, mails, meetings and tasks, and opens each', async ({ page, howl }) => {
  const user = await signedIn(page)
  await makeBusy(howl, user.id, { mails: 100 })
  const bea = await ask(page, user, contacts.add, { name: 'Bea Zirkel', email: 'bea@zirkel.example' })
  const start = Date.now() + 3_600_000
  await ask(page, user, meetings.add, {
    title: 'Zirkel tasting',
    start_time: new Date(start).toISOString(),
    end_time: new Date(start + 3_600_000).toISOString(),
    type: 'phone',
  })
  await ask(page, user, todos.add, { title: 'Call Zirkel' })
  await page.goto('/dashboard')
  const look = async (typed: string) => {
    await openByKey(page)
    await page.keyboard.type(typed)
  }
  await look('zirkel')
  await expect(group(page, 'Contacts').getByRole('option')).toHaveText([/Bea Zirkel/])
  await expect(group(page, 'Meetings').getByRole('option')).toHaveText([/Zirkel tasting/])
  await expect(group(page, 'Tasks').getByRole('option')).toHaveText([/Call Zirkel/])
  await expect(marked(page)).toContainText('Bea Zirkel')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/contacts/${bea.id}$`))

  await look('zirkel')
  await option(page, /Zirkel tasting/).click()
  await expect(page).toHaveURL(/\/meetings/)
  await expect(page.getByRole('dialog', { name: 'Edit Meeting' }).getByLabel('Title')).toHaveValue(
    'Zirkel tasting',
  )

  await page.goto('/contacts')
  await look('call zirk')
  // Enter does not wait for the answers, and opens the first of them.
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Edit Task' }).getByLabel('Title')).toHaveValue('Call Zirkel')
  // Who loads the page again is not shown the task again.
  await page.reload()
  await expect(page.getByText('Call Zirkel')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  // New mails are searchable a little later.
  const found = async () => {
    const answer = await page.request.get('/api/v1/emails/?search=invoice', { headers: bearer(user) })
    return ((await answer.json()) as unknown[]).length
  }
  await expect.poll(found).toBeGreaterThanOrEqual(5)
  await look('invoice')
  await expect(group(page, 'Emails').getByRole('option')).toHaveCount(5)
  await expect(group(page, 'Emails').getByRole('option').first()).toContainText('Invoice 2041')
  await group(page, 'Emails').getByRole('option').first().click()
  await expect(page).toHaveURL(/\/emails\?folder=\w+&email=\d+/)
  await expect(page.getByRole('region', { name: /^Invoice 2041/ })).toBeVisible()

  await look('invoice')
  await option(page, 'Search all emails for “invoice”').click()
  await expect(page.getByLabel('Search emails')).toHaveValue('invoice')
})
