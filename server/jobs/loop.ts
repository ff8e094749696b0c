import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { runSql } from '../database/transaction.ts'
import type { Queryable } from '../database/handles.ts'

/** Channel of NOTIFY that wakes loops, in whichever process they run. */
export const WORK_CHANNEL = 'howl_work'

export type Loop = {
  name: string
  /** Look now instead of at the next turn. */
  wake(): void
  /** Resolves when the step under way has ended; the context's `stopping` ends the loop. */
  ended: Promise<void>
}

/**
 * Calls `step` every `everyMs` or when woken, never twice at once, until the process stops. A step that throws is
 * logged and tried again at the next turn: one fault must not end the work for good.
 */
export function startLoop(context: Context, name: string, everyMs: number, step: () => Promise<void>): Loop {
  let nudge = new AbortController()
  const run = async () => {
    while (!context.stopping.aborted) {
      nudge = new AbortController()
      try {
        await step()
      } catch (error) {
        context.log.warn({ err: error, loop: name }, 'a turn of background work failed; it is tried again')
      }
      await pause(everyMs, undefined, { signal: AbortSignal.any([nudge.signal, context.stopping]) }).catch(
        () => {},
      )
    }
  }
  return { name, wake: () => nudge.abort(), ended: run() }
}

/** What a note on `WORK_CHANNEL` does in the process of these loops: it names those that are to look. */
export function wakerOf(loops: readonly Loop[]): (name: string) => void {
  return (name) => {
    for (const loop of loops) if (loop.name === name) loop.wake()
  }
}

/** Has the loops of this name look when the transaction commits, for what somebody waits for. */
export async function wakeLoops(db: Queryable, name: string): Promise<void> {
  await runSql(db, 'SELECT pg_notify($1, $2)', [WORK_CHANNEL, name])
}
