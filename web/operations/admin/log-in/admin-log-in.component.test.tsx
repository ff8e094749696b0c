import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { adminAuth, INVALID_CODE, NOT_AN_ADMINISTRATOR, OLD_PROOF } from '#contract/accounts/admin-auth.ts'
import { user, WRONG_CODE } from '#contract/accounts/auth.ts'
import { MISSING_CODE } from '#contract/accounts/two-step.ts'
import { admin } from '#contract/operations/admin.ts'
import { blank } from '../../../../tests/support/blank-reply.ts'
import { openPage, toast } from '../../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../../tests/support/fake-api.ts'
import { expectSound } from '../../../../tests/support/sound-part.ts'

const VISITOR = { visitor: true }
const DASHBOARD = '/wolf-admin-secure-2024'
const BOSS = blank(user, { name: 'Bess Boss', email: 'bess@howl.example', is_admin: true })
const SIGNED_IN = { token: 'given.by.server', user: BOSS }

const fault = page.getByRole('main').getByRole('alert')
const accessCode = page.getByLabelText('Access code')
const email = page.getByRole('textbox', { name: 'Email' })
const password = page.getByLabelText('Password', { exact: true })
const totp = page.getByRole('textbox', { name: 'Code' })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const stored = () => ['admin_token', 'admin_user', 'is_admin'].map((key) => localStorage.getItem(key))

async function enterCode(): Promise<void> {
  await accessCode.fill('grey wolf')
  await button('Verify Access Code').click()
}

async function enterCredentials(): Promise<void> {
  await email.fill('bess@howl.example')
  await password.fill('correct horse battery')
  await button('Login').click()
}

const apiWithCode = (): FakeApi =>
  fakeApi().answers(adminAuth.accessCode, { proof: 'a proof' }).answers(admin.stats)

test('a wrong access code is emptied and typed again', async () => {
  fakeApi().refuses(adminAuth.accessCode, 400, INVALID_CODE)
  openPage('/admin-login', VISITOR)
  await expect.element(page.getByRole('heading', { level: 1, name: 'Admin Login' })).toBeVisible()
  await enterCode()
  await expect.element(fault).toHaveTextContent('Invalid access code. Access denied.')
  await expect.element(accessCode).toHaveValue('')
  await expect.element(accessCode).toHaveFocus()
})

test('an access code that could not be asked about stays', async () => {
  fakeApi().fails(adminAuth.accessCode)
  openPage('/admin-login', VISITOR)
  await enterCode()
  await expect.element(fault).toHaveTextContent('Login failed. Please try again.')
  await expect.element(accessCode).toHaveValue('grey wolf')
})

test('the credentials have fields of their kind, and the code leads to them and back', async () => {
  const api = apiWithCode()
  openPage('/admin-login', VISITOR)
  await enterCode()
  await expect.element(toast('Access granted. Please enter your admin credentials.')).toBeVisible()
  await button('Login').click()
  await expect.element(fault).toMatchTextContent('both email and password')
  await expect.element(email).toHaveAttribute('type', 'email')
  await expect.element(password).toHaveAttribute('type', 'password')
  await button('Show characters').click()
  await expect.element(password).toHaveAttribute('type', 'text')
  await expectSound()
  await button('Back to access code').click()
  await enterCode()
  await expect.element(email).toBeVisible()
  expect(api.calls(adminAuth.login)).toEqual([])
})

test.each([
  ['/admin-login', 'Login failed. Please try again.'],
  ['/secure-admin-login', 'Network error. Please try again.'],
])('%s says what went wrong, whoever is to blame', async (address, unreachable) => {
  const api = apiWithCode().fails(adminAuth.login)
  openPage(address, VISITOR)
  if (address === '/admin-login') await enterCode()
  await enterCredentials()
  await expect.element(fault).toHaveTextContent(unreachable)
  api.responds(adminAuth.login, () => new Response('', { status: 500 }))
  await button('Login').click()
  await expect.element(fault).toHaveTextContent('Login failed')
  api.refuses(adminAuth.login, 403, NOT_AN_ADMINISTRATOR)
  await button('Login').click()
  await expect.element(fault).toHaveTextContent('Access denied. Admin privileges required.')
  expect(stored()).toEqual([null, null, null])
})

