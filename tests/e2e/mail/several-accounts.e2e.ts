import type { Locator, Page } from '@playwright/test'
import { contacts } from '#contract/crm/contacts.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { call } from '../../support/client.ts'
import { type E2eUser, expect, type Howl, signedIn, test } from '../../support/e2e.ts'
import { mailAccountAt } from '../../support/mail-account.ts'
import { dialog, openMail } from '../../support/mail-page.ts'
import { type MailServers, startMailServers } from '../../support/mail-servers.ts'
import { TULIPS, write } from '../../support/mail-writing.ts'
import { setPlan } from '../../support/plans.ts'
import { toast } from '../../support/toast.ts'

// A user with several accounts, at two providers.

const USERS = { sales: 'sales secret', office: 'office secret' }
type Name = keyof typeof USERS

let servers: Record<Name, MailServers>

test.beforeAll(async () => {
  const [sales, office] = await Promise.all([
    startMailServers({ users: USERS }),
    startMailServers({ users: USERS }),
  ])
  servers = { sales, office }
})
test.afterAll(async () => void (await Promise.all(Object.values(servers ?? {}).map((each) => each.stop()))))

const addressOf = (name: Name) => `${name}@muster.example`
const accountOf = (name: Name, host = '127.0.0.1') => {
  const { sink, dovecot } = servers[name]
  return mailAccountAt(
    { host, port: sink.port },
    { login: name, password: USERS[name], imap: { host, port: dovecot.port } },
  )
}

async function connect(howl: Howl, { token }: E2eUser, ...names: Name[]) {
  for (const name of names) {
    const { status } = await call(howl.url, mailboxSetup.addAccount, { token, body: accountOf(name) })
    expect(status).toBe(200)
  }
}

/** A user on a plan with room for three accounts. */
async function customer(page: Page, howl: Howl, ...names: Name[]): Promise<E2eUser> {
  const user = await signedIn(page)
  await setPlan(howl, user, 'starter')
  await connect(howl, user, ...names)
  return user
}

const section = (page: Page) => page.getByRole('region', { name: 'Email Configuration' })
const rows = (page: Page) => section(page).getByRole('list', { name: 'Email accounts' }).getByRole('listitem')
const row = (page: Page, name: Name) => rows(page).filter({ hasText: addressOf(name) })
const saysSent = (name: Name) => servers[name].sink.received.map(({ envelope }) => envelope.from)

async function fill(form: Locator, name: Name, password: string) {
  const field = (label: string) => form.getByRole('textbox', { name: label, exact: true })
  await field('From Address').fill(addressOf(name))
  for (const [kind, port] of [
    ['SMTP', servers[name].sink.port],
    ['IMAP', servers[name].dovecot.port],
  ] as const) {
    await field(`${kind} Host`).fill('127.0.0.1')
    await field(`${kind} Port`).fill(String(port))
    await field(`${kind} Username`).fill(name)
    await field(`${kind} Password`).fill(password)
  }
  await form.getByLabel('Use TLS').uncheck()
  await form.getByLabel('Use SSL').uncheck()
}

test('a second account is added, a mail leaves from it, and it is the default, until it is disconnected', async ({
  page,
  howl,
}) => {
  await customer(page, howl, 'sales')
  await page.goto('/profile')
  await expect(section(page).getByText('1 of 3 email accounts', { exact: true })).toBeVisible()
  await section(page).getByRole('button', { name: 'Add account' }).click()
  const form = page.getByRole('region', { name: 'Add email account' })
  await expect(form.getByLabel('From Address')).toBeFocused()
  await fill(form, 'office', 'wrong')
  await form.getByRole('button', { name: 'Test' }).click()
  await expect(form.getByLabel('SMTP test')).toContainText('did not accept the user name and password')
  await form.getByLabel('From Address').fill('SALES@muster.example')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByText('You have connected this address already')).toBeVisible()
  await fill(form, 'office', USERS.office)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Email account connected')).toBeVisible()
  await expect(section(page).getByText('2 of 3 email accounts', { exact: true })).toBeVisible()

  await openMail(page)
  const letter = await write(page, { ...TULIPS, subject: 'From the office' })
  const from = letter.getByRole('combobox', { name: 'From' })
  await expect(from.locator('option:checked')).toHaveText(addressOf('sales'))
  await from.selectOption(addressOf('office'))
  await letter.getByRole('button', { name: 'Send Email' }).click()
  await expect.poll(() => saysSent('office')).toEqual([addressOf('office')])
  expect(saysSent('sales')).toEqual([])

  await page.goto('/profile')
  await row(page, 'office')
    .getByRole('button', { name: `Make default: ${addressOf('office')}` })
    .click()
  await expect(toast(page, `${addressOf('office')} is the default now`)).toBeVisible()
  await expect(rows(page).first()).toContainText(addressOf('office'))
  await row(page, 'office')
    .getByRole('button', { name: `Disconnect ${addressOf('office')}` })
    .click()
  await dialog(page, `Disconnect ${addressOf('office')}?`)
    .getByRole('button', { name: 'Disconnect' })
    .click()
  await expect(
    page.getByText(`Email account disconnected. ${addressOf('sales')} is the default now.`),
  ).toBeVisible()
  await expect(section(page).getByLabel('From Address')).toHaveValue(addressOf('sales'))
})

test('a run that was shown as practice reaches nobody once practice is over', async ({ page, howl }) => {
  const { token } = await customer(page, howl, 'sales')
  await call(howl.url, contacts.add, { token, body: { name: 'Kim', email: 'kim@people.example' } })
  await call(howl.url, mailboxSetup.practice, { token })
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Generate & Send Emails' }).click()
  const question = dialog(page, 'Send to 1 contact?')
  await expect(question.getByText('Nothing leaves Howl.')).toBeVisible()
  // In another tab.
  await call(howl.url, mailboxSetup.remove, { token })
  const before = saysSent('sales').length
  await question.getByRole('button', { name: 'Send to 1 contact' }).click()
  await expect(page.getByText('This email account is no longer connected.')).toBeVisible()
  expect(saysSent('sales')).toHaveLength(before)
})
