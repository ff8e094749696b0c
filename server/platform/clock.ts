/** The source of all business time (never SQL's now()), so that tests and drills can shift it. */
export type Clock = { now(): Date }

/** The machine's clock, shifted by `offsetSeconds`. */
export function systemClock(offsetSeconds = 0): Clock {
  return { now: () => new Date(Date.now() + offsetSeconds * 1000) }
}
