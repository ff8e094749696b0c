/** All business time comes from here, never from SQL's now(): tests and drills can then move it. */
export type Clock = { now(): Date }

/** The machine's clock, moved by `offsetSeconds`. */
export function systemClock(offsetSeconds = 0): Clock {
  return { now: () => new Date(Date.now() + offsetSeconds * 1000) }
}
