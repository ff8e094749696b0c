import type { Locator, Page } from '@playwright/test'
import PostalMime from 'postal-mime'
import { type MailServers, startMailServers, testMail } from '../support/mail-servers.ts'
import type { SinkMail } from '../support/smtp-sink.ts'
import { connectMailbox } from '../support/connect-mailbox.ts'
import { expect, test } from '../support/e2e.ts'

const OWNER = 'dora@weberbikes.example'
const PASSWORD = 'open sesame'

/** How long an answer may take from the mail server to the screen. */
const ARRIVES_MS = 20_000

/** What a small business exports: semicolons, capitals, a blank too many, a doubled, a broken and a missing address. */
const SHEET = [
  'First name;Surname;E-Mail;Company;Notes',
  'Anna;Schäfer;anna@schaefer.example;Schäfer Logistik;has a fleet of eleven vans',
  'Björn;Lindqvist; BJORN@Freight.example ;Nordic Freight;',
  'Chloé;Dubois;chloe@atelier.example;"Atelier Dubois; Lyon";',
  'Dmitri;Ivanov;dmitri@ivanov.example;Ivanov & Sons;',
  'Eve;;eve@couriers.example;O\'Neil Couriers;likes "e-cargo" bikes',
  'Eve;O’Neil;EVE@couriers.example;O\'Neil Couriers;likes "e-cargo" bikes',
  'Ines;Koch;ines.koch.example;Koch;',
  'Jan;Novák;;Novák;',
].join('\r\n')
const FIRST_NAMES = { anna: 'Anna', bjorn: 'Björn', chloe: 'Chloé', dmitri: 'Dmitri', eve: 'Eve' }

let servers: MailServers

test.beforeAll(async () => {
  servers = await startMailServers({ users: { dora: PASSWORD } })
})

test.afterAll(() => servers?.stop())

const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name })
const region = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })
const figure = (page: Page, label: string) =>
  region(page, 'Key figures')
    .locator('dl', { has: page.getByText(label, { exact: true }) })
    .locator('dd')
    .first()

test('from the landing page to counted answers, over a real mailbox', async ({ page }) => {
  await page.goto('/')
  await signUp(page)
  await logIn(page)
  await connectMailbox(page, servers, { address: OWNER, login: 'dora', password: PASSWORD })
  await importSheet(page)
  await sendToAll(page)

  const mails = await Promise.all(servers.sink.received.map((mail) => personalMail(mail)))
  expect(mails.map(({ to }) => to.split('@')[0]).toSorted()).toEqual(Object.keys(FIRST_NAMES))
  expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(5)
  expect(new Set(mails.map(({ unsubscribe }) => unsubscribe)).size).toBe(5)
  const mailTo = (name: string) => {
    const mail = mails.find(({ to }) => to.startsWith(name))
    if (mail === undefined) throw new Error(`No mail to ${name}`)
    return mail
  }

  await answer(mailTo('bjorn'), 'Thank you for your mail. I am back on Monday.', {
    'Auto-Submitted': 'auto-replied',
  })
  await answer(mailTo('anna'), 'Yes, we are interested. Please send me your prices.')
  await answer(mailTo('dmitri'), 'How long does a repair take?')
  await answersAreCounted(page)
  await answersAreRead(page)

  // One click in the mail program of the contact, and that address gets nothing more.
  await unsubscribe(mailTo('chloe'))
  await contactsFollow(page)
  expect(servers.sink.count).toBe(5)
})

async function signUp(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Get Started Free' }).first().click()
  const wizard = page.getByRole('dialog')
  const answers = [
    ['Full name', 'Dora Weber'],
    ['Referral code', ''],
    ['Work email', OWNER],
    ['Username', 'dora'],
    ['Password', 'bicycle repairs 2024'],
    ['Confirm password', 'bicycle repairs 2024'],
    ['Company name', 'Weber Bikes'],
    ['Job title or role', 'Owner'],
    ['Industry', 'Bicycles'],
    ['Phone number', ''],
    ['Number of contacts to manage', '100-500'],
    ['Purpose of using the tool', 'sales'],
  ] as const
  for (const [step, [label, text]] of answers.entries()) {
    await expect(wizard).toContainText(`Step ${step + 1} of 13`)
    await wizard.getByRole('textbox', { name: label, exact: true }).fill(text)
    await page.keyboard.press('Enter')
  }
  await wizard.getByRole('checkbox').check()
  await wizard.getByRole('button', { name: 'Create Account' }).click()
  await expect(page).toHaveURL(/\/login$/)
}

async function logIn(page: Page): Promise<void> {
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(OWNER)
  await page.getByRole('textbox', { name: 'Password' }).fill('bicycle repairs 2024')
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
}

async function importSheet(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Contact', exact: true }).click()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Import a file' }).click(),
  ])
  await chooser.setFiles({ name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(SHEET) })
  await dialog(page, 'Import Contacts').getByRole('button', { name: 'Import 5 contacts' }).click()
  const report = dialog(page, 'Import finished')
  await expect(report.getByRole('row', { name: /eve@couriers\.example/ })).toContainText('in line 7 again')
  await expect(report.getByRole('row', { name: /ines\.koch\.example/ })).toContainText('not a valid')
  await report.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('Showing 1 to 5 of 5 contacts')).toBeVisible()
}

