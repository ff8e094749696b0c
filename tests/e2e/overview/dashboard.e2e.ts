import type { Locator, Page } from '@playwright/test'
import { pathOf } from '#contract/platform/endpoint.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { emails } from '#contract/mail/emails.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { type Batch, outreach } from '#contract/outreach/runs.ts'
import { profile } from '#contract/accounts/profile.ts'
import { type E2eUser, expect, signedIn, test } from '../../support/e2e.ts'
import { expectSound } from '../../support/sound-page.ts'
import { toast } from '../../support/toast.ts'

/** An invented person answers within 40 seconds; what they say is in their address. */
const ANSWER_MS = 60_000

const PEOPLE = [
  ['Anna Berg', 'anna+interested@bakery.example', 'Berg Bakery'],
  ['Ben Ott', 'ben+question@garden.example', 'Ott Gardens'],
  ['Cleo Roth', 'cleo+meeting@books.example', 'Roth Books'],
  ['Dan Vogt', 'dan+no@bikes.example', 'Vogt Bikes'],
  ['Eva Lind', 'eva+interested@tea.example', 'Lind Tea'],
] as const

const bearer = (user: E2eUser) => ({ Authorization: `Bearer ${user.token}` })

async function addPeople(
  page: Page,
  user: E2eUser,
  people: readonly (readonly string[])[] = PEOPLE,
): Promise<void> {
  for (const [name, email, company] of people) {
    const answer = await page.request.post(pathOf(contacts.add), {
      headers: bearer(user),
      data: { name, email, company },
    })
    expect(answer.ok()).toBe(true)
  }
}

async function practise(page: Page, user: E2eUser): Promise<void> {
  expect((await page.request.post(pathOf(mailboxSetup.practice), { headers: bearer(user) })).ok()).toBe(true)
}

/** A signed-in user on the dashboard, ready to send or not. */
async function onDashboard(
  page: Page,
  ready: { mailbox?: boolean; people?: boolean } = {},
): Promise<E2eUser> {
  const user = await signedIn(page)
  if (ready.mailbox === true) await practise(page, user)
  if (ready.people === true) await addPeople(page, user)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard', exact: true })).toBeVisible()
  return user
}

const generate = (page: Page) => page.getByRole('button', { name: 'Generate & Send Emails' })

/** The figure of a stat card, by the card's label. */
const figure = (page: Page, label: string) =>
  page
    .getByRole('region', { name: 'Key figures' })
    .locator('dl', { has: page.getByText(label, { exact: true }) })
    .locator('dd')
    .first()

const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name })

