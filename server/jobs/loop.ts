import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { runSql } from '../database/transaction.ts'
import type { Queryable } from '../database/handles.ts'

/** Channel of NOTIFY that wakes loops, whichever process they run in. */
export const WORK_CHANNEL = 'howl_work'

export type Loop = {
  name: string
  /** Runs the next step now. */
  wake(): void
  /** Resolves when the current step has ended; the context's `stopping` ends the loop. */
  ended: Promise<void>
}

/**
 * Calls `step` every `everyMs` or when woken, never concurrently, until the process stops. A step that throws is
 * logged and retried at the next interval: one fault must not end the work for good.
 */
export function startLoop(context: Context, name: string, everyMs: number, step: () => Promise<void>): Loop {
  let nudge = new AbortController()
  const run = async () => {
    while (!context.stopping.aborted) {
      nudge = new AbortController()
      try {
        await step()
      } catch (error) {
        context.log.warn({ err: error, loop: name }, 'a step of background work failed; it will be retried')
      }
      await pause(everyMs, undefined, { signal: AbortSignal.any([nudge.signal, context.stopping]) }).catch(
        () => {},
      )
    }
  }
  return { name, wake: () => nudge.abort(), ended: run() }
}

/** Handles notifications on `WORK_CHANNEL` in the process of these loops: each names the loops to wake. */
export function wakerOf(loops: readonly Loop[]): (name: string) => void {
  return (name) => {
    for (const loop of loops) if (loop.name === name) loop.wake()
  }
}

/** Wakes the loops of this name when the transaction commits, for work that a user waits for. */
export async function wakeLoops(db: Queryable, name: string): Promise<void> {
  await runSql(db, 'SELECT pg_notify($1, $2)', [WORK_CHANNEL, name])
}
