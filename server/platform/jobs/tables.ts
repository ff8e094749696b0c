import type { Generated } from 'kysely'

type WorkersTable = {
  id: string
  started_at: Date
  heartbeat_at: Date
  /** Runs the background work; other processes only answer calls. */
  is_worker: Generated<boolean>
  /** When a loop of the background work last came to the end of a step. */
  round_at: Date | null
  /** Loops whose steps fail again and again. */
  failing_loops: Generated<string[]>
}

/** Work that a process does once it is free for it. */
export type JobsView = {
  name: string
  id: string
  user_id: number
  created_at: Date
  due_at: Date
  is_active: boolean
  try_at: Date | null
  /** How often in a row it has failed. */
  failures: number
  last_failure: string
  failed_at: Date | null
}

/** When the work of each loop is due. */
type WorkDueView = { loop: string; due_at: Date }

declare module '../database/tables.ts' {
  interface Tables {
    jobs: JobsView
    work_due: WorkDueView
    workers: WorkersTable
  }
}
