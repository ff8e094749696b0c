import { expect, test } from 'vitest'
import { bandOf, firstDay, periodName, SERIES, spokenPeriod } from './analytics-text.ts'

const day = (from: string, active: number | null) => ({
  from,
  signups: 1,
  deletions: 0,
  emails_sent: 1200,
  active_users: active,
})

test('a period is described in words, without what is not known', () => {
  expect(periodName('day', '2026-03-09')).toBe('Mon, Mar 9')
  expect(firstDay('week', '2026-03-09')).toBe('Mar 9, 2026')
  expect(periodName('week', '2026-03-09')).toBe('Week of Mar 9, 2026')
  expect(spokenPeriod('day', day('2026-03-09', 12))).toBe(
    'Mon, Mar 9: 1 signup, 0 deletions, 12 active users, 1,200 emails sent',
  )
  expect(spokenPeriod('day', day('2026-03-09', null))).toBe(
    'Mon, Mar 9: 1 signup, 0 deletions, 1,200 emails sent',
  )
  expect(spokenPeriod('day', undefined)).toBe('')
})

test('a band has the sum beside it, active users the mean of the days that are known', () => {
  const days = [day('2026-03-08', null), day('2026-03-09', 2), day('2026-03-10', 5)]
  const [signups, , active] = SERIES
  expect(bandOf(signups, 'day', days)).toMatchObject({
    figure: '3',
    values: [1, 1, 1],
    described: 'Signups: 3 in 3 days, at most 1 in one day',
  })
  expect(bandOf(active, 'week', days)).toMatchObject({
    label: 'Active users a day',
    figure: '3.5',
    values: [null, 2, 5],
    described: 'Active users: 3.5 a day on average, at most 5',
  })
  expect(bandOf(active, 'day', days.slice(0, 1)).figure).toBe('–')
})
