import { vi } from 'vitest'

/** Until nothing in it throws any more, as `expect.poll` waits for one value: milliseconds, unless the machine does much else. */
export const until = <T>(holds: () => T | Promise<T>, timeout = 60_000): Promise<T> =>
  vi.waitFor(holds, { timeout })
