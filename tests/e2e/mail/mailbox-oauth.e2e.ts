import type { Page } from '@playwright/test'
import { systemClock } from '#server/platform/clock.ts'
import { expect, signedIn, startHowl, test as base } from '../../support/e2e.ts'
import { expectSound } from '../../support/sound-page.ts'
import { testMail } from '../../support/mail-servers.ts'
import { startOauthIssuer, oauthEnvironment, type OauthIssuer } from '../../support/oauth-issuer.ts'
import { startDovecot, type Dovecot } from '../../support/dovecot.ts'
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.ts'
import { systemMailTo } from '../../support/system-mail.ts'
import { openMail } from '../../support/mail-page.ts'
import { open, write } from '../../support/mail-writing.ts'
import { toast } from '../../support/toast.ts'

// A mailbox is connected by signing in at its provider.

const ADA = 'ada@muster.example'

let issuer: OauthIssuer
let dovecot: Dovecot
let sink: SmtpSink

/** A Howl that is registered with the provider. */
const test = base.extend<object, { howl: Awaited<ReturnType<typeof startHowl>> & { systemMail: SmtpSink } }>({
  howl: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the wanted fixtures from this pattern
    async ({}, use) => {
      issuer = await startOauthIssuer(systemClock(0))
      dovecot = await startDovecot({ users: { [ADA]: 'not needed' }, issuer: issuer.url })
      sink = await startSmtpSink({ personOf: issuer.personOf })
      const systemMail = await startSmtpSink()
      const environment = { ...oauthEnvironment(issuer, { sink, dovecot }), ...systemMailTo(systemMail) }
      const app = await startHowl(environment)
      await use({ ...app, systemMail })
      await app.end()
      for (const server of [systemMail, sink, dovecot, issuer]) await server.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})

const section = (page: Page) => page.getByRole('region', { name: 'Email Configuration' })
const connectWith = (page: Page) => section(page).getByRole('button', { name: 'Connect with Muster' })

async function connected(page: Page) {
  const user = await signedIn(page)
  await page.goto('/profile')
  await connectWith(page).click()
  await expect(page.getByText(`${ADA} is connected with Muster`)).toBeVisible()
  await expect(page).toHaveURL(/\/profile$/)
  return user
}

test('a mailbox is connected by a button, sends and reads, and is tested', async ({ page }) => {
  await connected(page)
  const form = section(page)
  await expect(form.getByText('Connected with Muster')).toBeVisible()
  await expect(form.getByText(`Howl signs in as ${ADA}, without a password.`)).toBeVisible()
  await expect(form.getByRole('textbox', { name: 'From Address' })).toHaveValue(ADA)
  await expect(form.getByRole('textbox', { name: 'SMTP Password' })).toHaveCount(0)
  await form.getByRole('button', { name: 'Test' }).click()
  await expect(form.getByText('Connected and signed in.', { exact: true })).toBeVisible()
  await expect(form.getByText('Connected and signed in. The inbox holds')).toBeVisible()
  await expectSound(page)

  await dovecot.deliver(ADA, 'INBOX', testMail({ To: ADA, Subject: 'Welcome by token' }))
  await openMail(page)
  await open(page, 'Welcome by token')
  const letter = await write(page, {
    to: 'kim@people.example',
    subject: 'Sent by token',
    content: 'Hello Kim',
  })
  await letter.getByRole('button', { name: 'Send Email' }).click()
  await expect(async () => {
    const sent = sink.received.find(({ raw }) => raw.includes('Subject: Sent by token'))
    expect(sent).toMatchObject({ username: ADA, envelope: { from: ADA } })
  }).toPass({ timeout: 45_000 })
})

test('whoever refuses, or comes back too late, reads that nothing was connected', async ({ page }) => {
  await signedIn(page)
  await page.goto('/profile')
  issuer.refusesConsent = true
  await connectWith(page).click()
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(
    'Howl was not allowed to use your mailbox, so nothing was connected.',
  )
  issuer.refusesConsent = false
  // Neither state nor code stay in the address.
  await expect(page).toHaveURL(/\/connect-mailbox$/)
  await expectSound(page)
  await page.goto('/connect-mailbox?state=of-somebody-else&code=stolen')
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(
    'This sign-in has expired or was used already, so nothing was connected. Please try again.',
  )
  await page.goto('/connect-mailbox')
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Nothing is being connected here.')
  await page.getByRole('link', { name: 'Open Profile & Settings' }).click()
  await expect(connectWith(page)).toBeVisible()
  await expect(section(page).getByText('Not set up')).toBeVisible()
})

test('a provider that does not answer is told in a sentence, and the form stays', async ({ page }) => {
  await signedIn(page)
  await page.route('**/email-settings/oauth/start', (route) =>
    route.fulfill({ status: 503, json: { detail: 'Muster does not answer as it should at the moment.' } }),
  )
  await page.goto('/profile')
  await section(page).getByRole('textbox', { name: 'From Address' }).fill(ADA)
  await connectWith(page).click()
  await expect(page.getByText('Muster does not answer as it should at the moment.')).toBeVisible()
  await expect(section(page).getByRole('textbox', { name: 'From Address' })).toHaveValue(ADA)
})

test('a withdrawn consent is shown with a button, which connects the mailbox again', async ({ page }) => {
  await connected(page)
  issuer.withdraw(ADA)
  await section(page).getByRole('button', { name: 'Test' }).click()
  await expect(section(page).getByRole('alert')).toContainText('Muster no longer lets Howl use this mailbox')
  await page.reload()
  const again = section(page).getByRole('button', { name: 'Connect again' })
  await expect(again).toBeVisible()
  await expect(section(page).getByText('Needs attention')).toBeVisible()
  await expect(section(page).getByText('No longer connected with Muster')).toBeVisible()
  await expectSound(page)
  await again.click()
  await expect(page.getByText(`${ADA} is connected with Muster`)).toBeVisible()
  await expect(again).toHaveCount(0)
  await expect(section(page).getByText('Connected with Muster')).toBeVisible()
})

test('an account by OAuth 2 can use a password instead, and be disconnected', async ({ page }) => {
  await connected(page)
  const form = section(page)
  await form.getByRole('button', { name: 'Use a password instead' }).click()
  await expect(form.getByRole('textbox', { name: 'SMTP Username' })).toHaveValue(ADA)
  await form.getByRole('textbox', { name: 'SMTP Password' }).fill('not needed')
  await form.getByRole('textbox', { name: 'IMAP Password' }).fill('not needed')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Email settings saved')).toBeVisible()
  await expect(form.getByText('Connected with Muster')).toHaveCount(0)
  await expect(connectWith(page)).toBeVisible()
  await form.getByRole('button', { name: 'Disconnect' }).click()
  await page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog'))
    .getByRole('button', { name: 'Disconnect' })
    .click()
  await expect(form.getByText('Not set up')).toBeVisible()
})
