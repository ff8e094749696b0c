import { expect, test } from 'vitest'
import { actors, LAST_STEP, replies, sceneAt } from './scene-script.ts'

test('begins with nothing sent and ends with every reply in', () => {
  expect(sceneAt(0)).toMatchObject({ sent: 0, rate: 0, arrived: [] })
  const end = sceneAt(LAST_STEP)
  expect(end.sent).toBe(actors.length)
  expect(end.arrived).toHaveLength(replies.length)
  expect(end.rate).toBe(60)
  expect(end.statuses).toEqual(['replied', 'follow_up_1', 'interested', 'meeting_scheduled', 'sent'])
})

test('no reply arrives before its mail went out, and the rate never falls', () => {
  const rates = Array.from({ length: LAST_STEP + 1 }, (_, step) => sceneAt(step))
  for (const [step, { sent, arrived, rate }] of rates.entries()) {
    expect(arrived.length === 0 || sent === actors.length).toBe(true)
    expect(rate).toBeGreaterThanOrEqual(rates[step - 1]?.rate ?? 0)
  }
})
