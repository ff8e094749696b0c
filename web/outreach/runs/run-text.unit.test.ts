import { expect, test } from 'vitest'
import type { Batch } from '#contract/outreach/runs.ts'
import { aboutOf, headingOf, progressOf, durationText } from './run-text.ts'

const run = (
  state: Batch['state'],
  summary: Partial<Batch['summary']>,
  secondsLeft: number | null = null,
): Batch => ({
  audience: null,
  template: null,
  batch_id: 1,
  state,
  done: state === 'done' || state === 'cancelled',
  started_at: '2026-01-01T00:00:00.000Z',
  finished_at: null,
  seconds_left: secondsLeft,
  waiting_for: null,
  waits: null,
  summary: { total: 0, sent: 0, errors: 0, skipped: 0, warnings: 0, pending: 0, unwritten: 0, ...summary },
  results: [],
  message: '',
  skipped: 0,
  error: null,
})

test.each([
  [0, 'a few seconds'],
  [9, 'a few seconds'],
  [38, 'about 40 seconds'],
  [55, 'about 1 minute'],
  [170, 'about 3 minutes'],
  [5399, 'about 90 minutes'],
  [5400, 'about 2 hours'],
  [200_000, 'about 2 days'],
])('%d seconds read %s', (seconds, words) => {
  expect(durationText(seconds)).toBe(words)
})

test('skipped contacts are not counted', () => {
  const sending = run('running', { total: 212, skipped: 12, sent: 120, pending: 80 }, 170)
  expect(headingOf(sending)).toBe('Sending to 200 contacts')
  expect(progressOf(sending)).toBe('120 of 200 sent, about 3 minutes left')
})

test('a failed mail is reported at once', () => {
  expect(progressOf(run('running', { total: 1200, sent: 1000, errors: 2, pending: 198 }))).toBe(
    '1,000 of 1,200 sent, 2 failed',
  )
})

test('a paused run names no remaining time', () => {
  expect(progressOf(run('paused', { total: 3, sent: 1, pending: 2 }, 60))).toBe('1 of 3 sent')
  expect(headingOf(run('paused', { total: 3, sent: 1, pending: 2 }))).toBe('Paused: 2 emails waiting')
})

test('the end says how many contacts the run wrote to', () => {
  expect(headingOf(run('done', { total: 1, sent: 1 }))).toBe('Sent to 1 contact')
  expect(headingOf(run('done', { total: 4, skipped: 4 }))).toBe('The run has finished')
  expect(headingOf(run('cancelled', { total: 4, sent: 2, skipped: 2 }))).toBe('The run was cancelled')
})

test('says to whom a run writes, and from which template', () => {
  const all = run('running', { total: 3 })
  expect(aboutOf(all)).toBeNull()
  expect(aboutOf({ ...all, audience: 'To 3 contacts tagged fair' })).toBe('To 3 contacts tagged fair')
  expect(aboutOf({ ...all, audience: 'To 3 contacts tagged fair', template: 'Bread' })).toBe(
    'To 3 contacts tagged fair · Written from your template “Bread”',
  )
})
