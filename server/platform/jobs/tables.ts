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

declare module '../database/tables.ts' {
  interface Tables {
    workers: WorkersTable
  }
}
