import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { assistant } from '#contract/assistant/assistant.ts'
import { contact, contacts } from '#contract/crm/contacts.ts'
import { auth } from '#contract/accounts/auth.ts'
import { blank } from '../../tests/support/blank-reply.ts'
import { openPage, toast } from '../../tests/support/component-page.tsx'
import { emptyAccount } from '../../tests/support/empty-account.ts'
import { type FakeApi, fakeApi } from '../../tests/support/fake-api.ts'
import { box, button, chats, fakeChat, log, said } from '../../tests/support/fake-chat.ts'
import { expectSound } from '../../tests/support/sound-part.ts'

const KEY = 'wolfy.lastSession.1'
const row = (title: string) => chats.getByRole('button', { name: title, exact: true })

function onPage(...titles: string[]): { api: FakeApi } & ReturnType<typeof fakeChat> {
  const api = fakeApi()
  const chat = fakeChat(api, ...titles)
  openPage('/simon')
  return { api, ...chat }
}

test('is an entry of the navigation, and has two addresses and a title', async () => {
  fakeChat(emptyAccount())
  openPage('/contacts')
  const entry = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Wolfy' })
  await entry.click()
  await expect.poll(() => location.pathname).toBe('/simon')
  const title = page.getByRole('heading', { level: 1, name: 'AI Business Assistant' })
  await expect.element(title).toBeVisible()
  await expect.poll(() => document.title).toBe('AI Business Assistant · Howl')
  await expect
    .element(page.getByRole('complementary', { name: 'Select Chat Session' }))
    .toMatchTextContent(/No chats yet/)
})

test('is at the address of his name too, without the widget', async () => {
  fakeChat(emptyAccount())
  openPage('/wolfy')
  await expect.element(page.getByRole('heading', { level: 1, name: 'AI Business Assistant' })).toBeVisible()
  const entry = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Wolfy' })
  await expect.element(entry).toHaveAttribute('aria-current', 'page')
  await expect.element(button('Ask Wolfy')).not.toBeInTheDocument()
})

test('a visitor without a session is led away from the page', async () => {
  fakeApi()
  openPage('/simon', { visitor: true })
  await expect.poll(() => location.pathname).toBe('/')
})

test('Enter sends, Shift+Enter does not, and nothing empty is sent', async () => {
  const { api } = onPage()
  await box.click()
  await userEvent.keyboard('{Enter}   {Enter}')
  await button('Send').click({ force: true })
  await box.fill('What are')
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}my numbers?')
  await expect.element(box).toHaveValue('What are\nmy numbers?')
  await expect.element(log).not.toBeInTheDocument()
  expect(api.calls(assistant.chat)).toEqual([])
  await userEvent.keyboard('{Enter}')
  await expect.element(said('Works by rules')).toBeVisible()
  await expect.element(box).toHaveValue('')
  await expect.element(box).toHaveFocus()
  expect(api.calls(assistant.chat)).toHaveLength(1)
})

test('a question that is too long is kept, says by how much, and is not sent', async () => {
  const { api } = onPage()
  await box.fill(`What are my numbers? ${'x'.repeat(4000)}`)
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('21 characters too long')).toBeVisible()
  await expect.element(box).toHaveValue(`What are my numbers? ${'x'.repeat(4000)}`)
  expect(api.calls(assistant.chat)).toEqual([])
})

test('if the last conversation cannot be loaded, the active one is opened and the memory cleared', async () => {
  localStorage.setItem(KEY, '999999')
  onPage('First', 'Second')
  await expect.element(row('Second')).toHaveAttribute('aria-current', 'true')
  expect(localStorage.getItem(KEY)).not.toBe('999999')
})

test('log-out forgets which one was open', async () => {
  const { api } = onPage('First', 'Second')
  api.answers(auth.logout)
  await row('First').click()
  await expect.poll(() => localStorage.getItem(KEY)).not.toBeNull()
  await button('User menu').click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect.poll(() => location.pathname).toBe('/')
  expect(localStorage.getItem(KEY)).toBeNull()
})

