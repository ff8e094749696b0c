import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { contact, contacts } from '#contract/crm/contacts.ts'
import { contactImports } from '#contract/crm/contact-imports.ts'
import { tags } from '#contract/crm/tags.ts'
import { blank } from '../../../tests/support/blank-reply.ts'
import { openPage } from '../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../tests/support/fake-api.ts'

const ANNA = blank(contact, { id: 7, name: 'Anna', email: 'anna@north.example' })
const button = (name: string) => page.getByRole('button', { name, exact: true })

function apiWith(rows = [ANNA]): FakeApi {
  return fakeApi().answers(contacts.list, rows).answers(tags.list).answers(contactImports.list)
}

async function typeBob() {
  await button('Add Contact').first().click()
  const adding = page.getByRole('dialog', { name: 'Add New Contact' })
  await adding.getByLabelText('Name').fill('Bob Builder')
  await adding.getByLabelText('Email').fill('bob@build.example')
  return adding
}

test('a full disk is said in the form, which keeps what was typed', async () => {
  const detail = 'There is no room left on the server, so this could not be kept.'
  const api = apiWith([]).refuses(contacts.add, 503, detail, { code: 'UNAVAILABLE' })
  openPage('/contacts')
  const adding = await typeBob()
  await adding.getByRole('button', { name: 'Add Contact' }).click()
  await expect.element(adding.getByText(detail)).toBeVisible()
  await expect.element(adding.getByLabelText('Name')).toHaveValue('Bob Builder')

  const bob = { ...ANNA, id: 8, name: 'Bob Builder', email: 'bob@build.example' }
  api.answers(contacts.add, bob).answers(contacts.list, [bob])
  await adding.getByRole('button', { name: 'Add Contact' }).click()
  await expect.element(page.getByRole('row').filter({ hasText: 'Bob Builder' })).toBeVisible()
  expect(api.calls(contacts.add).map(({ body }) => body?.email)).toEqual(Array(2).fill('bob@build.example'))
})

test('an address that is there already is refused at its field, which keeps what was typed', async () => {
  const detail = 'A contact with this email already exists.'
  apiWith().refuses(contacts.add, 409, detail, { code: 'CONFLICT' })
  openPage('/contacts')
  const adding = await typeBob()
  await userEvent.keyboard('{Enter}')
  await expect.element(adding.getByText(detail)).toBeVisible()
  await expect.element(adding.getByLabelText('Email')).toHaveFocus()
  await expect.element(adding.getByLabelText('Email')).toHaveAttribute('aria-invalid', 'true')
  await expect.element(adding.getByLabelText('Name')).toHaveValue('Bob Builder')
  await userEvent.keyboard('{Escape}')
  await expect.element(adding).not.toBeInTheDocument()
})

test('a contact without a name or an address is not sent', async () => {
  const api = apiWith()
  openPage('/contacts')
  await button('Add Contact').first().click()
  const adding = page.getByRole('dialog', { name: 'Add New Contact' })
  await adding.getByRole('button', { name: 'Add Contact' }).click()
  await expect.element(adding.getByText("Please enter the contact's name")).toBeVisible()
  await expect.element(adding.getByText('Please enter a valid email address')).toBeVisible()
  expect(api.calls(contacts.add)).toEqual([])
})

test('what the server says of a failure is what one reads, and nothing changed is nothing sent', async () => {
  const api = apiWith().refuses(contacts.remove, 400, 'The disk is full.')
  openPage('/contacts')
  await button('Edit Anna').click()
  const editing = page.getByRole('dialog', { name: 'Edit Contact' })
  await editing.getByRole('button', { name: 'Save Changes' }).click()
  await expect.element(editing).not.toBeInTheDocument()
  expect(api.calls(contacts.update)).toEqual([])

  await button('Delete Anna').click()
  const asking = page.getByRole('dialog', { name: 'Delete Anna?' })
  await asking.getByRole('button', { name: 'Delete' }).click()
  await expect.element(asking.getByRole('alert')).toHaveTextContent('The disk is full.')
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('row').filter({ hasText: 'Anna' })).toBeVisible()
})

test('when the list cannot be loaded it says so and tries again', async () => {
  const api = apiWith().refuses(contacts.list, 500, 'Oh')
  openPage('/contacts')
  await expect.element(page.getByText('Failed to load contacts')).toBeVisible()
  api.answers(contacts.list, [])
  await button('Try again').click()
  await expect.element(page.getByText('No contacts yet')).toBeVisible()
})

test('the keyboard reaches search, editing and back', async () => {
  const api = apiWith()
  openPage('/contacts')
  await expect.element(page.getByRole('row').filter({ hasText: 'Anna' })).toBeVisible()
  const search = page.getByRole('searchbox', { name: 'Search contacts' })
  api.answers(contacts.list, ({ query }) => (query.search === undefined ? [ANNA] : []))
  await userEvent.keyboard('/')
  await expect.element(search).toHaveFocus()
  await userEvent.keyboard('b/')
  await expect.element(search).toHaveValue('b/')
  await expect.element(page.getByText('No contacts match')).toBeVisible()
  await button('Clear filters').click()
  await expect.element(search).toHaveValue('')
  await expect.element(button('Edit Anna')).toBeVisible()
  button('Edit Anna').element().focus()
  await userEvent.keyboard('{Enter}')
  const name = page.getByRole('dialog', { name: 'Edit Contact' }).getByLabelText('Name')
  await expect.element(name).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(button('Edit Anna')).toHaveFocus()
})
