import * as z from 'zod/mini'
import { endpoint } from '../platform/endpoint.ts'
import { SUPPRESSION_REASONS } from './suppressions.ts'
import { namedTag, TAG_NAME_MAX, TAGS_PER_CONTACT_MAX, tag, tagColour, tagName } from './tags.ts'
import { typedInstant } from '../platform/typed-instant.ts'
import { atMost, emailAddress, id, instant, line, paging, requiredLine, text } from '../platform/values.ts'

/** The largest CSV file that an import reads. */
export const IMPORT_MAX_BYTES = 200 * 1024 * 1024

/** Contacts that a bulk act accepts by id, and that one act may change. */
const BULK_IDS_MAX = 10_000
export const BULK_CONTACTS_MAX = 250_000
/** Ids that fit into a URL: this many selected contacts can be listed or exported. */
export const CHOSEN_MAX = 1000

/** What the user enters about a contact, and what Howl derives from mails and meetings. */
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

const TOO_MANY_TAGS = `A contact can have up to ${TAGS_PER_CONTACT_MAX} tags`

const fields = {
  name: requiredLine(200, "Please enter the contact's name"),
  email: emailAddress,
  company: z._default(z.nullable(line(200)), ''),
  phone: z._default(z.nullable(line(60)), ''),
  position: z._default(z.nullable(line(200)), ''),
  notes: z._default(z.nullable(text(20_000)), ''),
  status: z._default(contactStatus, 'prospect'),
  /** Names; missing tags are created. */
  tags: z.optional(z.array(namedTag).check(atMost(TAGS_PER_CONTACT_MAX, TOO_MANY_TAGS))),
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
  /** Why this address gets no more mail: unsubscribed, bounced, complaint, manual, asked (not proven), declined (only automatic mail). */
  suppressed: z.nullable(z.enum(SUPPRESSION_REASONS)),
  tags: z.array(tag),
})
export type Contact = z.infer<typeof contact>

export const CONTACT_SORTS = [
  'newest',
  'oldest',
  'name',
  '-name',
  'email',
  '-email',
  'company',
  '-company',
  'last_contact',
  '-last_contact',
] as const
export type ContactSort = (typeof CONTACT_SORTS)[number]

const TOO_MANY_CHOSEN = `Please choose up to ${CHOSEN_MAX} contacts`
const chosenIds = z.string().check(
  atMost(CHOSEN_MAX * 16, TOO_MANY_CHOSEN),
  z.regex(/^\d{1,15}(,\d{1,15})*$/, 'These are not ids'),
  z.refine((typed) => typed.split(',').length <= CHOSEN_MAX, TOO_MANY_CHOSEN),
)
const TOO_MANY_IDS = `Please choose up to ${BULK_IDS_MAX} contacts`

const filters = {
  search: z.optional(text(200)),
  status: z.optional(z.enum([...CONTACT_STATUSES, ...COMPUTED_STATUSES, 'all'])),
  /** A tag's name, ignoring case. */
  tag: z.optional(text(TAG_NAME_MAX)),
  company: z.optional(text(200)),
  position: z.optional(text(200)),
  email_domain: z.optional(text(254)),
  /** A day or an instant; a day counts to its end in the user's time zone. */
  last_contact_from: z.optional(text(40)),
  last_contact_to: z.optional(text(40)),
  /** Only contacts that never had a mail of the user's. */
  never_mailed: z.optional(z.enum(['true'])),
  /** Only contacts that have opened an invoice which was shared with them. */
  opened_invoice: z.optional(z.enum(['true'])),
  sort: z.optional(z.enum(CONTACT_SORTS)),
  /** Only these ids, separated by commas. */
  ids: z.optional(chosenIds),
}

/** JSON in bytes of a call that names contacts: as many ids as it may, and a filter. */
export const SELECTION_BODY_MAX = 330_000

/** The contacts of a bulk act: those with these ids, or all that match a filter. */
export const contactSelection = {
  ids: z.optional(z.array(id).check(z.minLength(1), atMost(BULK_IDS_MAX, TOO_MANY_IDS))),
  filter: z.optional(z.object(filters)),
  /** The number the user was shown; if it has changed, nothing is done. */
  expected: z.optional(z.number().check(z.int(), z.gte(0))),
}
export type Selection = {
  ids?: number[] | undefined
  filter?: z.output<typeof filterFields> | undefined
  expected?: number | undefined
}

const filterFields = z.object(filters)

