import type { Page } from '@playwright/test'
import { expect, newUser, signedIn, startHowl, test } from '../../support/e2e.ts'
import { expectSound } from '../../support/sound-page.ts'
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
  await expect(page).toHaveTitle('Reset Password · Howl')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reset Password')
  await press(page, 'Send OTP')
  await expect(alert(page)).toHaveText('Please enter your email address')
  await email(page).fill('nobody')
  await press(page, 'Send OTP')
  await expect(alert(page)).toHaveText('Please enter a valid email address')
  await email(page).fill('nobody@far.example')
  await press(page, 'Send OTP')
  await expect(alert(page)).toHaveText('This email is not registered in our system')

  await email(page).fill(` ${user.email.toUpperCase()} `)
  await email(page).press('Enter')
  await expect(toast(page, 'OTP has been sent to the email ID')).toBeVisible()
  await expect(otp(page)).toBeFocused()
  await otp(page).fill('ab1')
  await press(page, 'Verify OTP')
  await expect(alert(page)).toHaveText('Please enter a valid 6-character OTP (letters and numbers only)')
  await otp(page).fill('ab1234')
  await press(page, 'Verify OTP')
  await expect(alert(page)).toHaveText('Invalid or expired OTP')
  await press(page, 'Back')
  await expect(email(page)).toHaveValue(user.email.toUpperCase())
  await press(page, 'Send OTP')

  const code = await codeIn(howl.systemMail, user.email, 2)
  // Pasted with the blanks that a mail program adds.
  await otp(page).fill(` ${code.slice(0, 3)} ${code.slice(3)} `)
  await press(page, 'Verify OTP')
  await expect(toast(page, 'OTP verified')).toBeVisible()
  await expect(newPassword(page)).toBeFocused()
  await newPassword(page).fill('12345')
  await confirmPassword(page).fill('12345')
  await press(page, 'Reset Password')
  await expect(alert(page)).toHaveText('Password must be at least 6 characters long')
  await newPassword(page).fill(NEW)
  await confirmPassword(page).fill(`${NEW}x`)
  await press(page, 'Reset Password')
  await expect(alert(page)).toHaveText('Passwords do not match')
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

test('the link of a mail leads to one form, and works once', async ({ page, howl }) => {
  const user = await newUser(page)
  await page.goto('/reset-password')
  await email(page).fill(user.email)
  await press(page, 'Send reset link')
  await expect(toast(page, 'Password reset link has been sent to your email')).toBeVisible()
  await expect(page.getByRole('main')).toContainText(`Open the link in the email to ${user.email}.`)
  const { html = '' } = await newestSystemMail(howl.systemMail, user.email)
  const link = /<a href="([^"]+)"/.exec(html)?.[1] ?? ''
  await page.goto(link)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Set New Password')
  await newPassword(page).fill('12345')
  await press(page, 'Set New Password')
  await expect(alert(page)).toHaveText('Password must be at least 6 characters long')
  await newPassword(page).fill(NEW)
  await newPassword(page).press('Enter')
  await expect(page).toHaveURL(/\/login$/)
  await logIn(page, user.email, NEW)
  await expect(page).toHaveURL(/\/dashboard$/)

  await page.goto(link)
  await newPassword(page).fill('another-Lampe-94')
  await press(page, 'Set New Password')
  await expect(alert(page)).toHaveText('This link is not valid any more. Please request a new one.')
  await page.getByRole('link', { name: 'Request a new link' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reset Password')
})

for (const by of ['code', 'link'] as const)
  test(`a ${by} that clears what a stranger has set up says so on the page`, async ({ page, howl }) => {
    const user = await newUser(page)
    await switchTwoStepOn(howl.url, user, () => new Date())
    await page.goto('/reset-password')
    await email(page).fill(user.email)
    await press(page, by === 'code' ? 'Send OTP' : 'Send reset link')
    if (by === 'code') {
      // The mail before it tells that two-step sign-in is on.
      await otp(page).fill(await codeIn(howl.systemMail, user.email, 2))
      await press(page, 'Verify OTP')
      await confirmPassword(page).fill(NEW)
    } else {
      const { html = '' } = await systemMailOn(howl.systemMail, user.email, 'Set a new Howl password')
      await page.goto(/<a href="([^"]+)"/.exec(html)?.[1] ?? '')
    }
    await newPassword(page).fill(NEW)
    await press(page, by === 'code' ? 'Reset Password' : 'Set New Password')
    await expect(page).toHaveURL(/\/login$/)
    const notice = page.getByRole('region', { name: 'Your password is set' })
    await expect(notice.getByRole('listitem')).toHaveText(['Two-step sign-in is off.'])
    await logIn(page, user.email, NEW)
    await expect(page).toHaveURL(/\/dashboard$/)
  })

