import type { Locator, Page } from '@playwright/test'
import { briefs } from '#contract/outreach/briefs.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { emails } from '#contract/mail/emails.ts'
import { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import { call } from '../../support/client.ts'
import { type E2eUser, expect, type Howl, signedIn, test } from '../../support/e2e.ts'
import { toast } from '../../support/toast.ts'

// What first emails are about, and the first of them before anything leaves.

const PEOPLE = [
  ['Anna Berg', 'anna+silent@bakery.example', 'Berg Bakery'],
  ['Ben Ott', 'ben+silent@garden.example', 'Ott Gardens'],
  ['Cleo Roth', 'cleo+silent@books.example', 'Roth Books'],
] as const

const BRIEF = {
  offer: 'We look after the gardens of restaurants.',
  audience: 'houses with a terrace',
  benefit: 'Your guests sit in the green from April on.',
  proof: 'Hotel Sonne has worked with us since 2019.',
  ask: 'May I come by and look at your terrace?',
  tone: 'plain',
  language: 'en',
  signature: '',
} as const

/** A signed-in user with the practice mailbox and three contacts. */
async function ready(page: Page, howl: Howl): Promise<E2eUser> {
  const user = await signedIn(page)
  const { token } = user
  await call(howl.url, mailboxSetup.practice, { token })
  for (const [name, email, company] of PEOPLE)
    await call(howl.url, contacts.add, { token, body: { name, email, company } })
  return user
}

const form = (page: Page) => page.getByRole('form', { name: 'About you' })
const field = (page: Page, label: string) => form(page).getByLabel(label, { exact: true })
const example = (page: Page) => page.getByRole('region', { name: 'How the first email would sound' })
const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name })

async function openForm(page: Page): Promise<void> {
  await page.goto('/outreach/about-you')
  await expect(form(page)).toBeVisible()
}

/** The dialog before a run, with the first emails. */
async function openFirstEmails(page: Page): Promise<Locator> {
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Generate & Send Emails' }).click()
  const question = page.getByRole('dialog', { name: /^Send to/ })
  await question.getByRole('button', { name: 'See the first emails' }).click()
  await expect(question.getByRole('region', { name: 'The first emails' })).toBeVisible()
  return question
}

