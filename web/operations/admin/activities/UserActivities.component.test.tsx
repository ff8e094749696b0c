import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { activities, type Activity, activity, chainReport } from '#contract/accounts/activities.ts'
import { blank } from '../../../../tests/support/blank-reply.ts'
import { openPage } from '../../../../tests/support/component-page.tsx'
import { type FakeApi, fakeApi } from '../../../../tests/support/fake-api.ts'
import { expectSound } from '../../../../tests/support/sound-part.ts'

const PANEL = '/wolf-admin-secure-2024?tab=management&section=activities'

const rows = page.getByRole('table', { name: 'Activities' }).getByRole('row')
const button = (name: string) => page.getByRole('button', { name, exact: true })
const field = (label: string) => page.getByLabelText(label, { exact: true })

const anActivity = (id: number, fields: Partial<Activity> = {}): Activity =>
  blank(activity, {
    id,
    activity_type: 'log_in_failed',
    description: 'Failed log-in',
    user_email: 'tim@howl.example',
    ip_address: '127.0.0.1',
    created_at: '2026-11-23T12:00:00.000Z',
    ...fields,
  })

function openActivities(listed: Activity[], { query = '', has_more = false } = {}): FakeApi {
  const api = fakeApi().answers(activities.list, { activities: listed, has_more })
  openPage(PANEL + query, { administrator: true })
  return api
}

test('filters stand in the address, and a press on an address shows that user only', async () => {
  const api = openActivities([anActivity(1)])
  const asked = () => api.calls(activities.list).at(-1)?.query
  await expect
    .element(page.getByRole('tab', { name: 'User Activities' }))
    .toHaveAttribute('aria-selected', 'true')
  await expect.element(rows.nth(1)).toMatchTextContent('127.0.0.1')
  await rows.nth(1).getByRole('button', { name: 'tim@howl.example' }).click()
  await expect.element(field('Search')).toHaveValue('tim@howl.example')
  await expect.poll(asked).toMatchObject({ search: 'tim@howl.example', page: '1', limit: '50' })
  await field('Activity').selectOptions('Account opened')
  await expect.poll(asked).toMatchObject({ type: 'account_opened' })
  api.answers(activities.list)
  await field('Risk').selectOptions('80 and more')
  await expect.poll(asked).toMatchObject({ type: 'account_opened', min_risk: '80' })
  // Days of the browser's time zone, the last one included.
  await field('From').fill('2020-01-01')
  await field('To').fill('2020-01-02')
  await expect.poll(asked).toMatchObject({ from: '2019-12-31T23:00:00.000Z', to: '2020-01-02T23:00:00.000Z' })
  await expect.element(page.getByText('No activities found')).toBeVisible()
  await expect.poll(() => location.search).toContain('&search=tim%40howl.example&type=account_opened')
  await expectSound()
  api.answers(activities.list, { activities: [anActivity(1)], has_more: false })
  await button('Clear filters').last().click()
  await expect.element(rows.nth(1)).toMatchTextContent('127.0.0.1')
  await expect.poll(() => location.search).toBe('?tab=management&section=activities')
})

test('the filters of an address are used as it opens', async () => {
  const api = openActivities([anActivity(1)], { query: '&search=tim&type=log_in_failed&page=2' })
  await expect.element(field('Search')).toHaveValue('tim')
  await expect.element(field('Activity')).toHaveValue('log_in_failed')
  await expect
    .poll(() => api.calls(activities.list)[0]?.query)
    .toMatchObject({ search: 'tim', type: 'log_in_failed', page: '2' })
})

test('the colours of risks: red, yellow, orange, else green', async () => {
  const scores = [80, 79, 50, 49, 20, 19]
  openActivities(
    scores.map((score, at) =>
      anActivity(at + 1, { description: `Of ${score}`, risk_score: score, user_email: null }),
    ),
  )
  await expect.element(rows.nth(6)).toBeVisible()
  const named = scores.map((score) => {
    const badge = rows.filter({ hasText: `Of ${score}` }).getByText(/^Risk \d+$/)
    return /text-(danger|amber|orange|green)/.exec(badge.element().className)?.[1]
  })
  expect(named).toEqual(['danger', 'amber', 'amber', 'orange', 'orange', 'green'])
  await expectSound()
})

test('pages of fifty, kept in the address', async () => {
  const fifty = Array.from({ length: 50 }, (_, at) => anActivity(at + 1))
  const api = openActivities(fifty, { has_more: true })
  await expect.element(button('Next')).toBeEnabled()
  await expect.element(button('Previous')).toBeDisabled()
  api.answers(activities.list, { activities: [anActivity(51)], has_more: false })
  await button('Next').click()
  await expect.element(page.getByText('Page 2')).toBeVisible()
  await expect.poll(() => location.search).toMatch(/page=2/)
  await expect.element(button('Next')).toBeDisabled()
  await expect.poll(() => rows.length).toBe(2)
})

test('a check of the log says that it is whole, or what somebody has changed', async () => {
  const api = openActivities([anActivity(1)]).answers(
    activities.check,
    blank(chainReport, { ok: true, checked: 1200 }),
  )
  await button('Check the log').click()
  await expect
    .element(page.getByText('1,200 activities checked: nothing was changed, removed or inserted.'))
    .toBeVisible()
  await expectSound()
  const what = 'Activity 3 was changed.'
  api.answers(
    activities.check,
    blank(chainReport, { faults: [{ kind: 'changed', id: 3, position: 3, what }], more: true }),
  )
  await button('Check the log').click()
  await expect.element(page.getByText('Somebody has changed the activity log.')).toBeVisible()
  await expect.element(page.getByText(what)).toBeVisible()
  await expect.element(page.getByText(/^There is more\./)).toBeVisible()
  await expectSound()
})

test('activities that cannot be loaded are asked for again', async () => {
  const api = fakeApi().refuses(activities.list, 500, '')
  openPage(PANEL, { administrator: true })
  await expect.element(page.getByText('Failed to load activities')).toBeVisible()
  api.answers(activities.list, { activities: [anActivity(1)], has_more: false })
  await button('Try again').click()
  await expect.element(rows.nth(1)).toBeVisible()
})
