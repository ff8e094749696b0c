import { paymentReminders } from '#contract/invoicing/payment-reminders.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Server } from '../../platform/http/server.ts'
import { sendNow, switchReminders, updateReminder } from './change-reminder.ts'
import { readSettings, saveSettings } from './settings.ts'
import { pageOfReminders, remindersOfInvoice } from './show-reminders.ts'

export function paymentReminderRoutes(app: Server): void {
  serve(app, paymentReminders.settings, ({ context, user }) => readSettings(context, user))
  serve(app, paymentReminders.saveSettings, ({ context, user, body }) => saveSettings(context, user, body))
  serve(app, paymentReminders.list, ({ context, user, query }) => pageOfReminders(context, user, query))
  serve(app, paymentReminders.ofInvoice, ({ context, user, params }) =>
    remindersOfInvoice(context, user, params.id),
  )
  serve(app, paymentReminders.switchInvoice, ({ context, user, params, body }) =>
    switchReminders(context, user, params.id, body.on),
  )
  serve(app, paymentReminders.update, ({ context, user, params, body }) =>
    updateReminder(context, user, params.id, body),
  )
  serve(app, paymentReminders.send, ({ context, user, params }) => sendNow(context, user, params.id))
}
