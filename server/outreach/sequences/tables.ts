import type { ColumnType, Generated } from 'kysely'
import type {
  MemberState,
  SequenceStart,
  SequenceState,
  SequenceStep,
  StopReason,
} from '#contract/outreach/sequences.ts'

export type SequencesTable = {
  user_id: number
  id: Generated<number>
  name: string
  state: SequenceState
  version: number
  starts: ColumnType<SequenceStart[], string, string>
  /** 1 Monday to 7 Sunday. */
  days: number[]
  from_hour: number
  until_hour: number
  /** Days and hours are those of the reader, as far as the reader's zone is known. */
  in_readers_zone: Generated<boolean>
  stops_at_reply: boolean
  stops_at_meeting: boolean
  stops_at_payment: boolean
  again_after_days: number | null
  mailbox_id: number | null
  /** It was started in practice; what it did there ends with practice. */
  in_practice: Generated<boolean>
  created_at: Date
  updated_at: Date
  started_at: Date | null
  ended_at: Date | null
}

type SequenceVersionsTable = {
  user_id: number
  sequence_id: number
  version: number
  steps: ColumnType<SequenceStep[], string, string>
}

export type SequenceStartsTable = {
  user_id: number
  sequence_id: number
  kind: SequenceStart['on']
  value: string
}

export type SequenceMembersTable = {
  user_id: number
  id: Generated<number>
  sequence_id: number
  contact_id: number
  /** The contact's address when it came in. */
  address_key: string | null
  version: number
  state: MemberState
  step: number | null
  is_open: boolean
  due_at: Date | null
  /** When its step may be done by the steps alone, whatever the hours and the pace; null: at once. */
  ready_at: Date | null
  why: string | null
  reason: StopReason | null
  started_by: 'hand' | SequenceStart['on']
  depth: number
  started_at: Date
  ended_at: Date | null
  /** A wait was counted again from when this mail left. */
  late_mail_id: number | null
  /** Names the call that has put it in; null: nobody did by hand. */
  enrolment: string | null
  /** It was paused when it stopped. */
  was_paused: Generated<boolean>
  /** Its next mail would have a gap, or has no text that can be sent: it waits until the contact or the text has changed. */
  has_gap: Generated<boolean>
}

type SequenceMailsTable = {
  user_id: number
  email_id: number
  sequence_id: number
  member_id: number
  step: number
  mailbox_id: number
  queued_at: Date
  reply_id: number | null
  outcome: 'bounced' | 'unsubscribed' | null
}

export type SequenceWorkTable = {
  user_id: number
  id: Generated<number>
  kind: 'start' | 'stop' | 'bring_back' | 'take_back'
  what: string
  sequence_id: number | null
  contact_id: number | null
  address_key: string | null
  email_id: number | null
  in_practice: boolean | null
  depth: Generated<number>
  at: Date | null
  /** It could not be worked off; it is looked at again then. */
  not_before: Date | null
}

/** Users whose automatic mail may leave sooner than before: their members that were postponed are looked at again. */
type SequenceWakesTable = {
  user_id: number
}

/** Contacts that are under way in a sequence. */
type ContactsInSequencesView = {
  user_id: number
  contact_id: number
}

/** A view of the invoices: contacts with one that is issued and not paid; one row for each. */
type ContactUnpaidInvoicesView = { user_id: number; contact_id: number }

declare module '../../platform/database/tables.ts' {
  interface Tables {
    sequences: SequencesTable
    sequence_versions: SequenceVersionsTable
    sequence_starts: SequenceStartsTable
    sequence_members: SequenceMembersTable
    sequence_mails: SequenceMailsTable
    sequence_work: SequenceWorkTable
    sequence_wakes: SequenceWakesTable
    contacts_in_sequences: ContactsInSequencesView
    contact_unpaid_invoices: ContactUnpaidInvoicesView
  }
}
