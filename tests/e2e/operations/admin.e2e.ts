import type { Page } from '@playwright/test'
import { adminAuth } from '#contract/accounts/admin-auth.ts'
import { WRONG_CODE } from '#contract/accounts/auth.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import {
  ACCESS_CODES,
  bearer,
  type E2eUser,
  expect,
  newAdministrator,
  newUser,
  signedIn,
  signedInAdministrator,
  startHowl,
  test,
} from '../../support/e2e.ts'
import { sql } from '../../support/sql.ts'
import { codeOf, switchTwoStepOn, wrongCodeOf } from '../../support/two-step.ts'
import { toast } from '../../support/toast.ts'

const DASHBOARD = '/wolf-admin-secure-2024'
const DENIED = 'You do not have administrator privileges to access this area.'

/** What a form says is wrong. */
const fault = (page: Page) => page.getByRole('main').getByRole('alert')
const stored = (page: Page) =>
  page.evaluate(() => ['admin_token', 'admin_user', 'is_admin'].map((key) => localStorage.getItem(key)))
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const row = (page: Page, { email }: { email: string }) => page.getByRole('row').filter({ hasText: email })

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Access code').fill(code)
  await page.getByRole('button', { name: 'Verify Access Code' }).click()
}

async function enterCredentials(page: Page, { email, password }: E2eUser): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Login' }).click()
}

test('the log-in asks for an access code, then for the credentials, and leads to the dashboard', async ({
  page,
  howl,
}) => {
  const boss = await newAdministrator(page, howl)
  await page.goto('/admin-login')
  await enterCode(page, 'new moon')
  await expect(fault(page)).toHaveText('Invalid access code. Access denied.')
  await enterCode(page, ACCESS_CODES[1])
  await enterCredentials(page, { ...boss, password: 'not the password' })
  await expect(fault(page)).toContainText('Wrong email or password')
  await enterCredentials(page, boss)
  await expect(page).toHaveURL(DASHBOARD)
  await expect(page.getByRole('heading', { level: 1, name: 'Admin Dashboard' })).toBeVisible()
  const [token, user, isAdmin] = await stored(page)
  expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  expect(JSON.parse(user ?? '')).toMatchObject({ email: boss.email, is_admin: true })
  expect(isAdmin).toBe('true')
  // The user's own session is another one.
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()

  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/admin-login')
  expect(await stored(page)).toEqual([null, null, null])
  // The page does not wait for the server's answer to the log-out.
  const headers = bearer({ token: token ?? '' })
  await expect
    .poll(async () => (await page.request.get(pathOf(adminAuth.me), { headers })).status())
    .toBe(401)
})

test('the simple panel wants a session, which only an administrator’s password and code open', async ({
  page,
  howl,
}) => {
  const boss = await newAdministrator(page, howl, { name: 'Bess Boss' })
  const { secret } = await switchTwoStepOn(howl.url, boss, () => new Date())
  const code = page.getByRole('textbox', { name: 'Code', exact: true })
  await page.goto('/secure-admin-dashboard')
  await expect(page).toHaveURL('/secure-admin-login')
  await enterCredentials(page, await newUser(page))
  await expect(fault(page)).toContainText('Access denied. Admin privileges required.')
  await enterCredentials(page, { ...boss, password: 'not the password' })
  await expect(fault(page)).toContainText('Wrong email or password')
  await expect(code).toHaveCount(0)
  await enterCredentials(page, boss)
  await expect(code).toBeFocused()
  await code.fill(wrongCodeOf(secret, new Date()))
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(code).toHaveAccessibleDescription(WRONG_CODE)
  expect(await stored(page)).toEqual([null, null, null])
  await code.fill(codeOf(secret, new Date()))
  await page.getByRole('button', { name: 'Login' }).click()
  await expect(page).toHaveURL('/secure-admin-dashboard')
  await expect(page.getByText(`Bess Boss · ${boss.email}`)).toBeVisible()
  await expect(page.getByRole('table', { name: 'Recent users' })).toContainText(boss.email)

  await sql(
    howl.databaseUrl,
    `UPDATE sessions SET ended_at = created_at WHERE user_id = $1 AND audience = 'admin'`,
    [boss.id],
  )
  await page.reload()
  await expect(page).toHaveURL('/secure-admin-login')
  expect(await stored(page)).toEqual([null, null, null])
})

