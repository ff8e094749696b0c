import type { Generated } from 'kysely'

type CreditEntriesTable = {
  user_id: number
  id: Generated<number>
  kind: 'earned' | 'spent' | 'expired'
  amount: number
  friend_hash: string | null
  of_entry: number | null
  reason: string
  created_at: Date
  expires_at: Date | null
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    credit_entries: CreditEntriesTable
  }
}
