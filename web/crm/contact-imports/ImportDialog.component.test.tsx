import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { type ContactImport, contactImport, contactImports } from '#contract/crm/contact-imports.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { tags } from '#contract/crm/tags.ts'
import { sequences, sequenceSummary } from '#contract/outreach/sequences.ts'
import { blank, blankReply } from '../../../tests/support/blank-reply.ts'
import { openPage, show, toast } from '../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../tests/support/fake-api.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'
import { ImportDialog } from './ImportDialog.tsx'
import type { Importing, ImportPlan } from './use-import.ts'

const column = (
  name: string,
  meaning: ContactImport['columns'][number]['meaning'],
  ...samples: string[]
) => ({
  name,
  meaning,
  samples,
})
const OFFICE: ContactImport = blank(contactImport, {
  id: 5,
  file_name: 'google-contacts-of-the-whole-office.csv',
  source: 'google',
  has_file: true,
  columns: [
    column('First Name', 'first_name', 'Ada', 'Grace'),
    column('Job Title', 'position', 'Analyst', 'Rear Admiral'),
    column('Birthday', 'ignore'),
    column('E-mail 1 - Value', 'email', 'ada@x.example', 'grace@x.example'),
  ],
})
const UNKNOWN: ContactImport = {
  ...OFFICE,
  source: 'csv',
  columns: [
    column('Wer', 'ignore', 'Lee'),
    column('Wohin', 'ignore', 'lee@x.example'),
    column('Was', 'ignore', 'Seller'),
  ],
}
const CHECK = { ...blankReply(contactImports.check), rows: 3, create: 1, update: 1, existing: 1 }
const REFUSED = [{ line: 4, email: 'nowhere', reason: 'This is not a valid email address' }]

const importing = page.getByRole('dialog', { name: 'Import Contacts' })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const figure = (word: string) =>
  [...document.querySelectorAll('[role=dialog] dl > div')]
    .find(({ textContent }) => textContent.includes(word))
    ?.querySelector('dd')?.textContent

/** Shows the dialog of a file as it was uploaded. Returns what is imported, once it is. */
function preview(file: ContactImport): ImportPlan[] {
  const plans: ImportPlan[] = []
  const plan = { meanings: file.columns.map(({ meaning }) => meaning), duplicates: 'update' as const }
  const state: Importing = { state: 'preview', fileName: file.file_name, file, plan, seen: null, error: null }
  show(
    <ImportDialog
      importing={state}
      told={null}
      onImport={(wanted) => plans.push(wanted)}
      onClose={() => {}}
      onChoose={() => {}}
    />,
  )
  return plans
}

test('a well-known file is one press, and nothing of it is hidden', async () => {
  fakeApi().answers(contactImports.check, { ...CHECK, skip: 1, refused_total: 1, refused: REFUSED })
  const plans = preview(OFFICE)
  await expect
    .element(importing)
    .toMatchTextContent('google-contacts-of-the-whole-office.csv, from Google Contacts')
  await expect.element(button('Import 2 contacts')).toHaveFocus()
  await expect.element(importing.getByRole('combobox', { name: 'Job Title becomes' })).toHaveValue('position')
  await expect.element(importing.getByRole('combobox', { name: 'Birthday becomes' })).not.toBeInTheDocument()
  await importing.getByText('1 more column, not imported').click()
  await expect.element(importing.getByRole('combobox', { name: 'Birthday becomes' })).toBeVisible()
  await importing.getByText('1 row cannot be imported').click()
  await expect.element(importing.getByRole('row', { name: /4.*nowhere.*not a valid email/ })).toBeVisible()
  await expectSound('[role=dialog]')
  await button('Import 2 contacts').click()
  expect(plans).toEqual([{ meanings: ['first_name', 'position', 'ignore', 'email'], duplicates: 'update' }])
})

test('who is there already is updated or left', async () => {
  fakeApi().answers(contactImports.check, CHECK)
  const plans = preview(OFFICE)
  await expect.element(importing.getByText('1 address is already in your contacts.')).toBeVisible()
  await expect.poll(() => figure('Update')).toBe('1')
  await importing.getByRole('radio', { name: 'Skip' }).click()
  await expect.poll(() => figure('Skip')).toBe('1')
  await button('Import 1 contact').click()
  expect(plans.map(({ duplicates }) => duplicates)).toEqual(['skip'])
})

