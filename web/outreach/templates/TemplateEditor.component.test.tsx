import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { contact, contacts } from '#contract/crm/contacts.ts'
import { mailboxes } from '#contract/mail/mailboxes.ts'
import { automaticMail } from '#contract/outreach/automatic-mail.ts'
import { briefs } from '#contract/outreach/briefs.ts'
import { sequences, type SequenceSummary, sequenceSummary } from '#contract/outreach/sequences.ts'
import { houseTemplate, template, templates } from '#contract/outreach/templates.ts'
import { blank, blankReply } from '../../../tests/support/blank-reply.ts'
import { openPage, toast } from '../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../tests/support/fake-api.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'

const BUSY = 'Howl is busy or restarting.'
const NEW = '/outreach/templates/new'
const MISTAKE = 'There is no field “frist_name”. Is first_name meant?'
const OFFER = blank(houseTemplate, {
  key: 'offer',
  name: 'Offer',
  subject: 'An offer',
  body: '{{ greeting }},\n\n[we bake at four].',
})
const BREAD = blank(template, { id: 4, name: 'Bread', subject: 'Bread for {{ name }}', body: 'Hello' })

const button = (name: string) => page.getByRole('button', { name, exact: true })
const check = page.getByRole('list', { name: 'Check' })
const subject = page.getByRole('textbox', { name: 'Subject' })
const text = page.getByRole('textbox', { name: 'Text' })
const preview = page.getByRole('article', { name: 'Preview of the mail' })

const templatesApi = (): FakeApi =>
  fakeApi()
    .answers(templates.list)
    .answers(templates.house, [OFFER])
    .answers(templates.values, ({ query }) => {
      const values = { ...blankReply(templates.values).values, greeting: 'Hello,', name: 'Müller GmbH' }
      return query.contact_id === undefined
        ? { contact: { id: 1, name: 'Müller GmbH', email: 'info@mueller.example' }, values }
        : {
            contact: { id: 2, name: 'Anna', email: 'anna@werk.example' },
            values: { ...values, greeting: 'Hello Anna,' },
          }
    })
    .answers(templates.check)
    .answers(automaticMail.accounts)
    .answers(mailboxes.get)
    .answers(briefs.get)

test('a template that sequences use is deleted after it is said what waits for it; another one at once', async () => {
  const FREE = blank(template, { id: 5, name: 'Thanks' })
  const using = (name: string, state: SequenceSummary['state']) =>
    blank(sequenceSummary, { name, state, template_ids: [BREAD.id] })
  const api = templatesApi()
    .answers(templates.list, [BREAD, FREE])
    .answers(templates.remove, { ok: true })
    .answers(sequences.list, [using('Slow bread', 'running'), using('Cake', 'draft'), using('Over', 'ended')])
  openPage('/outreach/templates')
  await button('Delete Bread').click()
  const asking = page.getByRole('dialog', { name: 'Delete template “Bread”?' })
  await expect
    .element(asking)
    .toMatchTextContent(
      '“Bread” is used by the sequences “Slow bread” and “Cake”. Until you choose another template there, emails from it wait and a draft can’t start.',
    )
  await expectSound('[role=dialog]')
  expect(api.calls(templates.remove)).toEqual([])
  await asking.getByRole('button', { name: 'Delete' }).click()
  await expect.element(toast('Template deleted')).toBeVisible()
  await expect.element(asking).not.toBeInTheDocument()
  await button('Delete Thanks').click()
  await expect
    .poll(() => api.calls(templates.remove).map(({ params }) => Number(params['id'])))
    .toEqual([BREAD.id, FREE.id])
})

