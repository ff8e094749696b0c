import { test } from 'vitest'
import { killRecurring } from './recurring-invoices.ts'

// The long form is recurring-invoices.long.test.ts.
test('two workers of which one is killed in the middle make every invoice of every period once, with numbers without gaps', () =>
  killRecurring({ schedules: 12, times: 4, kills: 1 }))
