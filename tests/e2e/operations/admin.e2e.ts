import type { Page } from '@playwright/test'
import { Client } from 'pg'
import { admin } from '#contract/operations/admin.ts'
import { adminAuth } from '#contract/accounts/admin-auth.ts'
import { WRONG_CODE } from '#contract/accounts/auth.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { MISSING_CODE } from '#contract/accounts/two-step.ts'
import {
  ACCESS_CODES,
  type E2eUser,
  expect,
  type Howl,
  newAdministrator,
  newUser,
  signedIn,
  signedInAdministrator,
  startHowl,
  test,
} from '../../support/e2e.ts'
import { expectSound } from '../../support/sound-page.ts'
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

async function sql({ databaseUrl }: Howl, text: string, values: unknown[] = []): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(text, values)
  } finally {
    await client.end()
  }
}

test.describe('the log-in with an access code', () => {
  test('asks for the code, then for the credentials, and leads to the dashboard', async ({ page, howl }) => {
    const boss = await newAdministrator(page, howl)
    await page.goto('/admin-login')
    await expect(page.getByRole('heading', { level: 1, name: 'Admin Login' })).toBeVisible()
    await enterCode(page, 'new moon')
    await expect(fault(page)).toHaveText('Invalid access code. Access denied.')
    await expect(page.getByLabel('Access code')).toHaveValue('')
    await expect(page.getByLabel('Access code')).toBeFocused()

    await enterCode(page, ACCESS_CODES[1])
    await expect(toast(page, 'Access granted. Please enter your admin credentials.')).toBeVisible()
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(fault(page)).toContainText('both email and password')
    await expect(page.getByLabel('Email')).toHaveAttribute('type', 'email')
    await expect(page.getByLabel('Password')).toHaveAttribute('type', 'password')
    await page.getByRole('button', { name: 'Show characters' }).click()
    await expect(page.getByLabel('Password')).toHaveAttribute('type', 'text')

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

    await page.goto('/admin-login?redirect=true')
    await expect(page).toHaveURL(DASHBOARD)
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL('/admin-login')
    expect(await stored(page)).toEqual([null, null, null])
    // The page does not wait for the server's answer to the log-out.
    const headers = { Authorization: `Bearer ${token}` }
    await expect
      .poll(async () => (await page.request.get(pathOf(adminAuth.me), { headers })).status())
      .toBe(401)
  })

  test('leads back to the code, clears the session, and refuses who is no administrator', async ({
    page,
    howl,
  }) => {
    await signedInAdministrator(page, howl)
    const user = await newUser(page)
    await page.goto('/admin-login')
    await enterCode(page, ACCESS_CODES[0])
    await page.getByRole('button', { name: 'Back to access code' }).click()
    await enterCode(page, ACCESS_CODES[0])
    await page.getByRole('button', { name: 'Clear Admin Session' }).click()
    await expect(toast(page, 'Admin session cleared')).toBeVisible()
    expect(await stored(page)).toEqual([null, null, null])
    await enterCredentials(page, user)
    await expect(fault(page)).toContainText('Access denied. Admin privileges required.')
    await page.route(`**${pathOf(adminAuth.login)}`, (route) => route.abort())
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(fault(page)).toContainText('Login failed. Please try again.')
    await page.unroute(`**${pathOf(adminAuth.login)}`)
    await page.route(`**${pathOf(adminAuth.login)}`, (route) => route.fulfill({ status: 500, body: '' }))
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(fault(page)).toHaveText('Login failed')
  })
})

test.describe('the log-in without one', () => {
  test('leads to the dashboard, and says what is wrong', async ({ page, howl }) => {
    const boss = await newAdministrator(page, howl)
    const user = await newUser(page)
    await page.goto('/secure-admin-login')
    await enterCredentials(page, user)
    await expect(fault(page)).toContainText('Access denied. Admin privileges required.')
    await page.route(`**${pathOf(adminAuth.login)}`, (route) => route.abort())
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(fault(page)).toContainText('Network error. Please try again.')
    await page.unroute(`**${pathOf(adminAuth.login)}`)
    await enterCredentials(page, boss)
    await expect(page).toHaveURL(DASHBOARD)
  })
})

