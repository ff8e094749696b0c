import type { SuppressionReason } from '#contract/crm/suppressions.ts'
import type { Generated } from 'kysely'
import type { TagColour } from '#contract/crm/tags.ts'

export type ContactsTable = {
  user_id: number
  id: Generated<number>
  name: string
  email: string
  /** The address in lower case: one contact per user and address. */
  email_key: string
  company: Generated<string>
  phone: Generated<string>
  position: Generated<string>
  notes: Generated<string>
  status: Generated<'prospect' | 'active' | 'inactive'>
  created_at: Date
  updated_at: Date
}

/** The number of a user's contacts; kept by triggers. */
type ContactCountsTable = {
  user_id: number
  total: Generated<number>
}

/** A view: what mails and meetings, which are later domains, say about a contact. */
type ContactActivityView = {
  user_id: number
  contact_id: number
  first_sent_at: Date | null
  last_sent_at: Date | null
  last_received_at: Date | null
  replied_at: Date | null
  interested_at: Date | null
  follow_ups: number
  last_contact: Date | null
  suppressed: SuppressionReason | null
  meeting_ends_at: Date | null
}

/** A view: when meetings with a contact end, without cancelled ones. */
type ContactMeetingsView = { user_id: number; contact_id: number; end_time: Date }

/** A view: which contacts have opened an invoice that was shared with them; one row for each invoice. */
type ContactOpenedInvoicesView = { user_id: number; contact_id: number }

/** A view: the tasks about a contact. */
type ContactTodosView = { user_id: number; contact_id: number; todo_ids: number[] }

/** A contact's standing according to mails; kept by triggers. */
type ContactStatusesTable = {
  user_id: number
  contact_id: number
  status: string
  last_contact: Date | null
  mailed: boolean
}

/** How many contacts were mailed and how many replied, summed over a user's counter rows; kept by triggers. */
type MailedCountsTable = { user_id: number; slot: number; mailed: number; replied: number }

/** A contact's index entries, in the text form of tsvector. */
type ContactSearchTable = { user_id: number; contact_id: number; words: string }

/** Contacts that wait for indexing. */
type ContactSearchQueueTable = { user_id: number; contact_id: number; place: Generated<number> }

type TagsTable = {
  user_id: number
  id: Generated<number>
  name: string
  /** The name in lower case. */
  name_key: string
  colour: TagColour
  created_at: Date
}

type ContactTagsTable = { user_id: number; contact_id: number; tag_id: number }

/** What a bulk action did, as long as it can be undone. */
type ContactActionsTable = {
  user_id: number
  id: Generated<number>
  action: 'tag' | 'untag' | 'delete'
  tag_id: number | null
  contact_ids: Generated<number[]>
  done_at: Date
}

/** Contacts that an action deleted, as they were. */
type DeletedContactsTable = {
  user_id: number
  action_id: number
  id: number
  name: string
  email: string
  email_key: string
  company: string
  phone: string
  position: string
  notes: string
  status: string
  created_at: Date
  updated_at: Date
  tag_ids: number[]
  todo_ids: number[]
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    contacts: ContactsTable
    contact_activity: ContactActivityView
    contact_counts: ContactCountsTable
    contact_meetings: ContactMeetingsView
    contact_opened_invoices: ContactOpenedInvoicesView
    contact_todos: ContactTodosView
    contact_statuses: ContactStatusesTable
    contact_search: ContactSearchTable
    contact_search_queue: ContactSearchQueueTable
    tags: TagsTable
    contact_tags: ContactTagsTable
    contact_actions: ContactActionsTable
    deleted_contacts: DeletedContactsTable
    mailed_counts: MailedCountsTable
  }
}
