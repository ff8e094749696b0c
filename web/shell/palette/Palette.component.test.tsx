import { expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { auth } from '#contract/accounts/auth.ts'
import { contact, contacts } from '#contract/crm/contacts.ts'
import { todo, todos } from '#contract/crm/todos.ts'
import { blank } from '../../../tests/support/blank-reply.ts'
import { openPage } from '../../../tests/support/component-page.tsx'
import { emptyAccount } from '../../../tests/support/empty-account.ts'
import type { FakeApi } from '../../../tests/support/fake-api.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'

const BEA = blank(contact, { id: 5, name: 'Bea Zirkel', email: 'bea@zirkel.example' })

const palette = page.getByRole('dialog', { name: 'Search everything' })
const field = palette.getByRole('combobox', { name: 'Search everything' })
const opener = page.getByRole('button', { name: 'Search everything' })
const actions = palette.getByRole('group', { name: 'Actions' })
const option = (name: string | RegExp) => palette.getByRole('option', { name })
const marked = palette.getByRole('option', { selected: true })

async function openByKey(): Promise<void> {
  // Keys are heard once the page is there.
  await expect.element(opener).toBeVisible()
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect.element(field).toHaveFocus()
}

async function withPalette(at = '/contacts'): Promise<FakeApi> {
  const api = emptyAccount()
  openPage(at)
  await openByKey()
  return api
}

test('opens by button and by key, and gives the focus back', async () => {
  emptyAccount()
  openPage('/contacts')
  await opener.click()
  await expect.element(field).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(palette).not.toBeInTheDocument()
  await expect.element(opener).toHaveFocus()
  await opener.click()
  await palette.getByRole('button', { name: 'Close' }).click()
  await expect.element(palette).not.toBeInTheDocument()
  for (const key of ['{Control>}k{/Control}', '{Meta>}k{/Meta}']) {
    await userEvent.keyboard(key)
    await expect.element(field).toHaveFocus()
    await userEvent.keyboard(key)
    await expect.element(palette).not.toBeInTheDocument()
  }
})

test('leaves a dialog alone that is being filled in', async () => {
  emptyAccount()
  openPage('/contacts')
  await page.getByRole('button', { name: 'Add Contact' }).first().click()
  const adding = page.getByRole('dialog', { name: 'Add New Contact' })
  await adding.getByLabelText('Name').click()
  await userEvent.keyboard('{Control>}k{/Control}')
  await userEvent.keyboard('x')
  await expect.element(adding.getByLabelText('Name')).toHaveValue('x')
  await expect.element(palette).not.toBeInTheDocument()
})

test('offers what can be done and where to go, by keys alone', async () => {
  await withPalette()
  await expect.element(marked).toHaveTextContent('Compose')
  expect(
    actions
      .getByRole('option')
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Compose',
    'Add Contact',
    'Add Task',
    'Schedule Meeting',
    'Generate & Send Emails',
    'Import Contacts',
    'Theme: Light',
    'Theme: Dark',
    'Logout',
  ])
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(marked).toHaveTextContent('Add Contact')
  await userEvent.keyboard('{ArrowUp}{ArrowUp}')
  await expect.element(marked).toHaveTextContent('Profile & Settings')
  await expect.element(field).toHaveAttribute('aria-activedescendant', marked.element().id)
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => location.pathname).toBe('/profile')
  await expect.element(palette).not.toBeInTheDocument()

  await openByKey()
  await userEvent.keyboard('inbox')
  await expect.element(marked).toHaveTextContent('Email')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => location.pathname).toBe('/emails')
})

test.each([
  ['compose', 'Compose'],
  ['add con', 'Add New Contact'],
  ['todo new', 'Add New Task'],
  ['bulk', 'Email Configuration Required'],
])('“%s” opens %s over the page', async (typed, name) => {
  await withPalette()
  await userEvent.keyboard(`${typed}{Enter}`)
  const dialog = page.getByRole('dialog', { name })
  await expect.element(dialog).toBeVisible()
  await expect.element(palette).not.toBeInTheDocument()
  expect(location.pathname).toBe('/contacts')
  // What is typed next goes into the dialog.
  await expect.poll(() => dialog.element().contains(document.activeElement)).toBe(true)
})

test('switches the theme and logs out', async () => {
  onTestFinished(() => document.documentElement.removeAttribute('data-theme'))
  const api = await withPalette()
  api.answers(auth.logout)
  await userEvent.keyboard('dark{Enter}')
  await expect.poll(() => document.documentElement.dataset['theme']).toBe('dark')
  await openByKey()
  await expect.element(option('Theme: Light')).toBeVisible()
  await expect.element(option('Theme: Dark')).not.toBeInTheDocument()
  await userEvent.keyboard('theme: as{Enter}')
  await expect.poll(() => document.documentElement.dataset['theme']).toBeUndefined()
  await openByKey()
  await userEvent.keyboard('logout{Enter}')
  await expect.poll(() => location.pathname).toMatch(/^\/(login)?$/)
})

test('says when nothing is found, and what to do', async () => {
  await withPalette()
  await userEvent.keyboard('qqxyzzy')
  await expect.element(palette.getByText('Nothing found. Try fewer letters or another word.')).toBeVisible()
  await expect.element(option('Search all emails for “qqxyzzy”')).toBeVisible()
  await field.fill('')
  await expect.element(actions).toBeVisible()
})

test('a kind that cannot be searched says so, and the others are there', async () => {
  const api = await withPalette('/privacy')
  api.answers(contacts.list, [BEA]).refuses(todos.list, 400, 'No')
  await userEvent.keyboard('zirkel')
  await expect.element(option(/Bea Zirkel/)).toBeVisible()
  const again = option('Tasks could not be searched. Try again')
  await expect.element(again).toBeVisible()
  api.answers(todos.list, [blank(todo, { id: 3, title: 'Call Zirkel' })])
  await again.click()
  await expect.element(option(/Call Zirkel/)).toBeVisible()
  await expect.element(again).not.toBeInTheDocument()
})

test('asks once the typing rests, and drops what is not wanted any more', async () => {
  const api = await withPalette('/privacy')
  api.never(contacts.list)
  const drop = vi.spyOn(AbortController.prototype, 'abort')
  onTestFinished(() => drop.mockRestore())
  const asked = () => api.calls(contacts.list).map(({ query }) => query.search)
  await field.fill('anna')
  await expect.poll(asked).toEqual(['anna'])
  drop.mockClear()
  await field.fill('anna b')
  await expect.poll(asked).toEqual(['anna', 'anna b'])
  expect(drop).toHaveBeenCalled()
})

test('can be read by everybody', async () => {
  const api = await withPalette()
  await expect.element(actions).toBeVisible()
  await expectSound()
  api.answers(contacts.list, [BEA])
  await field.fill('zirkel')
  await expect.element(option(/Bea Zirkel/)).toBeVisible()
  await expectSound()
})
