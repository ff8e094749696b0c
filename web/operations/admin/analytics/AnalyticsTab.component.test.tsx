import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { admin } from '#contract/operations/admin.ts'
import { adminAnalytics, analyticsPeriod } from '#contract/operations/admin-analytics.ts'
import { health } from '#contract/platform/health.ts'
import { blank, blankReply } from '../../../../tests/support/blank-reply.ts'
import { openPage, toast } from '../../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../../tests/support/fake-api.ts'
import { expectSound } from '../../../../tests/support/sound-part.ts'

const region = (name: string) => page.getByRole('region', { name, exact: true })
const activity = region('Activity')
const figure = (label: string) =>
  page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .element()
    .closest('dl')
    ?.querySelector('dd')?.textContent

const DAY_MS = 86_400_000

/** Days or weeks, of which the last has three sign-ups and a deletion. */
const periods = (count: number, days: number) =>
  Array.from({ length: count }, (_, at) => {
    const ago = count - 1 - at
    const from = new Date(Date.UTC(2026, 10, 23) - ago * days * DAY_MS).toISOString().slice(0, 10)
    const said = ago === 0 ? { signups: 3, deletions: 1, active_users: 2, emails_sent: 0 } : {}
    return blank(analyticsPeriod, { from, active_users: null, ...said })
  })

function apiOfAnalytics(): FakeApi {
  const stats = blankReply(admin.stats)
  return fakeApi()
    .answers(admin.stats, {
      ...stats,
      user_stats: { ...stats.user_stats, total_users: 3, active_users: 2, deleted_users: 1, admin_users: 1 },
      tier_distribution: [{ tier: 'free', count: 2 }],
      feedback_stats: {
        ...stats.feedback_stats,
        users_with_feedback: 1,
        categories: [{ category: 'pricing', count: 1 }],
      },
    })
    .answers(adminAnalytics.read, ({ query: { days } }) => ({
      ...blankReply(adminAnalytics.read),
      by: days === '365' ? ('week' as const) : ('day' as const),
      periods: days === '365' ? periods(53, 7) : periods(30, 1),
    }))
    .answers(health.base)
}

function openAnalytics(): FakeApi {
  const api = apiOfAnalytics()
  openPage('/wolf-admin-secure-2024?tab=analytics', { administrator: true })
  return api
}

test('totals, shares and health are shown', async () => {
  openAnalytics()
  await expect.element(page.getByText('2 of 3 users are active')).toBeVisible()
  expect(figure('Total Users')).toBe('3')
  expect(figure('Active Users')).toBe('2')
  expect(figure('Deleted Users')).toBe('1')
  expect(figure('Retention Rate')).toBe('67%')
  await expect.element(region('Tier distribution')).toMatchTextContent('Free2 · 100%')
  await expect.element(region('Feedback categories')).toMatchTextContent('Pricing1 · 100%')
  const state = region('System health')
  await expect.element(state).toMatchTextContent('Database statusHealthy')
  await expect.element(state).toMatchTextContent('Total feedback1')
  await expect.element(state).toMatchTextContent('Admin users1')
})

test('the chart is read day by day with the arrow keys, by the week, and as a table', async () => {
  openAnalytics()
  const image = (name: string | RegExp) => activity.getByRole('img', { name })
  await expect.element(image('Signups: 3 in 30 days, at most 3 in one day')).toBeVisible()
  await expect.element(image('Deletions: 1 in 30 days, at most 1 in one day')).toBeVisible()
  await expect.element(activity.getByRole('slider', { name: 'Day' })).toBeInTheDocument()
  activity.getByRole('slider', { name: 'Day' }).element().focus()
  await expect
    .element(activity.getByText('Mon, Nov 23: 3 signups, 1 deletion, 2 active users, 0 emails sent'))
    .toBeVisible()
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(activity.getByText('Sun, Nov 22: 0 signups, 0 deletions, 0 emails sent')).toBeVisible()
  await activity.getByRole('radio', { name: '365 days' }).click()
  await expect.element(image(/^Signups: 3 in 53 weeks/)).toBeVisible()
  await expect.element(activity).toMatchTextContent('Weeks begin on Monday')
  activity.getByRole('slider', { name: 'Week' }).element().focus()
  await expectSound()
  await activity.getByRole('button', { name: 'Show as table' }).click()
  await expect.element(activity.getByRole('row').nth(1)).toHaveTextContent('Nov 23, 20263120')
  await expectSound()
})

test('what could not be loaded says so, and is loaded again', async () => {
  const api = apiOfAnalytics().refuses(adminAnalytics.read, 500, '').refuses(admin.stats, 500, '')
  openPage('/wolf-admin-secure-2024?tab=analytics', { administrator: true })
  await expect.poll(() => toast('Failed to load analytics').length).toBe(2)
  await expect.poll(() => toast('Failed to load admin statistics').length).toBe(2)
  await expect.element(activity.getByRole('button', { name: 'Try again' })).toBeVisible()
  await expectSound()
  const stats = blankReply(admin.stats)
  api
    .answers(adminAnalytics.read)
    .answers(admin.stats, { ...stats, user_stats: { ...stats.user_stats, total_users: 1 } })
  await activity.getByRole('button', { name: 'Try again' }).click()
  await expect.element(activity.getByRole('slider', { name: 'Day' })).toBeInTheDocument()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(region('Tier distribution')).toMatchTextContent('No accounts yet.')
  expect(figure('Total Users')).toBe('1')
})

test('a database that does not answer is told in the server’s words', async () => {
  apiOfAnalytics().refuses(health.base, 503, 'The database does not answer.', { code: 'UNAVAILABLE' })
  openPage('/wolf-admin-secure-2024?tab=analytics', { administrator: true })
  await expect.element(region('System health')).toMatchTextContent('The database does not answer.')
  await expect.element(region('System health')).toMatchTextContent('Database statusNot healthy')
})
