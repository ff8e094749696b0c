import type { Page } from '@playwright/test'
import { automaticMail } from '#contract/outreach/automatic-mail.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { invoiceMail } from '#contract/invoicing/invoice-mail.ts'
import { paymentReminders } from '#contract/invoicing/payment-reminders.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { sequences } from '#contract/outreach/sequences.ts'
import { profile } from '#contract/accounts/profile.ts'
import { call } from '../../support/client.ts'
import { ask, type E2eUser, expect, type Howl, signedIn, test } from '../../support/e2e.ts'
import { anInvoice } from '../../support/invoices.ts'
import { mailAccountAt } from '../../support/mail-account.ts'
import { type SmtpSink, startSmtpSink } from '../../support/smtp-sink.ts'
import { sql } from '../../support/sql.ts'
import { toast } from '../../support/toast.ts'

// What holds for all mail that Howl sends by itself: hours, new addresses, bad figures, and the answer on a contact's page.

let sink: SmtpSink

test.beforeAll(async () => void (sink = await startSmtpSink()))
test.afterAll(() => sink.stop())
test.beforeEach(() => sink.clear())

const region = (page: Page, name: string | RegExp) => page.getByRole('region', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** A user in Berlin with an account and two contacts. Returns the ids of both contacts and the account. */
async function aSender(page: Page, howl: Howl): Promise<{ user: E2eUser; kim: number; account: number }> {
  const user = await signedIn(page)
  const { token } = user
  await call(howl.url, profile.update, { token, body: { time_zone: 'Europe/Berlin' } })
  const body = mailAccountAt(sink, { from: `${user.username}@muster.example` })
  expect((await call(howl.url, mailboxSetup.save, { token, body })).status).toBe(200)
  const add = async (name: string) =>
    (await call(howl.url, contacts.add, { token, body: { name, email: `${name}@${user.username}.example` } }))
      .body.id
  const kim = await add('Kim')
  await add('Lee')
  const [account] = (await call(howl.url, automaticMail.accounts, { token })).body
  return { user, kim, account: account?.id ?? 0 }
}

/** Only a day that neither is today nor touches it. */
const anotherDay = () => ((new Date().getUTCDay() + 2) % 7) + 1
const waitForAnotherDay = (howl: Howl, { token }: E2eUser) => {
  const body = { limited: true, days: [anotherDay()], from_hour: 8, until_hour: 18 }
  return call(howl.url, automaticMail.saveHours, { token, body })
}
const dayFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const startRun = (howl: Howl, { token }: E2eUser) => call(howl.url, outreach.generateAndSend, { token })

const standStill = (howl: Howl, { id }: E2eUser, account: number) =>
  sql(
    howl.databaseUrl,
    `INSERT INTO automatic_mail_stops (user_id, mailbox_id, stopped_at, mails, bounces, complaints)
     VALUES ($1, $2, $3, 240, 14, 0)`,
    [id, account, new Date()],
  )

/** The notice of an account that stands still, and what it says. */
const stopNotice = (page: Page, { username }: E2eUser) =>
  page.getByRole('note', { name: `Automatic emails from ${username}@muster.example stand still` })
const stoppedText = ({ username }: E2eUser) =>
  `Automatic emails from ${username}@muster.example stand still. Of the last 240 automatic emails from this address, 14 came back.`

test('a run says what it waits for, the contact says why, and it goes on by itself', async ({
  page,
  howl,
}) => {
  const { user, kim } = await aSender(page, howl)
  await waitForAnotherDay(howl, user)
  await startRun(howl, user)
  await page.goto('/dashboard')
  const run = region(page, 'Sending to 2 contacts')
  await expect(run).toContainText(/It is outside your sending hours\. It goes on \w+day \d+ \w+ at 08:00\./)

  await page.goto(`/contacts/${kim}`)
  const card = region(page, 'Automatic Emails')
  await expect(card).toContainText('Howl has sent Kim nothing by itself so far.')
  await expect(card).toContainText('It is outside your sending hours.')
  await expect(card).toContainText('08:00: Your current run emails them.')

  await page.goto('/profile')
  const hours = region(page, 'Sending Hours')
  await hours.getByRole('switch').uncheck()
  await hours.getByRole('button', { name: 'Save sending hours' }).click()
  await sink.waitFor(2)
  await page.goto(`/contacts/${kim}`)
  await expect(card).toContainText('Howl sent a personal first email on')
  await expect(card).toContainText('They get at most one automatic email a day, and had one today.')
  await expect(card).toContainText('Nothing is planned.')
  await card.getByRole('link', { name: 'Open email' }).click()
  await expect(page).toHaveURL(/\/emails\?folder=sent&email=\d+/)
})

test('what Howl does next by itself is in one list, with what it waits for', async ({ page, howl }) => {
  const { user } = await aSender(page, howl)
  const { token } = user
  const list = page.getByRole('list', { name: 'Upcoming' })
  const rows = (name: string) => list.getByRole('listitem').filter({ hasText: name })
  await page.goto('/outreach/upcoming')
  await expect(page.getByText('Nothing coming up')).toBeVisible()

  await ask(page, user, mailboxSetup.save, { auto_followup_enabled: true })
  await startRun(howl, user)
  await sink.waitFor(2)
  await waitForAnotherDay(howl, user)
  await ask(page, user, contacts.add, { name: 'Mia', email: `mia@${user.username}.example` })
  await startRun(howl, user)
  const noor = await ask(page, user, contacts.add, { name: 'Noor', email: `noor@${user.username}.example` })
  const bread = await ask(page, user, sequences.add, {
    name: 'Bread',
    steps: [
      {
        id: 1,
        kind: 'mail',
        template_id: null,
        subject: 'Bread on Tuesdays',
        body: '{{ greeting }},\n\nwould you like a tray of bread next week?',
        same_conversation: false,
      },
    ],
    hours: { days: [anotherDay()], from_hour: 9, until_hour: 17 },
  })
  const ofBread = { token, params: { id: bread.id } }
  expect((await call(howl.url, sequences.start, ofBread)).status).toBe(200)
  await call(howl.url, sequences.enrol, { ...ofBread, body: { ids: [noor.id] } })
  await ask(page, user, paymentReminders.saveSettings, { on: true })
  const draft = await ask(
    page,
    user,
    invoices.add,
    anInvoice({ buyer: { business_name: 'Bea Ltd', email: 'bea@far.example' }, due_date: dayFromNow(20) }),
  )
  const ofInvoice = { token, params: { id: draft.id } }
  expect((await call(howl.url, invoices.issue, ofInvoice)).status).toBe(200)
  const letter = { to: 'bea@far.example', subject: 'Invoice', text: 'Please see the PDF.' }
  expect((await call(howl.url, invoiceMail.send, { ...ofInvoice, body: letter })).status).toBe(200)

  const sources = async () => (await ask(page, user, automaticMail.upcoming)).map(({ source }) => source)
  await expect.poll(sources).toContain('payment_reminder')
  await page.reload()
  await expect(rows('Kim')).toContainText('Follow-up 1 of 3 goes out if they don’t answer.')
  await expect(rows('1 contact')).toContainText('The rest of your current run.')
  await expect(rows('1 contact')).toContainText('08:00')
  await expect(rows('Noor')).toContainText(
    'The next step of the sequence “Bread”: send the email “Bread on Tuesdays”.',
  )
  await expect(rows('Noor')).toContainText('09:00')
  await expect(rows('Bea Ltd').first()).toContainText(
    /The reminder for invoice \S+ 3 days before the due date goes out unless it’s paid\./,
  )
  await rows('Noor').getByRole('link', { name: 'Open sequence' }).click()
  await expect(page).toHaveURL(/\/outreach\/sequences\/\d+$/)
  await page.goBack()
  await rows('Kim').getByRole('link', { name: 'Kim' }).click()
  await expect(page).toHaveURL(/\/contacts\/\d+$/)

  // What is held says so, and is not left out.
  const params = { id: (await ask(page, user, outreach.current))?.batch_id ?? 0 }
  expect((await call(howl.url, outreach.pause, { token, params })).status).toBe(200)
  await page.goto('/outreach/upcoming')
  await expect(rows('1 contact')).toContainText('Waits until you resume the run')

  // A pause stops all of it, and no time is told.
  await sql(howl.databaseUrl, 'UPDATE users SET mail_paused_at = $2 WHERE id = $1', [user.id, new Date()])
  await page.goto('/outreach/upcoming')
  for (const name of ['Kim', '1 contact', 'Noor', 'Bea Ltd'])
    await expect(rows(name).first()).toContainText('Waits while all your mail is paused')
})

test('a new address may send all at once, without who said no, until that is lifted', async ({
  page,
  howl,
}) => {
  const { user, kim, account } = await aSender(page, howl)
  const { token } = user
  const on = { token, params: { id: account }, body: { warm_up: true } }
  expect((await call(howl.url, automaticMail.saveAccount, on)).status).toBe(200)
  for (let number = 1; number <= 23; number += 1)
    await ask(page, user, contacts.add, { name: `P${number}`, email: `p${number}@${user.username}.example` })
  await sql(
    howl.databaseUrl,
    `INSERT INTO suppressions (user_id, address_key, reason, created_at)
     SELECT user_id, email_key, 'declined', $2 FROM contacts WHERE id = $1`,
    [kim, new Date()],
  )
  await page.goto('/dashboard')
  await button(page, 'Generate & Send Emails').click()
  const question = page.getByRole('dialog', { name: 'Send to 24 contacts?' })
  await expect(question).toContainText('1 said no')
  await expect(question.getByRole('radio', { name: /^Spread over 2 days \(recommended/ })).toBeChecked()
  await question.getByRole('radio', { name: 'Send all today' }).check()
  await question.getByRole('button', { name: 'Send to 24 contacts' }).click()
  await sink.waitFor(24)

  await page.goto(`/contacts/${kim}`)
  const card = region(page, 'Automatic Emails')
  await expect(card).toContainText('They said no, so outreach, follow-ups and sequences skip them')
  await button(page, 'Allow mailing').click()
  await expect(card).not.toContainText('They said no')
  await startRun(howl, user)
  await sink.waitFor(25)
})

test('a run from an address that stands still says the figures, and goes on with "Go on"', async ({
  page,
  howl,
}) => {
  const { user, account } = await aSender(page, howl)
  await standStill(howl, user, account)
  await startRun(howl, user)
  await page.goto('/profile')
  await expect(region(page, 'Automatic emails')).toContainText(stoppedText(user))
  await page.goto('/dashboard')
  await expect(region(page, 'Sending to 2 contacts')).toContainText(
    'It waits until the automatic emails go on.',
  )
  await expect(stopNotice(page, user)).toContainText(stoppedText(user))
  await button(page, 'Go on').click()
  await expect(toast(page, 'Automatic emails go on')).toBeVisible()
  await sink.waitFor(2)
  await expect(region(page, 'Sent to 2 contacts')).toBeVisible()
})
