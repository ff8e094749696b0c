import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { admin, type AdminUser } from '#contract/operations/admin.ts'
import { closingDialogs } from '../../../../tests/support/closing-dialogs.ts'
import { openPage, toast } from '../../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../../tests/support/fake-api.ts'
import { expectSound } from '../../../../tests/support/sound-part.ts'

const USERS = '/wolf-admin-secure-2024?tab=users'

const table = page.getByRole('table', { name: 'Users' })
const row = (text: string) => table.getByRole('row').filter({ hasText: text })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = page.getByRole('dialog')
const submit = (name: string) => dialog.getByRole('button', { name, exact: true })

const aUser = (id: number, fields: Partial<AdminUser> = {}): AdminUser => ({
  id,
  email: `user${id}@howl.example`,
  full_name: `User ${id}`,
  company_name: 'Muster Ltd',
  pricing_tier: 'free',
  is_active: true,
  is_admin: false,
  created_at: '2026-11-20T10:00:00.000Z',
  deleted_at: null,
  available_credits: 0,
  ...fields,
})
/** The signed-in one. */
const BOSS = aUser(1, { full_name: 'Ada Muster', is_admin: true })
const TIM = aUser(2, { full_name: 'Tim Test' })

const apiWith = (users: AdminUser[], pages = 1): FakeApi =>
  fakeApi().answers(admin.stats).answers(admin.users, { users, total: users.length, total_pages: pages })

function openUsers(users: AdminUser[], { pages = 1, address = USERS } = {}): FakeApi {
  const api = apiWith(users, pages)
  openPage(address, { administrator: true })
  return api
}

test('pages turn, and begin anew when deleted users are included', async () => {
  const many = Array.from({ length: 20 }, (_, at) => aUser(at + 1))
  const api = openUsers(many, { pages: 3 })
  const pages = page.getByText(/^Page \d+ of \d+$/)
  const asked = () => api.calls(admin.users).at(-1)?.query
  await expect.element(pages).toHaveTextContent('Page 1 of 3')
  await expect.element(button('Previous')).toBeDisabled()
  await button('Next').click()
  await expect.element(pages).toHaveTextContent('Page 2 of 3')
  await expect.poll(asked).toMatchObject({ page: '2', limit: '20', include_deleted: 'false' })
  await page.getByRole('checkbox', { name: 'Include deleted users' }).click()
  await expect.element(pages).toHaveTextContent('Page 1 of 3')
  await expect.poll(asked).toMatchObject({ page: '1', include_deleted: 'true' })
})

test('what is searched for stands in the address', async () => {
  const api = openUsers([TIM])
  const asked = () => api.calls(admin.users).at(-1)?.query
  await page.getByLabelText('Search users').fill('wilhelm')
  await expect.poll(asked).toMatchObject({ search: 'wilhelm', page: '1' })
  api.answers(admin.users)
  await page.getByLabelText('Status').selectOptions('Deleted')
  await expect.poll(asked).toMatchObject({ search: 'wilhelm', status: 'deleted' })
  await expect.poll(() => location.search).toBe('?tab=users&search=wilhelm&status=deleted')
  await expect.element(page.getByText('No users found')).toBeVisible()
  await expectSound()
})

test('the search of an address is asked for as it opens, at no higher a page than there can be', async () => {
  const api = openUsers([TIM], { address: `${USERS}&search=wilhelm&status=deleted&page=99999999` })
  await expect.element(page.getByLabelText('Search users')).toHaveValue('wilhelm')
  await expect.element(page.getByLabelText('Status')).toHaveValue('deleted')
  await expect
    .poll(() => api.calls(admin.users)[0]?.query)
    .toMatchObject({ search: 'wilhelm', status: 'deleted', page: '1000000' })
})

test('a list that cannot be loaded says so', async () => {
  apiWith([]).refuses(admin.users, 500, '')
  openPage(USERS, { administrator: true })
  await expect.poll(() => toast('Failed to load users').length).toBe(2)
})

