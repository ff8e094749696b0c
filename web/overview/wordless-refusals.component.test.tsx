import { expect, test } from 'vitest'
import { type Locator, page } from 'vitest/browser'
import { auth } from '#contract/accounts/auth.ts'
import { passwordReset } from '#contract/accounts/password-reset.ts'
import { CONTRACT } from '#contract/contract.ts'
import { contact, contacts } from '#contract/crm/contacts.ts'
import { emails } from '#contract/mail/emails.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { blank, blankReply } from '../../tests/support/blank-reply.ts'
import { openPage } from '../../tests/support/component-page.tsx'
import { emptyAccount } from '../../tests/support/empty-account.ts'
import type { FakeApi } from '../../tests/support/fake-api.ts'

/** An account whose every change is refused by something that says nothing, such as a proxy. */
function wordless(): FakeApi {
  const api = emptyAccount()
  for (const endpoint of CONTRACT.values())
    if (endpoint.method !== 'GET')
      api.responds(endpoint, () => new Response('<h1>Bad Request</h1>', { status: 400 }))
  return api
}

const dialog = (name: string) => page.getByRole('dialog', { name })
const press = (name: string, inside: Pick<Locator, 'getByRole'> = page) =>
  inside.getByRole('button', { name, exact: true }).first().click()
const faultIn = (part: Locator, sentence: string) =>
  expect.element(part.getByRole('alert')).toHaveTextContent(sentence)

test('a task that is refused without a word: “Failed to add todo”', async () => {
  wordless()
  openPage('/dashboard')
  await press('Add Task')
  const adding = dialog('Add New Task')
  await adding.getByLabelText('Title').fill('Call Anna')
  await press('Add Task', adding)
  await faultIn(adding, 'Failed to add todo')
  await expect.element(adding.getByLabelText('Title')).toHaveValue('Call Anna')
})

test('a contact: “Failed to update contact”, “Failed to add contact”', async () => {
  const anna = blank(contact, { id: 4, name: 'Anna', email: 'anna@north.example' })
  wordless().answers(contacts.list, [anna])
  openPage('/contacts')
  await press('Edit Anna')
  const editing = dialog('Edit Contact')
  await editing.getByLabelText('Name').fill('Anna Berg')
  await press('Save Changes', editing)
  await faultIn(editing, 'Failed to update contact')
  await press('Cancel', editing)
  await press('Add Contact')
  const adding = dialog('Add New Contact')
  await adding.getByLabelText('Name').fill('Bert')
  await adding.getByLabelText('Email').fill('bert@south.example')
  await press('Add Contact', adding)
  await faultIn(adding, 'Failed to add contact')
})

test('profile and mail settings say what failed', async () => {
  wordless().answers(mailboxes.get, { ...blankReply(mailboxes.get), configured: true, practice: true })
  openPage('/profile')
  await press('Save profile')
  await expect.element(page.getByText('Failed to update profile', { exact: true })).toBeVisible()
  const settings = page.getByRole('region', { name: 'Email Configuration' })
  await press('Save', settings)
  await expect.element(settings.getByText('Failed to save email settings', { exact: true })).toBeVisible()
  await press('Test', settings)
  await expect.element(settings.getByText('Failed to test email settings', { exact: true })).toBeVisible()
  await press('Disconnect', settings)
  const asking = dialog('Disconnect the practice mailbox?')
  await press('Disconnect', asking)
  await faultIn(asking, 'Failed to disconnect')
})

test('a trash that cannot be emptied says so in words of its own', async () => {
  wordless().answers(emails.counts, { ...blankReply(emails.counts), trash: 3 })
  openPage('/emails?folder=trash')
  await press('Empty Trash')
  const asking = dialog('Empty Trash?')
  await press('Empty Trash', asking)
  await faultIn(asking, 'Failed to empty the trash')
})

test('a password that cannot be set anew says which step failed', async () => {
  wordless()
  const main = page.getByRole('main')
  openPage('/reset-password', { visitor: true })
  await page.getByRole('textbox', { name: 'Email' }).fill('anna@north.example')
  await press('Send OTP')
  await faultIn(main, 'Failed to send OTP')
  await press('Send reset link')
  await faultIn(main, 'Failed to send reset link')
})

test('nor by a link: “Failed to reset password”', async () => {
  wordless()
  openPage('/reset-password?token=mine', { visitor: true })
  await page.getByRole('textbox', { name: 'New password' }).fill('vortex-Lampe-93')
  await press('Set New Password')
  await faultIn(page.getByRole('main'), 'Failed to reset password')
})

test('a code for the signed-in user that could not be mailed: “Failed to send OTP. Please try again.”', async () => {
  wordless().answers(passwordReset.requestOtp, { exists: true, otp_sent: false, printed: false })
  openPage('/profile')
  const card = page.getByRole('region', { name: 'Change Password' })
  await press('Send OTP', card)
  await faultIn(card, 'Failed to send OTP. Please try again.')
})

test('a log-in: “Invalid request”', async () => {
  const api = wordless()
  openPage('/login', { visitor: true })
  await page.getByRole('textbox', { name: 'Email' }).fill('anna@north.example')
  await page.getByRole('textbox', { name: 'Password' }).fill('vortex-Lampe-93')
  await press('Login')
  await faultIn(page.getByRole('main'), 'Invalid request')
  expect(api.calls(auth.login)).toHaveLength(1)
})
