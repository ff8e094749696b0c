import type { Generated } from 'kysely'

export type PracticeAnswersTable = {
  user_id: number
  id: Generated<number>
  mailbox_id: number
  due_at: Date
  raw: Buffer
}

export type PracticeFirstPeopleTable = {
  user_id: number
  mailbox_id: number
  place: number
  address_key: string
}
