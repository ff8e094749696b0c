import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { EXPIRED_OTP, passwordReset } from '#contract/accounts/password-reset.ts'
import { show, toast } from '../../../tests/support/component-page.tsx'
import { fakeApi } from '../../../tests/support/fake-api.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'
import { ChangePassword } from './ChangePassword.tsx'

const NEW = 'vortex-Lampe-93'

const card = page.getByRole('region', { name: 'Change Password' })
const button = (name: string) => card.getByRole('button', { name, exact: true })
const field = (name: string) => card.getByRole('textbox', { name })
const fault = card.getByRole('alert')

test('a code changes the password, step by step, and what is wrong is said', async () => {
  const api = fakeApi()
    .answers(passwordReset.requestOtp, { exists: true, otp_sent: false, printed: false })
    .refuses(passwordReset.verifyOtp, 400, EXPIRED_OTP)
    .answers(passwordReset.resetByOtp, { ok: true })
  show(<ChangePassword />)
  await expect.element(field('Email')).toBeVisible()
  await field('Email').fill('')
  await button('Send OTP').click()
  await expect.element(fault).toHaveTextContent('Please enter your email address')
  await field('Email').fill('ada@howl.example')
  await button('Send OTP').click()
  await expect.element(fault).toHaveTextContent('Failed to send OTP. Please try again.')
  api.answers(passwordReset.requestOtp, { exists: true, otp_sent: true, printed: false })
  await button('Send OTP').click()
  await expect.element(toast('OTP sent to your email address')).toBeVisible()
  await expect.element(card).toMatchTextContent('The code has 2 digits, 2 uppercase and 2 lowercase letters.')
  await expect.element(button('Verify OTP')).toBeDisabled()
  await expect.element(field('OTP')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(fault).toHaveTextContent('Please enter the OTP')
  await userEvent.keyboard('a-b c1!2345678')
  await expect.element(field('OTP')).toHaveValue('abc123')
  await expectSound('section')
  await button('Verify OTP').click()
  await expect.element(fault).toHaveTextContent('Invalid or expired OTP')
  api.answers(passwordReset.verifyOtp, { valid: true })
  await button('Verify OTP').click()
  await expect.element(toast('OTP verified successfully')).toBeVisible()
  await button('Reset Password').click()
  await expect.element(fault).toHaveTextContent('Please enter both passwords')
  await button('Back').click()
  await button('Verify OTP').click()
  await field('New password').fill('Lampe-9')
  await field('Confirm password').fill('Lampe-8')
  await button('Reset Password').click()
  await expect.element(fault).toHaveTextContent('Passwords do not match')
  await field('Confirm password').fill('Lampe-9')
  await button('Reset Password').click()
  await expect.element(fault).toHaveTextContent('Password must be at least 8 characters long')
  await field('New password').fill(NEW)
  await field('Confirm password').fill(NEW)
  await button('Reset Password').click()
  await expect.element(toast('Password reset successfully!')).toBeVisible()
  await expect.element(button('Reset Another Password')).toBeVisible()
})