test('the check names mistakes with their place, and contacts that would read a gap', async () => {
  const api = templatesApi()
    .answers(templates.check, {
      ...blankReply(templates.check),
      gaps: [{ field: 'company', contacts: 1, names: ['Ana Ruiz'] }],
      contacts: 2,
      contacts_checked: 2,
    })
    .refuses(templates.add, 400, 'Please enter a name', { fields: { name: 'Please enter a name' } })
  openPage(NEW)
  await subject.fill('Bread for {{ company }}')
  await expect
    .element(check)
    .toMatchTextContent(
      'The company is not known of one contact: Ana Ruiz. Give it a default, or a condition.',
    )
  await text.fill('Hello\n\n{{ frist_name }}')
  await expect.element(check).toMatchTextContent(MISTAKE)
  await button('Line 3, column 1').click()
  await userEvent.keyboard('x')
  await expect.element(text).toHaveValue('Hello\n\nx{{ frist_name }}')
  await expectSound()

  await button('Save template').click()
  await expect.element(page.getByText('Please enter a name')).toBeVisible()
  await page.getByRole('textbox', { name: 'Name' }).fill('Bread')
  api.refuses(templates.add, 400, MISTAKE, { fields: { body: `Line 3: ${MISTAKE}` } })
  await button('Save template').click()
  await expect.element(text).toHaveAttribute('aria-invalid', 'true')
  await expect.element(page.getByText(`Line 3: ${MISTAKE}`)).toBeVisible()
})

test('fields and conditions are put where one writes', async () => {
  templatesApi()
  openPage(NEW)
  await subject.fill('Thank you, ')
  await button('First name').click()
  await expect.element(subject).toHaveValue('Thank you, {{ first_name | default: "there" }}')
  await expect.element(subject).toHaveFocus()
  await text.fill('Hello at work')
  text.element().focus()
  ;(text.element() as HTMLTextAreaElement).setSelectionRange(5, 13)
  await button('Only if …').click()
  await page.getByRole('menuitem', { name: 'Only if the company is known' }).click()
  await expect.element(text).toHaveValue('Hello{% if company %} at work{% endif %}')
})

test('the preview is the mail to one contact, which can be chosen', async () => {
  const anna = blank(contact, { id: 2, name: 'Anna', email: 'anna@werk.example' })
  templatesApi().answers(contacts.list, [anna])
  openPage(`${NEW}?from=offer`)
  await expect.element(preview).toMatchTextContent(/To Müller GmbH.*Hello,/s)
  await expect
    .element(check)
    .toMatchTextContent('One example in [ ] waits for your own words: we bake at four.')
  await page.getByRole('combobox', { name: 'Show it for' }).fill('anna')
  await page.getByRole('option', { name: /Anna/ }).click()
  await expect.element(preview).toMatchTextContent(/To Anna.*Hello Anna,/s)
  await expectSound()
})

test('failures are said and can be tried again', async () => {
  const api = templatesApi().refuses(templates.list, 503, BUSY, { code: 'UNAVAILABLE' })
  openPage('/outreach/templates')
  await expect.element(page.getByText('Failed to load your templates')).toBeVisible()
  api.answers(templates.list)
  await button('Try again').click()
  await expect.element(page.getByText('No templates of your own yet')).toBeVisible()
  await page.getByRole('link', { name: 'Use Offer' }).click()
  api.refuses(templates.add, 503, BUSY, { code: 'UNAVAILABLE' })
  await button('Save template').click()
  await expect.element(page.getByRole('alert').filter({ hasText: BUSY })).toBeVisible()
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveValue('Offer')
})

test('a template that does not exist is said to be none', async () => {
  templatesApi().refuses(templates.get, 404, 'There is none.', { code: 'NOT_FOUND' })
  openPage('/outreach/templates/987654321')
  await expect.element(page.getByText('This template does not exist')).toBeVisible()
})

test('the list is sound with names and subjects of any length', async () => {
  const long = { ...BREAD, id: 5, name: 'A '.repeat(50), subject: 'Long '.repeat(30) }
  templatesApi().answers(templates.list, [BREAD, long])
  openPage('/outreach/templates')
  await expect.element(page.getByRole('link', { name: 'Bread', exact: true })).toBeVisible()
  await expectSound()
})
