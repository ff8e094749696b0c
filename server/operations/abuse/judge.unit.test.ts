import { expect, test } from 'vitest'
import { RISK_ACTS } from '#contract/operations/abuse.ts'
import { decayed, judge, type KnownPattern } from './judge.ts'
import { CALL_RULES, type Rule } from './rules.ts'

const DAY_MS = 86_400_000
const NOW = new Date('2026-03-10T12:00:00Z')
const ago = (days: number) => new Date(NOW.getTime() - days * DAY_MS)

/** Counts what happened. */
const rule: Rule<{ at: Date[] }> = {
  type: 'same_words',
  reason: 'spam',
  windowDays: 7,
  measure: ({ at }, since) => at.filter((each) => each > since).length,
  levels: [
    { from: 3, severity: 3, points: 20, most: 35 },
    { from: 6, severity: 4, points: 50, most: 100 },
  ],
  seen: () => 'seen',
}
const happened = (count: number, days: number) => ({ at: Array.from({ length: count }, () => ago(days)) })
const found = (facts: { at: Date[] }, known?: KnownPattern, pardonedAt: Date | null = null) =>
  judge(rule, facts, { known, pardonedAt, now: NOW })

test('nothing is found below the first level, and nothing before the window', () => {
  expect(found(happened(2, 1))).toBeNull()
  expect(found(happened(9, 8))).toBeNull()
})

test('a level says how severe it is and what it counts', () => {
  expect(found(happened(3, 1))).toMatchObject({ severity: 3, score: 20, isNew: true })
  expect(found(happened(6, 1))).toMatchObject({ severity: 4, score: 50, isNew: true })
})

test('what was found once is not found again, until more has happened a day later', () => {
  const known = { severity: 3, last_detected: ago(2), score: 20 }
  expect(found(happened(5, 3), known)).toBeNull()
  const more = { at: [...happened(2, 3).at, ...happened(3, 1).at] }
  expect(found(more, known)).toMatchObject({ severity: 3, isNew: true })
  expect(found(happened(5, 0.1), { ...known, last_detected: ago(0.5) })).toBeNull()
})

test('what becomes worse counts at once, as much as if it had been so from the beginning', () => {
  const known = { severity: 3, last_detected: ago(0.01), score: 20 }
  expect(found(happened(6, 1), known)).toMatchObject({ severity: 4, score: 50, isNew: false })
  expect(found(happened(6, 1), { ...known, last_detected: ago(6), score: 1 })?.score).toBe(50)
})

test('a mild level never comes to much in the long run, and takes nothing away', () => {
  const facts = happened(3, 0.1)
  expect(found(facts, { severity: 3, last_detected: ago(1.5), score: 34 })?.score).toBe(35)
  expect(found(facts, { severity: 4, last_detected: ago(1.5), score: 80 })?.score).toBeCloseTo(
    80 * 0.5 ** (1.5 / 7),
  )
})

test('what happened before the last ban ended is pardoned', () => {
  expect(found(happened(9, 3), undefined, ago(2))).toBeNull()
  expect(found(happened(9, 1), undefined, ago(2))).toMatchObject({ severity: 4 })
})

test('what was found before the last ban ended adds nothing to what is found later', () => {
  const known = { severity: 4, last_detected: ago(3), score: 90 }
  expect(found(happened(3, 1), known, ago(2))).toMatchObject({ severity: 3, score: 20 })
})

test('a score is worth half after seven days', () => {
  expect(decayed(80, ago(7), NOW)).toBeCloseTo(40)
  expect(decayed(80, NOW, NOW)).toBe(80)
})

test('calls that limits stop all day long, day after day, come to no warning', () => {
  let known: KnownPattern | undefined
  for (let day = 30; day >= 0; day -= 1) {
    const stopped = Array.from({ length: 1440 }, (_, minute) => ago(day + minute / 1440))
    for (const rule of CALL_RULES) {
      const verdict = judge(rule, { stopped }, { known, pardonedAt: null, now: ago(day) })
      if (verdict !== null) known = { ...verdict, last_detected: ago(day) }
    }
    expect(known?.score).toBeGreaterThan(0)
    expect(known?.score).toBeLessThan(RISK_ACTS.warn)
  }
})
