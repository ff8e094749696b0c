import type { Page } from '@playwright/test'
import { auth } from '#contract/accounts/auth.ts'
import { newAccounts } from '#contract/accounts/new-accounts.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { ask, bearer, type E2eUser, expect, signedIn, test } from '../../support/e2e.ts'
import { runCommand } from '../../support/operator-command.ts'
import { toast } from '../../support/toast.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Tell us why you are leaving' })
const button = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })
const next = (page: Page) => button(page, 'Next').click()
const submit = (page: Page) => button(page, 'Submit').click()
const atStep = (page: Page, step: number) => expect(dialog(page).getByText(`Step ${step} of 4`)).toBeVisible()

/** Answers everything that must be answered; ends at the last step. */
async function answerAll(page: Page): Promise<void> {
  await dialog(page).getByRole('radio', { name: 'Pricing' }).check()
  await next(page)
  await dialog(page).getByRole('radio', { name: '4 Good' }).check()
  await next(page)
  await dialog(page).getByLabel('Details').fill('Too expensive for us')
  await next(page)
  await atStep(page, 4)
}

const isSignedIn = async (page: Page, user: E2eUser) =>
  (await page.request.get(pathOf(auth.me), { headers: bearer(user) })).ok()

test('an account is deleted from the profile, restored with all its pages, and its mail is resumed', async ({
  page,
  howl,
}) => {
  const user = await signedIn(page)
  await ask(page, user, contacts.add, { name: 'Anna', email: 'anna@north.example' })
  const notice = page.getByRole('region', { name: 'Mail paused' })
  // Opened directly, there is no page to go back to.
  await page.goto('/delete-account')
  await page.getByRole('button', { name: 'Go Back' }).click()
  await expect(page).toHaveURL(/\/profile$/)
  const card = page.getByRole('region', { name: 'Account Management' })
  await card.getByRole('button', { name: 'Delete Account' }).click()
  await page.getByRole('button', { name: 'Go Back' }).click()
  await expect(page).toHaveURL(/\/profile$/)
  await card.getByRole('button', { name: 'Delete Account' }).click()
  await page.getByRole('main').getByRole('button', { name: 'Delete Account' }).click()
  await answerAll(page)
  await submit(page)

  await expect(toast(page, 'Thank you for your feedback!')).toBeVisible()
  await expect(toast(page, 'Account deleted successfully. Thank you for your feedback!')).toBeVisible()
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByRole('button', { name: 'Get Started Free' }).first()).toBeVisible()
  expect(await page.evaluate(() => [localStorage.getItem('token'), localStorage.getItem('user')])).toEqual([
    null,
    null,
  ])
  expect(await isSignedIn(page, user)).toBe(false)
  const data = { email: user.email, username: `${user.username}x`, password: user.password, name: 'Ada' }
  const answer = await page.request.post(pathOf(newAccounts.register), { data })
  expect(await answer.json()).toMatchObject({
    detail: expect.stringMatching(
      /^An account with this email was deleted\. .* you can sign up with it again\.$/,
    ),
  })

  await page.goto('/login')
  const logIn = async () => {
    await page.getByLabel('Email').fill(user.email)
    await page.getByLabel('Password', { exact: true }).fill(user.password)
    await page.getByRole('button', { name: 'Login' }).click()
  }
  await logIn()
  await expect(page.getByRole('alert').filter({ hasText: 'Wrong username' })).toBeVisible()
  const { databaseUrl, dataDir } = howl
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir }
  expect(await runCommand('account', ['restore', user.email], settings)).toMatchObject({
    code: 0,
    said: expect.stringContaining(`The account ${user.email} is restored.`),
  })
  await logIn()
  // Not back to the page that was left last.
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(notice).toContainText('Your mail is paused.')
  await page.goto('/contacts')
  await expect(page.getByText('anna@north.example').first()).toBeVisible()
  await expect(notice).toBeVisible()
  await notice.getByRole('button', { name: 'Resume mail' }).click()
  await expect(toast(page, 'Your mail is sent and read again')).toBeVisible()
  await expect(notice).toBeHidden()
  await page.reload()
  await expect(page.getByText('anna@north.example').first()).toBeVisible()
  await expect(notice).toBeHidden()
})
