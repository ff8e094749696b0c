import type { Page } from '@playwright/test'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { auth } from '#contract/accounts/auth.ts'
import { newAccounts } from '#contract/accounts/new-accounts.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { leaving } from '#contract/operations/leaving.ts'
import { type E2eUser, expect, type Howl, signedIn, test } from '../../support/e2e.ts'
import { expectSound } from '../../support/sound-page.ts'
import { toast } from '../../support/toast.ts'

const SCRIPT = path.resolve(import.meta.dirname, '../../../scripts/account.ts')
const FEEDBACK = `**${pathOf(leaving.giveFeedback)}`
const ACCOUNT = `**${pathOf(leaving.deleteAccount)}`

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Tell us why you are leaving' })
const button = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true })
const next = (page: Page) => button(page, 'Next').click()
const submit = (page: Page) => button(page, 'Submit').click()
const atStep = (page: Page, step: number) => expect(dialog(page).getByText(`Step ${step} of 4`)).toBeVisible()

async function openPage(page: Page): Promise<E2eUser> {
  const user = await signedIn(page)
  await page.goto('/delete-account')
  await expect(page.getByRole('heading', { level: 1, name: 'Delete Account' })).toBeVisible()
  return user
}

async function openDialog(page: Page): Promise<E2eUser> {
  const user = await openPage(page)
  await page.getByRole('button', { name: 'Delete Account' }).click()
  await atStep(page, 1)
  return user
}

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

/** Bodies of the feedback and the number of deletions that the page sends. */
function sentBy(page: Page): { feedback: unknown[]; deletions: number } {
  const sent = { feedback: [] as unknown[], deletions: 0 }
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname === pathOf(leaving.giveFeedback)) sent.feedback.push(request.postDataJSON())
    if (pathname === pathOf(leaving.deleteAccount)) sent.deletions += 1
  })
  return sent
}

const isSignedIn = async (page: Page, { token }: E2eUser) =>
  (await page.request.get(pathOf(auth.me), { headers: { Authorization: `Bearer ${token}` } })).ok()

async function restore({ databaseUrl, dataDir }: Howl, email: string): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: databaseUrl, DATA_DIR: dataDir }
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT, 'restore', email], { env })
  return stdout
}

test('the profile leads to the page, which warns and goes back', async ({ page }) => {
  await signedIn(page)
  await page.goto('/profile')
  const card = page.getByRole('region', { name: 'Account Management' })
  await card.getByRole('button', { name: 'Delete Account' }).click()
  await expect(page).toHaveURL(/\/delete-account$/)
  await expect(page).toHaveTitle(/Delete Account/)
  await expect(page.getByText('Your data will be permanently removed')).toBeVisible()
  await expect(page.getByText('contacts, tags and imported files')).toBeVisible()
  await page.getByRole('button', { name: 'Go Back' }).click()
  await expect(page).toHaveURL(/\/profile$/)
  // Opened directly, there is no page to go back to.
  await page.goto('/delete-account')
  await page.getByRole('button', { name: 'Go Back' }).click()
  await expect(page).toHaveURL(/\/profile$/)
})

test('visitors have no account to delete', async ({ page }) => {
  await page.goto('/delete-account')
  await expect(page).not.toHaveURL(/delete-account/)
})

test('feedback in four steps deletes the account, signs out and ends at the landing page', async ({
  page,
}) => {
  const user = await openDialog(page)
  const sent = sentBy(page)
  await expect(button(page, 'Previous')).toBeDisabled()
  await expect(dialog(page).getByRole('progressbar')).toHaveAttribute('value', '1')
  for (const name of ['Pricing', 'Features', 'Support', 'Usability', 'Performance', 'Other'])
    await expect(dialog(page).getByRole('radio', { name, exact: true })).toBeVisible()
  await expect(dialog(page).getByLabel('Your reason')).toBeHidden()
  await dialog(page).getByRole('radio', { name: 'Other' }).check()
  await dialog(page).getByLabel('Your reason').fill('We merged')
  await next(page)

  await atStep(page, 2)
  for (const name of ['1 Very Poor', '2 Poor', '3 Average', '4 Good', '5 Excellent'])
    await expect(dialog(page).getByRole('radio', { name, exact: true })).toBeVisible()
  await dialog(page).getByRole('radio', { name: '5 Excellent' }).check()
  await button(page, 'Previous').click()
  await atStep(page, 1)
  await expect(dialog(page).getByLabel('Your reason')).toHaveValue('We merged')
  await next(page)
  await expect(dialog(page).getByRole('radio', { name: '5 Excellent' })).toBeChecked()
  await next(page)

  await atStep(page, 3)
  await dialog(page).getByLabel('Details').fill('One of us has another product')
  await dialog(page).getByLabel('What could be improved?').fill('Nothing')
  await dialog(page).getByLabel('Which product do you use instead?').fill('Paper')
  await next(page)

  await atStep(page, 4)
  const method = dialog(page).getByLabel('Contact method')
  await expect(method).toBeHidden()
  await dialog(page).getByLabel('You may contact me about my feedback').check()
  await expect(method.getByRole('option')).toHaveText(['Email', 'Phone', 'Other'])
  await method.selectOption('Phone')
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
  expect(sent).toEqual({
    feedback: [
      {
        category: 'other',
        custom_category: 'We merged',
        rating: 5,
        details: 'One of us has another product',
        improvements: 'Nothing',
        competitor: 'Paper',
        contact_consent: true,
        contact_method: 'phone',
      },
    ],
    deletions: 1,
  })
})

