import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { mailboxOauth } from '#contract/mail/mailbox-oauth.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import {
  type AccountSettings,
  accountSettings,
  type EmailSettings,
  type MailAccount,
  mailboxes,
} from '#contract/mail/mailboxes.ts'
import { automaticMail } from '#contract/outreach/automatic-mail.ts'
import { blank, blankReply } from '../../../tests/support/blank-reply.ts'
import { show, toast } from '../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../tests/support/fake-api.ts'
import { ACCOUNT, dialog } from '../../../tests/support/fake-mailbox.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'
import { EmailConfiguration } from './EmailConfiguration.tsx'

const section = page.getByRole('region', { name: 'Email Configuration' })
const button = (name: string | RegExp) => section.getByRole('button', { name, exact: true })
/** The page's own reckoning of names has the star of a required field in them. */
const field = (name: string) => section.getByRole('textbox', { name: new RegExp(`^${name}`) })
const accountRows = section.getByRole('list', { name: 'Email accounts' }).getByRole('listitem')
const accountRow = (address: string) => accountRows.filter({ hasText: address })

const SALES: MailAccount = { ...ACCOUNT, address: 'sales@muster.example' }
const OFFICE: MailAccount = {
  ...ACCOUNT,
  id: 2,
  address: 'office@muster.example',
  primary: false,
  default: false,
}
const SERVERS: Partial<EmailSettings & AccountSettings> = {
  smtp_host: 'mail.muster.example',
  smtp_port: 465,
  smtp_username: 'sales',
  smtp_password_set: true,
  imap_host: 'mail.muster.example',
  imap_port: 993,
  imap_username: 'sales',
  imap_password_set: true,
}
const NOTHING = blankReply(mailboxes.get)
const CONNECTED: EmailSettings = {
  ...NOTHING,
  ...SERVERS,
  configured: true,
  smtp_from: SALES.address,
  accounts_max: 3,
}
const details = (account: MailAccount): AccountSettings =>
  blank(accountSettings, { ...SERVERS, id: account.id, smtp_from: account.address, default: account.default })

/** A user with these accounts, the first one the default. */
const withAccounts = (accounts: MailAccount[], settings: Partial<EmailSettings> = {}): FakeApi =>
  fakeApi()
    .answers(mailboxes.get, { ...(accounts.length > 0 ? CONNECTED : NOTHING), ...settings })
    .answers(mailboxes.accounts, accounts)
    .answers(mailboxes.getAccount, ({ params }) => details(params['id'] === '2' ? OFFICE : SALES))
    .answers(mailboxOauth.providers, [])
    .answers(mailboxSetup.discover)
    .answers(automaticMail.accounts, [])

test('an address brings its servers and what must be known of the provider', async () => {
  withAccounts([]).answers(mailboxSetup.discover, {
    ...blankReply(mailboxSetup.discover),
    source: 'table',
    provider: 'Gmail',
    hint: 'Gmail wants an app password.',
    smtp_host: 'smtp.gmail.com',
    smtp_port: 465,
    imap_host: 'imap.gmail.com',
    imap_port: 993,
    username: 'ada@gmail.com',
  })
  show(<EmailConfiguration />)
  await field('IMAP Username').fill('my own name')
  await field('From Address').fill('ada@gmail.com')
  await userEvent.tab()
  await expect.element(section.getByText(/Filled in the servers for Gmail.*app password/)).toBeVisible()
  await expect.element(field('SMTP Host')).toHaveValue('smtp.gmail.com')
  await expect.element(field('SMTP Port')).toHaveValue('465')
  await expect.element(field('IMAP Host')).toHaveValue('imap.gmail.com')
  await expect.element(field('IMAP Username')).toHaveValue('my own name')
})

