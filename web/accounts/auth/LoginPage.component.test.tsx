import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { auth } from '#contract/accounts/auth.ts'
import { openPage } from '../../../tests/support/component-page.tsx'
import { fakeApi } from '../../../tests/support/fake-api.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'

const email = page.getByRole('textbox', { name: 'Email' })
const password = page.getByRole('textbox', { name: 'Password' })
const logIn = page.getByRole('button', { name: 'Login', exact: true })

test('the log-in says that a username will do, and leads to a forgotten password', async () => {
  fakeApi()
  openPage('/login', { visitor: true })
  await expect.element(email).toHaveAccessibleDescription('You can also use your username.')
  await expect
    .element(page.getByRole('link', { name: 'Forgot Password?' }))
    .toHaveAttribute('href', '/reset-password')
})

test('log-in refuses with one sentence and keeps what was typed', async () => {
  const api = fakeApi().refuses(auth.login, 401, 'Wrong username or email or password')
  openPage('/login', { visitor: true })
  await logIn.click()
  await expect.element(page.getByText('Please enter your email address')).toBeVisible()
  await expect.element(page.getByText('Please enter your password')).toBeVisible()
  await expect.element(email).toHaveFocus()
  await expectSound()
  expect(api.calls(auth.login)).toEqual([])

  await email.fill('ada@howl.example')
  await password.fill('not this one')
  await logIn.click()
  await expect
    .element(page.getByRole('alert').filter({ hasText: 'Wrong username or email or password' }))
    .toBeVisible()
  await expect.element(email).toHaveValue('ada@howl.example')

  api.fails(auth.login)
  await logIn.click()
  await expect.element(page.getByText('Network error. Please check your connection.')).toBeVisible()
})

test('a password that was changed meanwhile leads back from the code to the first step', async () => {
  const api = fakeApi().refuses(auth.login, 400, 'Code', { code: 'TOTP_REQUIRED' })
  openPage('/login', { visitor: true })
  await email.fill('ada@howl.example')
  await password.fill('correct horse battery')
  await logIn.click()
  const code = page.getByRole('textbox', { name: 'Code' })
  await expect.element(code).toHaveFocus()
  api.refuses(auth.login, 401, 'Wrong username or email or password', { code: 'UNAUTHENTICATED' })
  await code.fill('123456')
  await logIn.click()
  await expect
    .element(page.getByRole('alert').filter({ hasText: 'Wrong username or email or password' }))
    .toBeVisible()
  await expect.element(email).toHaveValue('ada@howl.example')
})
