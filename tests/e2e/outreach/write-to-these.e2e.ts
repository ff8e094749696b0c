import type { Page } from '@playwright/test'
import { automaticMail } from '#contract/outreach/automatic-mail.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { call } from '../../support/client.ts'
import { type E2eUser, expect, signedIn, test } from '../../support/e2e.ts'
import { setPlan } from '../../support/plans.ts'
import { expectSound } from '../../support/sound-page.ts'
import { toast } from '../../support/toast.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const write = (page: Page) => button(page, 'Write to these')
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

/** Six people, four of them from the fair, and one of these on the do-not-mail list. */
async function withPeople(page: Page, { mailbox = true } = {}): Promise<E2eUser> {
  const user = await signedIn(page)
  const headers = { Authorization: `Bearer ${user.token}` }
  if (mailbox) expect((await page.request.post(pathOf(mailboxSetup.practice), { headers })).ok()).toBe(true)
  for (const [name, tags] of [
    ['Anna', ['fair']],
    ['Bert', ['fair']],
    ['Cleo', ['fair']],
    ['Dan', ['fair']],
    ['Emil', []],
    ['Finn', []],
  ] as const) {
    const data = { name, email: `${name.toLowerCase()}+silent@x.example`, tags }
    const answer = await page.request.post(pathOf(contacts.add), { headers, data })
    expect(answer.ok()).toBe(true)
    if (name !== 'Dan') continue
    const { id } = (await answer.json()) as { id: number }
    const stopped = await page.request.post(pathOf(contacts.stopMailing), { headers, data: { ids: [id] } })
    expect(stopped.ok()).toBe(true)
  }
  await page.goto('/contacts')
  // On phones contacts are cards.
  await expect(page.getByText('anna+silent@x.example').filter({ visible: true })).toBeVisible()
  return user
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
})

test('contacts that were chosen are written to, and nobody else', async ({ page }) => {
  await withPeople(page)
  for (const name of ['Emil', 'Finn'])
    await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check()
  await page
    .getByRole('toolbar', { name: 'Selected contacts' })
    .getByRole('button', { name: 'Write to these' })
    .click()
  const asked = dialog(page, 'Send to 2 contacts?')
  await expect(asked).toContainText('To 2 contacts of your choice')
  await asked.getByRole('button', { name: 'Send to 2 contacts' }).click()
  await expect(page.getByText(/Successfully sent 2 email\(s\)/)).toBeVisible()
  await expect(page.getByRole('toolbar', { name: 'Selected contacts' })).toBeHidden()
  // These two, and nobody else, have had a mail now.
  await button(page, 'More Filters').click()
  await page.getByLabel('Emails', { exact: true }).selectOption('Never mailed')
  await expect(row(page, 'Emil')).toBeHidden()
  await expect(row(page, 'Finn')).toBeHidden()
  await expect(row(page, 'Anna')).toBeVisible()
  expect(new URL(page.url()).searchParams.get('never_mailed')).toBe('true')
  await page.getByLabel('Invoices', { exact: true }).selectOption('Opened an invoice')
  await expect(page.getByText('No contacts', { exact: false }).first()).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Invoices', { exact: true })).toHaveValue('true')
  await button(page, 'Clear filters').first().click()
  await expect(row(page, 'Emil')).toBeVisible()
})

test('without a mail account the settings are asked for', async ({ page }) => {
  await withPeople(page, { mailbox: false })
  await page.getByLabel('Tag', { exact: true }).selectOption('fair')
  await write(page).click()
  await expect(dialog(page, 'Email Configuration Required')).toBeVisible()
})

test('a first mail that is being written is not lost by leaving, by another choice or by another run', async ({
  page,
  howl,
}) => {
  const { id, token } = await withPeople(page, { mailbox: false })
  await setPlan(howl, { id }, 'starter')
  for (const name of ['sales', 'office']) {
    const body = {
      smtp_host: '127.0.0.1',
      // Nothing answers there, and nothing is to leave.
      smtp_port: 1,
      smtp_username: name,
      smtp_password: 'secret',
      smtp_from: `${name}${id}@muster.example`,
      smtp_use_tls: false,
    }
    expect((await call(howl.url, mailboxSetup.addAccount, { token, body })).status).toBe(200)
  }
  await page.goto('/contacts?tag=fair')
  await write(page).click()
  const asked = dialog(page, 'Send to 3 contacts?')
  await asked.getByRole('button', { name: 'See the first emails' }).click()
  await asked.getByRole('button', { name: 'Edit the email to Anna' }).click()
  const form = asked.getByRole('form', { name: 'Edit the email to Anna' })
  await form.getByLabel('Subject').fill('Half a thought')

  const said = toast(page, 'Save or cancel your change to the email first.')
  const from = asked.getByRole('combobox', { name: 'Send from' })
  const again = asked.getByLabel('Also write to those who were mailed before')
  for (const leave of [
    () => page.keyboard.press('Escape'),
    () => asked.getByRole('button', { name: 'Close' }).click(),
    () => asked.getByRole('button', { name: 'Cancel', exact: true }).last().click(),
    () => asked.getByRole('link', { name: 'Write a template' }).click(),
    () => from.selectOption(`office${id}@muster.example`),
    () => again.click(),
  ]) {
    await leave()
    await expect(said).toBeVisible()
    await expect(form.getByLabel('Subject')).toHaveValue('Half a thought')
    await said.getByRole('button').click()
    await expect(said).toBeHidden()
  }
  await expect(from.locator('option:checked')).toHaveText(`sales${id}@muster.example`)
  await expect(again).not.toBeChecked()

  // In another tab, on a day without sending hours: the run waits.
  const days = [((new Date().getUTCDay() + 2) % 7) + 1]
  const hours = { limited: true, days, from_hour: 8, until_hour: 18 }
  expect((await call(howl.url, automaticMail.saveHours, { token, body: hours })).status).toBe(200)
  expect((await call(howl.url, outreach.generateAndSend, { token })).status).toBe(200)
  // Its progress is behind the dialog.
  await expect(page.getByText('Sending to 5 contacts').first()).toBeAttached()
  await expect(form.getByLabel('Subject')).toHaveValue('Half a thought')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByText('A run is under way. Its emails can no longer be changed.')).toBeVisible()
  await expect(form.getByLabel('Subject')).toHaveValue('Half a thought')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog(page, 'Another run is under way')).toBeVisible()
})

test('writing to these is sound', async ({ page }) => {
  await withPeople(page)
  await page.goto('/contacts?tag=fair&never_mailed=true')
  await expect(write(page)).toBeVisible()
  await expectSound(page)
  await write(page).click()
  await expect(dialog(page, 'Send to 3 contacts?')).toBeVisible()
  await expectSound(page, '[role=dialog]')
})
