import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { DEFAULT_REMINDERS, paymentReminders, type Reminder } from '#contract/invoicing/payment-reminders.ts'
import { heldMails } from '#contract/mail/held-mail.ts'
import { leaving, MAIL_WAITS } from '#contract/operations/leaving.ts'
import { blankReply } from '../../../../tests/support/blank-reply.ts'
import { openPage, toast } from '../../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../../tests/support/fake-api.ts'
import { anIssued, apiWithInvoice } from '../../../../tests/support/fake-invoices.ts'
import { expectSound } from '../../../../tests/support/sound-part.ts'

const card = page.getByRole('region', { name: 'Reminders', exact: true })
const dialog = page.getByRole('dialog')
const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true })
const save = card.getByRole('button', { name: 'Save' })

const aReminder = (days: number, fields: Partial<Reminder> = {}): Reminder => ({
  ...blankReply(paymentReminders.update),
  id: 100 + days,
  invoice_id: 1,
  number: 'INV-1',
  customer: 'Bea Berg',
  to: 'bea@far.example',
  days,
  send_at: '2099-02-01T08:00:00.000Z',
  state: 'upcoming',
  subject: 'Reminder: invoice INV-1',
  text: 'The amount of $230.00 is still open.',
  template: { subject: 'Reminder: invoice {{number}}', text: 'The amount of {{amount}} is still open.' },
  ...fields,
})

function openReminders(on: boolean, list: Reminder[] = []): FakeApi {
  const api = fakeApi()
    .answers(paymentReminders.settings, { ...DEFAULT_REMINDERS, on })
    .answers(paymentReminders.list, list)
  openPage('/invoices/reminders')
  return api
}

test('the settings are kept, and what cannot be is said beside its field', async () => {
  const api = openReminders(false)
  await expect.element(page.getByText('No reminder is to come')).toBeVisible()
  expect(api.calls(paymentReminders.saveSettings)).toEqual([])
  const after = card.getByLabelText('Days after due')
  await after.fill('3, 100')
  await save.click()
  await expect
    .element(card)
    .toMatchTextContent('Please enter up to 5 numbers from 1 to 90, with commas between them')
  await expectSound()
  const twice = 'Please enter each day once'
  api.refuses(paymentReminders.saveSettings, 400, twice, { fields: { days_after: twice } })
  await after.fill('5, 5')
  await save.click()
  await expect.element(card).toMatchTextContent(twice)
  const saved = { ...DEFAULT_REMINDERS, days_after: [5, 10], hour: 7, subject: 'Please pay {{number}}' }
  api.answers(paymentReminders.saveSettings, saved).answers(paymentReminders.settings, saved)
  await after.fill('10, 5')
  await card.getByLabelText('Time').selectOptions('07:00')
  await card.getByLabelText('Subject').fill('Please pay {{number}}')
  await save.click()
  await expect.element(toast('Reminders saved')).toBeVisible()
  expect(api.calls(paymentReminders.saveSettings).at(-1)?.body).toMatchObject({
    hour: 7,
    subject: 'Please pay {{number}}',
  })
})

test('what another tab has saved is shown, and not written over by what is typed here', async () => {
  const api = openReminders(true)
  const subject = card.getByLabelText('Subject')
  const elsewhere = (words: string) => {
    api.answers(paymentReminders.settings, { ...DEFAULT_REMINDERS, on: true, subject: words })
    api.tells({ topic: 'invoices' })
  }
  await expect.element(subject).toHaveValue(DEFAULT_REMINDERS.subject)
  elsewhere('Please pay {{number}}')
  await expect.element(subject).toHaveValue('Please pay {{number}}')
  await card.getByLabelText('Time').selectOptions('07:00')
  elsewhere('Kindly pay {{number}}')
  await expect.poll(() => api.calls(paymentReminders.settings).length).toBeGreaterThan(2)
  api.answers(paymentReminders.saveSettings, { ...DEFAULT_REMINDERS, hour: 7 })
  await save.click()
  await expect.element(toast('Reminders saved')).toBeVisible()
  expect(api.calls(paymentReminders.saveSettings)[0]?.body).toEqual({ hour: 7 })
})

test('while all mail is paused, a reminder tells no time', async () => {
  openReminders(true, [aReminder(-3)])
    .answers(leaving.mailPause, { paused_at: '2027-03-01T08:00:00Z', waiting: 0 })
    .answers(heldMails.list, null)
  await expect
    .element(page.getByRole('list', { name: 'Upcoming reminders' }))
    .toMatchTextContent(`${MAIL_WAITS}, 3 days before the due date`)
  await page.getByRole('button', { name: /^Show, INV-1/ }).click()
  await expect.element(dialog).toMatchTextContent(new RegExp(`Leaves.*${MAIL_WAITS}`))
})

test('upcoming reminders are listed, shown with their words, and skipped', async () => {
  const api = openReminders(true, [aReminder(-3), aReminder(3)])
  const upcoming = page.getByRole('list', { name: 'Upcoming reminders' }).getByRole('listitem')
  await expect
    .element(upcoming.first())
    .toMatchTextContent(/Bea Berg.*INV-1.*09:00, 3 days before the due date/)
  await expectSound()
  await page.getByRole('button', { name: 'Show, INV-1, 3 days after the due date' }).click()
  await expect.element(dialog).toMatchTextContent('bea@far.example')
  await expect.element(dialog).toMatchTextContent('The amount of $230.00 is still open.')
  await expectSound()
  api.answers(paymentReminders.update, aReminder(3, { state: 'skipped' }))
  await inDialog('Skip').click()
  await expect.element(toast('Reminder skipped')).toBeVisible()
  expect(api.calls(paymentReminders.update).map(({ body }) => body)).toEqual([{ skipped: true }])
})

test('words are changed for one invoice, and wrong ones are explained', async () => {
  const wrong = '{{sum}} is not known.'
  const ofInvoice = { on: true, on_here: true, reminders: [aReminder(3)] }
  const api = apiWithInvoice(anIssued())
    .answers(paymentReminders.ofInvoice, ofInvoice)
    .refuses(paymentReminders.update, 400, wrong, { fields: { text: wrong } })
  openPage('/invoices/1')
  await page.getByRole('button', { name: 'Show, 3 days after the due date' }).click()
  await inDialog('Edit').click()
  const text = dialog.getByLabelText('Text')
  await expect.element(text).toHaveValue('The amount of {{amount}} is still open.')
  await text.fill('Dear Bea, {{sum}} please.')
  await inDialog('Save').click()
  await expect.element(dialog).toMatchTextContent(wrong)
  await expectSound('[role=dialog]')
  const changed = aReminder(3, { text: 'Dear Bea, $230.00 please.', edited: true })
  api.answers(paymentReminders.update, changed)
  api.answers(paymentReminders.ofInvoice, { ...ofInvoice, reminders: [changed] })
  await text.fill('Dear Bea, {{amount}} please.')
  await inDialog('Save').click()
  await expect
    .element(dialog.getByRole('region', { name: 'Text' }))
    .toHaveTextContent('Dear Bea, $230.00 please.')
})
