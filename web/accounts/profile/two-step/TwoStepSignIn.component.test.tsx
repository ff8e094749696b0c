import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { WRONG_CODE } from '#contract/accounts/auth.ts'
import { devices } from '#contract/accounts/devices.ts'
import { MISSING_CODE, twoStep, WRONG_PASSWORD } from '#contract/accounts/two-step.ts'
import { blankReply } from '../../../../tests/support/blank-reply.ts'
import { show } from '../../../../tests/support/component-page.tsx'
import { fakeApi } from '../../../../tests/support/fake-api.ts'
import { expectSound } from '../../../../tests/support/sound-part.ts'
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

test('its steps are sound, from the set-up to the recovery codes', async () => {
  const codes = Array.from({ length: 10 }, (_, at) => `abcd-efgh-${at}`)
  const api = fakeApi()
    .answers(twoStep.get)
    .answers(twoStep.begin, {
      secret: 'ABCDEFGHIJKLMNOP',
      uri: 'otpauth://totp/Howl:ada?secret=ABCDEFGHIJKLMNOP',
    })
    .answers(devices.sessions)
    .answers(twoStep.confirm, { ...blankReply(twoStep.confirm), recovery_codes: codes })
  show(<TwoStepSignIn />)
  await page.getByRole('button', { name: 'Set up' }).click()
  await expect.element(password).toHaveFocus()
  await expectSound('[role=dialog]')
  await password.fill('correct horse battery')
  await userEvent.keyboard('{Enter}')
  await expect.element(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  await expectSound('[role=dialog]')
  api.answers(twoStep.get, {
    on: true,
    on_since: '2026-11-20T10:00:00.000Z',
    recovery_codes_left: 10,
  })
  await code.fill('123456')
  await inDialog('Switch on').click()
  await expect
    .poll(() => page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').length)
    .toBe(10)
  await expectSound('[role=dialog]')
  await inDialog('I have kept them').click()
  await expect.element(dialog).not.toBeInTheDocument()
  for (const act of ['Switch off', 'New recovery codes']) {
    await page.getByRole('button', { name: act }).click()
    await expect.element(code).toBeVisible()
    await expectSound('[role=dialog]')
    await inDialog('Cancel').click()
    await expect.element(dialog).not.toBeInTheDocument()
  }
})
