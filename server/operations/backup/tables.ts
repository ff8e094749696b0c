import type { Generated } from 'kysely'

/** Backups that were brought back into this database. */
export type RestoresTable = {
  id: Generated<number>
  token: string
  backup_taken_at: Date
  restored_at: Date
}

/** Users whose mail is held since a restore. */
type RestoreHoldsTable = {
  user_id: number
  restore_id: number
  /** Runs that the restore has paused. */
  batch_ids: Generated<number[]>
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    restores: RestoresTable
    restore_holds: RestoreHoldsTable
  }
}
