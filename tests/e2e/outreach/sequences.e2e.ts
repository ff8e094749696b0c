import type { Locator, Page } from '@playwright/test'
import { contacts } from '#contract/crm/contacts.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { type SequenceStep, sequences } from '#contract/outreach/sequences.ts'
import { ask, type E2eUser, expect, signedIn, test } from '../../support/e2e.ts'
import { letPeopleAnswer } from '../../support/practice-answers.ts'
import { toast } from '../../support/toast.ts'

/** From the step that is due to the figure on the page. */
const ARRIVES_MS = 30_000

const button = (page: Page | Locator, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const steps = (page: Page) => page.getByRole('list', { name: 'Steps' })
const step = (page: Page, number: number) => region(page, `Step ${number}`)
const members = (page: Page) => page.getByRole('table', { name: 'Contacts in it' })
const row = (page: Page, name: string) => members(page).getByRole('row').filter({ hasText: name })

const addContact = (page: Page, user: E2eUser, name: string, email: string, company = 'Werk') =>
  ask(page, user, contacts.add, { name, email, company })

const ANY_TIME = { days: [1, 2, 3, 4, 5, 6, 7], from_hour: 0, until_hour: 24 }
const LONG_AFTER: SequenceStep = { id: 2, kind: 'wait', amount: 30, unit: 'days' }
const MAIL: SequenceStep = {
  id: 1,
  kind: 'mail',
  template_id: null,
  subject: 'Bread on Tuesdays',
  body: '{{ greeting }},\n\nwe bake on Monday and bring it on Tuesday. Would you like a tray next week?',
  same_conversation: false,
}
const CALL: SequenceStep = { id: 3, kind: 'task', title: 'Call {{ name }}', due_in_days: 0 }

/** A sequence that waits a month before it does anything. */
async function slowSequence(page: Page, user: E2eUser, name = 'Slow bread'): Promise<number> {
  await ask(page, user, mailboxSetup.practice)
  const body = { name, steps: [LONG_AFTER, MAIL, CALL], hours: ANY_TIME }
  const { id } = await ask(page, user, sequences.add, body)
  return id
}

test('from an example to the answer that stops it', async ({ page, howl }) => {
  const user = await signedIn(page, { name: 'Kim Lee' })
  await ask(page, user, mailboxSetup.practice)
  await addContact(page, user, 'Anna Schmidt', 'anna+interested@werk.example')
  await addContact(page, user, 'Ben Berg', 'ben+silent@werk.example')
  await page.goto('/outreach')
  await expect(page).toHaveURL(/\/outreach\/sequences$/)
  await button(page, /^First contact/).click()

  // What stands in brackets is an example: it cannot start with that.
  await expect(page).toHaveURL(/\/outreach\/sequences\/\d+$/)
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('First contact')
  await expect(steps(page).getByRole('listitem')).toHaveCount(5)
  await button(page, 'Start…').click()
  await expect(button(dialog(page, /^Start/), 'Start')).toBeDisabled()
  await button(dialog(page, /^Start/), 'Cancel').click()

  await button(page, 'Remove step 5').click()
  await button(page, 'Remove step 4').click()
  await button(step(page, 1), /Email/).click()
  await step(page, 1).getByRole('textbox', { name: 'Subject' }).fill('Bread for ')
  await button(step(page, 1), 'Company').click()
  await step(page, 1)
    .getByRole('textbox', { name: 'Message' })
    .fill('{{ greeting }},\n\nwe bring bread on Tuesdays. Would you like a tray next week?\n\n{{ my_name }}')
  const preview = page.getByRole('article', { name: 'Preview of the mail' })
  await expect(preview).toContainText('Bread for Werk')
  await button(step(page, 3), /Email/).click()
  await expect(step(page, 3).getByRole('checkbox', { name: /In the same conversation/ })).toBeChecked()
  await step(page, 3)
    .getByRole('textbox', { name: 'Message' })
    .fill(
      '{{ greeting }},\n\nis bread on Tuesdays something for you, or shall I not ask again?\n\n{{ my_name }}',
    )
  for (const day of ['Saturday', 'Sunday']) await page.getByRole('checkbox', { name: day }).check()
  await page.getByRole('combobox', { name: 'From', exact: true }).selectOption('00:00')
  await page.getByRole('combobox', { name: 'Until' }).selectOption('24:00')
  await button(page, 'Save').click()
  await expect(toast(page, 'Sequence saved')).toBeVisible()

  await button(page, 'Add contacts').click()
  await button(dialog(page, /^Add contacts/), 'Add 2 contacts').click()
  await expect(toast(page, /^2 contacts added to /)).toBeVisible()
  await expect(row(page, 'Ben Berg')).toContainText('Under way')

  await button(page, 'Start…').click()
  const start = dialog(page, 'Start “First contact”')
  await expect(start).toContainText('It begins with 2 contacts.')
  await expect(start.getByRole('figure', { name: 'Forecast' })).toContainText('Emails4')
  await expect(start).toContainText(/The last email leaves about \d+ \w+/)
  await button(start, 'Start').click()
  await expect(toast(page, 'The sequence is running')).toBeVisible()

  // The mails leave, and Anna's answer ends it for her; Ben is written to again.
  const figures = region(page, 'Key figures')
  await expect(figures.locator('dl', { hasText: 'Emails sent' })).toContainText('2', { timeout: ARRIVES_MS })
  await letPeopleAnswer(howl, user, 1)
  await expect(row(page, 'Anna Schmidt')).toContainText('Stopped', { timeout: ARRIVES_MS })
  await expect(row(page, 'Anna Schmidt')).toContainText(/repl/)
  await expect(row(page, 'Ben Berg')).toContainText('Email: is bread on Tuesdays')
  // Ben's second mail is all that is left.
  const toCome = region(page, 'Still to come')
  await expect(toCome.getByRole('figure', { name: 'Forecast' })).toContainText('Emails1')
  await expect(toCome).toContainText(/The last email leaves about \d+ \w+.*, if nobody replies\./)
  await expect(steps(page).getByRole('listitem').first()).toContainText(/2 sent.*1 replied/)
  await expect(figures.locator('dl', { hasText: 'Replied' })).toContainText('1')
  await page.goto('/outreach')
  await expect(page.getByRole('row').filter({ hasText: 'First contact' })).toContainText('Running')
})

test('contacts are put in from their list, held and taken out, and the sequence is changed and ended', async ({
  page,
}) => {
  const user = await signedIn(page)
  const id = await slowSequence(page, user)
  const anna = await addContact(page, user, 'Anna Schmidt', 'anna@werk.example')
  await addContact(page, user, 'Ben Berg', 'ben@werk.example')
  await ask(page, user, sequences.start, undefined, { id })
  await page.goto('/contacts')
  await page.getByRole('checkbox', { name: 'Select Anna Schmidt' }).check()
  await button(page, 'Add to a sequence').click()
  await button(dialog(page, 'Add 1 contact to a sequence'), 'Add').click()
  await expect(page).toHaveURL(new RegExp(`/outreach/sequences/${id}$`))
  // What is pointed at stays.
  await toast(page, '1 contact added to “Slow bread”').hover()
  await expect(row(page, 'Anna Schmidt')).toContainText('Under way')
  // Undo takes exactly her out again, and she can be put in once more.
  await button(toast(page, '1 contact added to “Slow bread”'), 'Undo').click()
  await expect(toast(page, '1 contact taken out again')).toBeVisible()
  await expect(members(page)).toBeHidden()
  await page.goto('/contacts')
  await page.getByRole('checkbox', { name: 'Select Anna Schmidt' }).check()
  await button(page, 'Add to a sequence').click()
  await button(dialog(page, 'Add 1 contact to a sequence'), 'Add').click()
  await expect(page).toHaveURL(new RegExp(`/outreach/sequences/${id}$`))
  // What is pointed at stays.
  await toast(page, '1 contact added to “Slow bread”').hover()
  await expect(row(page, 'Anna Schmidt')).toContainText('Under way')
  await button(row(page, 'Anna Schmidt'), 'More actions for Anna Schmidt').click()
  await page.getByRole('menuitem', { name: 'Pause' }).click()
  await expect(row(page, 'Anna Schmidt')).toContainText('Paused')

  await button(page, 'Add contacts').click()
  await button(dialog(page, /^Add contacts/), 'Add 2 contacts').click()
  await expect(toast(page, '1 contact added to “Slow bread”. 1 skipped: 1 in it already.')).toBeVisible()
  await expect(row(page, 'Ben Berg')).toBeVisible()

  await page.goto(`/contacts/${anna.id}`)
  const card = region(page, 'Sequences')
  await expect(card).toContainText('Slow bread')
  await expect(card).toContainText('Paused')
  await button(card, 'Take out: Slow bread').click()
  await expect(card).toContainText('Stopped')

  await page.goto(`/outreach/sequences/${id}`)
  await button(page, 'Pause').click()
  await expect(page.getByText('Paused', { exact: true }).first()).toBeVisible()
  await page.getByRole('link', { name: 'Edit' }).click()
  await button(page, 'Remove step 3').click()
  await button(page, 'Save').click()
  const asked = dialog(page, 'Save the changed steps')
  await expect(asked.getByRole('radio', { name: /They finish with the old steps/ })).toBeChecked()
  await asked.getByRole('radio', { name: /They go on with the new steps/ }).check()
  await button(asked, 'Save').click()
  await expect(page).toHaveURL(new RegExp(`/outreach/sequences/${id}$`))
  await expect(steps(page).getByRole('listitem')).toHaveCount(2)
  await button(page, 'End').click()
  await button(dialog(page, 'End “Slow bread”?'), 'End sequence').click()
  await expect(page.getByText('Ended', { exact: true })).toBeVisible()
  await expect(row(page, 'Ben Berg')).toContainText('Stopped')
})