test('from an empty form to a run whose first emails were read, changed and left out', async ({
  page,
  howl,
}) => {
  const { token } = await ready(page, howl)
  await page.goto('/dashboard')
  const steps = page.getByRole('region', { name: 'Ready to send' })
  await expect(steps.getByText('What your emails are about')).toBeVisible()
  await steps.getByRole('link', { name: 'Tell Howl about you' }).click()
  await expect(page).toHaveURL(/\/outreach\/about-you$/)
  await expect(example(page)).toContainText('Say what you offer, and the email appears here')

  await field(page, 'What you offer').fill(BRIEF.offer)
  await expect(example(page)).toContainText('We look after the gardens of restaurants.')
  await expect(example(page)).toContainText('To Anna Berg')
  await field(page, 'Who it is for').fill(BRIEF.audience)
  await expect(example(page)).toContainText('It is for houses with a terrace.')
  await field(page, 'What the reader gets').fill(BRIEF.benefit)
  await field(page, 'Proof').fill(BRIEF.proof)
  await field(page, 'What to ask for').fill(BRIEF.ask)
  await field(page, 'Tone').selectOption('Friendly')
  await expect(example(page)).toContainText('Hi Anna,')
  await field(page, 'Signature').fill('Ada Muster\nMuster Gardens')
  await form(page).getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Saved. Your next emails are written from it.')).toBeVisible()

  await page.goto('/dashboard')
  await expect(steps.getByRole('listitem').filter({ hasText: 'What your emails are about' })).toContainText(
    '(done)',
  )
  const question = await openFirstEmails(page)
  const anna = question.getByRole('region', { name: 'Email to Anna Berg' })
  await expect(anna).toContainText(BRIEF.proof)
  await expect(anna).toContainText('You do not want such mail?')

  await question.getByRole('button', { name: 'Edit the email to Anna Berg' }).click()
  const edit = question.getByRole('form', { name: 'Edit the email to Anna Berg' })
  await expect(edit.getByLabel('Subject')).toBeFocused()
  await expect(question.getByRole('button', { name: 'Send to 3 contacts' })).toBeDisabled()
  await edit.getByLabel('Subject').fill('Bread on the terrace')
  await edit.getByLabel('Text').fill('Hi Anna,\n\nI had coffee at your place on Friday.\n\nAda')
  await page.keyboard.press('Escape')
  await expect(toast(page, 'Save or cancel your change to the email first.')).toBeVisible()
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(question.getByText('Changed by you', { exact: true })).toBeVisible()
  await expect(anna).toContainText('I had coffee at your place on Friday.')

  await question.getByRole('button', { name: /Ben Ott/ }).click()
  await question.getByRole('button', { name: 'Leave out Ben Ott' }).click()
  const fewer = dialog(page, 'Send to 2 contacts?')
  await expect(fewer.getByText('1 of 3 contacts: 1 left out by you')).toBeVisible()
  await expect(fewer.getByText('1 email, by you')).toBeVisible()

  // Whoever closes the dialog finds all of it again.
  await fewer.getByRole('button', { name: 'Cancel' }).click()
  await expect(fewer).toBeHidden()
  await page.getByRole('button', { name: 'Generate & Send Emails' }).click()
  await expect(fewer.getByRole('region', { name: 'The email to Anna Berg' })).toContainText(
    'I had coffee at your place on Friday.',
  )
  await fewer.getByRole('button', { name: 'See the first emails' }).click()
  await expect(anna).toContainText('I had coffee at your place on Friday.')
  await expect(question.getByText('Left out', { exact: true })).toHaveCount(2)

  await question.getByRole('button', { name: 'Send me a test of the email to Anna Berg' }).click()
  await expect(toast(page, /^A test is on its way to /)).toBeVisible()

  await question.getByRole('button', { name: 'Send to 2 contacts' }).click()
  await expect(toast(page, /^Successfully sent 2 email\(s\)\. 1 contact\(s\) were skipped\./)).toBeVisible()
  await page.getByRole('button', { name: 'See results' }).click()
  const results = dialog(page, 'Results of the run')
  await expect(results.getByRole('row', { name: /Ben Ott/ })).toContainText('Left out by you')

  const subjects = async (folder: 'sent' | 'inbox') =>
    (await call(howl.url, emails.list, { token, query: { folder } })).body.map(({ subject }) => subject)
  await expect
    .poll(() => subjects('sent'))
    .toEqual(expect.arrayContaining(['Bread on the terrace', '[Test] Bread on the terrace']))
  // The test came back to the user, and to nobody else.
  await expect.poll(() => subjects('inbox')).toEqual(['[Test] Bread on the terrace'])
})

test('what is given up stays given up, and what is left by Back is kept', async ({ page, howl }) => {
  const { token } = await ready(page, howl)
  await call(howl.url, briefs.save, { token, body: BRIEF })
  await openForm(page)
  await field(page, 'Proof').fill('Half a thought')

  const question = dialog(page, 'Leave without saving?')
  // Even for someone who turns back before the next page is there.
  const slow = Promise.withResolvers<void>()
  await page.route('**/TemplatesTab*.js', async (route) => {
    await slow.promise
    await route.continue()
  })
  await page.getByRole('link', { name: 'Templates' }).click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(/\/outreach\/templates$/)
  await page.getByRole('link', { name: 'About you' }).click()
  await expect(page).toHaveURL(/\/outreach\/about-you$/)
  await expect(field(page, 'Proof')).toHaveValue(BRIEF.proof)
  slow.resolve()
  await page.getByRole('link', { name: 'Templates' }).click()
  await expect(page.getByRole('link', { name: 'Use Introduction' })).toBeVisible()
  await page.getByRole('link', { name: 'About you' }).click()
  await expect(field(page, 'Proof')).toHaveValue(BRIEF.proof)

  // Nobody is asked by Back: then what was typed is still there.
  await field(page, 'Proof').fill('A whole thought.')
  await page.goBack()
  await expect(page).toHaveURL(/\/outreach\/templates$/)
  await page.goForward()
  await expect(field(page, 'Proof')).toHaveValue('A whole thought.')
  await form(page).getByRole('button', { name: 'Discard changes' }).click()
  await expect(field(page, 'Proof')).toHaveValue(BRIEF.proof)
})
