import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { emailAddress, id, instant, paging, requiredText, text } from './values.ts'

/** The largest CSV file that an import reads. */
export const IMPORT_MAX_BYTES = 200 * 1024 * 1024

/** What the user says of a contact, and what Howl works out from mails and meetings. */
export const CONTACT_STATUSES = ['prospect', 'active', 'inactive'] as const
export const COMPUTED_STATUSES = [
  'new',
  'sent',
  'replied',
  'interested',
  'meeting_scheduled',
  'follow_up_1',
  'follow_up_2',
  'follow_up_3',
] as const

export const contactStatus = z.enum(CONTACT_STATUSES)
export const computedStatus = z.enum(COMPUTED_STATUSES)
export type ComputedStatus = z.infer<typeof computedStatus>

const fields = {
  name: requiredText(200, "Please enter the contact's name"),
  email: emailAddress,
  company: z._default(z.nullable(text(200)), ''),
  phone: z._default(z.nullable(text(60)), ''),
  position: z._default(z.nullable(text(200)), ''),
  notes: z._default(z.nullable(text(20_000)), ''),
  status: z._default(contactStatus, 'prospect'),
}

export const contact = z.object({
  id,
  name: z.string(),
  email: z.string(),
  company: z.string(),
  phone: z.string(),
  position: z.string(),
  notes: z.string(),
  status: contactStatus,
  computed_status: computedStatus,
  last_contact: z.nullable(instant),
  created_at: instant,
  /** Why no mail goes to this address any more: unsubscribed, bounced, complaint, manual. */
  suppressed: z.nullable(z.string()),
})
export type Contact = z.infer<typeof contact>

const filters = {
  search: z.optional(text(200)),
  status: z.optional(z.enum([...CONTACT_STATUSES, ...COMPUTED_STATUSES, 'all'])),
  company: z.optional(text(200)),
  position: z.optional(text(200)),
  email_domain: z.optional(text(254)),
  /** A day or an instant; a day counts to its end in the user's zone. */
  last_contact_from: z.optional(text(40)),
  last_contact_to: z.optional(text(40)),
  sort: z.optional(z.enum(['newest', 'name', '-name', 'email', 'company', 'last_contact', '-last_contact'])),
}

export const refusedRow = z.object({ line: z.number(), email: z.string(), reason: z.string() })

export const importResult = z.object({
  created: z.number(),
  updated: z.number(),
  skipped: z.number(),
  message: z.string(),
  /** The first refused rows with their reasons; `skipped` counts them all. */
  refused: z.array(refusedRow),
})
export type ImportResult = z.infer<typeof importResult>

const byId = z.object({ id })

export const contacts = {
  list: endpoint({
    method: 'GET',
    path: '/contacts/',
    access: 'user',
    summary: 'Contacts, newest first',
    query: z.object({ ...filters, ...paging }),
    reply: z.array(contact),
    errors: ['INVALID_INPUT'],
  }),
  get: endpoint({
    method: 'GET',
    path: '/contacts/:id',
    access: 'user',
    summary: 'One contact',
    params: byId,
    reply: contact,
    errors: ['NOT_FOUND'],
  }),
  add: endpoint({
    method: 'POST',
    path: '/contacts/',
    access: 'user',
    summary: 'Add a contact; one address is one contact, letter case ignored',
    body: z.object(fields),
    reply: contact,
    errors: ['INVALID_INPUT', 'CONFLICT'],
  }),
  update: endpoint({
    method: 'PUT',
    path: '/contacts/:id',
    access: 'user',
    summary: 'Change a contact; an absent field is kept',
    params: byId,
    body: z.object({
      name: z.optional(fields.name),
      email: z.optional(fields.email),
      company: z.optional(z.nullable(text(200))),
      phone: z.optional(z.nullable(text(60))),
      position: z.optional(z.nullable(text(200))),
      notes: z.optional(z.nullable(text(20_000))),
      status: z.optional(contactStatus),
    }),
    reply: contact,
    errors: ['INVALID_INPUT', 'NOT_FOUND', 'CONFLICT'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/contacts/:id',
    access: 'user',
    summary: 'Delete a contact',
    params: byId,
    reply: z.object({ ok: z.boolean() }),
    errors: ['NOT_FOUND'],
  }),
  import: endpoint({
    method: 'POST',
    path: '/contacts/import',
    access: 'user',
    summary: 'Import contacts from a CSV file; progress comes as server events',
    upload: { maxBytes: IMPORT_MAX_BYTES },
    reply: importResult,
    errors: ['INVALID_INPUT', 'TOO_LARGE', 'UNSUPPORTED_TYPE'],
  }),
  export: endpoint({
    method: 'GET',
    path: '/contacts/export',
    access: 'user',
    summary: 'All contacts, or those of a filter, as CSV',
    query: z.object(filters),
    download: 'text/csv',
  }),
}
