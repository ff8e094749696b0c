import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { isDay } from '../platform/typed-instant.ts'
import { atMost, byIdOf, id, instant, paging } from '../platform/values.ts'

export const EVERY = ['month', 'year'] as const
/** How often a recurring invoice is made. */
export type Every = (typeof EVERY)[number]

export const MAKES = ['draft', 'issued'] as const
/** What is made: a draft to look at, or an issued invoice. */
export type Makes = (typeof MAKES)[number]

export const RECURRING_STATES = ['active', 'paused', 'ended'] as const
export type RecurringState = (typeof RECURRING_STATES)[number]

/** Recurring invoices of one user that have not ended. */
export const RECURRING_MAX = 200
/** The largest number of invoices that one can be limited to. */
export const TIMES_MAX = 600
/** Invoices that are made up for at most after a stop of the server: the latest ones. */
export const CATCH_UP_MAX = 24

const LAST_DAY = '2199-12-31'
const NO_DAY = 'Please enter a date up to 2199'
const day = z.string(NO_DAY).check(
  z.trim(),
  atMost(10, NO_DAY),
  z.refine((typed) => isDay(typed) && typed <= LAST_DAY, NO_DAY),
)
const WHOLE = `Please enter a whole number from 1 to ${TIMES_MAX}`
const times = z.number(WHOLE).check(z.int(WHOLE), z.gte(1, WHOLE), z.lte(TIMES_MAX, WHOLE))

const every = z.enum(EVERY)
const makes = z.enum(MAKES)
const state = z.enum(RECURRING_STATES)

const recurringInvoice = z.object({
  id,
  every,
  makes,
  state,
  customer: z.string(),
  contact_id: z.nullable(z.number()),
  currency: z.string(),
  /** What one comes to at today's rate, in minor units; null if it is too large for one invoice. */
  total: z.nullable(z.number()),
  /** The date of the next one; of one that is paused or ended, what would be next. */
  next_on: z.string(),
  ends_on: z.nullable(z.string()),
  /** How many are made in all; null without a limit. */
  times: z.nullable(z.number()),
  made: z.number(),
  /** The newest one that is there. */
  last: z.nullable(z.object({ id, number: z.string(), status: z.string(), issue_date: z.string() })),
  /** Why the last one stayed a draft, or was not made; else ''. */
  fault: z.string(),
  created_at: instant,
})
export type RecurringInvoice = z.infer<typeof recurringInvoice>

const byId = byIdOf('Invalid recurring invoice ID')

/** How long it goes on: to a last day, for a number of invoices, or until it is ended. */
const length = { ends_on: z.optional(z.nullable(day)), times: z.optional(z.nullable(times)) }

export const recurringInvoices = {
  list: endpoint({
    method: 'GET',
    path: '/invoices/recurring/',
    summary: 'Recurring invoices by their next date; those that have ended come last',
    query: z.object({ ...paging }),
    reply: z.array(recurringInvoice),
  }),
  add: endpoint({
    method: 'POST',
    path: '/invoices/recurring/',
    summary: 'Make an invoice anew every month or year; its content is copied',
    body: z.object({ invoice_id: id, every, makes: z._default(makes, 'draft'), first_on: day, ...length }),
    reply: recurringInvoice,
    idempotent: true,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/invoices/recurring/:id',
    summary:
      'Change a recurring invoice; an absent field is kept. `invoice_id`: its content is taken from now on',
    params: byId,
    body: z.object({
      every: z.optional(every),
      makes: z.optional(makes),
      next_on: z.optional(day),
      ...length,
      invoice_id: z.optional(id),
    }),
    reply: recurringInvoice,
  }),
  setState: endpoint({
    method: 'PUT',
    path: '/invoices/recurring/:id/state',
    summary: 'Pause a recurring invoice, end it, or let it go on; what was missed meanwhile is not made',
    params: byId,
    body: z.object({ state }),
    reply: recurringInvoice,
  }),
}
