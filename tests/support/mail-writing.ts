import type { Locator, Page } from '@playwright/test'
import PostalMime, { type Email as ParsedMail } from 'postal-mime'
import { expect } from './e2e.ts'
import { dialog, openMail, opened, row, withMailbox } from './mail-page.ts'
import type { MailServers } from './mail-servers.ts'
import type { SinkMail } from './smtp-sink.ts'

export const PASSWORD = 'open sesame'
/** How long an answer may take from the mail server to the screen. */
export const ARRIVES_MS = 20_000
/** A mail waits ten seconds, during which it can be taken back. */
const LEAVES_MS = 25_000

/** A user with a mailbox of their own on the servers, on the mail page, and the mails sent from it so far. */
export async function writer(page: Page, servers: MailServers, name: string, mails: readonly string[] = []) {
  for (const raw of mails) await servers.dovecot.deliver(name, 'INBOX', raw, new Date())
  const user = await withMailbox(page, servers, name, PASSWORD)
  await openMail(page)
  const sent = () =>
    servers.sink.received.filter(({ envelope }) => envelope.from === `${name}@muster.example`)
  return { user, name, sent }
}

/** Opens a mail of the inbox. */
export async function open(page: Page, subject: string): Promise<Locator> {
  await expect(row(page, 'Inbox', subject)).toBeVisible({ timeout: ARRIVES_MS })
  await row(page, 'Inbox', subject).getByRole('link').click()
  return opened(page, subject)
}

/** Waits until so many mails were sent, and reads the last one. */
export async function left(
  sent: () => SinkMail[],
  count: number,
): Promise<ParsedMail & { envelopeTo: string[]; raw: string }> {
  await expect.poll(() => sent().length, { timeout: LEAVES_MS, intervals: [100] }).toBe(count)
  const mail = sent().at(-1)
  if (mail === undefined) throw new Error('Nothing has left')
  const parsed = await PostalMime.parse(mail.raw)
  return { ...parsed, envelopeTo: mail.envelope.to.toSorted(), raw: mail.raw.toString() }
}

export const compose = (page: Page): Locator => dialog(page, 'Compose')
export const composeButton = (page: Page) => page.getByRole('button', { name: 'Compose', exact: true })
export const words = (within: Locator) => within.getByRole('textbox', { name: 'Content' })

export type LetterText = { to: string; subject: string; content: string }
export const TULIPS: LetterText = {
  to: 'ben@garden.example',
  subject: 'Tulips',
  content: 'Three boxes, please.',
}

/** Fills in a new mail; it is not sent. */
export async function write(page: Page, mail: LetterText): Promise<Locator> {
  await composeButton(page).click()
  await compose(page).getByLabel('To', { exact: true }).fill(mail.to)
  await compose(page).getByLabel('Subject').fill(mail.subject)
  await words(compose(page)).fill(mail.content)
  return compose(page)
}
