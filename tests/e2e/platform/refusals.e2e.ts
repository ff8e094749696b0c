import type { Page } from '@playwright/test'
import { contacts } from '#contract/crm/contacts.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { passwordReset } from '#contract/accounts/password-reset.ts'
import { inMail } from '../../support/mail-page.ts'
import { type E2eUser, expect, signedIn, test } from '../../support/e2e.ts'

/** From here on every change is refused by something that says nothing, such as a proxy. */
async function refuseWithoutWords(page: Page): Promise<void> {
  await page.route('**/api/v1/**', (route) =>
    route.request().method() === 'GET'
      ? route.fallback()
      : route.fulfill({ status: 400, body: '<h1>Bad Request</h1>' }),
  )
}

const bearer = (user: E2eUser) => ({ Authorization: `Bearer ${user.token}` })

test('a task that is refused without a word: “Failed to add todo”', async ({ page }) => {
  await signedIn(page)
  await page.goto('/dashboard')
  await refuseWithoutWords(page)
  await page.getByRole('button', { name: 'Add Task' }).first().click()
  const adding = page.getByRole('dialog', { name: 'Add New Task' })
  await adding.getByLabel('Title').fill('Call Anna')
  await adding.getByRole('button', { name: 'Add Task' }).click()
  await expect(adding.getByRole('alert')).toHaveText('Failed to add todo')
  await expect(adding.getByLabel('Title')).toHaveValue('Call Anna')
})

test('a contact that is refused without a word: “Failed to add contact”, “Failed to update contact”', async ({
  page,
}) => {
  const user = await signedIn(page)
  const data = { name: 'Anna', email: 'anna@north.example' }
  await page.request.post(pathOf(contacts.add), { headers: bearer(user), data })
  await page.goto('/contacts')
  await refuseWithoutWords(page)
  await page.getByRole('button', { name: 'Edit Anna' }).click()
  const editing = page.getByRole('dialog', { name: 'Edit Contact' })
  await editing.getByLabel('Name').fill('Anna Berg')
  await editing.getByRole('button', { name: 'Save Changes' }).click()
  await expect(editing.getByRole('alert')).toHaveText('Failed to update contact')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Add Contact' }).click()
  const adding = page.getByRole('dialog', { name: 'Add New Contact' })
  await adding.getByLabel('Name').fill('Bert')
  await adding.getByLabel('Email').fill('bert@south.example')
  await adding.getByRole('button', { name: 'Add Contact' }).click()
  await expect(adding.getByRole('alert')).toHaveText('Failed to add contact')
})

test('profile and mail settings that are refused without a word say what failed', async ({ page }) => {
  const user = await signedIn(page)
  const practice = await page.request.post(pathOf(mailboxSetup.practice), { headers: bearer(user) })
  expect(practice.ok()).toBe(true)
  await page.goto('/profile')
  const save = page.getByRole('button', { name: 'Save profile' })
  await expect(save).toBeVisible()
  await refuseWithoutWords(page)
  await save.click()
  await expect(page.getByText('Failed to update profile', { exact: true })).toBeVisible()
  const settings = page.getByRole('region', { name: 'Email Configuration' })
  await settings.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(settings.getByText('Failed to save email settings', { exact: true })).toBeVisible()
  await settings.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(settings.getByText('Failed to test email settings', { exact: true })).toBeVisible()
  await settings.getByRole('button', { name: 'Disconnect' }).click()
  const asking = page.getByRole('dialog', { name: 'Disconnect the practice mailbox?' })
  await asking.getByRole('button', { name: 'Disconnect' }).click()
  await expect(asking.getByRole('alert')).toHaveText('Failed to disconnect')
})

test('a trash that cannot be emptied says so in words of its own', async ({ page }) => {
  await inMail(page, { at: '/emails?folder=trash' })
  // The count is the server's: whatever it says, something is there.
  await page.route('**/emails/counts*', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), trash: 3 } })
  })
  await page.reload()
  await refuseWithoutWords(page)
  await page.getByRole('button', { name: 'Empty Trash' }).click()
  const asking = page.getByRole('dialog', { name: 'Empty Trash?' })
  await asking.getByRole('button', { name: 'Empty Trash' }).click()
  await expect(asking.getByRole('alert')).toHaveText('Failed to empty the trash')
})

test('a password that cannot be set anew says which step failed', async ({ page }) => {
  const fault = page.getByRole('main').getByRole('alert')
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await refuseWithoutWords(page)
  await page.goto('/reset-password')
  await page.getByRole('textbox', { name: 'Email' }).fill('anna@north.example')
  await press('Send OTP')
  await expect(fault).toHaveText('Failed to send OTP')
  await press('Send reset link')
  await expect(fault).toHaveText('Failed to send reset link')
  await page.goto('/reset-password?token=mine')
  await page.getByRole('textbox', { name: 'New password' }).fill('vortex-Lampe-93')
  await press('Set New Password')
  await expect(fault).toHaveText('Failed to reset password')
})

test('a code for the signed-in user that could not be mailed: “Failed to send OTP. Please try again.”', async ({
  page,
}) => {
  await signedIn(page)
  const json = { exists: true, otp_sent: false, printed: false }
  await page.route(`**${pathOf(passwordReset.requestOtp)}`, (route) => route.fulfill({ json }))
  await page.goto('/profile')
  const card = page.getByRole('region', { name: 'Change Password' })
  await card.getByRole('button', { name: 'Send OTP' }).click()
  await expect(card.getByRole('alert')).toHaveText('Failed to send OTP. Please try again.')
})

test('a log-in that is refused without a word: “Invalid request”', async ({ page }) => {
  await refuseWithoutWords(page)
  await page.goto('/login')
  await page.getByRole('textbox', { name: 'Email' }).fill('anna@north.example')
  await page.getByRole('textbox', { name: 'Password' }).fill('vortex-Lampe-93')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByRole('main').getByRole('alert')).toHaveText('Invalid request')
})
