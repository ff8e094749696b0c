import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { runSql } from '../database/transaction.ts'
import type { Queryable } from '../database/handles.ts'

/** Channel of NOTIFY that wakes loops, whichever process they run in. */
export const WORK_CHANNEL = 'howl_work'

/** From so many failed steps in a row on, a loop counts as failing. */
const FAILING_FROM = 3

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
        context.memory.loops.roundAt = context.clock.now()
        context.memory.loops.failures.delete(name)
      } catch (error) {
        const { failures } = context.memory.loops
        failures.set(name, (failures.get(name) ?? 0) + 1)
        context.log.warn({ err: error, loop: name }, 'a step of background work failed; it will be retried')
      }
      const signal = AbortSignal.any([nudge.signal, context.stopping])
      await pause(context.config.loopPause(everyMs), undefined, { signal }).catch(() => {})
    }
  }
  return { name, wake: () => nudge.abort(), ended: run() }
}

/** Loops of this process whose last steps have all failed; a single failure is made good by the next step. */
export function failingLoops({ memory }: Pick<Context, 'memory'>): string[] {
  return [...memory.loops.failures].flatMap(([name, times]) => (times >= FAILING_FROM ? [name] : []))
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
