import type { Locator, Page } from '@playwright/test'
import { contacts } from '#contract/crm/contacts.ts'
import { type Endpoint, pathOf } from '#contract/platform/endpoint.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { type SequenceStep, sequences } from '#contract/outreach/sequences.ts'
import { type E2eUser, expect, signedIn, test } from '../../support/e2e.ts'
import { expectSound } from '../../support/sound-page.ts'
import { toast } from '../../support/toast.ts'

/** An answer of the practice mailbox, from the step that is due to the figure on the page. */
const ARRIVES_MS = 60_000

const button = (page: Page | Locator, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const steps = (page: Page) => page.getByRole('list', { name: 'Steps' })
const step = (page: Page, number: number) => region(page, `Step ${number}`)
const members = (page: Page) => page.getByRole('table', { name: 'Contacts in it' })
const row = (page: Page, name: string) => members(page).getByRole('row').filter({ hasText: name })

async function post(page: Page, user: E2eUser, path: string, data: object = {}): Promise<{ id: number }> {
  const answer = await page.request.post(path, { headers: { Authorization: `Bearer ${user.token}` }, data })
  expect(answer.status(), await answer.text()).toBe(200)
  return (await answer.json()) as { id: number }
}

const addContact = (page: Page, user: E2eUser, name: string, email: string, company = 'Werk') =>
  post(page, user, pathOf(contacts.add), { name, email, company })

const at = (endpoint: Endpoint, id: number) => pathOf(endpoint, { id })

/** How many members of a sequence have this step before them. */
async function countAt(page: Page, user: E2eUser, id: number, step: number): Promise<number> {
  const headers = { Authorization: `Bearer ${user.token}` }
  const answer = await page.request.get(at(sequences.members, id), { headers, params: { step } })
  expect(answer.status()).toBe(200)
  return ((await answer.json()) as unknown[]).length
}

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
  await post(page, user, pathOf(mailboxSetup.practice))
  const body = { name, steps: [LONG_AFTER, MAIL, CALL], hours: ANY_TIME }
  const { id } = await post(page, user, pathOf(sequences.add), body)
  return id
}

test('two tabs change different things of a draft, and both stay', async ({ page, context }) => {
  const user = await signedIn(page)
  const id = await slowSequence(page, user)
  const other = await context.newPage()
  for (const tab of [page, other]) await tab.goto(`/outreach/sequences/${id}`)
  const name = (tab: Page) => tab.getByRole('textbox', { name: 'Name' })
  // What is being written here is kept when the other tab saves.
  await page.getByRole('checkbox', { name: 'They pay an invoice' }).uncheck()
  await name(other).fill('Bread in spring')
  await button(other, 'Save').click()
  await expect(toast(other, 'Sequence saved')).toBeVisible()
  await button(page, 'Save').click()
  await expect(toast(page, 'Sequence saved')).toBeVisible()
  await expect(name(page)).toHaveValue('Bread in spring')
  await other.reload()
  await expect(name(other)).toHaveValue('Bread in spring')
  await expect(other.getByRole('checkbox', { name: 'They pay an invoice' })).not.toBeChecked()
})

