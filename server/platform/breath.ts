import { setImmediate as turn } from 'node:timers/promises'

/** Other work of this process waits hardly longer than this, in milliseconds. */
const BREATH_AFTER_MS = 10

/**
 * For loops that await only what is already there: promises alone never let requests and timers run.
 *
 * @returns a function to await now and then; it lets other work run once 10 ms have passed since the last time
 */
export function makeBreath(): () => Promise<void> {
  let begun = performance.now()
  return async () => {
    if (performance.now() - begun < BREATH_AFTER_MS) return
    await turn()
    begun = performance.now()
  }
}
