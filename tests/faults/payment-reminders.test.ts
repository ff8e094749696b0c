import { test } from 'vitest'
import { killReminders } from './payment-reminders.ts'

// The long form is payment-reminders.long.test.ts.
test('with two workers of which one is killed, each reminder leaves once, and none after the payment', () =>
  killReminders({ invoices: 15, kills: 1 }))
