import type { LanguageModel } from './gateways/language-model.ts'
import type { Caller } from './http/caller.ts'
import { makeMetrics } from './metrics.ts'

/**
 * What one process remembers between calls. A new process starts without it, so it is never the only record of
 * anything.
 */
export type ProcessMemory = ReturnType<typeof emptyMemory>

/** The memory of a process that has just started. */
export function emptyMemory() {
  return {
    /** Callers by their bearer token, trusted until `until` (milliseconds since 1970). */
    callers: new Map<string, { caller: Caller; until: number }>(),
    /** How often callers were forgotten: one that was being looked up then is not remembered. */
    callersForgotten: 0,
    /** The first people written to from a practice mailbox, by its id; only mailboxes where all of them are known. */
    firstPeople: new Map<number, string[]>(),
    /** Runs that this process is driving, as "user/batch". */
    drivenRuns: new Set<string>(),
    /** Access tokens that are being renewed, as "user/mailbox". */
    renewals: new Map<string, Promise<unknown>>(),
    /** Users' own language models, by user, with what they were made from. Only the recently used. */
    ownModels: new Map<number, { madeFrom: string; model: LanguageModel }>(),
    /** The exchange rates that are being fetched; null while none are. */
    renewingRates: null as Promise<void> | null,
    /**
     * When a loop of this process last came to the end of a step, how often in a row the steps of each have failed, and how
     * to wake each.
     */
    loops: {
      roundAt: null as Date | null,
      failures: new Map<string, number>(),
      wake: new Map<string, () => void>(),
    },
    /** What this process counts about itself. */
    metrics: makeMetrics(),
  }
}

/** Counts questions to a model: the house's, or users' own. */
export function countModelCalls(
  { metrics }: ProcessMemory,
  owner: 'house' | 'user',
): (call: { seconds: number; outcome: string }) => void {
  return ({ seconds, outcome }) => {
    metrics.count('howl_model_calls_total', { owner, outcome })
    metrics.observe('howl_model_call_duration_seconds', { owner }, seconds)
  }
}
