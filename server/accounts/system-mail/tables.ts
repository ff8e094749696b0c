import type { Generated } from 'kysely'

export type SystemMailState = 'waiting' | 'sending' | 'sent' | 'failed' | 'held'

export type SystemMailsTable = {
  id: Generated<number>
  state: Generated<SystemMailState>
  to_address: string
  content_box: string | null
  email_id: number | null
  reason: string | null
  created_at: Date
  expires_at: Date
  settled_at: Date | null
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    system_mails: SystemMailsTable
  }
}
