import type { Generated } from 'kysely'

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
