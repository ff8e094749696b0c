import type { Page } from '@playwright/test'
import { contacts } from '#contract/crm/contacts.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { ask, expect, signedIn, test } from '../../support/e2e.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const write = (page: Page) => button(page, 'Write to these')
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

/** Six people, four of them from the fair, and one of these on the do-not-mail list. */
async function withPeople(page: Page): Promise<void> {
  const user = await signedIn(page)
  await ask(page, user, mailboxSetup.practice)
  for (const [name, tags] of [
    ['Anna', ['fair']],
    ['Bert', ['fair']],
    ['Cleo', ['fair']],
    ['Dan', ['fair']],
    ['Emil', []],
    ['Finn', []],
  ] as const) {
    const fields = { name, email: `${name.toLowerCase()}+silent@x.example`, tags }
    const { id } = await ask(page, user, contacts.add, fields)
    if (name === 'Dan') await ask(page, user, contacts.stopMailing, { ids: [id] })
  }
  await page.goto('/contacts')
  // On phones contacts are cards.
  await expect(page.getByText('anna+silent@x.example').filter({ visible: true })).toBeVisible()
}

test('a filtered list is written to, after its count and who is left out were shown', async ({ page }) => {
  await withPeople(page)
  await expect(write(page)).toBeHidden()
  await page.getByLabel('Tag', { exact: true }).selectOption('fair')
  await expect(row(page, 'Emil')).toBeHidden()
  await write(page).click()
  const asked = dialog(page, 'Send to 3 contacts?')
  await expect(asked).toContainText('To 4 contacts tagged fair')
  const out = asked.getByRole('region', { name: 'Left out: 1 of 4' })
  await expect(out.getByRole('listitem')).toHaveText(/On your do-not-mail list.*1.*Dan/s)
  await expect(asked.getByRole('region', { name: /^The email to Anna/ })).toBeVisible()
  await asked.getByRole('button', { name: 'Send to 3 contacts' }).click()
  await expect(asked).toBeHidden()
  await expect(page.getByText(/Successfully sent 3 email\(s\)/)).toBeVisible()

  await page.goto('/dashboard')
  const ended = page.getByRole('region', { name: 'Sent to 3 contacts' })
  await expect(ended).toContainText('To 4 contacts tagged fair')
  await ended.getByRole('button', { name: 'See results' }).click()
  const results = dialog(page, 'Results of the run')
  await expect(results).toContainText('To 4 contacts tagged fair')
  await expect(results.getByRole('row').filter({ hasText: 'Dan' })).toContainText('On your do-not-mail list')
  await expect(results.getByRole('row').filter({ hasText: 'Emil' })).toBeHidden()

  // Whoever was written to a moment ago is left out, whatever is ticked.
  await page.goto('/contacts?tag=fair')
  await write(page).click()
  const nobody = dialog(page, 'Nobody to write to')
  await expect(nobody.getByRole('region', { name: 'Left out: 4 of 4' })).toContainText(
    'Emailed in the last 7 days',
  )
  await nobody.getByLabel('Also write to those who were mailed before').check()
  await expect(nobody.getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
  await expect(nobody.getByRole('region', { name: 'Left out: 4 of 4' })).toContainText('Anna, Bert and Cleo')

  // Those three, and nobody else, have had a mail now.
  await nobody.getByRole('button', { name: 'Cancel' }).last().click()
  await button(page, 'Clear filters').click()
  await button(page, 'More Filters').click()
  await page.getByLabel('Emails', { exact: true }).selectOption('Never mailed')
  await expect(row(page, 'Anna')).toBeHidden()
  for (const name of ['Dan', 'Emil', 'Finn']) await expect(row(page, name)).toBeVisible()
  await page.getByLabel('Invoices', { exact: true }).selectOption('Opened an invoice')
  await expect(page.getByText('No contacts', { exact: false }).first()).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Emails', { exact: true })).toHaveValue('true')
  await expect(page.getByLabel('Invoices', { exact: true })).toHaveValue('true')
})