test('from an example to the answer that stops it', async ({ page }) => {
  test.setTimeout(150_000)
  const user = await signedIn(page, { name: 'Kim Lee' })
  await post(page, user, pathOf(mailboxSetup.practice))
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

test('steps are added between others, moved by keys, taken back and lead only on', async ({ page }) => {
  const user = await signedIn(page)
  const id = await slowSequence(page, user)
  await page.goto(`/outreach/sequences/${id}`)
  await button(page, 'Add a step before step 2').click()
  await page.getByRole('menuitem', { name: 'Condition' }).click()
  const condition = step(page, 2)
  await condition.getByRole('combobox', { name: 'If', exact: true }).selectOption('They have a tag')
  await condition.getByRole('combobox', { name: 'Tag' }).fill('Customer')
  await page.keyboard.press('Enter')
  await condition.getByRole('combobox', { name: 'If so' }).selectOption(String(CALL.id))
  await condition.getByRole('combobox', { name: 'Otherwise' }).selectOption('Go on with the next step')
  await expect(button(condition, /If they have the tag/)).toContainText(
    'If so, go on with step 4. Otherwise, go on with step 3.',
  )
  // Below the step that it led to it can only lead on.
  await button(condition, /If they have the tag/).focus()
  await page.keyboard.press('Alt+ArrowDown')
  await page.keyboard.press('Alt+ArrowDown')
  const moved = button(step(page, 4), /If they have the tag/)
  await expect(moved).toBeFocused()
  await expect(moved).toContainText('If so, it ends here. Otherwise, it ends here.')

  await button(page, 'Remove step 3').click()
  await expect(steps(page).getByRole('listitem')).toHaveCount(3)
  await toast(page, 'Step removed').getByRole('button', { name: 'Undo' }).last().click()
  await expect(steps(page).getByRole('listitem')).toHaveCount(4)

  // What is wrong is said at its field, and nothing is saved.
  await button(step(page, 1), /Wait/).click()
  await step(page, 1).getByRole('textbox', { name: 'How long' }).fill('soon')
  await button(page, 'Save').click()
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    'Step 1: Please enter a whole number from 1 to 365',
  )
  await step(page, 1).getByRole('textbox', { name: 'How long' }).fill('3')

  await page.getByRole('link', { name: 'All sequences' }).click()
  await button(dialog(page, 'Leave without saving?'), 'Cancel').click()
  await region(page, 'When it writes')
    .getByRole('combobox', { name: 'From', exact: true })
    .selectOption('22:00')
  await region(page, 'When it writes')
    .getByRole('combobox', { name: 'Until', exact: true })
    .selectOption('06:00 next day')
  await button(page, 'Let it begin by itself').click()
  await region(page, 'How it begins')
    .getByRole('combobox', { name: 'Beginning 1' })
    .selectOption('a new contact is added')
  await button(page, 'Save').click()
  await expect(toast(page, 'Sequence saved')).toBeVisible()
  await page.reload()
  await expect(step(page, 1)).toContainText('Wait 3 days')
  await expect(region(page, 'When it writes')).toContainText('It writes 22:00 to 06:00 of the next day.')
  await expect(region(page, 'How it begins').getByRole('combobox', { name: 'Beginning 1' })).toHaveValue(
    'contact',
  )
  await button(page, 'Delete').click()
  await button(dialog(page, 'Delete “Slow bread”?'), 'Delete').click()
  await expect(page).toHaveURL(/\/outreach\/sequences$/)
  await expect(page.getByText('Emails that follow each other by themselves')).toBeVisible()
})

test('what was saved is there for whoever comes back to it', async ({ page }) => {
  const user = await signedIn(page)
  const id = await slowSequence(page, user)
  await page.goto(`/outreach/sequences/${id}`)
  await page.getByRole('textbox', { name: 'Name' }).fill('Slower bread')
  await button(page, 'Remove step 3').click()
  await button(page, 'Save').click()
  await expect(toast(page, 'Sequence saved')).toBeVisible()
  await page.getByRole('link', { name: 'All sequences' }).click()
  await page.getByRole('link', { name: 'Slower bread' }).click()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Slower bread')
  await expect(steps(page).getByRole('listitem')).toHaveCount(2)
})

test('contacts are put in from their list, held, moved on, taken out and put back', async ({ page }) => {
  const user = await signedIn(page)
  const id = await slowSequence(page, user)
  const anna = await addContact(page, user, 'Anna Schmidt', 'anna@werk.example')
  await addContact(page, user, 'Ben Berg', 'ben@werk.example')
  await post(page, user, at(sequences.start, id))
  await page.goto('/contacts')
  await page.getByRole('checkbox', { name: 'Select Anna Schmidt' }).check()
  await button(page, 'Add to a sequence').click()
  await button(dialog(page, 'Add 1 contact to a sequence'), 'Add').click()
  await expect(page).toHaveURL(new RegExp(`/outreach/sequences/${id}$`))
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
  const act = async (name: string, what: string) => {
    await button(row(page, name), `More actions for ${name}`).click()
    await page.getByRole('menuitem', { name: what }).click()
  }
  await expect(row(page, 'Anna Schmidt')).toContainText('Under way')
  await act('Anna Schmidt', 'Pause')
  await expect(row(page, 'Anna Schmidt')).toContainText('Paused')
  await act('Anna Schmidt', 'Go on')
  await expect(row(page, 'Anna Schmidt')).toContainText('Under way')
  await act('Anna Schmidt', 'Take out')
  await expect(row(page, 'Anna Schmidt')).toContainText('Taken out by you')
  await toast(page, '1 contact taken out').getByRole('button', { name: 'Undo' }).last().click()
  await expect(row(page, 'Anna Schmidt')).toContainText('Under way')

  await button(page, 'Add contacts').click()
  await button(dialog(page, /^Add contacts/), 'Add 2 contacts').click()
  await expect(toast(page, '1 contact added to “Slow bread”. 1 skipped: 1 in it already.')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search by name or email' }).fill('ben')
  await expect(row(page, 'Anna Schmidt')).toHaveCount(0)
  await expect(row(page, 'Ben Berg')).toBeVisible()

  await page.goto(`/contacts/${anna.id}`)
  const card = region(page, 'Sequences')
  await expect(card).toContainText('Slow bread')
  await expect(card).toContainText('Under way')
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

test('a click on those who wait at a step shows them', async ({ page }) => {
  const user = await signedIn(page)
  const id = await slowSequence(page, user)
  await addContact(page, user, 'Anna Schmidt', 'anna@werk.example')
  await addContact(page, user, 'Ben Berg', 'ben@werk.example')
  await post(page, user, at(sequences.enrol, id), { filter: {} })
  await post(page, user, at(sequences.start, id))
  // Until the engine has begun their wait, they count as waiting at the same place, but before another step.
  await expect.poll(() => countAt(page, user, id, MAIL.id)).toBe(2)
  await page.goto(`/outreach/sequences/${id}`)
  await button(steps(page).getByRole('listitem').nth(0), '2 waiting here').click()
  const next = page.getByRole('combobox', { name: 'Next step' })
  await expect(next.locator('option:checked')).toHaveText('2. Email: Bread on Tuesdays')
  for (const name of ['Anna Schmidt', 'Ben Berg']) await expect(row(page, name)).toBeVisible()
  await next.selectOption('3. Task: Call (name)')
  await expect(page.getByText('Nobody is found')).toBeVisible()
  await next.selectOption('At any step')
  await expect(row(page, 'Anna Schmidt')).toBeVisible()
})

test('whoever would read a gap waits, is told at the step, and goes on with a text that has none', async ({
  page,
}) => {
  const user = await signedIn(page)
  await post(page, user, pathOf(mailboxSetup.practice))
  const asked = { ...MAIL, body: '{{ greeting }},\n\ndoes {{ company }} still bake on Mondays?' }
  const body = { name: 'Bread', steps: [asked, LONG_AFTER, CALL], hours: ANY_TIME }
  const { id } = await post(page, user, pathOf(sequences.add), body)
  await addContact(page, user, 'Anna Schmidt', 'anna@werk.example')
  await addContact(page, user, 'Ben Berg', 'ben@werk.example', '')
  await post(page, user, at(sequences.enrol, id), { filter: {} })
  await post(page, user, at(sequences.start, id))
  await page.goto(`/outreach/sequences/${id}`)
  const first = steps(page).getByRole('listitem').nth(0)
  await button(first, '1 with a gap in the email').click({ timeout: ARRIVES_MS })
  await expect(region(page, 'Still to come')).toContainText(
    'Nobody else has an email before them. 1 contact with a gap in the email is not counted.',
  )
  await expect(row(page, 'Ben Berg')).toContainText('company')
  await expect(row(page, 'Anna Schmidt')).toHaveCount(0)

  await button(page, 'Pause').click()
  await button(page, 'Go on…').click()
  const again = dialog(page, 'Go on with “Bread”')
  await expect(again).toContainText('1 contact with a gap in the email is not counted.')
  await button(again, 'Go on').click()
  await expect(toast(page, 'The sequence goes on')).toBeVisible()

  await page.getByRole('link', { name: 'Edit' }).click()
  await button(step(page, 1), /Email/).click()
  await step(page, 1)
    .getByRole('textbox', { name: 'Message' })
    .fill('{{ greeting }},\n\ndo you still bake on Mondays?')
  await button(page, 'Save').click()
  const question = dialog(page, 'Save the changed steps')
  await expect(question).toContainText(
    '1 contact waits because the email would have a gap. A text without it reaches them only with the new steps.',
  )
  await expect(question.getByRole('radio', { name: /They go on with the new steps/ })).toBeChecked()
  await button(question, 'Save').click()
  await expect(page).toHaveURL(new RegExp(`/outreach/sequences/${id}$`))
  await expect(first).toContainText('2 sent', { timeout: ARRIVES_MS })
  await expect(button(first, /with a gap/)).toHaveCount(0)
})

test('the pages are sound at every width and scheme', async ({ page }) => {
  test.setTimeout(120_000)
  const user = await signedIn(page)
  await page.goto('/outreach/sequences')
  await expect(page.getByRole('list', { name: 'Begin with' })).toBeVisible()
  await expectSound(page)
  const id = await slowSequence(page, user)
  await addContact(page, user, 'Anna Schmidt', 'anna@werk.example')
  await page.goto(`/outreach/sequences/${id}`)
  await button(step(page, 2), /Email/).click()
  await expect(page.getByRole('article', { name: 'Preview of the mail' })).toBeVisible()
  await expect(page.getByRole('figure', { name: 'Forecast' })).toBeVisible()
  await expectSound(page)
  await button(page, 'Start…').click()
  await expect(dialog(page, /^Start/).getByRole('figure', { name: 'Forecast' })).toBeVisible()
  await expectSound(page)
  await post(page, user, at(sequences.enrol, id), { filter: {} })
  await post(page, user, at(sequences.start, id))
  await page.goto(`/outreach/sequences/${id}`)
  await expect(row(page, 'Anna Schmidt')).toBeVisible()
  await expect(region(page, 'Still to come').getByRole('figure')).toBeVisible()
  await expectSound(page)
  await page.goto('/outreach/sequences')
  await expect(page.getByRole('link', { name: 'Slow bread' })).toBeVisible()
  await expectSound(page)
})

test('failures are said and can be tried again; what is missing says so', async ({ page }) => {
  const user = await signedIn(page)
  const id = await slowSequence(page, user)
  const fail = { status: 503, json: { detail: 'Howl is busy or restarting.', code: 'UNAVAILABLE' } }
  await page.route('**/api/v1/sequences/**', (route) => route.fulfill(fail))
  for (const path of ['/outreach/sequences', `/outreach/sequences/${id}`]) {
    await page.goto(path)
    await expect(page.getByRole('main').getByRole('alert')).toContainText('Howl is busy or restarting.')
  }
  await page.unrouteAll()
  await button(page, 'Try again').click()
  await expect(step(page, 1)).toBeVisible()
  await page.goto('/outreach/sequences/999999999')
  await expect(page.getByText('This sequence does not exist.')).toBeVisible()
})
