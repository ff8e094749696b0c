import type { Page } from '@playwright/test'
import { contacts } from '#contract/crm/contacts.ts'
import { pathOf } from '#contract/platform/endpoint.ts'
import { templates } from '#contract/outreach/templates.ts'
import { type E2eUser, expect, signedIn, test } from '../../support/e2e.ts'
import { expectSound } from '../../support/sound-page.ts'
import { toast } from '../../support/toast.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const own = (page: Page) => page.getByRole('list', { name: 'Your templates' })
const preview = (page: Page) => page.getByRole('article', { name: 'Preview of the mail' })
const check = (page: Page) => page.getByRole('list', { name: 'Check' })
const subject = (page: Page) => page.getByRole('textbox', { name: 'Subject' })
const text = (page: Page) => page.getByRole('textbox', { name: 'Text' })
const leaving = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' })

async function openSearch(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Search everything' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Search everything' }).getByRole('combobox')).toBeFocused()
}

async function post(page: Page, user: E2eUser, path: string, data: object): Promise<number> {
  const answer = await page.request.post(path, { headers: { Authorization: `Bearer ${user.token}` }, data })
  expect(answer.ok()).toBe(true)
  return ((await answer.json()) as { id: number }).id
}
const addContact = (page: Page, user: E2eUser, fields: Record<string, string>) =>
  post(page, user, pathOf(contacts.add), fields)
const addTemplate = (page: Page, user: E2eUser, fields: Record<string, string>) =>
  post(page, user, pathOf(templates.add), fields)

test('a template is made from one of the house, tried for a contact, saved, deleted and brought back', async ({
  page,
}) => {
  const user = await signedIn(page, { name: 'Kim Lee' })
  await addContact(page, user, { name: 'Schmidt, Anna', email: 'anna@werk.example', company: 'Werk' })
  await addContact(page, user, { name: 'Müller GmbH', email: 'info@mueller.example' })
  await page.goto('/outreach')
  await page.getByRole('link', { name: 'Templates', exact: true }).click()
  await expect(page).toHaveURL(/\/outreach\/templates$/)
  await expect(page.getByText('No templates of your own yet')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Templates to begin with' }).getByRole('listitem')).toHaveCount(
    10,
  )

  await page.getByRole('link', { name: 'Use Thanks' }).click()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Thanks')
  // The newest contact is a company: no false first name.
  await expect(preview(page)).toContainText('To Müller GmbH')
  await expect(preview(page)).toContainText('Hello,')
  await expect(check(page)).toContainText('examples in [ ] wait for your own words')

  await subject(page).fill('Thank you, ')
  await button(page, 'First name').click()
  await expect(subject(page)).toHaveValue('Thank you, {{ first_name | default: "there" }}')
  await expect(subject(page)).toBeFocused()
  await expect(preview(page)).toContainText('Thank you, there')

  await page.getByRole('combobox', { name: 'Show it for' }).fill('anna')
  await page.getByRole('option', { name: /Anna/ }).click()
  await expect(preview(page)).toContainText('To Schmidt, Anna')
  await expect(preview(page)).toContainText('Thank you, Anna')
  await expect(preview(page)).toContainText('Hello Anna,')

  await text(page).fill('{{ greeting }},\n\nThe bread that you ordered left us today at six. Is ')
  await button(page, 'Position').click()
  await page.keyboard.type(' as it should be?')
  await expect(text(page)).toHaveValue(/Is \{\{ position \| default: "your work" \}\} as it should be\?$/)
  await expect(check(page)).toHaveText('Nothing against it.')

  await button(page, 'Save template').click()
  await expect(toast(page, 'Template added')).toBeVisible()
  await expect(own(page).getByRole('link', { name: 'Thanks' })).toBeVisible()

  await button(page, 'Delete Thanks').click()
  await expect(toast(page, 'Template deleted')).toBeVisible()
  await expect(page.getByText('No templates of your own yet')).toBeVisible()
  await button(page, 'Undo').click()
  await expect(toast(page, 'Template restored')).toBeVisible()
  await own(page).getByRole('link', { name: 'Thanks' }).click()
  await expect(subject(page)).toHaveValue('Thank you, {{ first_name | default: "there" }}')
})

test('the check names mistakes with their place, and contacts that would read a gap', async ({ page }) => {
  const user = await signedIn(page)
  await addContact(page, user, { name: 'Ana Ruiz', email: 'ana@far.example' })
  await addContact(page, user, { name: 'Bea Berg', email: 'bea@far.example', company: 'Werk' })
  await page.goto('/outreach/templates/new')
  await subject(page).fill('Bread for {{ company }}')
  await expect(check(page)).toContainText(
    'The company is not known of one contact: Ana Ruiz. Give it a default, or a condition.',
  )
  await text(page).fill('Hello\n\n{{ frist_name }}')
  await expect(check(page)).toContainText('There is no field “frist_name”. Is first_name meant?')
  await button(page, 'Line 3, column 1').click()
  await page.keyboard.type('x')
  await expect(text(page)).toHaveValue('Hello\n\nx{{ frist_name }}')

  await button(page, 'Save template').click()
  await expect(page.getByText('Please enter a name')).toBeVisible()
  await page.getByRole('textbox', { name: 'Name' }).fill('Bread')
  await button(page, 'Save template').click()
  await expect(text(page)).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByText('Line 3: There is no field “frist_name”. Is first_name meant?')).toBeVisible()
})

