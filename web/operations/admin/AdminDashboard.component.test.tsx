import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { adminAuth } from '#contract/accounts/admin-auth.ts'
import { admin } from '#contract/operations/admin.ts'
import { blankReply } from '../../../tests/support/blank-reply.ts'
import { openPage, toast } from '../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../tests/support/fake-api.ts'
import { expectSound } from '../../../tests/support/sound-part.ts'

const DASHBOARD = '/wolf-admin-secure-2024'
const ADMINISTRATOR = { administrator: true }
const DENIED = 'You do not have administrator privileges to access this area.'
const LONG_NAME = `Ada ${'Wolfeschlegelsteinhausen'.repeat(2)}`

const region = (name: string) => page.getByRole('region', { name, exact: true })
const tab = (name: string) => page.getByRole('tab', { name, exact: true })
const stored = () => ['admin_token', 'admin_user', 'is_admin'].map((key) => localStorage.getItem(key))

function apiWithStats(): FakeApi {
  const at = '2026-11-20T10:00:00.000Z'
  const person = { company_name: 'Muster Ltd', is_active: true, is_admin: false }
  return fakeApi().answers(admin.stats, {
    ...blankReply(admin.stats),
    user_stats: {
      total_users: 1234,
      active_users: 1230,
      deleted_users: 4,
      admin_users: 2,
      new_signups_today: 7,
      new_signups_week: 20,
      new_signups_month: 90,
    },
    tier_distribution: [{ tier: 'free', count: 1234 }],
    recent_users: [
      { ...person, email: 'boss@howl.example', full_name: 'Bess Boss', is_admin: true, created_at: at },
      { ...person, email: 'tim@howl.example', full_name: 'Tim Test', is_active: false, created_at: at },
    ],
    recent_deletions: [
      {
        email: 'ada@howl.example',
        full_name: LONG_NAME,
        company_name: '',
        deleted_at: at,
        reason: 'Sent the same words to many strangers',
        category: null,
      },
      {
        email: 'gerda@howl.example',
        full_name: 'Gerda Gone',
        company_name: '',
        deleted_at: at,
        reason: null,
        category: 'pricing',
      },
    ],
    admin_user: { full_name: 'Bess Boss', email: 'boss@howl.example' },
  })
}

test('nothing is shown before the server has said who it is, and others are turned away', async () => {
  const { promise: asked, resolve: answer } = Promise.withResolvers<Response>()
  fakeApi().responds(adminAuth.me, () => asked)
  openPage(DASHBOARD, ADMINISTRATOR)
  await expect.element(page.getByText('Verifying admin access...')).toBeVisible()
  await expect.element(page.getByRole('tab').first()).not.toBeInTheDocument()
  localStorage.setItem('token', 'of.the.user')
  answer(Response.json({ detail: 'Not you' }, { status: 401 }))
  await expect.element(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  await expect.element(page.getByText(DENIED)).toBeVisible()
  await expect.element(page.getByText('This attempt has been logged.')).toBeVisible()
  expect(stored()).toEqual([null, null, null])
  // The user's own session goes on.
  expect(localStorage.getItem('token')).toBe('of.the.user')
  await expectSound()
  await page.getByRole('link', { name: 'Go to Admin Login' }).click()
  await expect.element(page.getByLabelText('Access code')).toBeVisible()
})

test('a user who is no administrator sees no page of the area, and the attempt reaches the server', async () => {
  const api = fakeApi().refuses(adminAuth.me, 401, 'Not you')
  openPage(`${DASHBOARD}/feedback`)
  await expect.element(page.getByText(DENIED)).toBeVisible()
  expect(api.calls(adminAuth.me)).toHaveLength(1)
})

test('an administrator who is none any more is turned away by the next call', async () => {
  const api = apiWithStats().answers(admin.users)
  openPage(`${DASHBOARD}?tab=users`, ADMINISTRATOR)
  await expect.element(page.getByText('No users yet')).toBeVisible()
  api.refuses(admin.users, 403, 'Not you').refuses(adminAuth.me, 401, 'Not you')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect.element(page.getByText(DENIED)).toBeVisible()
})

test('there are five tabs, chosen by keys too, and the address knows which is open', async () => {
  apiWithStats().answers(admin.users)
  openPage(DASHBOARD, ADMINISTRATOR)
  await expect.element(tab('Overview')).toBeVisible()
  expect(
    page
      .getByRole('tab')
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual(['Overview', 'Users', 'Analytics', 'Feedback', 'User Management'])
  tab('Overview').element().focus()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(tab('Users')).toHaveAttribute('aria-selected', 'true')
  await expect.poll(() => location.search).toBe('?tab=users')
  await expect.element(page.getByText('No users yet')).toBeVisible()
})

test('the overview shows figures, plans, and who came and left', async () => {
  apiWithStats()
  openPage(DASHBOARD, ADMINISTRATOR)
  await expect.element(region('Tier distribution')).toMatchTextContent('Free')
  for (const [label, figure] of [
    ['Total Users', '1,234'],
    ['Active Users', '1,230'],
    ['New Signups Today', '7'],
    ['Deleted Users', '4'],
  ] as const) {
    const card = page.getByRole('term').filter({ hasText: label }).element().closest('dl')
    expect(card?.querySelector('dd')?.textContent).toBe(figure)
  }
  await expect.element(page.getByText('20 in 7 days, 90 in 30')).toBeVisible()
  await expect.element(region('Recent signups')).toMatchTextContent('boss@howl.example')
  const gone = region('Recent deletions')
  await expect.element(gone).toMatchTextContent('By an administrator: Sent the same words to many strangers')
  await expect.element(gone).toMatchTextContent('Left by themselves: Pricing')
  await expectSound()
})

test('the overview says when its figures do not come, and gets them again', async () => {
  const api = fakeApi().refuses(admin.stats, 500, '')
  openPage(DASHBOARD, ADMINISTRATOR)
  await expect.poll(() => toast('Failed to load admin statistics').length).toBe(2)
  const again = page.getByRole('button', { name: 'Try again' })
  await expect.element(again).toBeVisible()
  api.answers(admin.stats)
  await again.click()
  await expect.element(region('Tier distribution')).toMatchTextContent('No accounts yet.')
  await expect.element(region('Recent signups')).toMatchTextContent('Nobody has signed up yet.')
})

test('the simple panel shows figures, and asks again for what did not come', async () => {
  const api = apiWithStats().refuses(admin.stats, 500, '')
  openPage('/secure-admin-dashboard', ADMINISTRATOR)
  await expect.element(page.getByText('Failed to fetch admin data')).toBeVisible()
  api.answers(admin.stats, {
    ...blankReply(admin.stats),
    admin_user: { full_name: 'Bess', email: 'b@howl.example' },
  })
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect.element(page.getByText('Bess · b@howl.example')).toBeVisible()
  await expect.element(page.getByText('Admin Users')).toBeVisible()
})

test('the simple panel is sound', async () => {
  apiWithStats()
  openPage('/secure-admin-dashboard', ADMINISTRATOR)
  await expect
    .element(page.getByRole('table', { name: 'Recent users' }))
    .toMatchTextContent('boss@howl.example')
  await expectSound()
})

test('the simple panel leads to its log-in once the session is over', async () => {
  fakeApi().refuses(admin.stats, 401, 'Over')
  openPage('/secure-admin-dashboard', ADMINISTRATOR)
  await expect.element(page.getByRole('heading', { name: 'Secure Admin Login' })).toBeVisible()
  expect(stored()).toEqual([null, null, null])
})