test('every user is shown with plan, credits, rights and state', async () => {
  openUsers([
    BOSS,
    aUser(3, {
      full_name: `Ada ${'Wolfeschlegelsteinhausen'.repeat(2)}`,
      deleted_at: '2026-11-20T10:00:00.000Z',
    }),
    aUser(4, { pricing_tier: 'professional', available_credits: 1200, is_active: false }),
  ])
  await expect.element(row('Ada Muster')).toMatchTextContent('Admin')
  await expect.element(row('Ada Muster')).toMatchTextContent('Active')
  await expect.element(row('Wolfe')).toMatchTextContent('Deleted')
  await expect.element(row('User 4')).toMatchTextContent('Professional1,200 credits')
  await expect.element(row('User 4')).toMatchTextContent('Inactivebanned')
  // Nobody deletes their own account here.
  await expect.element(button('Delete Ada Muster')).not.toBeInTheDocument()
  await expectSound()
})

test('a deletion that fails keeps the reason, which may be empty', async () => {
  const api = openUsers([TIM]).refuses(admin.deleteUser, 500, '')
  await button('Delete Tim Test').click()
  await dialog.getByLabelText('Reason').fill('Sent spam')
  await submit('Delete').click()
  await expect.element(toast('Failed to delete user').last()).toBeVisible()
  await expect.element(dialog.getByLabelText('Reason')).toHaveValue('Sent spam')
  api.answers(admin.deleteUser, { ok: true })
  await dialog.getByLabelText('Reason').fill('')
  await submit('Delete').click()
  await expect.element(toast('User deleted successfully')).toBeVisible()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(api.calls(admin.deleteUser).map(({ body }) => body)).toEqual([
    { user_id: 2, reason: 'Sent spam' },
    { user_id: 2, reason: '' },
  ])
})

test.each([
  ['Delete Tim Test', 'user2@howl.example is signed out at once'],
  ['Change Tim Test', '1,200 now.'],
])('“%s” keeps its words while it closes, and returns the focus', async (name, words) => {
  openUsers([{ ...TIM, available_credits: 1200 }])
  const closing = closingDialogs()
  await button(name).click()
  await submit('Cancel').click()
  await expect.element(button(name)).toHaveFocus()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(closing).toEqual([expect.stringContaining(words)])
})

test('a restoration that fails is tried again', async () => {
  const api = openUsers([{ ...TIM, deleted_at: '2026-11-20T10:00:00.000Z' }])
  api.refuses(admin.restoreUser, 500, '')
  await button('Restore Tim Test').click()
  await expect.element(toast('Failed to restore user')).toBeVisible()
  api.answers(admin.restoreUser, { ok: true })
  await button('Restore Tim Test').click()
  await expect.element(toast('User restored successfully')).toBeVisible()
})

test('credits that are no number or are refused stay as they are typed', async () => {
  const refused = 'This user has not so many credits.'
  const api = openUsers([TIM]).refuses(admin.changeCredits, 400, refused).answers(admin.changeUser, TIM)
  await button('Change Tim Test').click()
  const credits = dialog.getByLabelText('Credits to give')
  await dialog.getByLabelText('Tier').selectOptions('Professional')
  await credits.fill('a lot')
  await submit('Save').click()
  await expect.element(dialog).toMatchTextContent('Please enter a whole number')
  await credits.fill('-26')
  await submit('Save').click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent(refused)
  await expect.element(credits).toHaveValue('-26')
  // What is refused comes first: nothing has changed.
  expect(api.calls(admin.changeUser)).toEqual([])
  await expectSound()
})

test('nobody ends their own rights', async () => {
  openUsers([BOSS])
  await button('Change Ada Muster').click()
  await expect.element(dialog.getByRole('checkbox', { name: /^Administrator/ })).toBeDisabled()
})
