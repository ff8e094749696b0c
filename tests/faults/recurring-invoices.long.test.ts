import { test } from 'vitest'
import { killRecurring } from './recurring-invoices.ts'

test('two workers that are killed in the middle make every invoice of every period once, with numbers without gaps', () =>
  killRecurring({ schedules: 40, times: 6, kills: 4 }))