test('a new chat needs a name, may be about a contact, and keeps both when it fails', async () => {
  const { api } = onPage('First')
  const ann = blank(contact, { id: 7, name: 'Ann Lee', email: 'ann@acme.example' })
  api.answers(contacts.list, [ann]).answers(contacts.get, ann)
  api.responds(assistant.addSession, () => new Response('no', { status: 500 }))
  await button('New Chat').click()
  const form = page.getByRole('dialog', { name: 'New Chat' })
  await form.getByLabelText('Name').fill('   ')
  await form.getByRole('button', { name: 'Create Chat' }).click()
  await expect.element(form.getByText('Please enter a name')).toBeVisible()
  await form.getByLabelText('Name').fill('Offer for Acme')
  await form.getByRole('combobox', { name: 'Contact' }).fill('Ann')
  await form.getByRole('option', { name: /Ann Lee/ }).click()
  await form.getByRole('button', { name: 'Create Chat' }).click()
  await expect
    .element(form.getByRole('alert'))
    .toHaveTextContent('Failed to create new chat session. Please try again.')
  await expectSound()
  fakeChat(api, 'First')
  await form.getByRole('button', { name: 'Create Chat' }).click()
  await expect.element(form).not.toBeInTheDocument()
  await expect.element(row('Offer for Acme About Ann Lee')).toHaveAttribute('aria-current', 'true')
  expect(api.calls(assistant.addSession).at(-1)?.body).toEqual({
    title: 'Offer for Acme',
    contact_name: 'Ann Lee',
    contact_email: 'ann@acme.example',
  })
})

test('deleting a conversation asks first', async () => {
  const { api, sessions } = onPage('First', 'Second')
  api.answers(assistant.removeSession, ({ params }) => {
    sessions.splice(0, Infinity, ...sessions.filter(({ id }) => id !== Number(params['id'])))
    return { ok: true }
  })
  const remove = async () => {
    await button('More actions for Second').click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
  }
  const asked = page.getByRole('dialog', { name: 'Delete “Second”?' })
  await remove()
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(asked).not.toBeInTheDocument()
  expect(api.calls(assistant.removeSession)).toEqual([])
  await remove()
  await asked.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect.element(toast('Chat deleted')).toBeVisible()
  await expect.element(row('Second')).not.toBeInTheDocument()
  await expect.element(page.getByText('What do you want to know?')).toBeVisible()
})

test('the list is searched, cuts titles at 30 characters, and shows 5 when it is collapsed', async () => {
  const long = 'A title that is much longer than thirty characters'
  onPage('One', 'Two', 'Three', 'Four', 'Five', long)
  await expect.element(row(`${long.slice(0, 30).trimEnd()}…`)).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search chats' }).fill('thr')
  await expect.element(row('One')).not.toBeInTheDocument()
  await expect.element(row('Three')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search chats' }).fill('nothing like it')
  await expect.element(page.getByText('No chat found for “nothing like it”.')).toBeVisible()
  await button('Collapse chats').click()
  await expect.element(button('Expand chats')).toBeVisible()
  expect(chats.getByRole('button').elements()).toHaveLength(5)
  await row('Three').click()
  await expect.element(row('Three')).toHaveAttribute('aria-current', 'true')
  await expect.element(page.getByRole('main').getByText('Three', { exact: true })).toBeVisible()
  // Who opens the page again finds the list as it was left.
  openPage('/simon')
  await expect.element(button('Expand chats').last()).toBeVisible()
  await button('Expand chats').last().click()
  await expect.element(page.getByRole('searchbox', { name: 'Search chats' })).toBeVisible()
})

test('on a phone the list lies over the conversation, which has the room while the keyboard is open', async () => {
  await page.viewport(390, 844)
  onTestFinished(() => page.viewport(1440, 900))
  onPage('First', 'Second')
  await button('Chats').click()
  const list = page.getByRole('dialog', { name: 'Select Chat Session' })
  await list.getByRole('button', { name: 'First', exact: true }).click()
  await expect.element(list).not.toBeInTheDocument()
  await expect.element(page.getByRole('main').getByText('First', { exact: true }).last()).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)

  const bar = page.getByRole('navigation', { name: 'Main' })
  await expect.element(bar).toBeVisible()
  await page.viewport(390, 450)
  await expect.element(bar).not.toBeInTheDocument()
  await box.fill('What are my numbers?')
  await userEvent.keyboard('{Enter}')
  await expect.element(said('Works by rules')).toBeVisible()
  await expect.element(box).toBeInViewport({ ratio: 1 })
  const room = page.getByRole('region', { name: 'Messages' }).element().getBoundingClientRect()
  expect(room.height).toBeGreaterThan(220)
})
