import type { Page } from '@playwright/test'
import { automaticMail } from '#contract/outreach/automatic-mail.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { outreach } from '#contract/outreach/runs.ts'
import { profile } from '#contract/accounts/profile.ts'
import { call } from '../../support/client.ts'
import { type E2eUser, expect, type Howl, signedIn, test } from '../../support/e2e.ts'
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
  await expect(card).toContainText('08:00: Your run goes on then, and writes to them.')

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
