import type { Locator, Page } from '@playwright/test'
import { newAccounts } from '#contract/accounts/new-accounts.ts'
import { auth } from '#contract/accounts/auth.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { emails } from '#contract/mail/emails.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { call } from '../../support/client.ts'
import { ask, expect, newUser, signedIn, test } from '../../support/e2e.ts'
import { toast } from '../../support/toast.ts'

const STEPS = [
  ['Full name', 'Ada Muster'],
  ['Referral code', ''],
  ['Work email', ''],
  ['Username', ''],
  ['Password', 'correct horse battery'],
  ['Confirm password', 'correct horse battery'],
  ['Company name', 'Muster Ltd'],
  ['Job title or role', 'Owner'],
  ['Industry', 'Bakery'],
  ['Phone number', ''],
  ['Number of contacts to manage', '100-500'],
  ['Purpose of using the tool', 'sales'],
] as const

type Person = { email: string; username: string; password?: string }

async function openWizard(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Get Started Free' }).first().click()
  const wizard = page.getByRole('dialog')
  await expect(wizard.getByRole('progressbar')).toBeVisible()
  return wizard
}

/** Answers the steps from `first` to `last`, counted from 1, with Enter. */
async function answer(wizard: Locator, person: Person, first: number, last: number): Promise<void> {
  for (let step = first; step <= last; step++) {
    const [label, usual] = STEPS[step - 1] ?? ['', '']
    await expect(wizard).toContainText(`Step ${step} of 13`)
    const field = wizard.getByRole('textbox', { name: label, exact: true })
    await expect(field).toBeFocused()
    const own: Record<string, string | undefined> = {
      'Work email': person.email,
      Username: person.username,
      Password: person.password,
      'Confirm password': person.password,
    }
    await field.fill(own[label] ?? usual)
    await field.press('Enter')
  }
}

const stranger = (): Person => {
  const username = `new-${Date.now().toString(36)}${Math.floor(Math.random() * 1e6)}`
  return { username, email: `${username}@howl.example` }
}

async function logIn(page: Page, login: string, password: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(login)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
}

const isIn = (page: Page) => expect(page.getByRole('button', { name: 'User menu' })).toBeVisible()

test('a stranger signs up in thirteen steps and logs in', async ({ page }) => {
  const person = stranger()
  await page.goto('/')
  const wizard = await openWizard(page)
  await answer(wizard, person, 1, 12)
  await expect(wizard).toContainText('Step 13 of 13')
  await wizard.getByRole('checkbox').check()
  await wizard.getByRole('button', { name: 'Create Account' }).click()

  await expect(
    toast(page, 'Registration successful! You can now log in with your credentials.'),
  ).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
  await expect(wizard).toBeHidden()
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(person.email)
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery')
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Login successful!')).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.getByRole('button', { name: 'User menu' }).click()
  await expect(page.getByRole('menu')).toContainText(person.email)
})

test('an address that somebody took meanwhile leads back to its step, and from there straight to the end', async ({
  page,
  howl,
}) => {
  const person = stranger()
  const taken = { ...person, username: `${person.username}-other` }
  await page.goto('/')
  const wizard = await openWizard(page)
  await answer(wizard, person, 1, 12)
  const password = 'correct horse battery'
  await call(howl.url, newAccounts.register, { body: { ...taken, password, name: 'Bea Muster' } })
  person.email = `other-${person.email}`
  await wizard.getByRole('checkbox').check()
  await wizard.getByRole('button', { name: 'Create Account' }).click()

  await expect(wizard).toContainText('Step 3 of 13')
  await expect(wizard).toContainText('Email already exists. Please use a different email.')
  const email = wizard.getByRole('textbox', { name: 'Work email' })
  await expect(email).toBeFocused()
  await expect(email).toHaveValue(taken.email)
  await email.fill(person.email)
  await email.press('Enter')
  await expect(wizard).toContainText('Step 13 of 13')
  await wizard.getByRole('button', { name: 'Create Account' }).click()
  await expect(page).toHaveURL(/\/login$/)
})

test('a reload keeps the session, a log-out ends it', async ({ page }) => {
  await signedIn(page)
  await page.goto('/dashboard')
  await isIn(page)
  await page.reload()
  await isIn(page)
  await page.goto('/')
  await expect(page).toHaveURL(/\/dashboard$/)

  await logOut(page)
  await expect(page).toHaveURL(/\/$/)
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/$/)
})

test('a log-out in one tab ends the other, and a log-in after it leads to the dashboard', async ({
  page,
  context,
}) => {
  const user = await signedIn(page)
  await page.goto('/profile')
  const other = await context.newPage()
  await other.goto('/dashboard')
  await isIn(other)
  await logOut(page)
  await expect(other).toHaveURL(/\/$/)
  await expect(other.getByRole('button', { name: 'Get Started Free' }).first()).toBeVisible()

  await page.goto('/login')
  await logIn(page, user.email, user.password)
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('a session ended elsewhere throws this browser out within seconds', async ({ page }) => {
  const user = await signedIn(page)
  await page.goto('/dashboard')
  await isIn(page)
  await ask(page, user, auth.logout)
  await expect(page).toHaveURL(/\/$/)
})

test('a page that needs a session sends to the landing page, and the log-in leads back', async ({ page }) => {
  const user = await newUser(page)
  await page.goto('/contacts?status=new')
  await expect(page).toHaveURL(/\/$/)
  await page.getByRole('link', { name: 'Login' }).first().click()
  await logIn(page, user.email, user.password)
  await expect(page).toHaveURL(/\/contacts\?status=new$/)
})

test('the link at the foot of a mail takes the address off the list, by one click and no earlier', async ({
  page,
}) => {
  const link = await unsubscribeLink(page, await newUser(page))
  await page.goto(link)
  await expect(page.getByRole('main')).toContainText('kim@acme.example')
  await page.reload()
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'will not write to' })).toContainText(
    'kim@acme.example',
  )
  await page.reload()
  await expect(page.getByRole('main')).toContainText('will not write to')
  await expect(page.getByRole('button', { name: 'Unsubscribe' })).toBeHidden()
  await page.goto('/unsubscribe/nonsense')
  await expect(page.getByRole('heading', { name: 'Unsubscribe' })).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: 'This link is not valid' })).toBeVisible()
})

/** Sends one outreach mail through the practice mailbox and gives the path of the link in it. */
async function unsubscribeLink(page: Page, { token }: { token: string }): Promise<string> {
  const base = new URL((await page.request.get('/health')).url()).origin
  await call(base, mailboxSetup.practice, { token })
  await call(base, contacts.add, { token, body: { name: 'Kim Acme', email: 'kim@acme.example' } })
  await call(base, outreach.generateAndSend, { token })
  const { body: sent } = await call(base, emails.list, { token, query: { folder: 'sent' } })
  const { body: mail } = await call(base, emails.get, { token, params: { id: sent[0]?.id ?? 0 } })
  const link = /\/unsubscribe\/[\w.-]+/.exec(mail.content)?.[0]
  if (link === undefined) throw new Error(`There is no link in: ${mail.content}`)
  return link
}
