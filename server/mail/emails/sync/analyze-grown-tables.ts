import { analyzeGrownTables, MANY_ROWS } from '../../../platform/database/analyze-grown-tables.ts'
import { type SyncPass, updatePass } from './sync-pass.ts'

/**
 * The tables that a first sync fills. `email_bodies` has only one index, so the planner has no choice to make there.
 */
const TABLES = ['emails', 'email_locations'] as const

/** Fewer new messages do not change a query plan. */
const FIRST_ANALYZE = 200
/** Analyze again once the pass has added this many times as many. */
const GROWTH = 5
/** Analyzing large tables slows the sync down, so they wait for the end of the pass or for this many messages. */
const MANY_WHILE_READING = 25_000

/** Starts analyzing the tables when many messages were added and more are coming; nobody waits for it. */
export function analyzeWhileSyncing(pass: SyncPass): void {
  const added = pass.added - pass.analyzed
  if (added < FIRST_ANALYZE || pass.added < pass.analyzeAsked * GROWTH) return
  updatePass(pass, { analyzeAsked: pass.added })
  void analyzeGrownTables(pass.context, TABLES, added, MANY_WHILE_READING)
}

/** Starts analyzing the tables at the end of a pass that added many messages. */
export function analyzeAfterSync(pass: SyncPass): void {
  if (pass.added - pass.analyzed < MANY_ROWS || pass.signal.aborted) return
  updatePass(pass, { analyzed: pass.added })
  void analyzeGrownTables(pass.context, TABLES, MANY_ROWS)
}
