import type { Locator, Page } from '@playwright/test'
import { contacts } from '#contract/crm/contacts.ts'
import { emails } from '#contract/mail/emails.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { call } from '../../support/client.ts'
import { type E2eUser, expect, type Howl, signedIn, test } from '../../support/e2e.ts'
import { expectSound } from '../../support/sound-page.ts'
import { dialog, openMail } from '../../support/mail-page.ts'
import { type MailServers, startMailServers, testMail } from '../../support/mail-servers.ts'
import { compose, composeButton, open, words } from '../../support/mail-writing.ts'
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
const accountOf = (name: Name, host = '127.0.0.1') => ({
  smtp_host: host,
  smtp_port: servers[name].sink.port,
  smtp_username: name,
  smtp_password: USERS[name],
  smtp_from: addressOf(name),
  smtp_use_tls: false,
  imap_host: host,
  imap_port: servers[name].dovecot.port,
  imap_username: name,
  imap_password: USERS[name],
  imap_use_ssl: false,
})

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

test('a second account is added, made the default, changed and disconnected', async ({ page, howl }) => {
  await customer(page, howl, 'sales')
  await page.goto('/profile')
  // With one account its form stands open, as ever.
  await expect(section(page).getByLabel('From Address')).toHaveValue(addressOf('sales'))
  await expect(section(page).getByText('1 of 3 email accounts', { exact: true })).toBeVisible()
  await expect(rows(page)).toHaveCount(0)

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
  await expect(row(page, 'sales').getByText('Default', { exact: true })).toBeVisible()
  await expect(row(page, 'office').getByText('Connected', { exact: true })).toBeVisible()

  await row(page, 'office')
    .getByRole('button', { name: `Make default: ${addressOf('office')}` })
    .click()
  await expect(toast(page, `${addressOf('office')} is the default now`)).toBeVisible()
  await expect(rows(page).first()).toContainText(addressOf('office'))

  await row(page, 'office')
    .getByRole('button', { name: `Edit ${addressOf('office')}` })
    .click()
  await expect(row(page, 'office').getByLabel('SMTP Username')).toHaveValue('office')
  await row(page, 'office').getByText('Advanced').click()
  await row(page, 'office').getByLabel('Hourly limit').fill('40')
  await row(page, 'office').getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Email settings saved')).toBeVisible()
  await expect(row(page, 'office').getByRole('button', { name: /^Edit/ })).toBeFocused()

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

test('a plan without room says so, and what was typed before is still there', async ({ page, howl }) => {
  const user = await signedIn(page)
  await connect(howl, user, 'sales')
  await page.goto('/profile')
  await expect(section(page).getByText('Your plan has room for 1 email account.')).toBeVisible()
  await expect(section(page).getByRole('button', { name: 'Add account' })).toBeHidden()
  await section(page).getByRole('link', { name: 'See plans' }).click()
  await expect(page).toHaveURL(/\/pricing$/)

  await setPlan(howl, user, 'starter')
  await page.goto('/profile')
  await section(page).getByLabel('SMTP Username').fill('half typed')
  await section(page).getByRole('button', { name: 'Add account' }).click()
  await page
    .getByRole('region', { name: 'Add email account' })
    .getByRole('button', { name: 'Cancel' })
    .click()
  await expect(section(page).getByRole('button', { name: 'Add account' })).toBeFocused()
  await expect(section(page).getByLabel('SMTP Username')).toHaveValue('half typed')
})

test('a mail is written from a chosen account, and its draft keeps it', async ({ page, howl }) => {
  await customer(page, howl, 'sales', 'office')
  await openMail(page)
  await composeButton(page).click()
  const from = compose(page).getByRole('combobox', { name: 'From' })
  await expect(compose(page).getByLabel('To', { exact: true })).toBeFocused()
  await expect(from.locator('option:checked')).toHaveText(addressOf('sales'))
  await from.selectOption(addressOf('office'))
  await compose(page).getByLabel('To', { exact: true }).fill('ben@garden.example')
  await compose(page).getByLabel('Subject').fill('From the office')
  await words(compose(page)).fill('Good day')
  await compose(page).getByRole('button', { name: 'Save Draft' }).click()
  await expect(page.getByText('Draft saved successfully')).toBeVisible()

  await page.goto('/emails?folder=drafts')
  await page.getByRole('link', { name: /From the office/ }).click()
  const edit = dialog(page, 'Edit draft')
  await page.getByRole('button', { name: 'Edit draft' }).click()
  await expect(edit.getByRole('combobox', { name: 'From' }).locator('option:checked')).toHaveText(
    addressOf('office'),
  )
  const before = saysSent('office').length
  await edit.getByRole('button', { name: 'Send Email' }).click()
  await expect.poll(() => saysSent('office').length, { timeout: 25_000 }).toBe(before + 1)
  expect(saysSent('office').at(-1)).toBe(addressOf('office'))
})

test('a mail leaves from the account that From shows, also when accounts change while it is written', async ({
  page,
  howl,
}) => {
  const { token } = await customer(page, howl, 'sales', 'office')
  const { body: accounts } = await call(howl.url, mailboxes.accounts, { token })
  const idOf = (name: Name) => accounts.find(({ address }) => address === addressOf(name))?.id ?? 0
  const write = async (subject: string) => {
    await composeButton(page).click()
    await compose(page).getByLabel('To', { exact: true }).fill('ben@garden.example')
    await compose(page).getByLabel('Subject').fill(subject)
    await words(compose(page)).fill('Good day')
  }
  const from = compose(page).getByRole('combobox', { name: 'From' })
  const send = compose(page).getByRole('button', { name: 'Send Email' })
  await openMail(page)
  await write('Another default')
  await expect(compose(page).getByText('Saved in Drafts')).toBeVisible()
  const params = { id: idOf('office') }
  await call(howl.url, mailboxSetup.saveAccount, { token, params, body: { primary: true } })
  await expect(from.locator('option:checked')).toHaveText(addressOf('office'))
  const [sales, office] = [saysSent('sales').length, saysSent('office').length]
  await send.click()
  await expect
    .poll(() => saysSent('office').length + saysSent('sales').length, { timeout: 25_000 })
    .toBe(sales + office + 1)
  expect(saysSent('office')).toHaveLength(office + 1)

  await write('The chosen one goes')
  await from.selectOption(addressOf('sales'))
  await call(howl.url, mailboxSetup.removeAccount, { token, params: { id: idOf('sales') } })
  await expect(compose(page).getByText(addressOf('office'), { exact: true })).toBeVisible()
  await send.click()
  await expect.poll(() => saysSent('office').length, { timeout: 25_000 }).toBe(office + 2)
})

test('a scheduled mail whose account was disconnected leaves from the one that its dialog shows', async ({
  page,
  howl,
}) => {
  const { token } = await customer(page, howl, 'sales', 'office')
  const { body: accounts } = await call(howl.url, mailboxes.accounts, { token })
  const id = accounts.find(({ address }) => address === addressOf('office'))?.id ?? 0
  const { body: mail } = await call(howl.url, emails.send, {
    token,
    body: {
      to: 'ben@garden.example',
      subject: 'For later',
      content: 'Good day',
      mailbox_id: id,
      schedule_at: new Date(Date.now() + 86_400_000).toISOString(),
    },
  })
  await call(howl.url, mailboxSetup.removeAccount, { token, params: { id } })
  await page.goto('/emails?folder=scheduled')
  await page.getByRole('link', { name: /For later/ }).click()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const edit = dialog(page, 'Edit scheduled email')
  await expect(edit.getByText(addressOf('sales'), { exact: true })).toBeVisible()
  await edit.getByRole('button', { name: 'Save changes' }).click()
  await expect(edit).toBeHidden()
  const { body: saved } = await call(howl.url, emails.get, { token, params: { id: mail.id } })
  expect(saved).toMatchObject({ status: 'scheduled', from: addressOf('sales') })
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
  await expect(page.getByText('This email account is no longer connected.')).toBeVisible({ timeout: 25_000 })
  expect(saysSent('sales')).toHaveLength(before)
})

test('a reply begins with the account that received the mail', async ({ page, howl }) => {
  const raw = testMail({ To: addressOf('office'), Subject: 'To the office', 'Message-ID': '<o@far.example>' })
  await servers.office.dovecot.deliver('office', 'INBOX', raw, new Date())
  await customer(page, howl, 'sales', 'office')
  await openMail(page)
  const mail = await open(page, 'To the office')
  await mail.getByRole('button', { name: 'Reply', exact: true }).click()
  const from = dialog(page, 'Reply').getByRole('combobox', { name: 'From' })
  await expect(from.locator('option:checked')).toHaveText(addressOf('office'))
})

test('a run asks which account it is to send from', async ({ page, howl }) => {
  const { token } = await customer(page, howl, 'sales', 'office')
  for (const name of ['kim', 'lee'])
    await call(howl.url, contacts.add, { token, body: { name, email: `${name}@people.example` } })
  const { body } = await call(howl.url, mailboxes.accounts, { token })
  const office = body.find(({ address }) => address === addressOf('office'))?.id ?? 0
  await call(howl.url, mailboxSetup.saveAccount, {
    token,
    params: { id: office },
    body: { hourly_limit: 120 },
  })

  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Generate & Send Emails' }).click()
  const question = dialog(page, 'Send to 2 contacts?')
  const from = question.getByRole('combobox', { name: 'Send from' })
  await expect(from.locator('option:checked')).toHaveText(addressOf('sales'))
  await from.selectOption(addressOf('office'))
  await expect(question.getByText('About 1 minute')).toBeVisible()
  const before = saysSent('office').length
  await question.getByRole('button', { name: 'Send to 2 contacts' }).click()
  await expect.poll(() => saysSent('office').length, { timeout: 25_000 }).toBe(before + 2)
})

test('an account that cannot be read says why, here and on the mail page', async ({ page, howl }) => {
  const { token } = await customer(page, howl, 'sales')
  await call(howl.url, mailboxSetup.addAccount, {
    token,
    body: { ...accountOf('office'), imap_password: 'wrong' },
  })
  await page.goto('/profile')
  await expect(row(page, 'office').getByText('Needs attention')).toBeVisible({ timeout: 40_000 })
  await expect(row(page, 'office')).toContainText('password')
  await expect(row(page, 'sales').getByText('Connected', { exact: true })).toBeVisible()
  await page.goto('/emails')
  await expect(page.getByText(`There is a problem with ${addressOf('office')}.`)).toBeVisible()
})

test('axe finds nothing serious in the list of accounts', async ({ page, howl }) => {
  await customer(page, howl, 'sales', 'office')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/profile')
  await row(page, 'sales').getByRole('button', { name: /^Edit/ }).click()
  await expect(row(page, 'sales').getByLabel('SMTP Host')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await expectSound(page, 'main')
})
