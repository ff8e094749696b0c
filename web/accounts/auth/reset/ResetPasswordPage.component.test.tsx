import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { EXPIRED_OTP, passwordReset } from '#contract/accounts/password-reset.ts'
import { openPage, toast } from '../../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../../tests/support/fake-api.ts'
import { expectSound } from '../../../../tests/support/sound-part.ts'

const VISITOR = { visitor: true }
const SENT = { exists: true, otp_sent: true, printed: false }
const NEW = 'vortex-Lampe-93'
const WEAK = 'This password is one of the most common ones. Please choose another.'

const main = page.getByRole('main')
const fault = main.getByRole('alert')
const email = page.getByRole('textbox', { name: 'Email' })
const otp = page.getByRole('textbox', { name: 'OTP' })
const newPassword = page.getByRole('textbox', { name: 'New password' })
const confirmation = page.getByRole('textbox', { name: 'Confirm password' })
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const atLogIn = () => expect.element(page.getByRole('button', { name: 'Login', exact: true })).toBeVisible()

/** A server that mails codes and takes the right one. */
const apiOfCodes = (): FakeApi =>
  fakeApi().answers(passwordReset.requestOtp, SENT).answers(passwordReset.verifyOtp, { valid: true })

async function openAtPassword(): Promise<FakeApi> {
  const api = apiOfCodes()
  openPage('/reset-password', VISITOR)
  await email.fill('ada@howl.example')
  await press('Send OTP')
  await otp.fill('ab12CD')
  await press('Verify OTP')
  await expect.element(newPassword).toHaveFocus()
  return api
}

test('the address is asked for, and an unknown one or a mail that did not leave is told', async () => {
  const api = apiOfCodes()
  openPage('/reset-password', VISITOR)
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Reset Password')
  await expect.poll(() => document.title).toBe('Reset Password · Howl')
  await press('Send OTP')
  await expect.element(fault).toHaveTextContent('Please enter your email address')
  await email.fill('nobody')
  await press('Send OTP')
  await expect.element(fault).toHaveTextContent('Please enter a valid email address')
  expect(api.calls(passwordReset.requestOtp)).toEqual([])
  api.answers(passwordReset.requestOtp, { exists: false, otp_sent: false, printed: false })
  await email.fill('nobody@far.example')
  await press('Send OTP')
  await expect.element(fault).toHaveTextContent('This email is not registered in our system')
  api
    .answers(passwordReset.requestOtp, { ...SENT, otp_sent: false })
    .answers(passwordReset.requestLink, { exists: true, link_sent: false, printed: false })
  await press('Send OTP')
  await expect
    .element(fault)
    .toHaveTextContent('OTP generated but failed to send email. Please try again later.')
  await press('Send reset link')
  await expect
    .element(fault)
    .toHaveTextContent('Reset link generated but failed to send email. Please try again later.')
})

test('a code is typed or pasted, and the way back keeps the address', async () => {
  const api = apiOfCodes().refuses(passwordReset.verifyOtp, 400, EXPIRED_OTP)
  openPage('/reset-password', VISITOR)
  await email.fill(' Ada@howl.example ')
  await press('Send OTP')
  await expect.element(toast('OTP has been sent to the email ID')).toBeVisible()
  await expect.element(otp).toHaveFocus()
  await expectSound()
  await otp.fill('ab1')
  await press('Verify OTP')
  await expect
    .element(fault)
    .toHaveTextContent('Please enter a valid 6-character OTP (letters and numbers only)')
  await otp.fill('ab1234')
  await press('Verify OTP')
  await expect.element(fault).toHaveTextContent('Invalid or expired OTP')
  await press('Back')
  await expect.element(email).toHaveValue('Ada@howl.example')
  await press('Send OTP')
  api.answers(passwordReset.verifyOtp, { valid: true })
  // Pasted with the blanks that a mail program adds.
  await otp.fill(' ab1 2CD ')
  await press('Verify OTP')
  await expect.element(toast('OTP verified')).toBeVisible()
  expect(api.calls(passwordReset.verifyOtp).at(-1)?.body).toMatchObject({ otp: 'ab12CD' })
})

test('the new password is typed twice, and one that is weak is refused with words', async () => {
  const api = await openAtPassword()
  await expectSound()
  await newPassword.fill('12345')
  await confirmation.fill('12345')
  await press('Reset Password')
  await expect.element(fault).toHaveTextContent('Password must be at least 6 characters long')
  await newPassword.fill(NEW)
  await confirmation.fill(`${NEW}x`)
  await press('Reset Password')
  await expect.element(fault).toHaveTextContent('Passwords do not match')
  expect(api.calls(passwordReset.resetByOtp)).toEqual([])
  api.refuses(passwordReset.resetByOtp, 400, WEAK)
  await confirmation.fill(NEW)
  await press('Reset Password')
  await expect.element(fault).toHaveTextContent(WEAK)
  api.answers(passwordReset.resetByOtp, { ok: true })
  await press('Reset Password')
  await expect.element(toast('Password updated')).toBeVisible()
  await atLogIn()
  expect(api.calls(passwordReset.resetByOtp).at(-1)?.body).toEqual({
    email: 'ada@howl.example',
    otp: 'ab12CD',
    new_password: NEW,
    confirm_password: NEW,
  })
})

test('a code that clears what a stranger has set up says so at the log-in', async () => {
  const api = await openAtPassword()
  api.answers(passwordReset.resetByOtp, { ok: true, cleared: ['Two-step sign-in is off.'], printed: true })
  await newPassword.fill(NEW)
  await confirmation.fill(NEW)
  await press('Reset Password')
  const notice = page.getByRole('region', { name: 'Your password is set' })
  await expect.element(notice.getByRole('listitem')).toHaveTextContent('Two-step sign-in is off.')
  await expect.element(notice).not.toMatchTextContent('We’ve also emailed you this list.')
  await expectSound()
})

test('without a mail server the page says where code and link are', async () => {
  fakeApi()
    .answers(passwordReset.requestLink, { exists: true, link_sent: true, printed: true })
    .answers(passwordReset.requestOtp, { ...SENT, printed: true })
  openPage('/reset-password', VISITOR)
  await email.fill('ada@howl.example')
  await press('Send reset link')
  await expect
    .element(main)
    .toMatchTextContent('No system mail server is configured; the link was printed where Howl runs.')
  await press('Send OTP')
  await expect
    .element(main)
    .toMatchTextContent('No system mail server is configured; the code was printed where Howl runs.')
})

test('the link of a mail leads to one form, and a dead one to a new link', async () => {
  const dead = 'This link is not valid any more. Please request a new one.'
  const api = fakeApi().refuses(passwordReset.resetByToken, 400, dead)
  openPage('/reset-password?token=abc', VISITOR)
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Set New Password')
  await newPassword.fill('12345')
  await press('Set New Password')
  await expect.element(fault).toHaveTextContent('Password must be at least 6 characters long')
  await newPassword.fill(NEW)
  await press('Set New Password')
  await expect.element(fault).toHaveTextContent(dead)
  await expectSound()
  expect(api.calls(passwordReset.resetByToken).map(({ body }) => body)).toEqual([
    { token: 'abc', new_password: NEW },
  ])
  await page.getByRole('link', { name: 'Request a new link' }).click()
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Reset Password')
})