/** Whom a run writes to: the contacts with these ids, or all that match a filter of the list. */
export const audience = z.object({
  contact_ids: z.optional(z.array(id).check(z.minLength(1), atMost(BULK_IDS_MAX, TOO_MANY_IDS))),
  filter: z.optional(filterFields),
})
export type Audience = z.output<typeof audience>
/** An audience as a run keeps it. */
export type KeptAudience = { contact_ids: number[] } | { filter: NonNullable<Audience['filter']> }

const bulkResult = z.object({
  changed: z.number(),
  /** Selected contacts that did not need it, or for which it is not allowed. */
  unchanged: z.number(),
  /** The id by which it can be undone for an hour; null if nothing was changed. */
  undo_id: z.nullable(z.number()),
})
export type BulkResult = z.infer<typeof bulkResult>

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
    summary: 'Contacts, newest first',
    query: z.object({
      ...filters,
      ...paging,
      /** `rough` counts only a few pages ahead, so that very long lists load at once. */
      total: z.optional(z.enum(['exact', 'rough'])),
    }),
    reply: z.array(contact),
  }),
  get: endpoint({
    method: 'GET',
    path: '/contacts/:id',
    summary: 'One contact',
    params: byId,
    reply: contact,
  }),
  add: endpoint({
    method: 'POST',
    path: '/contacts/',
    summary: 'Add a contact; one address is one contact, letter case ignored',
    body: z.object(fields),
    reply: contact,
  }),
  update: endpoint({
    method: 'PUT',
    path: '/contacts/:id',
    summary: 'Change a contact; an absent field is kept',
    params: byId,
    body: z.object({
      name: z.optional(fields.name),
      email: z.optional(fields.email),
      company: z.optional(z.nullable(line(200))),
      phone: z.optional(z.nullable(line(60))),
      position: z.optional(z.nullable(line(200))),
      notes: z.optional(z.nullable(text(20_000))),
      status: z.optional(contactStatus),
      tags: fields.tags,
    }),
    reply: contact,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/contacts/:id',
    summary: 'Delete a contact',
    params: byId,
    reply: z.object({ ok: z.boolean(), undo_id: z.nullable(z.number()) }),
  }),
  count: endpoint({
    method: 'GET',
    path: '/contacts/count',
    summary: 'How many contacts a filter lets through',
    query: z.object(filters),
    reply: z.object({ total: z.number() }),
  }),
  tagMany: endpoint({
    method: 'POST',
    path: '/contacts/bulk/tag',
    summary: 'Give many contacts a tag; one that is not there yet is made',
    bodyMax: SELECTION_BODY_MAX,
    body: z.object({ ...contactSelection, tag: tagName, colour: z.optional(tagColour) }),
    reply: bulkResult,
  }),
  untagMany: endpoint({
    method: 'POST',
    path: '/contacts/bulk/untag',
    summary: 'Take a tag off many contacts',
    bodyMax: SELECTION_BODY_MAX,
    body: z.object({ ...contactSelection, tag: tagName }),
    reply: bulkResult,
  }),
  removeMany: endpoint({
    method: 'POST',
    path: '/contacts/bulk/delete',
    summary: 'Delete many contacts',
    bodyMax: SELECTION_BODY_MAX,
    body: z.object(contactSelection),
    reply: bulkResult,
  }),
  undoMany: endpoint({
    method: 'POST',
    path: '/contacts/bulk/:id/undo',
    summary: 'Undo a bulk act, within an hour',
    params: byId,
    reply: z.object({ restored: z.number() }),
  }),
  stopMailing: endpoint({
    method: 'POST',
    path: '/contacts/bulk/stop-mailing',
    summary: 'Stop all mail to many contacts',
    bodyMax: SELECTION_BODY_MAX,
    body: z.object(contactSelection),
    /** `at`: by this `liftSuppressions` takes back exactly this act. */
    reply: z.object({ changed: z.number(), unchanged: z.number(), at: instant }),
  }),
  liftMailing: endpoint({
    method: 'POST',
    path: '/contacts/bulk/lift',
    summary: 'Allow mail again, but to those who asked for none',
    bodyMax: SELECTION_BODY_MAX,
    body: z.object({ ...contactSelection, stopped_at: z.optional(typedInstant) }),
    reply: z.object({ changed: z.number(), unchanged: z.number() }),
  }),
  import: endpoint({
    method: 'POST',
    path: '/contacts/import',
    summary: 'Import contacts from a CSV file; progress comes as server events',
    upload: { maxBytes: IMPORT_MAX_BYTES },
    reply: importResult,
  }),
  export: endpoint({
    method: 'GET',
    path: '/contacts/export',
    summary: 'All contacts, or those of a filter, as CSV',
    query: z.object(filters),
    download: 'text/csv',
  }),
}
