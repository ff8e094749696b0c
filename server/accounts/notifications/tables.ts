import type { Generated } from 'kysely'

export type AdminNotificationsTable = {
  id: Generated<number>
  user_id: number | null
  topic: string
  title: string
  message: string
  priority: number
  created_at: Date
  read_at: Date | null
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    admin_notifications: AdminNotificationsTable
  }
}
