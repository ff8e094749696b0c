import type { Page } from '@playwright/test'
import { expect, newUser, signedIn, test } from '../../support/e2e.ts'
import type { SmtpSink } from '../../support/smtp-sink.ts'
import { newestSystemMail, systemMailOn } from '../../support/system-mail.ts'
import { toast } from '../../support/toast.ts'
import { switchTwoStepOn } from '../../support/two-step.ts'

const NEW = 'vortex-Lampe-93'

const email = (page: Page) => page.getByRole('textbox', { name: 'Email' })
const otp = (page: Page) => page.getByRole('textbox', { name: 'OTP' })
const newPassword = (page: Page) => page.getByRole('textbox', { name: 'New password' })
const confirmPassword = (page: Page) => page.getByRole('textbox', { name: 'Confirm password' })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const alert = (page: Page) => page.getByRole('main').getByRole('alert')

async function codeIn(sink: SmtpSink, address: string, count = 1): Promise<string> {
  const { text } = await newestSystemMail(sink, address, count)
  return /Your code is (\w{6})\./.exec(text)?.[1] ?? ''
}

async function logIn(page: Page, address: string, password: string): Promise<void> {
  await email(page).fill(address)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await press(page, 'Login')
}

test('a forgotten password is replaced with a mailed code, in three steps', async ({ page, howl }) => {
  const user = await newUser(page)
  await page.goto('/reset-password')
  await email(page).fill('nobody@far.example')
  await press(page, 'Send OTP')
  await expect(alert(page)).toHaveText('This email is not registered in our system')
  await email(page).fill(` ${user.email.toUpperCase()} `)
  await email(page).press('Enter')
  await expect(toast(page, 'OTP has been sent to the email ID')).toBeVisible()
  await otp(page).fill('ab1234')
  await press(page, 'Verify OTP')
  await expect(alert(page)).toHaveText('Invalid or expired OTP')
  const code = await codeIn(howl.systemMail, user.email)
  // Pasted with the blanks that a mail program adds.
  await otp(page).fill(` ${code.slice(0, 3)} ${code.slice(3)} `)
  await press(page, 'Verify OTP')
  await newPassword(page).fill('password')
  await confirmPassword(page).fill('password')
  await press(page, 'Reset Password')
  await expect(alert(page)).toContainText('most common')
  await newPassword(page).fill(NEW)
  await confirmPassword(page).fill(NEW)
  await press(page, 'Reset Password')
  await expect(page).toHaveURL(/\/login$/)
  await expect(toast(page, 'Password updated')).toBeVisible()

  await logIn(page, user.email, user.password)
  await expect(page.getByRole('alert').first()).toHaveText('Wrong username or email or password')
  await logIn(page, user.email, NEW)
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('the link of a mail works once, and tells what it has cleared, in a browser that is signed in to another account, too', async ({
  page,
  howl,
}) => {
  const taken = await newUser(page)
  await switchTwoStepOn(howl.url, taken, () => new Date())
  await signedIn(page)
  await page.goto('/reset-password')
  // The form is shown anew once the session is known.
  await expect(page.getByRole('button', { name: 'User menu' })).toBeVisible()
  await email(page).fill(taken.email)
  await press(page, 'Send reset link')
  await expect(toast(page, 'Password reset link has been sent to your email')).toBeVisible()
  await expect(page.getByRole('main')).toContainText(`Open the link in the email to ${taken.email}.`)
  // The mail before it tells that two-step sign-in is on.
  const { html = '' } = await systemMailOn(howl.systemMail, taken.email, 'Set a new Howl password')
  const link = /<a href="([^"]+)"/.exec(html)?.[1] ?? ''
  await page.goto(link)
  await expect(page.getByRole('button', { name: 'User menu' })).toBeVisible()
  await newPassword(page).fill(NEW)
  await newPassword(page).press('Enter')
  await expect(page).toHaveURL(/\/login$/)
  const notice = page.getByRole('region', { name: 'Your password is set' })
  await expect(notice.getByRole('listitem')).toHaveText(['Two-step sign-in is off.'])
  await press(page, 'Log out')
  await expect(notice).toBeVisible()
  await logIn(page, taken.email, NEW)
  await expect(page).toHaveURL(/\/dashboard$/)

  await page.goto(link)
  await expect(page.getByRole('button', { name: 'User menu' })).toBeVisible()
  await newPassword(page).fill('another-Lampe-94')
  await press(page, 'Set New Password')
  await expect(alert(page)).toHaveText('This link is not valid any more. Please request a new one.')
})

test('in the settings, a code changes the password and this device stays signed in', async ({
  page,
  howl,
}) => {
  const user = await signedIn(page)
  const other = await page.context().browser()?.newPage({ baseURL: howl.url })
  if (other === undefined) throw new Error('There is no second browser')
  await other.goto('/login')
  await logIn(other, user.email, user.password)
  await expect(other).toHaveURL(/\/dashboard$/)

  await page.goto('/profile')
  const card = page.getByRole('region', { name: 'Change Password' })
  const field = (name: string) => card.getByRole('textbox', { name })
  const button = (name: string) => card.getByRole('button', { name, exact: true })
  await expect(field('Email')).toHaveValue(user.email)
  await button('Send OTP').click()
  await field('OTP').fill(await codeIn(howl.systemMail, user.email))
  await button('Verify OTP').click()
  await field('New password').fill(NEW)
  await field('Confirm password').fill(NEW)
  await button('Reset Password').click()
  await expect(toast(page, 'Password reset successfully!')).toBeVisible()

  // The other device is signed out; this one is not.
  await expect(other).toHaveURL(/\/$/, { timeout: 10_000 })
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Profile & Settings')
  const notice = await newestSystemMail(howl.systemMail, user.email, 2)
  expect(notice.subject).toBe('Your Howl password was changed')
  await other.close()
})
