import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { type Meeting, meeting, meetings } from '#contract/crm/meetings.ts'
import { blank } from '../../../tests/support/blank-reply.ts'
import { show } from '../../../tests/support/component-page.tsx'
import { fakeApi } from '../../../tests/support/fake-api.ts'
import { MeetingReminders } from './MeetingReminders.tsx'

/** Ten to noon in Berlin. */
const NOW = new Date('2027-03-08T10:50:00Z')
const MINUTE = 60_000
const DAY = 1440 * MINUTE

const meet = (id: number, title: string, inMs: number, fields: Partial<Meeting> = {}): Meeting =>
  blank(meeting, {
    id,
    title,
    start_time: new Date(NOW.getTime() + inMs).toISOString(),
    end_time: new Date(NOW.getTime() + inMs + 60 * MINUTE).toISOString(),
    type: 'phone',
    status: 'scheduled',
    ...fields,
  })

const rows = () => page.getByRole('listitem')
const titles = () =>
  expect.poll(() =>
    rows()
      .elements()
      .map(({ textContent }) => textContent?.split(/Today|Wed|Sat/)[0]),
  )

test('lists what is to come by its start, with place or type', async () => {
  fakeApi().answers(meetings.list, [
    meet(1, 'Contract', 5 * DAY),
    meet(2, 'Tasting', 20 * MINUTE, { type: 'in-person', location: 'Main Street 1' }),
    meet(3, 'Late call', -3 * MINUTE),
    // Nobody has told the page yet that this one is over.
    meet(4, 'Over', -6 * MINUTE),
  ])
  show(<MeetingReminders now={NOW} />)
  await expect
    .element(page.getByLabelText('Search meetings'))
    .toHaveAttribute('placeholder', 'Search meetings...')
  const options = page.getByLabelText('Filter meetings').getByRole('option').elements()
  expect(options.map(({ textContent }) => textContent)).toEqual([
    'All Meetings',
    'Upcoming',
    'Today',
    'Tomorrow',
    'This Week',
  ])
  await titles().toEqual(['Late call', 'Tasting', 'Contract'])
  const tasting = rows().filter({ hasText: 'Tasting' })
  await expect.element(tasting).toMatchTextContent(/Today at 12:10.*Main Street 1.*In 20 min/)
  await expect.element(rows().first()).toMatchTextContent(/Phone.*Started 3 min ago/)
  await expect.element(tasting.getByRole('link')).toHaveAttribute('href', '/meetings?open=2')
})

test('is searched and filtered by the server, whatever the hour', async () => {
  const over = meet(4, 'Over', -3 * DAY)
  const api = fakeApi().answers(meetings.list, ({ query }) => {
    if (query.search === 'nothing like it') return []
    return query.filter === 'all' ? [meet(2, 'Tasting', 2 * DAY), over] : [meet(2, 'Tasting', 2 * DAY)]
  })
  show(<MeetingReminders now={NOW} />)
  await titles().toEqual(['Tasting'])
  await page.getByLabelText('Filter meetings').selectOptions('All Meetings')
  await expect.element(rows().first()).toMatchTextContent('Over')
  await page.getByLabelText('Filter meetings').selectOptions('Today')
  await expect.poll(() => api.calls(meetings.list).at(-1)?.query.filter).toBe('today')
  await page.getByLabelText('Search meetings').fill('nothing like it')
  await expect.element(page.getByText('No upcoming meetings.')).toBeVisible()
  await expect.element(page.getByText('Nothing matches this search and filter.')).toBeVisible()
  expect(api.calls(meetings.list).at(-1)?.query).toMatchObject({ search: 'nothing like it', filter: 'today' })
})
