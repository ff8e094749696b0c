import type { Page } from '@playwright/test'
import { type BodyInput } from '#contract/platform/endpoint.ts'
import { invoiceMail } from '#contract/invoicing/invoice-mail.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { invoices } from '#contract/invoicing/saved-invoices.ts'
import { ask, type E2eUser, expect, signedIn, test } from '../../support/e2e.ts'
import { anInvoice } from '../../support/invoices.ts'
import { mailAccountAt } from '../../support/mail-account.ts'
import { toast } from '../../support/toast.ts'

const day = (offset: number) =>
  new Date(Date.now() + offset * 86_400_000).toLocaleDateString('sv', { timeZone: 'Europe/Berlin' })

async function issued(page: Page, user: E2eUser, fields: BodyInput<typeof invoices.add> = {}) {
  const body = anInvoice({
    buyer: { name: 'Bea Berg', business_name: '', email: 'bea@far.example' },
    issue_date: day(0),
    due_date: day(20),
    ...fields,
  })
  const { id } = await ask(page, user, invoices.add, body)
  const invoice = await ask(page, user, invoices.issue, undefined, { id })
  const { to, subject, text } = await ask(page, user, invoiceMail.proposal, undefined, { id })
  await ask(page, user, invoiceMail.send, { to, subject, text }, { id })
  return invoice
}

/** The user's own account, at the server of the tests. */
const connected = (page: Page, user: E2eUser, howl: { systemMail: { port: number } }) =>
  ask(page, user, mailboxSetup.save, mailAccountAt(howl.systemMail))

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')

test('reminders are switched on, shown with their words, skipped, sent once at once, and stopped by the payment', async ({
  page,
  howl,
}) => {
  const user = await signedIn(page)
  await connected(page, user, howl)
  const invoice = await issued(page, user)
  await page.goto(`/invoices/${invoice.id}`)
  await expect(card(page, 'Reminders')).toContainText('Reminders are off.')
  await page.getByRole('link', { name: 'Choose when customers are reminded' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Payment reminders' })).toBeVisible()
  await expect(page).toHaveTitle(/Payment reminders/)
  await expect(page.getByText('No reminder is to come')).toBeVisible()
  const onOff = page.getByRole('switch', { name: /^Remind customers of unpaid invoices/ })
  await expect(onOff).not.toBeChecked()
  await onOff.click()
  await expect(toast(page, 'Reminders are on')).toBeVisible()

  // They appear without a reload.
  const upcoming = page.getByRole('list', { name: 'Upcoming reminders' })
  await expect(upcoming.getByRole('listitem')).toHaveCount(4)
  await expect(upcoming.getByRole('listitem').first()).toContainText(
    /Bea Berg.*INV-.*09:00, 3 days before the due date/,
  )
  await page.getByRole('button', { name: /^Show, INV-.*3 days before/ }).click()
  await expect(dialog(page)).toContainText('bea@far.example')
  await expect(dialog(page)).toContainText(`invoice ${invoice.number} is due on`)
  await expect(dialog(page)).toContainText('$230.00')
  await dialog(page).getByRole('button', { name: 'Skip' }).click()
  await expect(upcoming.getByRole('listitem')).toHaveCount(3)
  await toast(page, 'Reminder skipped').getByRole('button', { name: 'Undo' }).click()
  await expect(upcoming.getByRole('listitem')).toHaveCount(4)

  await page.goto(`/invoices/${invoice.id}`)
  const here = card(page, 'Reminders')
  await expect(here.getByRole('listitem')).toHaveCount(4)
  const remind = here.getByRole('switch', { name: 'Remind of this invoice' })
  await remind.click()
  await expect(remind).not.toBeChecked()
  await expect(here).toContainText('Switched off for this invoice')
  await remind.click()
  await expect(remind).toBeChecked()
  await expect(here).not.toContainText('Switched off for this invoice')

  await page.getByRole('button', { name: 'Show, 3 days before the due date' }).click()
  await dialog(page).getByRole('button', { name: 'Send now' }).dblclick()
  await expect(toast(page, 'Reminder sent to bea@far.example')).toBeVisible()
  await expect(here.getByRole('listitem').first()).toContainText('Sent')
  const sent = howl.systemMail.received.filter(({ raw }) =>
    raw.toString().includes(`Subject: Reminder: invoice ${invoice.number}`),
  )
  expect(sent.map(({ envelope }) => envelope.to)).toEqual([['bea@far.example']])

  // The payment stops the others.
  await ask(page, user, invoices.addPayment, { amount: '230' }, { id: invoice.id })
  await expect(here).toContainText('The invoice has been paid')
})
