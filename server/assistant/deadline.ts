/** An answer takes no longer. The page stops waiting at 90 s, and the answer still appears. */
export const DEADLINE_MS = 180_000