test('a first day: practice mailbox, contacts, one click, and the answers are counted', async ({ page }) => {
  test.setTimeout(150_000)
  const user = await onDashboard(page)
  await expect(page).toHaveTitle('Dashboard · Howl')
  await expect(page.getByText(`Welcome, ${user.name}.`)).toBeVisible()
  await expect(figure(page, 'Total Contacts')).toHaveText('0')
  await expect(figure(page, 'Emails Sent')).toHaveText('0')
  await expect(figure(page, 'Upcoming Meetings')).toHaveText('0')
  await expect(figure(page, 'Response Rate')).toHaveText('0%')

  const steps = page.getByRole('region', { name: 'Next steps' })
  await steps.getByRole('button', { name: 'Use the practice mailbox' }).click()
  await expect(toast(page, 'The practice mailbox is ready')).toBeVisible()
  await expect(steps.getByRole('listitem').first()).toContainText('(done)')

  await generate(page).click()
  await expect(toast(page, 'No contacts found. Please add contacts first.')).toBeVisible()
  await expect(steps.getByRole('link', { name: 'Add contacts' })).toHaveAttribute('href', '/contacts')
  await addPeople(page, user)
  await expect(figure(page, 'Total Contacts')).toHaveText('5')
  await expect(page.getByRole('list', { name: 'Recent Contacts' }).getByRole('listitem')).toHaveCount(5)

  await generate(page).click()
  const confirm = dialog(page, 'Send to 5 contacts?')
  await expect(confirm).toContainText('Practice mailbox')
  await expect(confirm).toContainText('Nothing leaves Howl')
  await expect(confirm).toContainText('template')
  await confirm.getByRole('button', { name: 'Send to 5 contacts' }).click()

  await expect(toast(page, 'Successfully sent 5 email(s). 5 email(s) used fallback templates.')).toBeVisible()
  await expect(figure(page, 'Emails Sent')).toHaveText('5')
  await expect(page.getByRole('region', { name: 'Sent to 5 contacts' })).toBeVisible()
  await expect(page.getByRole('region', { name: /Next steps|Ready to send/ })).toBeHidden()

  await expect(figure(page, 'Response Rate')).not.toHaveText('0%', { timeout: ANSWER_MS })
  const mails = page.getByRole('region', { name: 'Recent Emails' })
  await mails.getByLabel('Filter emails').selectOption('received')
  await expect(mails.getByRole('listitem').first()).toContainText('(unread)')
  await page.getByLabel('Filter contacts').selectOption('interested')
  await expect(page.getByRole('list', { name: 'Recent Contacts' })).toContainText('Interested', {
    timeout: ANSWER_MS,
  })

  await generate(page).click()
  const nobody = dialog(page, 'Nobody new to write to')
  await expect(nobody).toContainText('5 of 5 contacts: 5 emailed before')
})

test('results of a run are listed with their reasons', async ({ page }) => {
  const user = await onDashboard(page, { mailbox: true, people: true })
  await generate(page).click()
  await page.getByRole('button', { name: 'Send to 5 contacts' }).click()
  await expect(page.getByRole('region', { name: 'Sent to 5 contacts' })).toBeVisible()
  await addPeople(page, user, [['Finn Holm', 'finn+silent@boats.example', 'Holm Boats']])
  await generate(page).click()
  const confirm = dialog(page, 'Send to 1 contact?')
  await expect(confirm).toContainText('5 of 6 contacts: 5 emailed before')
  // What leaves can be read before it leaves.
  const example = confirm.getByRole('region', { name: 'The email to Finn Holm' })
  await expect(example).toContainText('Hello Finn,')
  await expect(example).toContainText('Holm Boats')
  await confirm.getByRole('button', { name: 'Send to 1 contact' }).click()
  await expect(
    toast(
      page,
      'Successfully sent 1 email(s). 5 contact(s) already had emails sent. 1 email(s) used fallback templates.',
    ),
  ).toBeVisible()

  const card = page.getByRole('region', { name: 'Sent to 1 contact' })
  await card.getByRole('button', { name: 'See results' }).click()
  const results = dialog(page, 'Results of the run')
  await expect(results.getByRole('row')).toHaveCount(7)
  await results.getByLabel('Status').selectOption({ label: 'Skipped (5)' })
  await expect(results.getByRole('row')).toHaveCount(6)
  await expect(results.getByRole('row', { name: /Anna Berg/ })).toContainText('Already emailed before')
  await results.getByLabel('Status').selectOption({ label: 'Sent, template (1)' })
  await expect(results.getByRole('row', { name: /Finn Holm/ })).toContainText('No language model is set up.')
  await results.getByRole('button', { name: 'Close' }).click()

  await card.getByRole('button', { name: 'Dismiss' }).click()
  await expect(card).toBeHidden()
  await page.reload()
  await expect(figure(page, 'Emails Sent')).toHaveText('6')
  await expect(card).toBeHidden()
})