test.describe('two-step sign-in', () => {
  const codeField = (page: Page) => page.getByRole('textbox', { name: 'Code', exact: true })

  for (const path of ['/admin-login', '/secure-admin-login'])
    test(`is asked for at ${path}, and only the right code opens`, async ({ page, howl }) => {
      const boss = await newAdministrator(page, howl)
      const { secret } = await switchTwoStepOn(howl.url, boss, () => new Date())
      await page.goto(path)
      if (path === '/admin-login') await enterCode(page, ACCESS_CODES[0])
      await enterCredentials(page, { ...boss, password: 'not the password' })
      await expect(fault(page)).toContainText('Wrong email or password')
      await expect(codeField(page)).toHaveCount(0)
      await enterCredentials(page, boss)
      await expect(codeField(page)).toBeFocused()
      expect(await stored(page)).toEqual([null, null, null])

      await page.getByRole('button', { name: 'Login' }).click()
      await expect(codeField(page)).toHaveAccessibleDescription(MISSING_CODE)
      await codeField(page).fill(wrongCodeOf(secret, new Date()))
      await page.getByRole('button', { name: 'Login' }).click()
      await expect(codeField(page)).toHaveAccessibleDescription(WRONG_CODE)
      expect(await stored(page)).toEqual([null, null, null])
      await page.getByRole('button', { name: 'Back', exact: true }).click()
      await expect(page.getByLabel('Email')).toHaveValue(boss.email)
      await page.getByRole('button', { name: 'Login' }).click()
      await codeField(page).fill(codeOf(secret, new Date()))
      await page.getByRole('button', { name: 'Login' }).click()
      await expect(page).toHaveURL(DASHBOARD)
      await expect(page.getByRole('heading', { level: 1, name: 'Admin Dashboard' })).toBeVisible()
    })
})

test.describe('the guard', () => {
  test('shows nothing before the server has said who it is, and turns others away', async ({ page }) => {
    await signedIn(page)
    let answer = () => {}
    const asked = new Promise<void>((resolve) => (answer = resolve))
    await page.route(`**${pathOf(adminAuth.me)}`, async (route) => {
      await asked
      await route.continue()
    })
    await page.evaluate(() => {
      localStorage.setItem('admin_token', 'made up')
      localStorage.setItem('is_admin', 'true')
    })
    await page.goto(DASHBOARD)
    await expect(page.getByText('Verifying admin access...')).toBeVisible()
    await expect(page.getByRole('tab')).toHaveCount(0)
    answer()
    await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
    await expect(page.getByText(DENIED)).toBeVisible()
    await expect(page.getByText('This attempt has been logged.')).toBeVisible()
    expect(await stored(page)).toEqual([null, null, null])
    // The user's own session goes on.
    expect(await page.evaluate(() => localStorage.getItem('token'))).not.toBeNull()
    await page.getByRole('link', { name: 'Go to Admin Login' }).click()
    await expect(page).toHaveURL('/admin-login')
    await page.goto(`${DASHBOARD}/feedback`)
    await expect(page.getByText(DENIED)).toBeVisible()
  })

  test('turns an administrator away who is demoted meanwhile', async ({ page, howl }) => {
    await newAdministrator(page, howl)
    const boss = await signedInAdministrator(page, howl)
    await page.goto(`${DASHBOARD}?tab=users`)
    await expect(row(page, boss)).toBeVisible()
    await sql(howl, 'UPDATE users SET is_admin = false WHERE id = $1', [boss.id])
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(page.getByText(DENIED)).toBeVisible()
  })
})

test.describe('the simple panel', () => {
  test('wants a token, shows figures, and leads back to the log-in', async ({ page, howl }) => {
    const boss = await newAdministrator(page, howl, { name: 'Bess Boss' })
    await page.goto('/secure-admin-dashboard')
    await expect(page).toHaveURL('/secure-admin-login')
    await enterCredentials(page, boss)
    await expect(page).toHaveURL('/secure-admin-dashboard')
    await expect(page.getByText(`Bess Boss · ${boss.email}`)).toBeVisible()
    await expect(page.getByText('Admin Users')).toBeVisible()
    await expect(page.getByRole('table', { name: 'Recent users' })).toContainText(boss.email)

    await page.route(`**${pathOf(admin.stats)}`, (route) => route.fulfill({ status: 500, body: '' }))
    await page.reload()
    await expect(page.getByText('Failed to fetch admin data')).toBeVisible()
    await page.unroute(`**${pathOf(admin.stats)}`)
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(page.getByRole('table', { name: 'Recent users' })).toBeVisible()

    await sql(howl, `UPDATE sessions SET ended_at = created_at WHERE user_id = $1 AND audience = 'admin'`, [
      boss.id,
    ])
    await page.reload()
    await expect(page).toHaveURL('/secure-admin-login')
    expect(await stored(page)).toEqual([null, null, null])
  })
})

