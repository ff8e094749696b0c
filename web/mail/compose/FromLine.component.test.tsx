import { expect, test } from 'vitest'
import type { page } from 'vitest/browser'
import { emails, type EmailSummary } from '#contract/mail/emails.ts'
import { type MailAccount, mailboxes } from '#contract/mail/mailboxes.ts'
import { toast } from '../../../tests/support/component-page.tsx'
import {
  ACCOUNT,
  button,
  dialog,
  fakeMailbox,
  opened,
  openMail,
  opens,
} from '../../../tests/support/fake-mailbox.ts'
import { answersWriting, compose, content, write } from '../../../tests/support/fake-writing.ts'

// A user with several accounts.

const SALES: MailAccount = { ...ACCOUNT, address: 'sales@muster.example' }
const OFFICE: MailAccount = {
  ...ACCOUNT,
  id: 2,
  address: 'office@muster.example',
  primary: false,
  default: false,
}
function withBoth(...mails: Partial<EmailSummary>[]) {
  const api = answersWriting(fakeMailbox(...mails))
  api.answers(mailboxes.accounts, [SALES, OFFICE])
  return api
}
const from = (within: { getByRole: typeof page.getByRole }) => within.getByRole('combobox', { name: 'From' })

test('a mail is written from a chosen account, and its draft is saved with it', async () => {
  const api = withBoth()
  await openMail()
  await write({ subject: 'From the office' })
  await expect.element(from(compose)).toHaveDisplayValue(SALES.address)
  await from(compose).selectOptions(OFFICE.address)
  await button(compose, 'Save Draft').click()
  await expect.element(toast('Draft saved successfully')).toBeVisible()
  const bodies = [...api.calls(emails.saveDraft), ...api.calls(emails.update)].map(({ body }) => body)
  expect(bodies.at(-1)).toMatchObject({ subject: 'From the office', mailbox_id: 2 })
})

test('a draft opens with its account', async () => {
  const api = withBoth({ subject: 'Begun', status: 'draft', mailbox_id: 2 })
  await openMail('Begun', 'Drafts')
  await button(opened('Begun'), 'Edit draft').click()
  const edit = dialog('Edit draft')
  await expect.element(from(edit)).toHaveDisplayValue(OFFICE.address)
  await button(edit, 'Send Email').click()
  await expect.element(toast('Email sent')).toBeVisible()
  expect(api.calls(emails.send)[0]?.body).toMatchObject({ mailbox_id: 2, draft_id: 1 })
})

test('a mail leaves from the account that From shows, also when accounts change while it is written', async () => {
  const api = withBoth()
  await openMail()
  await write({ subject: 'Another default' })
  await expect.element(compose.getByText('Saved in Drafts')).toBeVisible()
  api.answers(mailboxes.accounts, [
    { ...OFFICE, primary: true, default: true },
    { ...SALES, primary: false, default: false },
  ])
  api.tells({ topic: 'mailboxes' })
  await expect.element(from(compose)).toHaveDisplayValue(OFFICE.address)
  await button(compose, 'Send Email').click()
  await expect.element(toast('Email sent')).toBeVisible()
  expect(api.calls(emails.send)[0]?.body).toMatchObject({ subject: 'Another default', mailbox_id: 2 })

  await write({ subject: 'The chosen one goes' })
  await from(compose).selectOptions(SALES.address)
  api.answers(mailboxes.accounts, [{ ...OFFICE, primary: true, default: true }])
  api.tells({ topic: 'mailboxes' })
  await expect.element(compose.getByRole('status', { name: 'From' })).toHaveTextContent(OFFICE.address)
  await button(compose, 'Send Email').click()
  await expect.poll(() => api.calls(emails.send)).toHaveLength(2)
  expect(api.calls(emails.send)[1]?.body).toMatchObject({ mailbox_id: 2 })
  await expect.element(compose).not.toBeInTheDocument()
})

test('a scheduled mail whose account was disconnected is saved with the one that its dialog shows', async () => {
  const later = '2099-01-05T08:00:00.000Z'
  const api = withBoth({ subject: 'For later', status: 'scheduled', mailbox_id: 2, schedule_at: later })
  api.answers(mailboxes.accounts, [SALES, { ...OFFICE, connected: false }])
  await openMail('For later', 'Scheduled')
  await button(opened('For later'), 'Edit').click()
  const edit = dialog('Edit scheduled email')
  await expect.element(edit).toMatchTextContent(/Scheduled for .* at 09:00/)
  await expect.element(edit.getByText(SALES.address, { exact: true })).toBeVisible()
  await button(edit, 'Save changes').click()
  await expect.element(edit).not.toBeInTheDocument()
  expect(api.calls(emails.update)[0]).toMatchObject({ params: { id: '1' }, body: { mailbox_id: 1 } })
})

test('a reply begins with the account that received the mail', async () => {
  const api = withBoth({ subject: 'To the office', mailbox_id: 2 })
  api.answers(emails.get, opens(api.mails[0]!, { message_id: '<o@far.example>' }))
  await openMail('To the office')
  await button(opened('To the office'), 'Reply').click()
  const reply = dialog('Reply')
  await expect.element(from(reply)).toHaveDisplayValue(OFFICE.address)
  await content(reply).fill('Good day')
  await button(reply, 'Send Email').click()
  await expect.element(toast('Reply sent (question)')).toBeVisible()
  expect(api.calls(emails.send)[0]?.body).toMatchObject({ mailbox_id: 2, in_reply_to: '<o@far.example>' })
})
