import type { ColumnType, Generated } from 'kysely'
import type { TagColour } from '#contract/tags.ts'
import type { FileLayout } from './file-layout.ts'

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

/** How many contacts a user has; triggers keep it. */
export type ContactCountsTable = {
  user_id: number
  total: Generated<number>
}

/** A view: what mails and meetings, which come after contacts, tell of one. */
export type ContactActivityView = {
  user_id: number
  contact_id: number
  first_sent_at: Date | null
  last_sent_at: Date | null
  last_received_at: Date | null
  replied_at: Date | null
  interested_at: Date | null
  follow_ups: number
  last_contact: Date | null
  suppressed: string | null
  meeting_ends_at: Date | null
}

/** A view: when meetings with a contact end; those that were called off are left out. */
export type ContactMeetingsView = { user_id: number; contact_id: number; end_time: Date }

/** A view: the tasks about a contact. */
export type ContactTodosView = { user_id: number; contact_id: number; todo_ids: number[] }

/** What the mails make of a contact; triggers keep it. */
export type ContactStandingsTable = {
  user_id: number
  contact_id: number
  status: string
  last_contact: Date | null
}

/** A contact's words, in the text form of tsvector. */
export type ContactSearchTable = { user_id: number; contact_id: number; words: string }

/** Contacts whose words are to be written. */
export type ContactSearchQueueTable = { user_id: number; contact_id: number; place: Generated<number> }

export type TagsTable = {
  user_id: number
  id: Generated<number>
  name: string
  /** The name in lower case. */
  name_key: string
  colour: TagColour
  created_at: Date
}

export type ContactTagsTable = { user_id: number; contact_id: number; tag_id: number }

/** What a bulk act did, while it can be undone. */
export type ContactActsTable = {
  user_id: number
  id: Generated<number>
  act: 'tag' | 'untag' | 'delete'
  tag_id: number | null
  contact_ids: Generated<number[]>
  done_at: Date
}

/** Contacts that an act has deleted, as they were. */
export type DeletedContactsTable = {
  user_id: number
  act_id: number
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

/** An uploaded file of contacts, and what became of it. */
export type ContactImportsTable = {
  user_id: number
  id: Generated<number>
  file_name: string
  /** Where the blob store keeps it; null when it has been let go, or was never kept. */
  file_key: string | null
  size: number
  created_at: Date
  /** A `FileLayout`, as JSON. */
  layout: ColumnType<FileLayout, string, string>
  /** What the columns were taken for when it was imported. */
  meanings: string[] | null
  finished_at: Date | null
  undone_at: Date | null
  created: Generated<number>
  updated: Generated<number>
  skipped: Generated<number>
  refused: Generated<number>
  /** Tags that it has made. */
  tag_ids: Generated<number[]>
}

/** Contacts that an import has made. */
export type ContactImportAdditionsTable = {
  user_id: number
  import_id: number
  part: number
  contact_ids: number[]
}

/** Contacts that an import has changed: the values of `UNDOABLE` before and after. */
export type ContactImportChangesTable = {
  user_id: number
  import_id: number
  contact_id: number
  before: string[]
  after: string[]
}

/** Tags that an import has given to contacts. */
export type ContactImportTagsTable = {
  user_id: number
  import_id: number
  contact_id: number
  tag_id: number
}

/** Lines of an import whose address is in a later line again. */
export type ContactImportRepeatsTable = {
  user_id: number
  import_id: number
  line: number
  used_line: number
}