test('what is missing is said at its own step, and nothing is sent', async ({ page }) => {
  const user = await openDialog(page)
  const sent = sentBy(page)
  const alert = dialog(page).getByText(/^Please (select|specify|provide)/)
  for (let step = 1; step < 4; step++) await next(page)
  await submit(page)
  await atStep(page, 1)
  await expect(alert).toHaveText('Please select a category and provide details')
  await dialog(page).getByRole('radio', { name: 'Other' }).check()
  await expect(alert).toBeHidden()

  for (let step = 1; step < 4; step++) await next(page)
  await submit(page)
  await atStep(page, 1)
  await expect(alert).toHaveText('Please specify the reason for leaving')
  await expect(dialog(page).getByLabel('Your reason')).toBeFocused()
  await dialog(page).getByLabel('Your reason').fill('We merged')

  for (let step = 1; step < 4; step++) await next(page)
  await submit(page)
  await atStep(page, 2)
  await expect(alert).toHaveText('Please provide a rating')
  await dialog(page).getByRole('radio', { name: '1 Very Poor' }).check()

  for (let step = 2; step < 4; step++) await next(page)
  await submit(page)
  await atStep(page, 3)
  await expect(alert).toHaveText('Please select a category and provide details')
  await expect(dialog(page).getByLabel('Details')).toBeFocused()
  await dialog(page).getByLabel('Details').fill('   ')
  await next(page)
  await submit(page)
  await atStep(page, 3)
  expect(sent).toEqual({ feedback: [], deletions: 0 })
  expect(await isSignedIn(page, user)).toBe(true)
})

test('Cancel, Close and Esc leave everything as it is, at every step; answers are still there', async ({
  page,
}) => {
  const user = await openDialog(page)
  const sent = sentBy(page)
  await dialog(page).getByRole('radio', { name: 'Support' }).check()
  const leave = [
    () => button(page, 'Cancel').click(),
    () => button(page, 'Close').click(),
    () => page.keyboard.press('Escape'),
  ]
  for (let step = 1; step <= 4; step++) {
    for (const close of leave) {
      await close()
      await expect(dialog(page)).toBeHidden()
      await page.getByRole('button', { name: 'Delete Account' }).click()
      await expect(dialog(page).getByRole('radio', { name: 'Support' })).toBeChecked()
      for (let from = 1; from < step; from++) await next(page)
      await atStep(page, step)
    }
    if (step < 4) await next(page)
  }
  expect(sent).toEqual({ feedback: [], deletions: 0 })
  expect(await isSignedIn(page, user)).toBe(true)
})

test('a failure of either call is said, nothing typed is lost, and trying again works', async ({ page }) => {
  const user = await openDialog(page)
  await answerAll(page)
  const fails = { status: 500, json: { detail: 'Something went wrong on our side.', code: 'INTERNAL' } }
  await page.route(FEEDBACK, (route) => route.fulfill(fails))
  const sent = sentBy(page)
  await submit(page)
  await expect(dialog(page).getByRole('alert')).toHaveText('Failed to submit feedback. Please try again.')
  expect(sent.deletions).toBe(0)
  await page.unroute(FEEDBACK)

  await page.route(ACCOUNT, (route) => route.abort())
  await submit(page)
  await expect(dialog(page).getByRole('alert')).toHaveText('Failed to delete account. Please try again.')
  expect(await isSignedIn(page, user)).toBe(true)
  await page.unroute(ACCOUNT)

  await submit(page)
  await expect(page).toHaveURL(/\/$/)
  expect(await isSignedIn(page, user)).toBe(false)
})

test('pressed twice, one feedback and one deletion; closed while the feedback is on its way, no deletion', async ({
  page,
}) => {
  const user = await openDialog(page)
  await answerAll(page)
  const sent = sentBy(page)
  const held = Promise.withResolvers<void>()
  await page.route(FEEDBACK, async (route) => {
    await held.promise
    await route.continue()
  })
  await button(page, 'Submit').dblclick()
  await expect(button(page, 'Submit')).toHaveAttribute('aria-busy', 'true')
  await button(page, 'Cancel').click()
  await expect(dialog(page)).toBeHidden()
  const answered = page.waitForResponse(FEEDBACK)
  held.resolve()
  await answered
  expect(await isSignedIn(page, user)).toBe(true)
  expect(sent).toMatchObject({ feedback: [{ category: 'pricing' }], deletions: 0 })
  await page.unroute(FEEDBACK)

  await page.getByRole('button', { name: 'Delete Account' }).click()
  for (let step = 1; step < 4; step++) await next(page)
  await button(page, 'Submit').dblclick()
  await expect(page).toHaveURL(/\/$/)
  expect(sent.feedback).toHaveLength(2)
  expect(sent.deletions).toBe(1)
})

