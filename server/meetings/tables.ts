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
}

export type MeetingAttendeesTable = {
  user_id: number
  meeting_id: number
  address_key: string
  address: string
}
