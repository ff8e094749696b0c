import type { Locator, Page } from '@playwright/test'
import { type Email, emails } from '#contract/mail/emails.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { ask, type E2eUser, expect, signedIn } from './e2e.ts'
import { mailAccountAt } from './mail-account.ts'
import { type MailServers, testMail } from './mail-servers.ts'

/** Opens an address of the mail page and waits for its title. */
export async function openMail(page: Page, at = '/emails'): Promise<void> {
  await page.goto(at)
  await expect(page.getByRole('heading', { level: 1, name: 'Email Management', exact: true })).toBeVisible()
}

/** A signed-in user on the mail page, with the practice mailbox or with none. */
export async function inMail(page: Page, ready: { mailbox?: boolean; at?: string } = {}): Promise<E2eUser> {
  const user = await signedIn(page)
  if (ready.mailbox !== false) await ask(page, user, mailboxSetup.practice)
  await openMail(page, ready.at)
  return user
}

/** A signed-in user whose mailbox is the account `name` on these servers. */
export async function withMailbox(page: Page, servers: MailServers, name: string, password: string) {
  const user = await signedIn(page)
  const account = mailAccountAt(servers.sink, { login: name, password, imap: servers.dovecot })
  await ask(page, user, mailboxSetup.save, account)
  return user
}

/** Puts mails into a folder of the mail server, the last one the newest; `minutes` apart. */
export async function deliver(
  servers: MailServers,
  name: string,
  mails: readonly { from: string; subject: string; text?: string; headers?: Record<string, string> }[],
  folder = 'INBOX',
): Promise<void> {
  const start = Date.now() - mails.length * 60_000
  for (const [index, { from, subject, text, headers }] of mails.entries()) {
    const at = new Date(start + index * 60_000)
    const raw = testMail(
      {
        From: from,
        To: `${name}@muster.example`,
        Subject: subject,
        Date: at.toUTCString(),
        'Message-ID': `<${crypto.randomUUID()}@elsewhere.example>`,
        ...headers,
      },
      `${text ?? `About ${subject}.`}\r\n`,
    )
    await servers.dovecot.deliver(name, folder, raw, at)
  }
}

export async function sendByCall(page: Page, user: E2eUser, to: string, subject: string): Promise<void> {
  await ask(page, user, emails.send, { to, subject, content: `About ${subject}.` })
}

export const folder = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Folders' }).getByRole('button', { name: new RegExp(`^${name}`) })
export const list = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })
export const rows = (page: Page, name: string): Locator => list(page, name).getByRole('listitem')
export const row = (page: Page, name: string, subject: string): Locator =>
  rows(page, name).filter({ hasText: subject })
export const search = (page: Page): Locator => page.getByLabel('Search emails')
export const dialog = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name })
/** The pane of an open mail. */
export const opened = (page: Page, subject: string): Locator =>
  page.getByRole('region', { name: subject, exact: true })
export const button = (within: Locator, name: string): Locator =>
  within.getByRole('button', { name, exact: true })

/** Shows these mails in place of the server's. */
export async function serveList(page: Page, mails: readonly Email[], total = mails.length): Promise<void> {
  await page.route('**/api/v1/emails/?*', (route) =>
    route.fulfill({ json: mails, headers: { 'X-Total-Count': String(total) } }),
  )
}
