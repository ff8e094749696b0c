import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../context.ts'

export type Loop = {
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
  return { wake: () => nudge.abort(), ended: run() }
}
