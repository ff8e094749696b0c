import type { Locator, Page } from '@playwright/test'
import { contacts } from '#contract/crm/contacts.ts'
import { emails } from '#contract/mail/emails.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { templates } from '#contract/outreach/templates.ts'
import { call } from '../../support/client.ts'
import { type E2eUser, expect, type Howl, signedIn, test } from '../../support/e2e.ts'
import { toast } from '../../support/toast.ts'

// Runs that are written from one of the user's templates.

const PEOPLE = [
  ['Anna Berg', 'anna+silent@bakery.example', 'Berg Bakery'],
  ['Ben Ott', 'ben+silent@garden.example', ''],
  ['Cleo Roth', 'cleo+silent@books.example', 'Roth Books'],
] as const

const FAIR = {
  name: 'After the fair',
  subject: 'The fair',
  body: '{{ greeting }},\n\nit was good to meet you{% if company %} and {{ company }}{% endif %}. Shall we go on?',
}
const BREAD = { name: 'Bread', subject: 'Bread for {{ company }}', body: '{{ greeting }}, we bake at four.' }

/** A signed-in user with the practice mailbox, three contacts and two templates. */
async function ready(page: Page, howl: Howl): Promise<E2eUser> {
  const user = await signedIn(page)
  const { token } = user
  await call(howl.url, mailboxSetup.practice, { token })
  for (const [name, email, company] of PEOPLE)
    await call(howl.url, contacts.add, { token, body: { name, email, company } })
  for (const body of [FAIR, BREAD]) await call(howl.url, templates.add, { token, body })
  return user
}

const choice = (within: Locator) => within.getByRole('combobox', { name: 'Written from' })
const firstEmails = (within: Locator) => within.getByRole('region', { name: 'The first emails' })

/** The dialog before a run over all contacts. */
async function openRun(page: Page): Promise<Locator> {
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Generate & Send Emails' }).click()
  const question = page.getByRole('dialog', { name: /^Send to/ })
  await expect(question).toBeVisible()
  return question
}

/** The subjects of the mails that have left, by their recipient. */
async function sent(howl: Howl, { token }: E2eUser): Promise<Record<string, string>> {
  const { body } = await call(howl.url, emails.list, { token, query: { folder: 'sent' } })
  return Object.fromEntries(body.map(({ to, subject }) => [to.split('+')[0], subject]))
}

test('a run is written from a template, whose first emails can be read and changed', async ({
  page,
  howl,
}) => {
  const user = await ready(page, howl)
  const question = await openRun(page)
  await expect(choice(question)).toHaveValue('')
  await expect(question).toContainText('These emails introduce you')
  await choice(question).selectOption({ label: FAIR.name })
  await expect(question).toContainText('Your template “After the fair”, filled in for each contact')
  await expect(question).not.toContainText('These emails introduce you')
  await expect(question.getByRole('region', { name: 'The email to Anna Berg' })).toContainText(
    'it was good to meet you and Berg Bakery. Shall we go on?',
  )
  await question.getByRole('button', { name: 'See the first emails' }).click()
  const anna = firstEmails(question).getByRole('region', { name: 'Email to Anna Berg' })
  await expect(anna).toContainText('Hello Anna,')
  await expect(anna).toContainText('You do not want such mail?')
  await question.getByRole('button', { name: 'Edit the email to Anna Berg' }).click()
  const form = question.getByRole('form', { name: 'Edit the email to Anna Berg' })
  await form.getByLabel('Subject').fill('Our talk at the fair')
  // What is being written would be lost.
  await choice(question).selectOption({ label: 'About you' })
  await expect(toast(page, 'Save or cancel your change to the email first.')).toBeVisible()
  await expect(choice(question).locator('option:checked')).toHaveText(FAIR.name)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(firstEmails(question)).toContainText('Changed by you')
  await question.getByRole('button', { name: 'Send me a test of the email to Anna Berg' }).click()
  await expect(page.getByText('A test is on its way to')).toBeVisible()
  await question.getByRole('button', { name: /^Ben Ott/ }).click()
  await question.getByRole('button', { name: 'Leave out Ben Ott' }).click()
  await expect(page.getByRole('dialog', { name: 'Send to 2 contacts?' })).toBeVisible()

  // Another choice shows its own emails; what was changed is still there on the way back.
  await choice(question).selectOption({ label: 'About you' })
  await expect(firstEmails(question)).toBeHidden()
  await question.getByRole('button', { name: 'See the first emails' }).click()
  await expect(firstEmails(question)).not.toContainText('Our talk at the fair')
  await expect(firstEmails(question)).toContainText('Left out')
  await choice(question).selectOption({ label: FAIR.name })
  await question.getByRole('button', { name: 'See the first emails' }).click()
  await expect(firstEmails(question)).toContainText('Our talk at the fair')

  await question.getByRole('button', { name: 'Send to 2 contacts' }).click()
  await expect(page.getByRole('status').getByText(/Successfully sent 2 email\(s\)\./)).toBeVisible()
  await expect(page.getByText('used fallback templates')).toBeHidden()
  expect(await sent(howl, user)).toMatchObject({ anna: 'Our talk at the fair', cleo: 'The fair' })
})

test('from a template to the contacts that get it', async ({ page, howl }) => {
  const user = await ready(page, howl)
  await page.goto('/outreach/templates')
  await page.getByRole('link', { name: FAIR.name, exact: true }).click()
  await page.getByRole('link', { name: 'Write to contacts with this' }).click()
  await expect(page.getByRole('region', { name: 'Write with a template' })).toContainText(
    'They get After the fair.',
  )
  for (const name of ['Anna Berg', 'Ben Ott'])
    await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check()
  const bar = page.getByRole('toolbar', { name: 'Selected contacts' })
  await bar.getByRole('button', { name: 'Write to these' }).click()
  const asked = page.getByRole('dialog', { name: 'Send to 2 contacts?' })
  await expect(choice(asked).locator('option:checked')).toHaveText(FAIR.name)
  await expect(asked).toContainText('Your template “After the fair”')
  // Another template has a gap for one of them, who stands among those left out.
  await choice(asked).selectOption({ label: BREAD.name })
  const one = page.getByRole('dialog', { name: 'Send to 1 contact?' })
  await expect(one.getByRole('region', { name: 'Left out: 1 of 2' })).toHaveText(
    /The template would have a gap: company.*Ben Ott/s,
  )
  await choice(one).selectOption({ label: FAIR.name })
  await asked.getByRole('button', { name: 'Send to 2 contacts' }).click()
  await expect(page.getByRole('status').getByText(/Successfully sent 2 email\(s\)/)).toBeVisible()
  expect(await sent(howl, user)).toEqual({ anna: 'The fair', ben: 'The fair' })
  // It was for this once.
  await expect(page.getByText('They get After the fair.')).toBeHidden()
  expect(new URL(page.url()).searchParams.has('template')).toBe(false)
})