test('without a mailbox the button explains what is needed', async ({ page }) => {
  await onDashboard(page, { people: true })
  await generate(page).click()
  const needed = dialog(page, 'Email Configuration Required')
  for (const text of [
    'SMTP host',
    'usually 587 or 465',
    'Email address',
    'app password',
    'smtp.gmail.com:587',
  ]) {
    await expect(needed).toContainText(text)
  }
  await needed.getByRole('button', { name: 'Maybe Later' }).click()
  await expect(needed).toBeHidden()
  await expect(generate(page)).toBeFocused()

  await generate(page).click()
  await needed.getByRole('button', { name: 'Use the practice mailbox' }).click()
  await expect(needed).toBeHidden()
  await generate(page).click()
  await expect(dialog(page, 'Send to 5 contacts?')).toBeVisible()
})

test('Configure Now leads to the profile', async ({ page }) => {
  await onDashboard(page)
  await generate(page).click()
  await dialog(page, 'Email Configuration Required').getByRole('button', { name: 'Configure Now' }).click()
  await expect(page).toHaveURL(/\/profile$/)
  await expect(page.getByRole('dialog')).toBeHidden()
})

/** Answers one call of the contract in place of the server. */
const answer = (page: Page, call: { path: string }, status: number, body: object) =>
  page.route(`**/api/v1${call.path.replace(':id', '*')}`, (route) => route.fulfill({ status, json: body }))

const RUN: Batch = {
  batch_id: 7,
  audience: null,
  template: null,
  state: 'running',
  done: false,
  started_at: '2026-01-01T00:00:00.000Z',
  finished_at: null,
  seconds_left: 170,
  waiting_for: 'Your limit of 100 mails an hour sets the pace.',
  waits: null,
  summary: { total: 212, sent: 120, errors: 2, skipped: 12, warnings: 0, pending: 78 },
  results: [],
  message: '',
  skipped: 12,
  error: null,
}

test('a run shows how far it is, on every page, and can be held and ended', async ({ page }) => {
  let run = RUN
  const become = (change: Partial<Batch>) => ((run = { ...run, ...change }), run)
  const reply = (call: { path: string }, change: Partial<Batch>) =>
    page.route(`**/api/v1${call.path.replace(':id', '7')}`, (route) =>
      route.fulfill({ json: become(change) }),
    )
  await reply(outreach.current, {})
  await reply(outreach.pause, { state: 'paused', waiting_for: 'You have paused this run.' })
  await reply(outreach.resume, { state: 'running', waiting_for: null })
  await reply(outreach.cancel, { state: 'cancelled', done: true, message: 'Successfully sent 120 email(s).' })
  await onDashboard(page, { mailbox: true, people: true })

  const card = page.getByRole('region', { name: 'Sending to 200 contacts' })
  await expect(card).toContainText('120 of 200 sent, 2 failed, about 3 minutes left')
  await expect(card).toContainText('Your limit of 100 mails an hour sets the pace.')
  await expect(card.getByRole('progressbar', { name: 'Sending to 200 contacts' })).toHaveJSProperty(
    'value',
    122,
  )
  await card.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByRole('region', { name: 'Paused: 78 emails waiting' })).toContainText(
    'You have paused this run.',
  )
  await generate(page).click()
  await expect(toast(page, 'This run is paused. Resume it to send the rest.')).toBeVisible()
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect(card).toBeVisible()
  await generate(page).click()
  await expect(toast(page, 'Your emails are already on their way.')).toBeVisible()

  await page.getByRole('link', { name: 'Contact', exact: true }).first().click()
  const bar = page.getByRole('region', { name: 'Background work' })
  await expect(bar).toContainText('Sending to 200 contacts')
  await expect(bar).toContainText('120 of 200 sent, 2 failed, about 3 minutes left')
  await bar.getByRole('button', { name: 'Cancel run' }).click()
  const question = dialog(page, 'Cancel the run?')
  await expect(question).toContainText('120 emails have already been sent.')
  await expect(question).toContainText('78 contacts will get no email from this run')
  await question.getByRole('button', { name: 'Keep sending' }).click()
  await bar.getByRole('button', { name: 'Cancel run' }).click()
  await question.getByRole('button', { name: 'Cancel run' }).click()
  await expect(bar).toBeHidden()
  await expect(question).toBeHidden()
  await expect(toast(page, 'Successfully sent 120 email(s).')).toBeVisible()
})