test('a condition is put around what is selected', async ({ page }) => {
  await signedIn(page)
  await page.goto('/outreach/templates/new')
  await text(page).fill('Hello at work')
  await text(page).press('Home')
  for (const _ of 'Hello') await text(page).press('ArrowRight')
  await text(page).press('Shift+End')
  await button(page, 'Only if …').click()
  await page.getByRole('menuitem', { name: 'Only if the company is known' }).click()
  await expect(text(page)).toHaveValue('Hello{% if company %} at work{% endif %}')
})

test('unsaved changes are asked about, by whichever way the page is left', async ({ page }) => {
  const user = await signedIn(page)
  const id = await addTemplate(page, user, { name: 'Bread', subject: 'Bread', body: 'Hello' })
  await page.goto('/outreach/templates')
  await own(page).getByRole('link', { name: 'Bread' }).click()
  await text(page).fill('Hello you')

  await page.getByRole('link', { name: 'Contact', exact: true }).click()
  await leaving(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(text(page)).toHaveValue('Hello you')

  await page.goBack()
  await expect(leaving(page)).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/templates/${id}$`))
  await page.keyboard.press('Escape')
  await expect(leaving(page)).toBeHidden()
  await expect(text(page)).toHaveValue('Hello you')

  await openSearch(page)
  await page.keyboard.type('profile')
  await page.keyboard.press('Enter')
  await leaving(page).getByRole('button', { name: 'Leave without saving' }).click()
  await expect(page).toHaveURL(/\/profile$/)

  await page.goto(`/outreach/templates/${id}`)
  await expect(text(page)).toHaveValue('Hello')
  await text(page).fill('Hello you')
  await page.goBack()
  await leaving(page).getByRole('button', { name: 'Leave without saving' }).click()
  await expect(page).toHaveURL(/\/profile$/)

  // Nothing is asked where nothing was changed, or all is saved.
  await page.goto(`/outreach/templates/${id}`)
  await text(page).fill('Hello me')
  await button(page, 'Save template').click()
  await expect(toast(page, 'Template saved')).toBeVisible()
  await own(page).getByRole('link', { name: 'Bread' }).click()
  await expect(text(page)).toHaveValue('Hello me')
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(own(page)).toBeVisible()
})

test('outreach is found by search, and from the dashboard', async ({ page }) => {
  await signedIn(page)
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Outreach', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Outreach' })).toBeVisible()
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'See templates' }).click()
  await expect(page).toHaveURL(/\/outreach\/templates$/)
  await page.goto('/contacts')
  await openSearch(page)
  await page.keyboard.type('templates')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/outreach\/templates$/)
})

test('failures are said and can be tried again', async ({ page }) => {
  await signedIn(page)
  const fail = { status: 503, json: { detail: 'Howl is busy or restarting.', code: 'UNAVAILABLE' } }
  await page.route(`**${pathOf(templates.list)}`, (route) => route.fulfill(fail))
  await page.goto('/outreach/templates')
  await expect(page.getByText('Failed to load your templates')).toBeVisible()
  await page.unrouteAll()
  await button(page, 'Try again').click()
  await expect(page.getByText('No templates of your own yet')).toBeVisible()

  await page.goto('/outreach/templates/987654321')
  await expect(page.getByText('This template does not exist')).toBeVisible()

  await page.route(`**${pathOf(templates.add)}`, (route) => route.fulfill(fail))
  await page.goto('/outreach/templates/new?from=offer')
  await button(page, 'Save template').click()
  await expect(page.getByRole('alert').filter({ hasText: 'Howl is busy or restarting.' })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Offer')
})

test('list and editor are sound', async ({ page }) => {
  const user = await signedIn(page, { name: 'Kim Lee' })
  await addContact(page, user, { name: 'Ana Ruiz', email: 'ana@far.example', company: 'Ruiz & Sons' })
  await addContact(page, user, { name: 'The Bakery', email: 'info@far.example' })
  await page.goto('/outreach/templates')
  await expect(page.getByText('No templates of your own yet')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Use Referral' })).toBeVisible()
  await expectSound(page)
  await addTemplate(page, user, { name: 'Bread', subject: 'Bread for {{ name }}', body: 'Hello' })
  await addTemplate(page, user, { name: 'A '.repeat(50), subject: 'Long '.repeat(30), body: 'Hello' })
  await page.reload()
  await expect(own(page).getByRole('link', { name: 'Bread' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Use Referral' })).toBeVisible()
  await expectSound(page)
  await page.goto('/outreach/templates/new?from=introduction')
  await expect(preview(page)).toContainText('To The Bakery')
  await expect(check(page)).toContainText('examples in [ ] wait')
  await expectSound(page)
  await subject(page).fill('FREE BREAD! {{ nmae }}')
  await text(page).fill('{{ first_name }} of {{ company }}. Act now!')
  await expect(check(page)).toContainText('There is no field')
  await expectSound(page)
  await button(page, 'Only if …').click()
  await expect(page.getByRole('menuitem', { name: 'Only if the company is known' })).toBeVisible()
})
