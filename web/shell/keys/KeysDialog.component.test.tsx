import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { contact, contacts } from '#contract/crm/contacts.ts'
import { blank } from '../../../tests/support/blank-reply.ts'
import { openPage } from '../../../tests/support/component-page.tsx'
import { emptyAccount } from '../../../tests/support/empty-account.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'

const ANNA = blank(contact, { id: 4, name: 'Anna', email: 'anna@north.example' })
const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })

const PAGES = [
  { at: '/dashboard', title: 'Dashboard', own: null },
  { at: '/contacts', title: 'Contacts', own: 'Search contacts' },
  { at: '/emails', title: 'Email Management', own: 'Archive, or unarchive' },
  { at: '/meetings', title: 'Calendar & Meetings', own: 'Month before, month after' },
  { at: '/profile', title: 'Profile & Settings', own: null },
  { at: '/privacy', title: /Privacy/, own: null },
] as const

test.each(PAGES)('? shows the keys of everywhere and of the page on $at', async ({ at, title, own }) => {
  emptyAccount()
  openPage(at)
  // A page for visitors is shown before it is known who reads it.
  await expect.element(page.getByRole('button', { name: 'User menu' })).toBeVisible()
  await expect.element(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await userEvent.keyboard('?')
  const everywhere = list.getByRole('region', { name: 'Everywhere' })
  for (const does of ['Search everything', 'Show this list', 'Close what is open'])
    await expect.element(everywhere.getByText(does)).toBeVisible()
  for (const other of PAGES)
    if (other.own !== null)
      expect([other.own, list.getByText(other.own).elements().length]).toEqual([
        other.own,
        other.own === own ? 1 : 0,
      ])
  await userEvent.keyboard('{Escape}')
  await expect.element(list).not.toBeInTheDocument()
})

test('? is a letter where somebody types, and in a dialog', async () => {
  emptyAccount().answers(contacts.list, [ANNA])
  openPage('/contacts')
  const ofPage = page.getByRole('searchbox', { name: 'Search contacts' })
  await ofPage.click()
  await userEvent.keyboard('?')
  await expect.element(ofPage).toHaveValue('?')
  await ofPage.clear()
  await page.getByRole('button', { name: 'Add Contact' }).first().click()
  const adding = page.getByRole('dialog', { name: 'Add New Contact' })
  await adding.getByLabelText('Notes').click()
  await userEvent.keyboard('?')
  await expect.element(adding.getByLabelText('Notes')).toHaveValue('?')
  await adding.getByLabelText('Notes').clear()
  adding.getByRole('button', { name: 'Cancel' }).element().focus()
  await userEvent.keyboard('?{Escape}')
  await expect.element(adding).not.toBeInTheDocument()
  // Whatever would have opened by then stood over the page now.
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await userEvent.keyboard('{Control>}k{/Control}')
  const search = page.getByRole('combobox', { name: 'Search everything' })
  await expect.element(search).toHaveFocus()
  await userEvent.keyboard('?')
  await expect.element(search).toHaveValue('?')
  await expect.element(list).not.toBeInTheDocument()
})

test("a mouse finds the list in the user's menu, and the focus goes back", async () => {
  emptyAccount().answers(contacts.get, ANNA)
  openPage(`/contacts/${ANNA.id}`)
  const menu = page.getByRole('button', { name: 'User menu' })
  await menu.click()
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  await expect.element(list.getByText('Save what you have written')).toBeVisible()
  await expectSound('[role=dialog]')
  await list.getByRole('button', { name: 'Close' }).click()
  await expect.element(list).not.toBeInTheDocument()
  await expect.element(menu).toHaveFocus()
})
