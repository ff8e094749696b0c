import * as z from 'zod/mini'
import { SUBJECT_MAX } from '../mail/email.ts'
import { endpoint } from '../platform/endpoint.ts'
import { atMost, byIdOf, id, instant, paging, requiredLine, requiredText } from '../platform/values.ts'

/** Reminders before the due date of one invoice, and as many after it. */
export const REMINDERS_MAX = 5
/** Farthest from the due date, in days. */
export const REMINDER_DAYS_MAX = 90
export const REMINDER_TEXT_MAX = 5000

/** Names in a reminder's subject and text; each stands for what the invoice says. */
export const REMINDER_NAMES = ['name', 'number', 'amount', 'due_date', 'sender', 'link'] as const
export type ReminderName = (typeof REMINDER_NAMES)[number]

/**
 * What became of a reminder. `waiting`: it is on its way, no server has taken it yet; `passed`: a newer one was due as well,
 * or its time had gone.
 */
export const REMINDER_STATES = ['upcoming', 'waiting', 'sent', 'skipped', 'passed', 'stopped'] as const
export type ReminderState = (typeof REMINDER_STATES)[number]

export const DEFAULT_REMINDERS = {
  on: false,
  days_before: [3],
  days_after: [3, 7, 14],
  hour: 9,
  subject: 'Reminder: invoice {{number}}',
  text_before: `Hello {{name}},

this is a friendly reminder that invoice {{number}} is due on {{due_date}}. The amount due is {{amount}}.

The invoice is attached again.

You can also view it here:
{{link}}

If you have paid in the meantime, please ignore this email.

Kind regards
{{sender}}`,
  text_after: `Hello {{name}},

invoice {{number}} was due on {{due_date}}, and {{amount}} is still open. Please transfer the amount in the next few days.

The invoice is attached again.

You can also view it here:
{{link}}

If you have paid in the meantime, please ignore this email. If something is unclear, just reply.

Kind regards
{{sender}}`,
}

// Blanks around a name are cut off afterwards: taking them into the pattern tries every way to divide them.
const NAME = /\{\{([^{}]*)\}\}/g

/** The text with what its names stand for. */
export function fillNames(text: string, values: Record<ReminderName, string>): string {
  const filled = text.replaceAll(NAME, (whole, name: string) => values[name.trim() as ReminderName] ?? whole)
  return filled.replaceAll(/\n{3,}/g, '\n\n').trim()
}

/** Why a text with these names cannot be taken; null if it can. */
export function nameFault(text: string): string | null {
  for (const [whole, name] of text.matchAll(NAME))
    if (!REMINDER_NAMES.includes(name?.trim() as ReminderName))
      return `${whole} is not known. Please use ${REMINDER_NAMES.map((each) => `{{${each}}}`).join(', ')}`
  return null
}

const knownNames = z.check<string>((payload) => {
  const why = nameFault(payload.value)
  if (why !== null) payload.issues.push({ code: 'custom', message: why, input: payload.value })
})
const subject = requiredLine(SUBJECT_MAX, 'Please enter a subject').check(knownNames)
const words = requiredText(REMINDER_TEXT_MAX, 'Please write something').check(knownNames)

const DAY = `Please enter whole numbers of days from 1 to ${REMINDER_DAYS_MAX}`
const days = z
  .array(z.number(DAY).check(z.int(DAY), z.gte(1, DAY), z.lte(REMINDER_DAYS_MAX, DAY)), DAY)
  .check(
    atMost(REMINDERS_MAX, `At most ${REMINDERS_MAX} reminders`),
    z.refine((all) => new Set(all).size === all.length, 'Please enter each day once'),
  )
const HOUR = 'Please choose an hour from 0 to 23'

const settings = z.object({
  on: z.boolean(),
  /** Days before the due date. */
  days_before: days,
  days_after: days,
  /** The hour of the day at which they leave, in the user's time zone. */
  hour: z.number(HOUR).check(z.int(HOUR), z.gte(0, HOUR), z.lte(23, HOUR)),
  subject,
  text_before: words,
  text_after: words,
})
export type ReminderSettings = z.infer<typeof settings>

const reminder = z.object({
  id,
  invoice_id: z.number(),
  number: z.string(),
  customer: z.string(),
  to: z.string(),
  cc: z.string(),
  /** From the due date on; below 0 before it. */
  days: z.number(),
  /** When it leaves, or left. */
  send_at: instant,
  state: z.enum(REMINDER_STATES),
  /** Why it did not leave, or waits. */
  reason: z.nullable(z.string()),
  /** The very words that leave, or left. */
  subject: z.string(),
  text: z.string(),
  /** The same before its names are filled. */
  template: z.object({ subject: z.string(), text: z.string() }),
  /** Its words were written for this invoice. */
  edited: z.boolean(),
})
export type Reminder = z.infer<typeof reminder>

const ofInvoice = z.object({
  /** Reminders are on in the settings. */
  on: z.boolean(),
  /** They are on for this invoice. */
  on_here: z.boolean(),
  reminders: z.array(reminder),
})
export type InvoiceReminders = z.infer<typeof ofInvoice>

const byId = byIdOf('Invalid reminder ID')
const byInvoice = byIdOf('Invalid invoice ID')

export const paymentReminders = {
  settings: endpoint({
    method: 'GET',
    path: '/invoices/reminders/settings',
    summary:
      'When customers are reminded of unpaid invoices, and in which words; off until it is switched on',
    reply: settings,
  }),
  saveSettings: endpoint({
    method: 'PUT',
    path: '/invoices/reminders/settings',
    summary: 'Change when customers are reminded, and in which words; an absent field is kept',
    body: z.partial(settings),
    reply: settings,
  }),
  list: endpoint({
    method: 'GET',
    path: '/invoices/reminders/',
    summary: 'Reminders that are going to leave, the next first, each with its words',
    query: z.object({ ...paging }),
    reply: z.array(reminder),
  }),
  ofInvoice: endpoint({
    method: 'GET',
    path: '/invoices/:id/reminders',
    summary: 'The reminders of one invoice, and whether they are on',
    params: byInvoice,
    reply: ofInvoice,
  }),
  switchInvoice: endpoint({
    method: 'PUT',
    path: '/invoices/:id/reminders',
    summary: 'Switch the reminders of one invoice off or on',
    params: byInvoice,
    body: z.object({ on: z.boolean() }),
    reply: ofInvoice,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/invoices/reminders/:id',
    summary: 'Change the words of one reminder, skip it, or take that back',
    params: byId,
    body: z.object({
      skipped: z.optional(z.boolean()),
      subject: z.optional(subject),
      text: z.optional(words),
    }),
    reply: reminder,
  }),
  send: endpoint({
    method: 'POST',
    path: '/invoices/reminders/:id/send',
    summary: 'Send a reminder now; one that has been sent is not sent again',
    params: byId,
    reply: reminder,
  }),
}