test.describe('the overview', () => {
  test('shows the figures, and says when they do not come', async ({ page, howl }) => {
    const boss = await signedInAdministrator(page, howl)
    const gone = await newUser(page, { name: 'Gerda Gone' })
    // Today is a day of the browser's zone, as on the page.
    const headers = { Authorization: `Bearer ${boss.adminToken}`, 'X-User-Timezone': 'Europe/Berlin' }
    await page.request.post(pathOf(admin.deleteUser, { id: gone.id }), {
      headers,
      data: { reason: 'Sent spam' },
    })
    const { user_stats: figures } = (await (
      await page.request.get(pathOf(admin.stats), { headers })
    ).json()) as { user_stats: Record<string, number> }
    await page.goto(DASHBOARD)
    for (const [label, figure] of [
      ['Total Users', 'total_users'],
      ['Active Users', 'active_users'],
      ['New Signups Today', 'new_signups_today'],
      ['Deleted Users', 'deleted_users'],
    ] as const) {
      const card = page.locator('dl').filter({ has: page.getByText(label, { exact: true }) })
      await expect(card.getByRole('definition').first()).toHaveText(String(figures[figure]))
    }
    await expect(page.getByRole('region', { name: 'Tier distribution' })).toContainText('Free')
    await expect(page.getByRole('region', { name: 'Recent signups' })).toContainText(boss.email)
    await expect(page.getByRole('region', { name: 'Recent deletions' })).toContainText(
      'By an administrator: Sent spam',
    )
    await page.route(`**${pathOf(admin.stats)}`, (route) => route.fulfill({ status: 500, body: '' }))
    await page.reload()
    await expect(toast(page, 'Failed to load admin statistics')).toBeVisible()
    await page.unroute(`**${pathOf(admin.stats)}`)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByRole('region', { name: 'Tier distribution' })).toContainText('Free')
  })

  test('has five tabs, chosen by keys too, and the address knows which is open', async ({ page, howl }) => {
    await signedInAdministrator(page, howl)
    await page.goto(DASHBOARD)
    await expect(page.getByRole('tab')).toHaveText([
      'Overview',
      'Users',
      'Analytics',
      'Feedback',
      'User Management',
    ])
    await tab(page, 'Overview').focus()
    await page.keyboard.press('ArrowRight')
    await expect(tab(page, 'Users')).toHaveAttribute('aria-selected', 'true')
    await expect(page).toHaveURL(`${DASHBOARD}?tab=users`)
    await page.reload()
    await expect(tab(page, 'Users')).toHaveAttribute('aria-selected', 'true')
  })
})

