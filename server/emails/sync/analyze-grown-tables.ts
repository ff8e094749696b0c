import { analyzeGrownTables, MANY_ROWS } from '../../database/analyze-grown-tables.ts'
import type { SyncPass } from './sync-pass.ts'

/** What a first reading fills; `email_bodies` has one index, so there is nothing to choose. */
const TABLES = ['emails', 'email_locations'] as const

/** Fewer new mails change no plan. */
const FIRST_LOOK = 200
/** The next look is worth it when there are so many times as many. */
const GROWTH = 5
/** Looking at large tables takes time from reading, so it waits for its end, or for so many mails. */
const MANY_WHILE_READING = 25_000

/** Has the database look at its tables when many mails have come and more are coming; nobody waits for it. */
export function analyzeWhileSyncing(turn: SyncPass): void {
  const added = turn.added - turn.known
  if (added < FIRST_LOOK || turn.added < turn.asked * GROWTH) return
  turn.asked = turn.added
  void analyzeGrownTables(turn.context, TABLES, added, MANY_WHILE_READING)
}

/** … and when reading has come to an end that brought many. */
export function analyzeAfterSync(turn: SyncPass): void {
  if (turn.added - turn.known < MANY_ROWS || turn.signal.aborted) return
  turn.known = turn.added
  void analyzeGrownTables(turn.context, TABLES, MANY_ROWS)
}
