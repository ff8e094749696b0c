import type { Generated } from 'kysely'

type PracticeAnswersTable = {
  user_id: number
  id: Generated<number>
  mailbox_id: number
  due_at: Date
  raw: Buffer
}

type PracticeFirstPeopleTable = {
  user_id: number
  mailbox_id: number
  place: number
  address_key: string
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    practice_answers: PracticeAnswersTable
    practice_first_people: PracticeFirstPeopleTable
  }
}