test('a country sets the time zone of every screen', async ({ page }) => {
  await onDashboard(page)
  const country = page.getByLabel('Country')
  await expect(country.getByRole('option')).toHaveCount(14)
  await country.selectOption({ label: 'Japan' })
  await expect(toast(page, 'Timezone updated to Asia/Tokyo')).toBeVisible()
  await expect(page.getByText('Times are in Asia/Tokyo.')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('app.timeZone'))).toBe('Asia/Tokyo')
  await page.reload()
  await expect(country).toHaveValue('JP')

  await answer(page, profile.update, 500, { detail: 'Server error. Please try again later.' })
  await country.selectOption({ label: 'Brazil' })
  await expect(toast(page, 'Server error. Please try again later.')).toBeVisible()
  await expect(country).toHaveValue('JP')
})

test('the panels search, filter, and can be tried again', async ({ page }) => {
  await onDashboard(page, { people: true })
  const people = page.getByRole('region', { name: 'Recent Contacts' })
  await expect(people.getByRole('listitem')).toHaveCount(5)
  await people.getByLabel('Search contacts').fill('roth')
  await expect(people.getByRole('listitem')).toHaveCount(1)
  await expect(people.getByRole('listitem')).toContainText('Cleo Roth')
  await people.getByLabel('Filter contacts').selectOption('replied')
  await expect(people).toContainText('No contacts found')
  await people.getByLabel('Search contacts').fill('')
  await people.getByLabel('Filter contacts').selectOption('new')
  await expect(people.getByRole('listitem')).toHaveCount(5)

  const mails = page.getByRole('region', { name: 'Recent Emails' })
  await expect(mails).toContainText('No emails found')
  await answer(page, { path: `${emails.list.path}?*` }, 500, { detail: 'Oh' })
  await answer(page, { path: `${contacts.list.path}?*` }, 500, { detail: 'Oh' })
  await page.reload()
  await expect(mails).toContainText('Failed to load emails.')
  await expect(people).toContainText('Failed to load contacts.')
  await page.unrouteAll()
  await people.getByRole('button', { name: 'Try again' }).click()
  await expect(people.getByRole('listitem')).toHaveCount(5)
  await mails.getByRole('button', { name: 'Refresh' }).click()
  await expect(mails).toContainText('No emails found')
})

test('the dashboard and its dialogs are accessible and fit', async ({ page }) => {
  const user = await onDashboard(page)
  await expect(page.getByText('No emails found')).toBeVisible()
  await expectSound(page)
  await generate(page).click()
  await expect(dialog(page, 'Email Configuration Required')).toBeVisible()
  await expectSound(page)
  await page.keyboard.press('Escape')

  await practise(page, user)
  await addPeople(page, user)
  await expect(page.getByRole('listitem')).toHaveCount(9)
  await generate(page).click()
  const confirm = dialog(page, 'Send to 5 contacts?')
  await expect(confirm).toBeVisible()
  await expectSound(page)
  await confirm.getByRole('button', { name: 'Send to 5 contacts' }).click()
  await expect(page.getByRole('region', { name: 'Sent to 5 contacts' })).toBeVisible()
  // An answer may have come already.
  await expect(page.getByRole('list', { name: 'Recent Emails' }).getByRole('listitem').nth(4)).toBeVisible()
  await expectSound(page)
  await page.getByRole('button', { name: 'See results' }).click()
  await expect(dialog(page, 'Results of the run').getByRole('row')).toHaveCount(6)
  await expectSound(page)
  await page.keyboard.press('Escape')

  await page.route('**/api/v1/emails/batches/current', (route) => route.fulfill({ json: RUN }))
  await page.reload()
  await expect(page.getByRole('region', { name: 'Sending to 200 contacts' })).toBeVisible()
  await expectSound(page)
})