test('what a new password has cleared is said in a browser that is signed in to another account, too', async ({
  page,
  howl,
}) => {
  const taken = await newUser(page)
  await switchTwoStepOn(howl.url, taken, () => new Date())
  await signedIn(page)
  await page.goto('/reset-password')
  await email(page).fill(taken.email)
  await press(page, 'Send reset link')
  const { html = '' } = await systemMailOn(howl.systemMail, taken.email, 'Set a new Howl password')
  await page.goto(/<a href="([^"]+)"/.exec(html)?.[1] ?? '')
  await newPassword(page).fill(NEW)
  await press(page, 'Set New Password')
  const notice = page.getByRole('region', { name: 'Your password is set' })
  await expect(notice.getByRole('listitem')).toHaveText(['Two-step sign-in is off.'])
  await press(page, 'Log out')
  await expect(notice).toBeVisible()
  await logIn(page, taken.email, NEW)
  await expect(page).toHaveURL(/\/dashboard$/)
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
  const button = (name: string) => card.getByRole('button', { name, exact: true })
  const field = (name: string) => card.getByRole('textbox', { name })
  const fault = card.getByRole('alert')
  await expect(field('Email')).toHaveValue(user.email)
  await field('Email').fill('')
  await button('Send OTP').click()
  await expect(fault).toHaveText('Please enter your email address')
  await field('Email').fill(user.email)
  await button('Send OTP').click()
  await expect(toast(page, 'OTP sent to your email address')).toBeVisible()
  await expect(card).toContainText('The code has 2 digits, 2 uppercase and 2 lowercase letters.')
  await expect(button('Verify OTP')).toBeDisabled()
  await field('OTP').press('Enter')
  await expect(fault).toHaveText('Please enter the OTP')
  await field('OTP').pressSequentially('a-b c1!2345678')
  await expect(field('OTP')).toHaveValue('abc123')
  await button('Verify OTP').click()
  await expect(fault).toHaveText('Invalid or expired OTP')
  await field('OTP').fill(await codeIn(howl.systemMail, user.email))
  await button('Verify OTP').click()
  await expect(toast(page, 'OTP verified successfully')).toBeVisible()
  await button('Reset Password').click()
  await expect(fault).toHaveText('Please enter both passwords')
  await button('Back').click()
  await button('Verify OTP').click()
  await field('New password').fill('Lampe-9')
  await field('Confirm password').fill('Lampe-8')
  await button('Reset Password').click()
  await expect(fault).toHaveText('Passwords do not match')
  await field('Confirm password').fill('Lampe-9')
  await button('Reset Password').click()
  await expect(fault).toHaveText('Password must be at least 8 characters long')
  await field('New password').fill(NEW)
  await field('Confirm password').fill(NEW)
  await button('Reset Password').click()
  await expect(toast(page, 'Password reset successfully!')).toBeVisible()
  await expect(button('Reset Another Password')).toBeVisible()

  // The other device is signed out; this one is not.
  await expect(other).toHaveURL(/\/$/, { timeout: 10_000 })
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Profile & Settings')
  const notice = await newestSystemMail(howl.systemMail, user.email, 2)
  expect(notice.subject).toBe('Your Howl password was changed')
  await other.close()
})

test('without a mail server, the page says where the code is', async ({ browser }) => {
  const howl = await startHowl()
  const page = await browser.newPage({ baseURL: howl.url })
  const user = await newUser(page)
  let said = ''
  howl.child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await page.goto('/reset-password')
  await email(page).fill(user.email)
  await press(page, 'Send OTP')
  await expect(page.getByRole('main')).toContainText(
    'No system mail server is configured; the code was printed where Howl runs.',
  )
  await expect.poll(() => said).toContain('Your code is')
  await otp(page).fill(/Your code is (\w{6})\./.exec(said)?.[1] ?? '')
  await press(page, 'Verify OTP')
  await expect(newPassword(page)).toBeVisible()
  await page.close()
  await howl.end()
})

test('a mail server that refuses is told on the page', async ({ browser }) => {
  const howl = await startHowl({ SYSTEM_SMTP_URL: 'smtp://127.0.0.1:9' })
  const page = await browser.newPage({ baseURL: howl.url })
  const user = await newUser(page)
  await page.goto('/reset-password')
  await email(page).fill(user.email)
  await press(page, 'Send OTP')
  await expect(alert(page)).toHaveText('OTP generated but failed to send email. Please try again later.', {
    timeout: 15_000,
  })
  await press(page, 'Send reset link')
  await expect(alert(page)).toHaveText(
    'Reset link generated but failed to send email. Please try again later.',
    { timeout: 15_000 },
  )
  await page.goto('/login')
  await page.close()
  await howl.end()
})

test('the steps fit and are accessible', async ({ page, howl }) => {
  const user = await newUser(page)
  await page.goto('/reset-password?token=abc')
  await expect(newPassword(page)).toBeVisible()
  await expectSound(page)
  await page.goto('/reset-password')
  await expect(email(page)).toBeVisible()
  await expectSound(page)
  await email(page).fill(user.email)
  await press(page, 'Send OTP')
  await expect(otp(page)).toBeVisible()
  await expectSound(page)
  await otp(page).fill(await codeIn(howl.systemMail, user.email))
  await press(page, 'Verify OTP')
  await expect(newPassword(page)).toBeVisible()
  await expectSound(page)
})