test.describe('the list of users', () => {
  test('has pages, and deleted ones when asked for', async ({ page, howl }) => {
    await sql(
      howl,
      `INSERT INTO users (email, email_key, username, username_key, password_hash, name, created_at)
       SELECT e, e, e, e, '', 'Old ' || n, '2020-01-01' FROM (SELECT n, 'old' || n || '@howl.example' AS e FROM generate_series(1, 45) n) s
       ON CONFLICT DO NOTHING`,
    )
    await signedInAdministrator(page, howl)
    await page.goto(`${DASHBOARD}?tab=users`)
    const rows = page.getByRole('table', { name: 'Users' }).getByRole('row')
    await expect(rows).toHaveCount(21)
    const pages = page.getByText(/^Page \d+ of \d+$/)
    await expect(pages).toHaveText(/^Page 1 of \d+$/)
    await expect(page.getByRole('button', { name: 'Previous' })).toBeDisabled()
    await page.getByRole('button', { name: 'Next' }).click()
    await expect(pages).toHaveText(/^Page 2 of /)
    await page.getByRole('checkbox', { name: 'Include deleted users' }).check()
    await expect(pages).toHaveText(/^Page 1 of /)
    await page.route(`**${pathOf(admin.users)}*`, (route) => route.fulfill({ status: 500, body: '' }))
    await page.reload()
    await expect(toast(page, 'Failed to load users')).toBeVisible()
  })

  test('finds users by name, address and status', async ({ page, howl }) => {
    const boss = await signedInAdministrator(page, howl, { name: 'Bess Boss' })
    const user = await newUser(page, { name: 'Wilhelmina Wanted' })
    const other = await newUser(page, { name: 'Wilhelm Away' })
    await page.request.post(pathOf(admin.deleteUser, { id: other.id }), {
      headers: { Authorization: `Bearer ${boss.adminToken}` },
      data: { reason: 'Sent spam' },
    })
    await page.goto(`${DASHBOARD}?tab=users`)
    const rows = page.getByRole('table', { name: 'Users' }).getByRole('row')
    await page.getByLabel('Search users').fill('wilhelm')
    await expect(rows).toHaveCount(2)
    await expect(row(page, user)).toContainText('Wilhelmina Wanted')
    await page.getByLabel('Status').selectOption('Deleted')
    await expect(row(page, other)).toContainText('Deleted')
    await expect(row(page, user)).toHaveCount(0)
    await page.reload()
    await expect(page.getByLabel('Search users')).toHaveValue('wilhelm')
    await expect(row(page, other)).toContainText('Deleted')
    await page.getByLabel('Status').selectOption('Any status')
    await page.getByLabel('Search users').fill(user.email)
    await expect(rows).toHaveCount(2)
    await page.getByLabel('Search users').fill('nobody of this name')
    await expect(page.getByText('No users found')).toBeVisible()
  })

  test('deletes with a reason, and restores', async ({ page, howl }) => {
    const boss = await signedInAdministrator(page, howl, { name: 'Bess Boss' })
    const user = await newUser(page, { name: 'Tim Test' })
    await page.goto(`${DASHBOARD}?tab=users`)
    await expect(row(page, boss).getByRole('button', { name: 'Delete Bess Boss' })).toHaveCount(0)
    await expect(row(page, user)).toContainText('Active')
    await row(page, user).getByRole('button', { name: 'Delete Tim Test' }).click()
    await dialog(page, 'Delete User').getByLabel('Reason').fill('Sent spam')
    await page.route('**/delete', (route) => route.fulfill({ status: 500, body: '' }))
    await dialog(page, 'Delete User').getByRole('button', { name: 'Delete' }).click()
    await expect(toast(page, 'Failed to delete user')).toBeVisible()
    await expect(dialog(page, 'Delete User').getByLabel('Reason')).toHaveValue('Sent spam')
    await page.unroute('**/delete')
    await dialog(page, 'Delete User').getByRole('button', { name: 'Delete' }).click()
    await expect(toast(page, 'User deleted successfully')).toBeVisible()
    await expect(row(page, user)).toHaveCount(0)

    await page.getByRole('checkbox', { name: 'Include deleted users' }).check()
    await expect(row(page, user)).toContainText('Deleted')
    await page.route('**/restore', (route) => route.fulfill({ status: 500, body: '' }))
    await row(page, user).getByRole('button', { name: 'Restore Tim Test' }).click()
    await expect(toast(page, 'Failed to restore user')).toBeVisible()
    await page.unroute('**/restore')
    await row(page, user).getByRole('button', { name: 'Restore Tim Test' }).click()
    await expect(toast(page, 'User restored successfully')).toBeVisible()
    await expect(row(page, user)).toContainText('Active')

    // The reason is asked for, and may stay empty.
    await row(page, user).getByRole('button', { name: 'Delete Tim Test' }).click()
    await dialog(page, 'Delete User').getByRole('button', { name: 'Delete' }).click()
    await expect(row(page, user)).toContainText('Deleted')
  })

  test('sets plan, credits and rights, and keeps what is refused', async ({ page, howl }) => {
    await signedInAdministrator(page, howl)
    const user = await newUser(page, { name: 'Tim Test' })
    await page.goto(`${DASHBOARD}?tab=users`)
    const change = async () => {
      await row(page, user).getByRole('button', { name: 'Change Tim Test' }).click()
      return dialog(page, 'Change User')
    }
    const first = await change()
    await first.getByLabel('Tier').selectOption('Professional')
    await first.getByLabel('Credits to give').fill('a lot')
    await first.getByRole('button', { name: 'Save' }).click()
    await expect(first).toContainText('Please enter a whole number')
    await first.getByLabel('Credits to give').fill('25')
    await first.getByRole('checkbox', { name: 'Administrator' }).check()
    await first.getByRole('button', { name: 'Save' }).click()
    await expect(toast(page, 'User changed successfully')).toBeVisible()
    await expect(row(page, user)).toContainText('Professional')
    await expect(row(page, user)).toContainText('25 credits')
    await expect(row(page, user)).toContainText('Admin')
    const second = await change()
    await second.getByLabel('Credits to give').fill('-26')
    await second.getByRole('button', { name: 'Save' }).click()
    await expect(second.getByRole('alert')).toHaveText('This user has not so many credits.')
    await expect(second.getByLabel('Credits to give')).toHaveValue('-26')
  })
})

