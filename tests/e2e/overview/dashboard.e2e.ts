import type { Locator, Page } from '@playwright/test'
import { contacts } from '#contract/crm/contacts.ts'
import { ask, type E2eUser, expect, signedIn, test } from '../../support/e2e.ts'
import { letPeopleAnswer } from '../../support/practice-answers.ts'
import { toast } from '../../support/toast.ts'

/** From an answer to the figure; what invented people say is in their address. */
const ANSWER_MS = 30_000

const PEOPLE = [
  ['Anna Berg', 'anna+interested@bakery.example', 'Berg Bakery'],
  ['Ben Ott', 'ben+question@garden.example', 'Ott Gardens'],
  ['Cleo Roth', 'cleo+meeting@books.example', 'Roth Books'],
  ['Dan Vogt', 'dan+no@bikes.example', 'Vogt Bikes'],
  ['Eva Lind', 'eva+interested@tea.example', 'Lind Tea'],
] as const

async function addPeople(
  page: Page,
  user: E2eUser,
  people: readonly (readonly string[])[] = PEOPLE,
): Promise<void> {
  for (const [name, email, company] of people) await ask(page, user, contacts.add, { name, email, company })
}

/** A signed-in user on the dashboard. */
async function onDashboard(page: Page): Promise<E2eUser> {
  const user = await signedIn(page)
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

test('a first day: practice mailbox, contacts, one click, the answers are counted, and a second run', async ({
  page,
  howl,
}) => {
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

  await letPeopleAnswer(howl, user, 5)
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
  await nobody.getByRole('button', { name: 'Cancel' }).click()

  await addPeople(page, user, [['Finn Holm', 'finn+silent@boats.example', 'Holm Boats']])
  await expect(figure(page, 'Total Contacts')).toHaveText('6')
  await generate(page).click()
  const second = dialog(page, 'Send to 1 contact?')
  await expect(second).toContainText('5 of 6 contacts: 5 emailed before')
  // What leaves can be read before it leaves.
  const example = second.getByRole('region', { name: 'The email to Finn Holm' })
  await expect(example).toContainText('Hello Finn,')
  await expect(example).toContainText('Holm Boats')
  await second.getByRole('button', { name: 'Send to 1 contact' }).click()
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
  await expect(results.getByRole('row', { name: /Anna Berg/ })).toContainText('Already emailed before')
  await expect(results.getByRole('row', { name: /Finn Holm/ })).toContainText('No language model is set up.')
  await results.getByRole('button', { name: 'Close' }).click()
  await card.getByRole('button', { name: 'Dismiss' }).click()
  await expect(card).toBeHidden()
  await page.reload()
  await expect(figure(page, 'Emails Sent')).toHaveText('6')
  await expect(card).toBeHidden()
})
