import { ask, expect, test } from '../../support/e2e.ts'
import { type MailServers, startMailServers } from '../../support/mail-servers.ts'
import { deliver, folder, list, openMail, row, rows, withMailbox } from '../../support/mail-page.ts'
import { ARRIVES_MS, PASSWORD } from '../../support/mail-writing.ts'
import { header } from '../../support/writing.ts'
import { emails } from '#contract/mail/emails.ts'

let servers: MailServers
test.beforeAll(async () => {
  servers = await startMailServers({ users: { ana: PASSWORD } })
})
test.afterAll(() => servers?.stop())

const boundary = 'b'
/** What a mail server says of a mail that did not arrive. */
const report = (to: string, id: string) => ({
  from: 'Mail Delivery System <MAILER-DAEMON@far.example>',
  subject: `Undelivered mail to ${to}`,
  headers: {
    'MIME-Version': '1.0',
    'Content-Type': `multipart/report; report-type=delivery-status; boundary=${boundary}`,
  },
  text: [
    `--${boundary}`,
    'Content-Type: text/plain',
    '',
    `Nobody is called ${to}.`,
    `--${boundary}`,
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.far.example',
    '',
    `Final-Recipient: rfc822; ${to}`,
    'Action: failed',
    'Status: 5.1.1',
    `--${boundary}`,
    'Content-Type: text/rfc822-headers',
    '',
    `Message-ID: ${id}`,
    `--${boundary}--`,
  ].join('\r\n'),
})

/** The Message-ID of the mail that somebody has sent to this address. */
function idOf(to: string, name: string): string {
  const sent = servers.sink.received.find(
    ({ envelope, username }) => username === name && envelope.to.includes(to),
  )
  return header(sent, 'Message-ID') ?? ''
}

async function withReports(page: Parameters<typeof openMail>[0], name: string): Promise<void> {
  const user = await withMailbox(page, servers, name, PASSWORD)
  const gone = Array.from({ length: 12 }, (_, index) => `gone${index}@far.example`)
  const offer = { subject: 'An offer', content: 'Would you like to see it?' }
  await Promise.all(gone.map((to) => ask(page, user, emails.send, { to, ...offer })))
  await deliver(servers, name, [
    { from: 'Anna Berg <anna@bakery.example>', subject: 'Good day' },
    ...gone.map((to) => report(to, idOf(to, name))),
    report('stranger@far.example', '<another@far.example>'),
  ])
  await openMail(page)
  await expect(row(page, 'Inbox', '12 delivery reports')).toBeVisible({ timeout: ARRIVES_MS })
}

test('twelve delivery reports are one line of the inbox, and each of them can be read', async ({ page }) => {
  await withReports(page, 'ana')
  await expect(rows(page, 'Inbox')).toHaveCount(3)
  const line = row(page, 'Inbox', '12 delivery reports')
  await expect(line).not.toContainText('(unread)')
  // The one that is about nobody whom Ana wrote to stays by itself.
  await expect(row(page, 'Inbox', 'Undelivered mail to stranger@far.example')).toContainText('(unread)')
  await expect(folder(page, 'Inbox')).toContainText('2')

  await line.getByRole('link').click()
  await expect(page).toHaveURL(/filter=reports/)
  await expect(list(page, 'Inbox').getByLabel('Filter')).toHaveValue('reports')
  await expect(row(page, 'Inbox', 'Undelivered mail to gone11@far.example')).toBeVisible()
  await expect(row(page, 'Inbox', 'stranger@far.example')).toBeHidden()
  await row(page, 'Inbox', 'Undelivered mail to gone7@far.example').getByRole('link').click()
  await expect(page.getByRole('heading', { name: 'Undelivered mail to gone7@far.example' })).toBeVisible()
  await expect(page.getByText('Nobody is called gone7@far.example.').first()).toBeVisible()

  await list(page, 'Inbox').getByLabel('Filter').selectOption('All')
  await expect(row(page, 'Inbox', '12 delivery reports')).toBeVisible()
})
