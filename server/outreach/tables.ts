import type { Generated } from 'kysely'

export type OutreachBatchesTable = {
  user_id: number
  id: Generated<number>
  mailbox_id: number
  state: 'running' | 'paused' | 'cancelled' | 'done'
  total: Generated<number>
  is_listed: Generated<boolean>
  tokens_used: Generated<number>
  /** The AI request that the run counts its tokens on; null where it began without a model. */
  ai_use_id: number | null
  driver_id: string | null
  error: string | null
  started_at: Date
  finished_at: Date | null
}

export type OutreachItemsTable = {
  user_id: number
  batch_id: number
  contact_id: number
  name: string
  address: string
  state: 'pending' | 'written' | 'skipped' | 'error'
  reason: string | null
  email_id: number | null
  templated: Generated<boolean>
}
