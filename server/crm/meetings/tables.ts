import type { Generated } from 'kysely'

export type MeetingsTable = {
  user_id: number
  id: Generated<number>
  title: string
  description: Generated<string>
  start_time: Date
  end_time: Date
  location: Generated<string>
  type: Generated<'in-person' | 'video' | 'phone'>
  status: Generated<'scheduled' | 'completed' | 'cancelled'>
  notes: Generated<string>
  meeting_link: Generated<string>
  created_at: Date
  reminder_minutes: number | null
  /** The time zone in which the times were entered; null if unknown. */
  time_zone: string | null
  /** When the reminder is due; null if none is wanted or it has been sent. */
  remind_at: Date | null
  /** The UID that the meeting keeps in other calendars. */
  uid: Generated<string>
  revision: Generated<number>
  changed_at: Date | null
}

export type MeetingAttendeesTable = {
  user_id: number
  meeting_id: number
  address_key: string
  address: string
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    meetings: MeetingsTable
    meeting_attendees: MeetingAttendeesTable
  }
}
