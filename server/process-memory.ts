import type { Caller } from './http/caller.ts'

/**
 * What one process remembers between calls. A new process starts without it, so it is never the only record of
 * anything.
 */
export type ProcessMemory = {
  /** Callers by their bearer token, trusted until `until` (milliseconds since 1970). */
  callers: Map<string, { caller: Caller; until: number }>
  /** The first people written to from a practice mailbox, by its id; only mailboxes where all of them are known. */
  firstPeople: Map<number, string[]>
  /** Runs that this process is driving, as "user/batch". */
  drivenRuns: Set<string>
  /** Access tokens that are being renewed, as "user/mailbox". */
  renewals: Map<string, Promise<unknown>>
  /** The exchange rates that are being fetched; null while none are. */
  renewingRates: Promise<void> | null
}

/** The memory of a process that has just started. */
export function emptyMemory(): ProcessMemory {
  return {
    callers: new Map(),
    firstPeople: new Map(),
    drivenRuns: new Set(),
    renewals: new Map(),
    renewingRates: null,
  }
}
