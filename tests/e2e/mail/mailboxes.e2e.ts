import type { Page } from '@playwright/test'
import { type MailServers, startMailServers } from '../../support/mail-servers.ts'
import { expect, signedIn, test } from '../../support/e2e.ts'
import { toast } from '../../support/toast.ts'

let servers: MailServers

test.beforeAll(async () => {
  servers = await startMailServers({ users: { ada: 'open sesame' } })
})

test.afterAll(() => servers?.stop())

const section = (page: Page) => page.getByRole('region', { name: 'Email Configuration' })
const button = (page: Page, name: string) => section(page).getByRole('button', { name, exact: true })
const field = (page: Page, name: string) => section(page).getByRole('textbox', { name, exact: true })

async function openProfile(page: Page) {
  const user = await signedIn(page)
  await page.goto('/profile')
  await expect(page.getByRole('heading', { level: 1, name: 'Profile & Settings' })).toBeVisible()
  await expect(field(page, 'SMTP Host')).toBeVisible()
  return user
}

async function fillServers(page: Page, password: string) {
  await field(page, 'SMTP Host').fill('127.0.0.1')
  await field(page, 'SMTP Port').fill(String(servers.sink.port))
  await field(page, 'SMTP Username').fill('ada')
  await field(page, 'SMTP Password').fill(password)
  await section(page).getByLabel('Use TLS').uncheck()
  await field(page, 'IMAP Host').fill('127.0.0.1')
  await field(page, 'IMAP Port').fill(String(servers.dovecot.port))
  await field(page, 'IMAP Username').fill('ada')
  await field(page, 'IMAP Password').fill(password)
  await section(page).getByLabel('Use SSL').uncheck()
}

test('practice ends with an account of one’s own, which is tested, saved, read, changed and disconnected', async ({
  page,
}) => {
  const user = await openProfile(page)
  await button(page, 'Use the practice mailbox').click()
  await expect(section(page).getByText('You are practising')).toBeVisible()
  await expect(section(page).getByText(user.email)).toBeVisible()
  await page.goto('/dashboard')
  await expect(page.getByText('You are practising: everything you send stays inside Howl.')).toBeVisible()
  await page.goto('/profile')
  await field(page, 'From Address').fill('ada@muster.example')
  await page.keyboard.press('Tab')
  await expect(section(page).getByText('Howl could not find the servers for this address')).toBeVisible()
  await fillServers(page, 'wrong')
  await button(page, 'Test').click()
  await expect(section(page).getByLabel('SMTP test')).toContainText(
    'did not accept the user name and password',
  )
  await expect(section(page).getByLabel('IMAP test')).toContainText(
    'did not accept the user name and password',
  )

  await fillServers(page, 'open sesame')
  await button(page, 'Test').click()
  await expect(section(page).getByLabel('SMTP test')).toHaveText('Connected and signed in.')
  await expect(section(page).getByLabel('IMAP test')).toContainText('Connected and signed in.')

  await button(page, 'Save').click()
  await expect(toast(page, 'Email settings saved')).toBeVisible()
  await expect(toast(page, 'Practice is over, and everything from it has been deleted.')).toBeVisible()
  await expect(section(page).getByText('You are practising')).toBeHidden()
  await expect(section(page).getByText('Connected', { exact: true })).toBeVisible()
  await expect(section(page).getByText('Howl could not find the servers for this address')).toBeHidden()
  await expect(section(page).getByText('Saved – leave empty to keep it')).toHaveCount(2)
  await expect(field(page, 'SMTP Password')).toHaveValue('')
  await expect(section(page).getByRole('region', { name: 'Folders' }).getByText('INBOX')).toBeVisible()

  await page.reload()
  await expect(field(page, 'SMTP Host')).toHaveValue('127.0.0.1')
  await expect(field(page, 'SMTP Password')).toHaveValue('')
  await button(page, 'Test').click()
  await expect(section(page).getByLabel('SMTP test')).toHaveText('Connected and signed in.')

  await field(page, 'SMTP Host').fill('localhost')
  await button(page, 'Save').click()
  await expect(section(page).getByText('Please enter the password again for the new server')).toBeVisible()
  await field(page, 'SMTP Host').fill('127.0.0.1')
  await section(page).getByText('Advanced').click()
  await field(page, 'Hourly limit').fill('300')
  await button(page, 'Save').click()
  await expect(toast(page, 'Email settings saved')).toBeVisible()

  await button(page, 'Disconnect').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await expect(section(page).getByText('Not set up')).toBeVisible()
  await expect(field(page, 'SMTP Host')).toHaveValue('')
})
