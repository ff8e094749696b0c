import type { Finding } from '#contract/operations/system-health.ts'
import type { Context } from '../../platform/context.ts'
import type { Database } from '../../platform/database/handles.ts'
import type { Limits } from './limits.ts'

/** What checks may use. The command of the operator has no more, and it may have no database. */
export type HealthContext = Pick<Context, 'config' | 'clock' | 'log' | 'model'> & {
  db: Database
  limits: Limits
}

/** Looks at one thing; `signal` ends at the check's deadline. */
export type Check = {
  look: (context: HealthContext, signal: AbortSignal) => Promise<Finding | Finding[]>
  /** After this long it is given up (ms). */
  withinMs: number
  /** Without the database nothing can be told. */
  needsDatabase: boolean
  /** An answer of somebody else's server is kept for so long (ms). */
  keptMs: number
}
