import type { Page } from '@playwright/test'
import { systemClock } from '#server/platform/clock.ts'
import { expect, signedIn, startHowl, test as base } from '../../support/e2e.ts'
import { testMail } from '../../support/mail-servers.ts'
import { startOauthIssuer, oauthEnvironment, type OauthIssuer } from '../../support/oauth-issuer.ts'
import { startDovecot, type Dovecot } from '../../support/dovecot.ts'
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.ts'
import { systemMailTo } from '../../support/system-mail.ts'
import { openMail } from '../../support/mail-page.ts'
import { open, write } from '../../support/mail-writing.ts'

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

test('a mailbox is connected by a button, is tested, sends and reads, and is connected again after its consent was withdrawn', async ({
  page,
}) => {
  await connected(page)
  const form = section(page)
  await expect(form.getByText('Connected with Muster')).toBeVisible()
  await expect(form.getByText(`Howl signs in as ${ADA}, without a password.`)).toBeVisible()
  await expect(form.getByRole('textbox', { name: 'From Address' })).toHaveValue(ADA)
  await expect(form.getByRole('textbox', { name: 'SMTP Password' })).toHaveCount(0)
  await form.getByRole('button', { name: 'Test' }).click()
  await expect(form.getByText('Connected and signed in.', { exact: true })).toBeVisible()
  await expect(form.getByText('Connected and signed in. The inbox holds')).toBeVisible()

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
  }).toPass()

  issuer.withdraw(ADA)
  await page.goto('/profile')
  await form.getByRole('button', { name: 'Test' }).click()
  // What reads mail in the background may have noticed it, too.
  const withdrawn = form.getByRole('alert').filter({ hasText: 'Muster no longer lets Howl use this mailbox' })
  await expect(withdrawn.first()).toBeVisible()
  await page.reload()
  await expect(form.getByText('No longer connected with Muster')).toBeVisible()
  const again = form.getByRole('button', { name: 'Connect again' })
  await again.click()
  await expect(page.getByText(`${ADA} is connected with Muster`)).toBeVisible()
  await expect(again).toHaveCount(0)
  await expect(form.getByText('Connected with Muster')).toBeVisible()
})