test('an access code of long ago is asked for once more', async () => {
  apiWithCode().refuses(adminAuth.login, 400, OLD_PROOF, { fields: { proof: OLD_PROOF } })
  openPage('/admin-login', VISITOR)
  await enterCode()
  await enterCredentials()
  await expect.element(fault).toHaveTextContent(OLD_PROOF)
  await expect.element(accessCode).toBeVisible()
})

test('two-step sign-in asks for a code, says what is wrong with one, and keeps no session before', async () => {
  const wanted = { code: 'TOTP_REQUIRED' } as const
  const api = apiWithCode().refuses(adminAuth.login, 400, MISSING_CODE, wanted)
  openPage('/admin-login', VISITOR)
  await enterCode()
  await enterCredentials()
  await expect.element(totp).toHaveFocus()
  await button('Login').click()
  await expect.element(totp).toHaveAccessibleDescription(MISSING_CODE)
  api.refuses(adminAuth.login, 400, WRONG_CODE, { fields: { totp: WRONG_CODE } })
  await totp.fill('000000')
  await button('Login').click()
  await expect.element(totp).toHaveAccessibleDescription(WRONG_CODE)
  expect(stored()).toEqual([null, null, null])
  await button('Back').click()
  await expect.element(email).toHaveValue('bess@howl.example')
  api.refuses(adminAuth.login, 400, MISSING_CODE, wanted)
  await button('Login').click()
  await expect.element(totp).toHaveFocus()
  api.answers(adminAuth.login, SIGNED_IN)
  await totp.fill('123456')
  await button('Login').click()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Admin Dashboard' })).toBeVisible()
  await expect.poll(() => location.pathname).toBe(DASHBOARD)
  expect(api.calls(adminAuth.login).at(-1)?.body).toMatchObject({ proof: 'a proof', totp: '123456' })
})

test('the session of an administrator is cleared from the log-in, and leads on when asked to', async () => {
  const api = apiWithCode().answers(adminAuth.logout)
  openPage('/admin-login?redirect=true', { administrator: true })
  await expect.element(page.getByRole('heading', { level: 1, name: 'Admin Dashboard' })).toBeVisible()
  await button('Logout').click()
  await expect.element(accessCode).toBeVisible()
  expect(stored()).toEqual([null, null, null])
  await expect.poll(() => api.calls(adminAuth.logout)).toHaveLength(1)
})

test('“Clear Admin Session” ends it too', async () => {
  const api = apiWithCode().answers(adminAuth.logout)
  openPage('/admin-login', { administrator: true })
  await enterCode()
  await button('Clear Admin Session').click()
  await expect.element(toast('Admin session cleared')).toBeVisible()
  expect(stored()).toEqual([null, null, null])
  await expect.poll(() => api.calls(adminAuth.logout)).toHaveLength(1)
})

test('the link of the first start is claimed with whole answers only', async () => {
  const used = 'This link was used before.'
  const api = fakeApi().refuses(adminAuth.claim, 400, used)
  openPage('/claim?token=x', VISITOR)
  const claim = button('Become the administrator')
  await claim.click()
  await expect.element(page.getByText('Please enter your full name')).toBeVisible()
  await page.getByLabelText('Full name').fill('Olga Operator')
  await email.fill('olga@howl.example')
  await password.fill('short')
  await claim.click()
  await expect.element(password).toHaveAttribute('aria-invalid', 'true')
  await expectSound()
  expect(api.calls(adminAuth.claim)).toEqual([])
  await password.fill('correct horse battery')
  await claim.click()
  await expect.element(fault).toHaveTextContent(used)
  await expect.element(email).toHaveValue('olga@howl.example')
})

test('a link of the first start that is not whole says so', async () => {
  fakeApi()
  openPage('/claim', VISITOR)
  await expect.element(fault).toMatchTextContent('This link is not whole')
  await expect.element(button('Become the administrator')).toBeDisabled()
})