test('columns that nobody knows are chosen by hand', async () => {
  const api = fakeApi().answers(contactImports.check, { ...CHECK, create: 1, update: 0, existing: 0 })
  api.answers(sequences.list, [
    blank(sequenceSummary, {
      name: 'Slow bread',
      state: 'running',
      tags: { starts: ['VIP'], asks: [], adds: ['Fair'] },
    }),
    blank(sequenceSummary, { name: 'Cake', state: 'draft', tags: { starts: ['Fair'], asks: [], adds: [] } }),
  ])
  const plans = preview(UNKNOWN)
  await expect
    .element(importing.getByRole('alert'))
    .toMatchTextContent('Howl found no email column in this file')
  await expect.element(button('Import contacts')).toBeDisabled()
  await importing.getByRole('combobox', { name: 'Wohin becomes' }).selectOptions('Email')
  await expect.element(button('Import 1 contact')).toBeVisible()
  await importing.getByRole('combobox', { name: 'Wer becomes' }).selectOptions('Name')
  const was = importing.getByRole('combobox', { name: 'Was becomes' })
  const note = importing.getByText(/^Contacts who get these tags join sequences\./)
  await expect.element(note).not.toBeInTheDocument()
  await was.selectOptions('Tags')
  await expect.element(note).toMatchTextContent(/\. “VIP” starts the sequence “Slow bread” for them\.$/)
  await was.selectOptions('Position')
  const meanings = ['name', 'email', 'position']
  await expect.poll(() => api.calls(contactImports.check).at(-1)?.body).toMatchObject({ meanings })
  await button('Import 1 contact').click()
  expect(plans).toEqual([{ meanings, duplicates: 'update' }])
})

/** A server of the contacts page, with nobody on it. */
const contactsApi = (): FakeApi =>
  fakeApi().answers(contacts.list).answers(tags.list).answers(contactImports.list)

test('a file of another kind is not sent, and another one can be chosen', async () => {
  contactsApi()
  openPage('/contacts')
  await page.getByLabelText('CSV or vCard file').upload(new File(['Email\na@x.example\n'], 'people.txt'))
  await expect.element(importing.getByRole('alert')).toMatchTextContent('Please choose a .csv or .vcf file')
  await expect.element(button('Choose another file')).toBeVisible()
  await importing.getByRole('button', { name: 'Close' }).last().click()
  await expect.element(importing).not.toBeInTheDocument()
})

test('a file that is dragged over the page can be dropped anywhere', async () => {
  contactsApi()
  openPage('/contacts')
  await expect.element(page.getByText('No contacts yet')).toBeVisible()
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File(['Email\n'], 'people.txt'))
  const footer = document.querySelector('footer') ?? document.body
  footer.dispatchEvent(new DragEvent('dragenter', { bubbles: true, dataTransfer }))
  await expect.element(page.getByText('Drop a CSV or vCard file to import it')).toBeVisible()
  footer.dispatchEvent(new DragEvent('drop', { bubbles: true, dataTransfer }))
  await expect.element(importing).toMatchTextContent('people.txt')
  await importing.getByRole('button', { name: 'Close' }).last().click()
})

const RESULT = { ...blankReply(contactImports.run), created: 2, skipped: 1, refused: REFUSED }

test('the result says what was refused, and leads back', async () => {
  const undo = { remove: 2, restore: 0, keep: 0 }
  const api = contactsApi()
    .answers(contactImports.undoPlan, { ...undo, message: 'This removes 2 contacts that the import added.' })
    .answers(contactImports.undo, { ...undo, message: 'Removed 2, restored 0' })
  const state: Importing = { state: 'done', fileName: 'people.csv', id: 5, result: RESULT }
  show(
    <ImportDialog importing={state} told={null} onImport={() => {}} onClose={() => {}} onChoose={() => {}} />,
  )
  const finished = page.getByRole('dialog', { name: 'Import finished' })
  await expect.element(finished.getByRole('row', { name: /4.*nowhere/ })).toBeVisible()
  await expectSound('[role=dialog]')
  await finished.getByRole('button', { name: 'Undo import' }).click()
  const undoing = page.getByRole('dialog', { name: 'Undo this import?' })
  await expect.element(undoing).toMatchTextContent('This removes 2')
  await expectSound('[role=dialog]')
  await undoing.getByRole('button', { name: 'Undo import' }).click()
  await expect.element(toast('Removed 2, restored 0')).toBeVisible()
  expect(api.calls(contactImports.undo)).toHaveLength(1)
})

const BOTH = 'This removes 1 contact that the import added and gives 1 contact the old values back.'

test('recent imports can be undone', async () => {
  const recent = blank(contactImport, {
    id: 5,
    file_name: 'people.csv',
    finished_at: '2027-03-08T08:00:00Z',
    created: 1,
    updated: 1,
  })
  contactsApi()
    .answers(contactImports.list, [recent])
    .answers(contactImports.undoPlan, { remove: 1, restore: 1, keep: 0, message: BOTH })
  openPage('/contacts')
  await button('Recent imports').click()
  const listed = page.getByRole('dialog', { name: 'Recent imports' })
  await expect
    .element(listed.getByRole('listitem').filter({ hasText: 'people.csv' }))
    .toMatchTextContent('1 contact added, 1 updated')
  await expectSound('[role=dialog]')
  await listed.getByRole('button', { name: 'Undo' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Undo this import?' })).toMatchTextContent(BOTH)
})
