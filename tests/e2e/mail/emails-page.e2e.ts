import { expect, test } from '../../support/e2e.ts'
import {
  button,
  deliver,
  folder,
  inMail,
  list,
  openMail,
  rows,
  withMailbox,
} from '../../support/mail-page.ts'
import { type MailServers, startMailServers } from '../../support/mail-servers.ts'
import { ARRIVES_MS, compose, PASSWORD, write } from '../../support/mail-writing.ts'
import { letPeopleAnswer } from '../../support/practice-answers.ts'
import { toast } from '../../support/toast.ts'

let servers: MailServers
test.beforeAll(async () => {
  servers = await startMailServers({ users: { kim: PASSWORD } })
})
test.afterAll(() => servers?.stop())

test('a mail leaves, its answer arrives by itself, and is read by opening it', async ({ page, howl }) => {
  const user = await inMail(page)
  await expect(list(page, 'Inbox')).toContainText('Inbox is empty')
  const composer = await write(page, {
    to: 'anna+interested@bakery.example',
    subject: 'Bread on Fridays',
    content: 'Hello Anna, would you like to supply us?',
  })
  await button(composer, 'Send Email').click()
  await expect(toast(page, 'Email sent')).toBeVisible()
  await expect(compose(page)).toBeHidden()

  await folder(page, 'Sent').click()
  await expect(page).toHaveURL(/folder=sent/)
  const sent = rows(page, 'Sent')
  await expect(sent).toHaveCount(1)
  await expect(sent).toContainText('anna+interested@bakery.example')
  await sent.getByRole('link').click()
  const own = page.getByRole('region', { name: 'Bread on Fridays', exact: true })
  await expect(own).toContainText('would you like to supply us?')

  // What invented people say is in their address.
  await letPeopleAnswer(howl, user, 1)
  await expect(folder(page, 'Inbox')).toHaveText(/^Inbox\s*1$/, { timeout: ARRIVES_MS })
  await folder(page, 'Inbox').click()
  const answer = rows(page, 'Inbox').first()
  await expect(answer).toContainText('(unread)')
  await expect(answer).toContainText('Interested')
  await answer.getByRole('link').click()
  await expect(folder(page, 'Inbox')).toHaveText('Inbox')
  await expect(answer).not.toContainText('(unread)')
  const opened = page.getByRole('region', { name: /Re: Bread on Fridays/ })
  await button(opened, 'Show quoted text').click()
  await expect(opened).toContainText('would you like to supply us?')
  await page.reload()
  await expect(opened).toBeVisible()
  await expect(folder(page, 'Inbox')).toHaveText('Inbox')
})

test('new mail comes in by itself', async ({ page }) => {
  await deliver(servers, 'kim', [{ from: 'Anna Berg <anna@bakery.example>', subject: 'Bread' }])
  await withMailbox(page, servers, 'kim', PASSWORD)
  await openMail(page)
  await expect(rows(page, 'Inbox')).toHaveCount(1, { timeout: ARRIVES_MS })
  await deliver(servers, 'kim', [{ from: 'ben@garden.example', subject: 'Tulips' }])
  await expect(rows(page, 'Inbox').first()).toContainText('Tulips', { timeout: ARRIVES_MS })
  await expect(folder(page, 'Inbox')).toHaveText(/^Inbox\s*2$/)
})
