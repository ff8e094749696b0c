import { test } from 'vitest'
import { killReminders } from './payment-reminders.ts'

test('with two workers that are killed, each reminder leaves once, and none after the payment', () =>
  killReminders({ invoices: 36, kills: 3 }))