test('a made-up token opens nothing, and a demoted administrator is out at once', async ({ page, howl }) => {
  await signedIn(page)
  await page.evaluate(() => {
    localStorage.setItem('admin_token', 'made up')
    localStorage.setItem('is_admin', 'true')
  })
  await page.goto(`${DASHBOARD}/feedback`)
  await expect(page.getByText(DENIED)).toBeVisible()
  expect(await stored(page)).toEqual([null, null, null])

  await newAdministrator(page, howl)
  const boss = await signedInAdministrator(page, howl)
  await page.goto(`${DASHBOARD}?tab=users`)
  await expect(row(page, boss)).toBeVisible()
  await sql(howl.databaseUrl, 'UPDATE users SET is_admin = false WHERE id = $1', [boss.id])
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText(DENIED)).toBeVisible()
})

test('a user is found, deleted with a reason, restored and changed', async ({ page, howl }) => {
  await signedInAdministrator(page, howl)
  const user = await newUser(page, { name: 'Wilhelmina Wanted' })
  await page.goto(`${DASHBOARD}?tab=users`)
  const rows = page.getByRole('table', { name: 'Users' }).getByRole('row')
  await page.getByLabel('Search users').fill(user.email)
  await expect(rows).toHaveCount(2)
  await expect(row(page, user)).toContainText('Active')
  await row(page, user).getByRole('button', { name: 'Delete Wilhelmina Wanted' }).click()
  await dialog(page, 'Delete User').getByLabel('Reason').fill('Sent spam')
  await dialog(page, 'Delete User').getByRole('button', { name: 'Delete' }).click()
  await expect(toast(page, 'User deleted successfully')).toBeVisible()
  await expect(row(page, user)).toHaveCount(0)
  await tab(page, 'Overview').click()
  const deletion = page.getByRole('region', { name: 'Recent deletions' }).getByRole('listitem').first()
  await expect(deletion).toContainText(`${user.email} · Muster Ltd`)
  await expect(deletion).toContainText('By an administrator: Sent spam')

  await page.goto(`${DASHBOARD}?tab=users&status=deleted&search=wilhelmina`)
  await expect(row(page, user)).toContainText('Deleted')
  await row(page, user).getByRole('button', { name: 'Restore Wilhelmina Wanted' }).click()
  await expect(toast(page, 'User restored successfully')).toBeVisible()
  await page.getByLabel('Status').selectOption('Any status')
  await row(page, user).getByRole('button', { name: 'Change Wilhelmina Wanted' }).click()
  const change = dialog(page, 'Change User')
  await change.getByLabel('Tier').selectOption('Professional')
  await change.getByLabel('Credits to give').fill('25')
  await change.getByRole('checkbox', { name: 'Administrator' }).check()
  await change.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'User changed successfully')).toBeVisible()
  await expect(row(page, user)).toContainText('Professional')
  await expect(row(page, user)).toContainText('25 credits')
  await expect(row(page, user)).toContainText('Admin')
})

test('a new operator claims Howl with the link of the first start', async ({ page }) => {
  const house = await startHowl()
  try {
    await expect.poll(() => house.said()).toContain('/claim?token=')
    const link = /http\S+\/claim\?token=\S+/.exec(house.said())?.[0] ?? ''
    await page.goto(link)
    await page.getByLabel('Full name').fill('Olga Operator')
    await page.getByLabel('Email').fill('olga@howl.example')
    await page.getByLabel('Password').fill('password123')
    await page.getByRole('button', { name: 'Become the administrator' }).click()
    await expect(page.getByText('one of the most common ones')).toBeVisible()
    await page.getByLabel('Password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Become the administrator' }).click()
    await expect(page).toHaveURL(`${house.url}${DASHBOARD}`)
    await expect(page.getByText('Signed in as Olga Operator.')).toBeVisible()
    await page.goto(link)
    await page.getByLabel('Full name').fill('Other')
    await page.getByLabel('Email').fill('other@howl.example')
    await page.getByLabel('Password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Become the administrator' }).click()
    await expect(fault(page)).toContainText('This link was used before')
  } finally {
    await house.end()
  }
})