test('what is missing is said beside each field, and nothing typed is lost', async () => {
  withAccounts([]).refuses(mailboxSetup.save, 422, 'Invalid', {
    fields: {
      smtp_from: 'Please enter the address that you send from',
      smtp_host: 'Please enter the SMTP host',
      smtp_password: 'Please enter the SMTP password',
    },
  })
  show(<EmailConfiguration />)
  await field('SMTP Username').fill('ada')
  await button('Save').click()
  await expect.element(section.getByText('Please enter the SMTP host')).toBeVisible()
  await expect.element(section.getByText('Please enter the SMTP password')).toBeVisible()
  await expect.element(field('From Address')).toHaveFocus()
  await expect.element(field('SMTP Username')).toHaveValue('ada')
  await expectSound('section')
})

test('a new host asks for the password again; saved passwords are never shown', async () => {
  withAccounts([SALES]).refuses(mailboxSetup.save, 422, 'Invalid', {
    fields: { smtp_password: 'Please enter the password again for the new server' },
  })
  show(<EmailConfiguration />)
  await expect.element(field('SMTP Password')).toHaveValue('')
  expect(section.getByText('Saved – leave empty to keep it').elements()).toHaveLength(2)
  await field('SMTP Host').fill('localhost')
  await button('Save').click()
  await expect.element(section.getByText('Please enter the password again for the new server')).toBeVisible()
})

test('a provider that does not answer is told in a sentence, and the form stays', async () => {
  withAccounts([])
    .answers(mailboxOauth.providers, [{ id: 'muster', name: 'Muster' }])
    .refuses(mailboxOauth.start, 503, 'Muster does not answer as it should at the moment.')
  show(<EmailConfiguration />)
  await field('From Address').fill('ada@muster.example')
  await button('Connect with Muster').click()
  await expect.element(toast('Muster does not answer as it should at the moment.')).toBeVisible()
  await expect.element(field('From Address')).toHaveValue('ada@muster.example')
})

const OAUTH = { provider: 'muster', name: 'Muster', withdrawn: false }

test('an account that signs in at its provider needs no password, but can use one instead', async () => {
  const api = withAccounts([{ ...SALES, oauth: OAUTH }], { oauth: OAUTH, smtp_username: 'sales' })
  api.answers(mailboxSetup.save, () => {
    api.answers(mailboxes.get, CONNECTED).answers(mailboxes.accounts, [SALES])
    return CONNECTED
  })
  show(<EmailConfiguration />)
  await expect.element(section.getByText('Connected with Muster')).toBeVisible()
  await expect.element(section.getByText('Howl signs in as sales, without a password.')).toBeVisible()
  await expect.element(field('SMTP Password')).not.toBeInTheDocument()
  await expectSound('section')
  await button('Use a password instead').click()
  await expect.element(field('SMTP Username')).toHaveValue('sales')
  await field('SMTP Password').fill('not needed')
  await button('Save').click()
  await expect.element(toast('Email settings saved')).toBeVisible()
  await expect.element(section.getByText('Connected with Muster')).not.toBeInTheDocument()
})

test('a withdrawn consent is shown with a button to connect again', async () => {
  const oauth = { ...OAUTH, withdrawn: true }
  const trouble = 'Muster no longer lets Howl use this mailbox.'
  withAccounts([{ ...SALES, oauth, last_error: trouble }], { oauth, last_error: trouble }).refuses(
    mailboxOauth.start,
    503,
    'Not now.',
  )
  show(<EmailConfiguration />)
  await expect.element(section.getByRole('alert').first()).toMatchTextContent(trouble)
  await expect.element(section.getByText('Needs attention')).toBeVisible()
  await expect.element(section.getByText('No longer connected with Muster')).toBeVisible()
  await expectSound('section')
  await button('Connect again').click()
  await expect.element(toast('Not now.')).toBeVisible()
})

test('with one account its form stands open; a plan without room says so', async () => {
  withAccounts([SALES], { accounts_max: 1 })
  show(<EmailConfiguration />)
  await expect.element(field('From Address')).toHaveValue(SALES.address)
  await expect.element(section.getByText('Your plan has room for 1 email account.')).toBeVisible()
  await expect.element(button('Add account')).not.toBeInTheDocument()
  await expect.element(section.getByRole('link', { name: 'See plans' })).toHaveAttribute('href', '/pricing')
  await expect.element(accountRows.first()).not.toBeInTheDocument()
})

