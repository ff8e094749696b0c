import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { WRONG_CODE } from '#contract/accounts/auth.ts'
import { MISSING_CODE, twoStep, WRONG_PASSWORD } from '#contract/accounts/two-step.ts'
import { show } from '../../../../tests/support/component-page.tsx'
import { fakeApi } from '../../../../tests/support/fake-api.ts'
import { TwoStepSignIn } from './TwoStepSignIn.tsx'

const dialog = page.getByRole('dialog')
const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true })
const password = page.getByRole('textbox', { name: 'Password' })
const code = page.getByRole('textbox', { name: 'Code' })

test('a password and a code that are missing or wrong are said at their fields', async () => {
  const api = fakeApi()
    .answers(twoStep.get)
    .refuses(twoStep.begin, 400, WRONG_PASSWORD, { fields: { password: WRONG_PASSWORD } })
  show(<TwoStepSignIn />)
  await page.getByRole('button', { name: 'Set up' }).click()
  await expect.element(password).toHaveFocus()
  await inDialog('Continue').click()
  await expect.element(password).toHaveAccessibleDescription('Please enter your password')
  await password.fill('not this one')
  await userEvent.keyboard('{Enter}')
  await expect.element(password).toHaveAccessibleDescription(WRONG_PASSWORD)
  await expect.element(password).toHaveFocus()

  api
    .answers(twoStep.begin, {
      secret: 'ABCDEFGHIJKLMNOP',
      uri: 'otpauth://totp/Howl:ada?secret=ABCDEFGHIJKLMNOP',
    })
    .refuses(twoStep.confirm, 400, WRONG_CODE, { fields: { code: WRONG_CODE } })
  await password.fill('correct horse battery')
  await userEvent.keyboard('{Enter}')
  await expect.element(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  await expect.element(code).toHaveFocus()
  await inDialog('Switch on').click()
  await expect.element(code).toHaveAccessibleDescription(MISSING_CODE)
  await code.fill('123456')
  await inDialog('Switch on').click()
  await expect.element(code).toHaveAccessibleDescription(WRONG_CODE)
  await expect.element(code).toHaveFocus()
})
