import type { Page } from '@playwright/test'
import { contacts } from '#contract/crm/contacts.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { expect, signedIn, test } from '../../support/e2e.ts'
import { expectSound } from '../../support/sound-page.ts'

const list = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })

const PAGES = [
  { at: '/dashboard', title: 'Dashboard', own: null },
  { at: '/contacts', title: 'Contacts', own: 'Search contacts' },
  { at: '/emails', title: 'Email Management', own: 'Archive, or unarchive' },
  { at: '/meetings', title: 'Calendar & Meetings', own: 'Month before, month after' },
  { at: '/profile', title: 'Profile & Settings', own: null },
  { at: '/privacy', title: /Privacy/, own: null },
] as const

test('? shows the keys on every page: its own, and those of everywhere', async ({ page }) => {
  await signedIn(page)
  for (const { at, title, own } of PAGES) {
    await page.goto(at)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await page.keyboard.press('?')
    const everywhere = list(page).getByRole('region', { name: 'Everywhere' })
    for (const does of ['Search everything', 'Show this list', 'Close what is open'])
      await expect(everywhere).toContainText(does)
    if (own !== null) await expect(list(page)).toContainText(own)
    for (const other of PAGES)
      if (other.own !== null && other.own !== own) await expect(list(page)).not.toContainText(other.own)
    await page.keyboard.press('Escape')
    await expect(list(page)).toBeHidden()
  }
})

/** Signs in a user who has a contact; gives its id. */
async function withContact(page: Page): Promise<number> {
  const user = await signedIn(page)
  const data = { name: 'Anna', email: 'anna@north.example' }
  const headers = { Authorization: `Bearer ${user.token}` }
  const made = await page.request.post(pathOf(contacts.add), { headers, data })
  return ((await made.json()) as { id: number }).id
}

test('? is a letter where somebody types, and in a dialog', async ({ page }) => {
  await withContact(page)
  await page.goto('/contacts')
  const ofPage = page.getByRole('searchbox', { name: 'Search contacts' })
  await ofPage.press('?')
  await expect(ofPage).toHaveValue('?')
  await ofPage.clear()
  await page.getByRole('button', { name: 'Add Contact' }).first().click()
  const adding = page.getByRole('dialog', { name: 'Add New Contact' })
  await adding.getByLabel('Notes').focus()
  await page.keyboard.press('?')
  await expect(adding.getByLabel('Notes')).toHaveValue('?')
  await adding.getByRole('button', { name: 'Cancel' }).focus()
  await page.keyboard.press('?')
  await page.keyboard.press('Escape')
  await expect(adding).toBeHidden()
  // Whatever would have opened by then stood over the page now.
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('Control+k')
  const search = page.getByRole('combobox', { name: 'Search everything' })
  await expect(search).toBeFocused()
  await page.keyboard.press('?')
  await expect(search).toHaveValue('?')
  await expect(list(page)).toBeHidden()
})

test("a mouse finds the list in the user's menu, and the focus goes back", async ({ page }) => {
  await page.goto(`/contacts/${await withContact(page)}`)
  const menu = page.getByRole('button', { name: 'User menu' })
  await menu.click()
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  await expect(list(page)).toContainText('Save what you have written')
  await expectSound(page, '[role=dialog]')
  await list(page).getByRole('button', { name: 'Close' }).click()
  await expect(list(page)).toBeHidden()
  await expect(menu).toBeFocused()
})
