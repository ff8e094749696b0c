import type { Page } from '@playwright/test'
import { expect } from './e2e.ts'
import type { MailServers } from './mail-servers.ts'

/** Fills in the form of the profile as a user with an account on these servers does, tries it, and saves it. */
export async function connectMailbox(
  page: Page,
  servers: MailServers,
  { address, login, password }: { address: string; login: string; password: string },
): Promise<void> {
  await page
    .getByRole('region', { name: 'Next steps', exact: true })
    .getByRole('link', { name: 'Connect a mailbox' })
    .click()
  const section = page.getByRole('region', { name: 'Email Configuration', exact: true })
  const fill = (name: string, text: string) => section.getByRole('textbox', { name, exact: true }).fill(text)
  await fill('From Address', address)
  await fill('SMTP Host', '127.0.0.1')
  await fill('SMTP Port', String(servers.sink.port))
  await fill('SMTP Username', login)
  await fill('SMTP Password', password)
  await section.getByLabel('Use TLS').uncheck()
  await fill('IMAP Host', '127.0.0.1')
  await fill('IMAP Port', String(servers.dovecot.port))
  await fill('IMAP Username', login)
  await fill('IMAP Password', password)
  await section.getByLabel('Use SSL').uncheck()
  await section.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(section.getByLabel('SMTP test')).toHaveText('Connected and signed in.')
  await expect(section.getByLabel('IMAP test')).toContainText('Connected and signed in.')
  await section.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(section.getByText('Connected', { exact: true })).toBeVisible()
}
