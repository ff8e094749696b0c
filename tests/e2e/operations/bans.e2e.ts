import type { Page } from '@playwright/test'
import {
  type E2eUser,
  expect,
  type Howl,
  newAdministrator,
  signedIn,
  signedInAdministrator,
  test,
} from '../../support/e2e.ts'
import { systemMailOn } from '../../support/system-mail.ts'
import { toast } from '../../support/toast.ts'

const PANEL = '/wolf-admin-secure-2024?tab=management'

const row = (page: Page, { email }: E2eUser) => page.getByRole('row').filter({ hasText: email })
const notice = (page: Page) => page.getByRole('heading', { name: 'This account is banned' })

async function logIn(page: Page, { email, password }: E2eUser): Promise<void> {
  await page.goto('/login')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

async function appeal(page: Page, message: string): Promise<void> {
  await page.getByLabel('Your appeal').fill(message)
  await page.getByRole('button', { name: 'Send appeal' }).click()
  await expect(page.getByText('Your appeal was sent. An administrator answers it by email.')).toBeVisible()
}

/** An administrator in the page, who stays one whatever happens to others. */
async function boss(page: Page, howl: Howl): Promise<void> {
  await newAdministrator(page, howl)
  await signedInAdministrator(page, howl)
}

test('whoever is banned is out at once, reads why and until when, and appeals until the ban is lifted', async ({
  page,
  howl,
  browser,
}) => {
  const user = await signedIn(page, { name: 'Tim Test' })
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const other = await browser.newPage({ baseURL: howl.url })
  await boss(other, howl)
  await other.goto(`${PANEL}&section=actions`)
  await other.getByLabel('Email, name or ID').fill(user.email)
  await other.getByRole('button', { name: `Choose ${user.email} to ban` }).click()
  const banning = other.getByRole('form', { name: 'Ban User', exact: true })
  await expect(banning.getByLabel('User ID')).toHaveAccessibleDescription(/Tim Test/)
  await banning.getByLabel('Description').fill('Mailed a bought list')
  await banning.getByLabel('Duration in days').fill('7')
  await banning.getByRole('button', { name: 'Ban User' }).click()
  await expect(toast(other, 'User banned successfully')).toBeVisible()
  // The open page notices by itself.
  await expect(page).toHaveURL(`${howl.url}/`)

  await logIn(page, { ...user, password: 'not the password' })
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Wrong username or email or password')
  await expect(notice(page)).toHaveCount(0)
  await logIn(page, user)
  await expect(notice(page)).toBeVisible()
  const said = page.getByRole('main')
  await expect(said).toContainText('Spam')
  await expect(said).toContainText('Mailed a bought list')
  await expect(said).toContainText(/Until\w+, \w+ \d+, \d{4} at \d\d:\d\d/)
  await appeal(page, 'They all asked me to write')
  await logIn(page, user)
  await expect(page.getByText(/^You appealed on /)).toBeVisible()

  const answering = other.getByRole('dialog', { name: 'Answer Appeal' })
  const answer = other.getByRole('button', { name: `Answer the appeal of ${user.email}` })
  await other.goto(`${PANEL}&section=bans&status=appealed`)
  await expect(row(other, user)).toContainText('They all asked me to write')
  await answer.click()
  await answering.getByLabel('Answer').fill('Three of them complained')
  await answering.getByRole('button', { name: 'Keep ban' }).click()
  await expect(toast(other, 'Answer sent, the ban stays')).toBeVisible()
  await expect(row(other, user)).toHaveCount(0)
  const mail = await systemMailOn(howl.systemMail, user.email, 'Your appeal: the ban stays')
  expect(mail.text).toContain('Three of them complained')

  await logIn(page, user)
  await appeal(page, 'I have their letters')
  await other.getByRole('button', { name: 'Refresh' }).click()
  await answer.click()
  await answering.getByLabel('Answer').fill('You are right')
  await answering.getByRole('button', { name: 'Lift ban' }).click()
  await expect(toast(other, 'Answer sent, the ban is lifted')).toBeVisible()
  await logIn(page, user)
  await expect(page).toHaveURL('/dashboard')
  await other.close()
})