test('a new operator claims Howl with the link of the first start', async ({ page }) => {
  const house = await startHowl()
  try {
    await page.goto(`${house.url}/claim`)
    await expect(fault(page)).toContainText('This link is not whole')
    await expect.poll(() => house.said()).toContain('/claim?token=')
    const link = /http\S+\/claim\?token=\S+/.exec(house.said())?.[0] ?? ''
    await page.goto(link)
    await page.getByRole('button', { name: 'Become the administrator' }).click()
    await expect(page.getByText('Please enter your full name')).toBeVisible()
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

    // The only administrator reads why the account stays.
    await page.goto(`${house.url}/login`)
    await page.getByLabel('Email').fill('olga@howl.example')
    await page.getByLabel('Password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page).toHaveURL(`${house.url}/dashboard`)
    await page.goto(`${house.url}/delete-account`)
    await page.getByRole('button', { name: 'Delete Account' }).click()
    const leaving = dialog(page, 'Tell us why you are leaving')
    await leaving.getByRole('radio', { name: 'Pricing' }).check()
    await leaving.getByRole('button', { name: 'Next' }).click()
    await leaving.getByRole('radio', { name: '4 Good' }).check()
    await leaving.getByRole('button', { name: 'Next' }).click()
    await leaving.getByLabel('Details').fill('Too dear')
    await leaving.getByRole('button', { name: 'Next' }).click()
    await leaving.getByRole('button', { name: 'Submit' }).click()
    await expect(leaving.getByRole('alert')).toContainText('You are the only administrator of this Howl.')
  } finally {
    await house.end()
  }
})

test('fits and can be used by everybody', async ({ page, howl }) => {
  test.setTimeout(120_000)
  const check = async () => {
    await expect(page.locator('h1')).toBeVisible()
    await expectSound(page)
  }
  await page.goto(DASHBOARD)
  await expect(page.getByText(DENIED)).toBeVisible()
  await check()
  await page.goto('/admin-login')
  await check()
  await enterCode(page, ACCESS_CODES[0])
  await expect(page.getByLabel('Email')).toBeVisible()
  await check()
  await page.goto('/secure-admin-login')
  await check()
  await page.goto('/claim?token=x')
  await check()
  const long = await newUser(page, { name: `Ada ${'Wolfeschlegelsteinhausen'.repeat(2)}` })
  const boss = await signedInAdministrator(page, howl, { name: 'Bess Boss' })
  await page.request.post(pathOf(admin.deleteUser, { id: long.id }), {
    headers: { Authorization: `Bearer ${boss.adminToken}` },
    data: { reason: 'Sent the same words to many strangers' },
  })
  await page.goto(DASHBOARD)
  await expect(page.getByRole('region', { name: 'Recent signups' })).toContainText(boss.email)
  await check()
  await page.goto(`${DASHBOARD}?tab=users&deleted=1`)
  await expect(row(page, long)).toBeVisible()
  await check()
  await row(page, boss).getByRole('button', { name: 'Change Bess Boss' }).click()
  await expect(dialog(page, 'Change User').getByLabel('Tier')).toBeVisible()
  await check()
  await page.keyboard.press('Escape')
  await page.goto('/secure-admin-dashboard')
  await expect(page.getByRole('table', { name: 'Recent users' })).toBeVisible()
  await check()
})
