import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { contactImports } from '#contract/crm/contact-imports.ts'
import { contact, contacts } from '#contract/crm/contacts.ts'
import { type CountedTag, tag, tags } from '#contract/crm/tags.ts'
import { sequences, sequenceSummary } from '#contract/outreach/sequences.ts'
import { blank } from '../../../tests/support/blank-reply.ts'
import { closingDialogs } from '../../../tests/support/closing-dialogs.ts'
import { openPage, toast } from '../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../tests/support/fake-api.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'

const FIVE = ['Anna', 'Bert', 'Cleo', 'Dan', 'Eve'].map((name, at) =>
  blank(contact, { id: at + 1, name, email: `${name.toLowerCase()}@x.example`, status: 'prospect' }),
)
const FAIR: CountedTag = { ...blank(tag, { id: 1, name: 'Trade fair', colour: 'gray' }), contacts: 2 }

const CAKE = blank(sequenceSummary, {
  id: 8,
  name: 'Cake',
  state: 'paused',
  tags: { starts: ['vip'], asks: [], adds: ['Trade fair'] },
})
const BREAD = blank(sequenceSummary, {
  id: 7,
  name: 'Slow bread',
  state: 'running',
  tags: { starts: ['VIP'], asks: ['Trade fair'], adds: [] },
})
const ENDED = blank(sequenceSummary, {
  id: 9,
  name: 'Over',
  state: 'ended',
  tags: { starts: ['VIP', 'Trade fair'], asks: [], adds: [] },
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const select = (name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
const bar = page.getByRole('toolbar', { name: 'Selected contacts' })
const row = (name: string) => page.getByRole('row').filter({ hasText: name })
const whole = page.getByRole('checkbox', { name: 'Select all on this page' })
const dialog = (name: string) => page.getByRole('dialog', { name })

/** A server with five contacts on the page, of so many in all. */
const fiveApi = (total = 5): FakeApi =>
  fakeApi()
    .answers(contacts.list, FIVE, { total })
    .answers(tags.list, [FAIR])
    .answers(contactImports.list)
    .answers(sequences.list, [BREAD, CAKE, ENDED])

test('contacts are chosen one by one, in a row with Shift, and a page at once', async () => {
  fiveApi()
  openPage('/contacts')
  await select('Anna').click()
  await expect.element(bar).toMatchTextContent('1 selected')
  await select('Dan').click({ modifiers: ['Shift'] })
  await expect.element(bar).toMatchTextContent('4 selected')
  await expect.element(row('Cleo')).toHaveAttribute('aria-selected', 'true')
  await expectSound()
  await select('Bert').click()
  await expect.element(bar).toMatchTextContent('3 selected')
  await whole.click()
  await expect.element(bar).toMatchTextContent('5 selected')
  await whole.click()
  await expect.element(bar).not.toBeInTheDocument()
  await select('Eve').click()
  await expect.element(bar).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(bar).not.toBeInTheDocument()
  await select('Eve').click()
  await button('Clear selection').click()
  await expect.element(select('Eve')).not.toBeChecked()
})

test('a tag is chosen before many get it, and can be made on the fly', async () => {
  const api = fiveApi().answers(contacts.tagMany, { changed: 2, unchanged: 0, undo_id: null })
  openPage('/contacts')
  await select('Anna').click()
  await select('Bert').click()
  await button('Add tag').click()
  const tagging = dialog('Tag 2 contacts')
  await expect.element(tagging).toBeVisible()
  await expectSound('[role=dialog]')
  await tagging.getByRole('button', { name: 'Add tag' }).click()
  await expect.element(tagging.getByText('Please choose a tag')).toBeVisible()
  await tagging.getByRole('combobox', { name: 'Tag' }).fill('VIP')
  // Also before it is chosen: what is typed becomes a tag as the form is sent.
  const starts =
    '“VIP” starts the sequence “Slow bread” for them. “VIP” adds them to the paused sequence “Cake”.'
  await expect.element(tagging.getByRole('status')).toMatchTextContent(starts)
  await userEvent.keyboard('{Enter}')
  await expect.element(tagging.getByRole('status')).toMatchTextContent(starts)
  await tagging.getByRole('button', { name: 'Add tag' }).click()
  await expect.element(toast('2 contacts tagged “VIP”')).toBeVisible()
  await expect.element(bar).not.toBeInTheDocument()
  expect(api.calls(contacts.tagMany).map(({ body }) => body)).toEqual([
    { ids: [1, 2], expected: 2, tag: 'VIP' },
  ])
})

test('all that match are named by the filter and their number, so that who came meanwhile stays', async () => {
  const changed = 'The list has changed.'
  const api = fiveApi(300)
    .answers(contacts.count, { total: 300 })
    .refuses(contacts.removeMany, 409, changed, { code: 'CONFLICT' })
  openPage('/contacts?company=North&page_size=25')
  await whole.click()
  await button('Select all 300').click()
  await expect.element(bar).toMatchTextContent('All 300 selected')
  await button('Delete selected').click()
  const asking = dialog('Delete 300 contacts?')
  await expect.element(asking).toMatchTextContent('Notes and tags will be deleted too.')
  await asking.getByRole('button', { name: 'Delete 300 contacts' }).click()
  await expect.element(asking.getByText(changed)).toBeVisible()
  expect(api.calls(contacts.removeMany).map(({ body }) => body)).toEqual([
    { filter: { company: 'North' }, expected: 300 },
  ])
  await asking.getByRole('button', { name: 'Cancel' }).click()
  // Another filter is another choice.
  await page.getByRole('combobox', { name: 'Status' }).selectOptions('New')
  await expect.element(bar).not.toBeInTheDocument()
})

test('mail to those chosen is stopped after a question, and what was done can be undone', async () => {
  const at = '2027-03-08T08:00:00.000Z'
  const api = fiveApi()
    .answers(contacts.stopMailing, { changed: 1, unchanged: 0, at })
    .answers(contacts.liftMailing, { changed: 1, unchanged: 0 })
  openPage('/contacts')
  await select('Anna').click()
  await button('Stop mailing').click()
  await dialog('Stop mailing 1 contact?').getByRole('button', { name: 'Stop mailing' }).click()
  await expect.element(toast('Mailing stopped for 1 contact')).toBeVisible()
  await button('Undo').click()
  await expect
    .poll(() => api.calls(contacts.liftMailing).map(({ body }) => body))
    .toEqual([{ ids: [1], stopped_at: at }])
})

test('tags are given in the form: a new one, or one of those there are', async () => {
  const api = fiveApi().answers(contacts.update, FIVE[0] ?? blank(contact))
  openPage('/contacts')
  await button('Edit Anna').click()
  const form = dialog('Edit Contact')
  const field = form.getByRole('combobox', { name: 'Tags' })
  await field.fill('VIP')
  await form.getByRole('option', { name: 'Create “VIP”' }).click()
  await expect
    .element(form.getByRole('status'))
    .toMatchTextContent('“VIP” starts the sequence “Slow bread” for them.')
  await field.fill('')
  await expect.element(form.getByRole('option', { name: 'Trade fair' })).toBeVisible()
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await expect.element(form.getByRole('button', { name: 'Remove tag Trade fair' })).toBeVisible()
  await form.getByRole('button', { name: 'Save Changes' }).click()
  await expect.element(toast('Contact updated')).toBeVisible()
  expect(api.calls(contacts.update).map(({ body }) => body)).toEqual([{ tags: ['VIP', 'Trade fair'] }])
})

test('tags are renamed, recoloured and deleted in one place', async () => {
  let kept = FAIR
  const api = fiveApi()
    .answers(tags.list, () => [kept])
    .answers(tags.update, ({ body }) => (kept = { ...kept, ...(body as Partial<CountedTag>) }))
    .answers(tags.remove, { ok: true })
    .refuses(tags.add, 409, 'You have a tag with this name already.', { code: 'CONFLICT' })
  openPage('/contacts')
  await button('Manage tags').click()
  const managing = dialog('Manage tags')
  await expect.element(managing.getByText('2 contacts')).toBeVisible()
  await expectSound('[role=dialog]')
  await managing.getByRole('textbox', { name: 'New tag' }).fill('trade fair')
  await managing.getByRole('button', { name: 'Add' }).click()
  await expect
    .element(managing.getByRole('alert'))
    .toMatchTextContent('You have a tag with this name already.')
  await managing.getByRole('textbox', { name: 'Name of Trade fair' }).fill('Fair 2026')
  await userEvent.keyboard('{Enter}')
  await expect.element(managing.getByRole('textbox', { name: 'Name of Fair 2026' })).toBeVisible()
  await managing.getByRole('combobox', { name: 'Colour of Fair 2026' }).selectOptions('Red')
  await managing.getByRole('button', { name: 'Delete tag Fair 2026' }).click()
  const closing = closingDialogs()
  const asking = dialog('Delete tag “Fair 2026”?')
  await expect
    .element(asking.getByText('It will be removed from 2 contacts. The contacts stay.'))
    .toBeVisible()
  await asking.getByRole('button', { name: 'Delete' }).click()
  await expect.element(toast('Tag deleted')).toBeVisible()
  await expect.element(asking).not.toBeInTheDocument()
  expect(closing).toEqual([expect.stringMatching(/^Delete tag “Fair 2026”.* from 2 contacts\./)])
  expect(api.calls(tags.update).map(({ body }) => body)).toEqual([{ name: 'Fair 2026' }, { colour: 'red' }])
  expect(api.calls(tags.remove)).toHaveLength(1)
})

test('a tag that sequences use is deleted after it is said what they lose', async () => {
  fiveApi()
  openPage('/contacts')
  await button('Manage tags').click()
  await dialog('Manage tags').getByRole('button', { name: 'Delete tag Trade fair' }).click()
  await expect
    .element(dialog('Delete tag “Trade fair”?'))
    .toMatchTextContent(
      'It will be removed from 2 contacts. The contacts stay. A step of the sequence “Slow bread” checks for it. No contact will have it. A step of the sequence “Cake” adds it, and will create it again.',
    )
})

test('a tag that starts sequences is deleted after they are named', async () => {
  fiveApi().answers(tags.list, [{ ...FAIR, name: 'VIP' }])
  openPage('/contacts')
  await button('Manage tags').click()
  await dialog('Manage tags').getByRole('button', { name: 'Delete tag VIP' }).click()
  await expect
    .element(dialog('Delete tag “VIP”?'))
    .toMatchTextContent(
      '“VIP” starts the sequences “Slow bread” and “Cake”. Without the tag, no new contacts join that way.',
    )
  await expectSound('[role=dialog]')
})

test('what is changed elsewhere shows behind the form, which sends only what was changed in it', async () => {
  const api = fiveApi().answers(contacts.update, FIVE[0] ?? blank(contact))
  openPage('/contacts')
  await button('Edit Anna').click()
  const form = dialog('Edit Contact')
  await form.getByLabelText('Position').fill('Buyer')
  api.answers(
    contacts.list,
    FIVE.map((each) => ({ ...each, company: 'Elsewhere Ltd' })),
  )
  api.tells({ topic: 'contacts' })
  await expect.element(page.getByText('Elsewhere Ltd').first()).toBeInTheDocument()
  await form.getByRole('button', { name: 'Save Changes' }).click()
  await expect.element(form).not.toBeInTheDocument()
  expect(api.calls(contacts.update).map(({ body }) => body)).toEqual([{ position: 'Buyer' }])
})
