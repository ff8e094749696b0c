import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { auth } from '#contract/accounts/auth.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { contactImports } from '#contract/crm/contact-imports.ts'
import { tags } from '#contract/crm/tags.ts'
import { openPage } from '../../../tests/support/component-page.tsx'
import { fakeApi } from '../../../tests/support/fake-api.ts'

const expired = `a.${btoa(JSON.stringify({ exp: 1 })).replaceAll('=', '')}.c`

test.each(['not a token', expired])(
  'a token that cannot be one, or has run out, is thrown away: %s',
  async (token) => {
    const api = fakeApi()
    localStorage.setItem('token', token)
    openPage('/contacts', { visitor: true })
    await expect.poll(() => location.pathname).toBe('/')
    expect(localStorage.getItem('token')).toBeNull()
    expect(api.calls(auth.me)).toEqual([])
  },
)

test('a token that the server refuses is thrown away', async () => {
  fakeApi().refuses(auth.me, 401, 'Please log in.')
  openPage('/contacts')
  await expect.poll(() => location.pathname).toBe('/')
  expect(localStorage.getItem('token')).toBeNull()
})

test('a network that fails signs nobody out', async () => {
  fakeApi().answers(contacts.list).answers(tags.list).answers(contactImports.list).fails(auth.me)
  localStorage.setItem(
    'user',
    JSON.stringify({
      id: 1,
      email: 'ada@howl.example',
      name: 'Ada Muster',
      profile_image_url: null,
      is_admin: false,
    }),
  )
  openPage('/contacts')
  await expect.element(page.getByText('Network error. Please check your connection.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'User menu' })).toBeVisible()
  expect(localStorage.getItem('token')).not.toBeNull()
})

test('an unknown address leads to the landing page', async () => {
  fakeApi()
  openPage('/no/such/page', { visitor: true })
  await expect.poll(() => location.pathname).toBe('/')
  await expect.element(page.getByRole('button', { name: 'Get Started Free' }).first()).toBeVisible()
})