test('what was typed before another account is added is still there when that is cancelled', async () => {
  withAccounts([SALES])
  show(<EmailConfiguration />)
  await expect.element(section.getByText('1 of 3 email accounts', { exact: true })).toBeVisible()
  await field('SMTP Username').fill('half typed')
  await button('Add account').click()
  const form = page.getByRole('region', { name: 'Add email account' })
  await expect.element(form.getByLabelText('From Address')).toHaveFocus()
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(button('Add account')).toHaveFocus()
  await expect.element(field('SMTP Username')).toHaveValue('half typed')
})

test('one of several accounts is made the default, changed and disconnected', async () => {
  const api = withAccounts([SALES, OFFICE])
  show(<EmailConfiguration />)
  await expect.element(accountRow(SALES.address).getByText('Default', { exact: true })).toBeVisible()
  await expect.element(accountRow(OFFICE.address).getByText('Connected', { exact: true })).toBeVisible()
  api.answers(mailboxSetup.saveAccount, () => {
    api.answers(mailboxes.accounts, [
      { ...OFFICE, primary: true, default: true },
      { ...SALES, primary: false, default: false },
    ])
    return details(OFFICE)
  })
  await button(`Make default: ${OFFICE.address}`).click()
  await expect.element(toast(`${OFFICE.address} is the default now`)).toBeVisible()
  await expect.element(accountRows.first()).toMatchTextContent(OFFICE.address)

  await button(`Edit ${OFFICE.address}`).click()
  const office = accountRow(OFFICE.address)
  await expect.element(office.getByLabelText('SMTP Host')).toHaveValue('mail.muster.example')
  await expectSound('section')
  await office.getByText('Advanced').click()
  await office.getByLabelText('Hourly limit').fill('40')
  await office.getByRole('button', { name: 'Save' }).click()
  await expect.element(toast('Email settings saved')).toBeVisible()
  await expect.element(button(`Edit ${OFFICE.address}`)).toHaveFocus()
  expect(api.calls(mailboxSetup.saveAccount).map(({ body }) => body)).toMatchObject([
    { primary: true },
    { hourly_limit: '40' },
  ])

  api.answers(mailboxSetup.removeAccount, () => {
    api.answers(mailboxes.accounts, [SALES])
    return [SALES]
  })
  await button(`Disconnect ${OFFICE.address}`).click()
  await dialog(`Disconnect ${OFFICE.address}?`).getByRole('button', { name: 'Disconnect' }).click()
  await expect
    .element(toast(`Email account disconnected. ${SALES.address} is the default now.`))
    .toBeVisible()
  await expect.element(field('From Address')).toHaveValue(SALES.address)
})

test('an account that cannot be read says why, and the others are as they were', async () => {
  withAccounts([SALES, { ...OFFICE, last_error: 'The server did not accept the password.' }])
  show(<EmailConfiguration />)
  const office = accountRow(OFFICE.address)
  await expect.element(office.getByText('Needs attention')).toBeVisible()
  await expect.element(office).toMatchTextContent('The server did not accept the password.')
  await expect.element(accountRow(SALES.address).getByText('Connected', { exact: true })).toBeVisible()
})

test('during practice all stays inside Howl, and a question ends it', async () => {
  const api = withAccounts([], { configured: true, practice: true })
  api.answers(mailboxSetup.remove, () => {
    api.answers(mailboxes.get, NOTHING)
    return NOTHING
  })
  show(<EmailConfiguration />)
  await expect.element(section.getByText('You are practising')).toBeVisible()
  await expect.element(section.getByText('everything from practice is then deleted')).toBeVisible()
  await button('Disconnect').click()
  await dialog('Disconnect the practice mailbox?').getByRole('button', { name: 'Disconnect' }).click()
  await expect.element(section.getByText('Not set up')).toBeVisible()
  await expect.element(button('Use the practice mailbox')).toBeVisible()
})