async function sendToAll(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await page.getByRole('button', { name: 'Generate & Send Emails' }).click()
  const confirm = dialog(page, 'Send to 5 contacts?')
  await expect(confirm).toContainText(OWNER)
  expect(servers.sink.count).toBe(0)
  await confirm.getByRole('button', { name: 'Send to 5 contacts' }).click()
  await expect(region(page, 'Sent to 5 contacts')).toBeVisible()
  await expect(figure(page, 'Emails Sent')).toHaveText('5')
  await expect(figure(page, 'Response Rate')).toHaveText('0%')
  expect(servers.sink.count).toBe(5)
}

type PersonalMail = { to: string; messageId: string; subject: string; unsubscribe: string }

/** What every mail of a run must be: to one person, in their name, with a way out that works. */
async function personalMail({ envelope, raw }: SinkMail): Promise<PersonalMail> {
  const mail = await PostalMime.parse(raw)
  const [to = ''] = envelope.to
  expect(envelope).toEqual({ from: OWNER, to: [to] })
  expect(mail.to?.map(({ address = '' }) => address.toLowerCase())).toEqual([to.toLowerCase()])
  expect(mail.cc ?? mail.bcc).toBeUndefined()
  expect(mail.from).toEqual({ name: 'Dora Weber', address: OWNER })
  const [firstName = ''] = Object.entries(FIRST_NAMES)
    .filter(([name]) => to.toLowerCase().startsWith(name))
    .map(([, first]) => first)
  expect(mail.text).toContain(`Hello ${firstName},`)
  expect(mail.text).toContain('Weber Bikes')
  expect(`${mail.subject} ${mail.text}`).not.toMatch(/\{\{|undefined|null/)

  const header =
    raw
      .toString('latin1')
      .split('\r\n\r\n')[0]
      ?.replaceAll(/\r\n[ \t]+/g, ' ') ?? ''
  expect(header).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/im)
  // This Howl has no address that others can open: the way out by mail comes first.
  const [, unsubscribe = ''] = /^List-Unsubscribe: <mailto:([^>]+)>, <http:[^>]+>$/im.exec(header) ?? []
  expect(unsubscribe).toContain(`${OWNER}?subject=`)
  return { to: to.toLowerCase(), messageId: mail.messageId ?? '', subject: mail.subject ?? '', unsubscribe }
}

/** The answer of that contact's own mail program, put into the owner's mailbox as a delivery does. */
async function answer(
  { to, messageId, subject }: PersonalMail,
  text: string,
  more: Record<string, string> = {},
): Promise<void> {
  const raw = testMail(
    {
      From: to,
      To: OWNER,
      Subject: `Re: ${subject}`,
      Date: new Date().toUTCString(),
      'Message-ID': `<answer.${messageId.replaceAll(/[<>]/g, '')}>`,
      'In-Reply-To': messageId,
      References: messageId,
      ...more,
    },
    `${text}\r\n`,
  )
  await servers.dovecot.deliver('dora', 'INBOX', raw)
}

/** What the mail program of a contact sends for one click on "Unsubscribe". */
async function unsubscribe({ to, unsubscribe: way }: PersonalMail): Promise<void> {
  const subject = decodeURIComponent(way.split('?subject=')[1] ?? '')
  const raw = testMail({ From: to, To: OWNER, Subject: subject, 'Message-ID': `<out.${to}>` }, '\r\n')
  await servers.dovecot.deliver('dora', 'INBOX', raw)
}

/** Two of five; the absence note is mail, but no answer. Nobody reloads. */
async function answersAreCounted(page: Page): Promise<void> {
  await expect(figure(page, 'Response Rate')).toHaveText('40%', { timeout: ARRIVES_MS })
  await expect(region(page, 'Key figures')).toContainText('2 of 5 replied')
  const recent = page.getByRole('list', { name: 'Recent Contacts' })
  await expect(recent.getByRole('link', { name: /^Anna Schäfer/ })).toContainText('Interested')
  await expect(recent.getByRole('link', { name: /^Dmitri Ivanov/ })).toContainText('Replied')
  await expect(recent.getByRole('link', { name: /^Björn Lindqvist/ })).toContainText('Sent')
}

async function answersAreRead(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Email', exact: true }).click()
  const folders = page.getByRole('navigation', { name: 'Folders' })
  await expect(folders.getByRole('button', { name: /^Inbox/ })).toHaveText(/^Inbox\s*3$/, {
    timeout: ARRIVES_MS,
  })
  const inbox = region(page, 'Inbox').getByRole('listitem')
  await expect(inbox).toHaveCount(3)
  await inbox.filter({ hasText: /anna/i }).getByRole('link').click()
  await expect(page.getByText('Please send me your prices.').last()).toBeVisible()
  await expect(folders.getByRole('button', { name: /^Inbox/ })).toHaveText(/^Inbox\s*2$/)
}

async function contactsFollow(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Contact', exact: true }).click()
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await expect(row('Anna Schäfer')).toContainText('Interested')
  await expect(row('Dmitri Ivanov')).toContainText('Replied')
  await expect(row('Björn Lindqvist')).toContainText('Sent')
  await expect(row('Chloé Dubois')).toContainText('No emails: unsubscribed')

  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await page.getByRole('button', { name: 'Generate & Send Emails' }).click()
  await expect(dialog(page, 'Nobody new to write to')).toContainText('5 of 5 contacts')
}
