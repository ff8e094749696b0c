import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { auth } from '#contract/accounts/auth.ts'
import { profile } from '#contract/accounts/profile.ts'
import { contacts } from '#contract/crm/contacts.ts'
import { meetings } from '#contract/crm/meetings.ts'
import { emails } from '#contract/mail/emails.ts'
import { dashboard } from '#contract/overview/dashboard.ts'
import type { Endpoint } from '#contract/platform/endpoint.ts'
import { blankReply } from '../../../tests/support/blank-reply.ts'
import { show, toast } from '../../../tests/support/component-page.tsx'
import { fakeApi } from '../../../tests/support/fake-api.ts'
import { Activity } from './Activity.tsx'
import { CountrySelect } from './CountrySelect.tsx'
import { MeetingReminders } from './MeetingReminders.tsx'
import { RecentContacts } from './RecentContacts.tsx'
import { RecentEmails } from './RecentEmails.tsx'

const NOW = new Date()
const button = (name: string) => page.getByRole('button', { name, exact: true })

const PANELS: [string, () => ReactNode, Endpoint, failed: string, empty: string][] = [
  [
    'Recent Contacts',
    () => <RecentContacts />,
    contacts.list,
    'Failed to load contacts.',
    'No contacts found',
  ],
  [
    'Recent Emails',
    () => <RecentEmails now={NOW} />,
    emails.list,
    'Failed to load emails.',
    'No emails found',
  ],
  [
    'Meeting Reminders',
    () => <MeetingReminders now={NOW} />,
    meetings.list,
    'Failed to load meetings.',
    'No upcoming meetings.',
  ],
  [
    'Activity',
    () => <Activity />,
    dashboard.activity,
    'Failed to load activity.',
    'Nothing in the last 30 days',
  ],
]

test.each(PANELS)('%s says what went wrong, and tries again', async (_, panel, endpoint, failed, empty) => {
  const api = fakeApi().refuses(endpoint, 500, '')
  show(panel())
  await expect.element(page.getByText(failed)).toBeVisible()
  api.answers(endpoint)
  await button('Try again').click()
  await expect.element(page.getByText(empty)).toBeVisible()
})

test.each(PANELS.slice(0, 3))('%s is refreshed by hand', async (_, panel, endpoint, _failed, empty) => {
  const api = fakeApi().answers(endpoint)
  show(panel())
  await expect.element(page.getByText(empty)).toBeVisible()
  const before = api.calls(endpoint).length
  await button('Refresh').click()
  await expect.poll(() => api.calls(endpoint).length).toBeGreaterThan(before)
})

test('meetings that are loaded are said to be', async () => {
  fakeApi().never(meetings.list)
  show(<MeetingReminders now={NOW} />)
  await expect.element(page.getByText('Loading meetings...')).toBeVisible()
})

test('the activity says what will be drawn, for each number of days', async () => {
  fakeApi().answers(dashboard.activity)
  show(<Activity />)
  await expect.element(page.getByText('Nothing in the last 30 days')).toBeVisible()
  await page.getByRole('radio', { name: '90 days' }).click()
  await expect.element(page.getByText('Nothing in the last 90 days')).toBeVisible()
})

test('a country that cannot be saved stays the one before, in the server’s words', async () => {
  const said = 'Server error. Please try again later.'
  fakeApi()
    .answers(auth.me, { ...blankReply(auth.me), id: 1, country: 'JP' })
    .refuses(profile.update, 500, said)
  show(<CountrySelect />)
  const country = page.getByLabelText('Country')
  await expect.element(country).toHaveValue('JP')
  expect(country.getByRole('option').elements()).toHaveLength(13)
  await country.selectOptions('Brazil')
  await expect.element(toast(said)).toBeVisible()
  await expect.element(country).toHaveValue('JP')
})
