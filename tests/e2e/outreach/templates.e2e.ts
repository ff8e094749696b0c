import type { Page } from '@playwright/test'
import { contacts } from '#contract/crm/contacts.ts'
import { templates } from '#contract/outreach/templates.ts'
import { ask, type E2eUser, expect, signedIn, test } from '../../support/e2e.ts'
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

const addContact = async (page: Page, user: E2eUser, fields: Record<string, string>) =>
  (await ask(page, user, contacts.add, fields)).id
const addTemplate = async (page: Page, user: E2eUser, fields: Record<string, string>) =>
  (await ask(page, user, templates.add, fields)).id

test('a template is made from one of the house, tried for a contact, saved, deleted and brought back', async ({
  page,
}) => {
  const user = await signedIn(page, { name: 'Kim Lee' })
  await addContact(page, user, { name: 'Schmidt, Anna', email: 'anna@werk.example', company: 'Werk' })
  await addContact(page, user, { name: 'Müller GmbH', email: 'info@mueller.example' })
  await page.goto('/contacts')
  await openSearch(page)
  await page.keyboard.type('templates')
  await page.keyboard.press('Enter')
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

  // Until it is known which sequences use a template, its deletion asks first.
  const uses = page.waitForResponse((response) => response.url().includes('/api/v1/sequences'))
  await button(page, 'Save template').click()
  await expect(toast(page, 'Template added')).toBeVisible()
  await uses
  await expect(own(page).getByRole('link', { name: 'Thanks' })).toBeVisible()

  await button(page, 'Delete Thanks').click()
  await expect(toast(page, 'Template deleted')).toBeVisible()
  await expect(page.getByText('No templates of your own yet')).toBeVisible()
  await button(page, 'Undo').click()
  await expect(toast(page, 'Template restored')).toBeVisible()
  await own(page).getByRole('link', { name: 'Thanks' }).click()
  await expect(subject(page)).toHaveValue('Thank you, {{ first_name | default: "there" }}')
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