test('the four steps by keyboard alone', async ({ page }) => {
  const user = await openPage(page)
  await page.getByRole('button', { name: 'Delete Account' }).focus()
  await page.keyboard.press('Enter')
  await atStep(page, 1)
  await expect(dialog(page).getByRole('radio', { name: 'Pricing' })).toBeFocused()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await expect(dialog(page).getByRole('radio', { name: 'Features' })).toBeChecked()
  await page.keyboard.press('Enter')
  await atStep(page, 2)
  await page.keyboard.press('Space')
  await expect(dialog(page).getByRole('radio', { name: '1 Very Poor' })).toBeChecked()
  await page.keyboard.press('Enter')
  await atStep(page, 3)
  await page.keyboard.type('Too slow')
  await expect(dialog(page).getByLabel('Details')).toHaveValue('Too slow')
  await button(page, 'Next').focus()
  await page.keyboard.press('Enter')
  await atStep(page, 4)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/$/)
  expect(await isSignedIn(page, user)).toBe(false)
})

test('a restored account has all its pages, and its mail is paused until the user resumes it', async ({
  page,
  howl,
}) => {
  const user = await signedIn(page)
  const headers = { Authorization: `Bearer ${user.token}` }
  await page.request.post('/api/v1/contacts/', {
    headers,
    data: { name: 'Anna', email: 'anna@north.example' },
  })
  await page.goto('/dashboard')
  await expect(page.getByRole('region', { name: 'Mail paused' })).toBeHidden()
  await page.goto('/delete-account')
  await page.getByRole('button', { name: 'Delete Account' }).click()
  await answerAll(page)
  await submit(page)
  await expect(page).toHaveURL(/\/$/)

  await page.goto('/login')
  const logIn = async () => {
    await page.getByLabel('Email').fill(user.email)
    await page.getByLabel('Password', { exact: true }).fill(user.password)
    await page.getByRole('button', { name: 'Login' }).click()
  }
  await logIn()
  await expect(page.getByRole('alert').filter({ hasText: 'Wrong username' })).toBeVisible()
  expect(await restore(howl, user.email)).toContain(`The account ${user.email} is restored.`)
  await logIn()
  // Not back to the page that was left last.
  await expect(page).toHaveURL(/\/dashboard$/)
  const notice = page.getByRole('region', { name: 'Mail paused' })
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

test('the sign-up says what to do about the address of a deleted account', async ({ page }) => {
  const user = await openDialog(page)
  await answerAll(page)
  await submit(page)
  await expect(page).toHaveURL(/\/$/)
  const data = { email: user.email, username: `${user.username}x`, password: user.password, name: 'Ada' }
  const answer = await page.request.post(pathOf(newAccounts.register), { data })
  expect(await answer.json()).toMatchObject({
    detail: expect.stringMatching(
      /^An account with this email was deleted\. .* you can sign up with it again\.$/,
    ),
  })
})

test('page, dialog and notice are accessible and fit', async ({ page, howl }) => {
  const user = await openPage(page)
  await expectSound(page)
  await page.getByRole('button', { name: 'Delete Account' }).click()
  await dialog(page).getByRole('radio', { name: 'Other' }).check()
  for (let step = 1; step < 4; step++) {
    await atStep(page, step)
    await expectSound(page)
    await next(page)
  }
  await dialog(page).getByLabel('You may contact me about my feedback').check()
  await expectSound(page)
  await submit(page)
  await expect(dialog(page).getByText('Please specify the reason for leaving')).toBeVisible()
  await expectSound(page)
  await dialog(page).getByLabel('Your reason').fill('We merged')
  await button(page, 'Cancel').click()
  await page.goto('/profile')
  const card = page.getByRole('region', { name: 'Account Management' })
  await card.scrollIntoViewIfNeeded()
  await expectSound(page)

  const headers = { Authorization: `Bearer ${user.token}` }
  await page.request.delete(pathOf(leaving.deleteAccount), { headers })
  await restore(howl, user.email)
  const data = { email: user.email, password: user.password }
  const { token } = (await (await page.request.post(pathOf(auth.login), { data })).json()) as {
    token: string
  }
  await page.evaluate((value) => localStorage.setItem('token', value), token)
  await page.goto('/meetings')
  await expect(page.getByRole('region', { name: 'Mail paused' })).toBeVisible()
  await expectSound(page)
})
