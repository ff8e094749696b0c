/**
 * Milliseconds by which the system's clock is ahead of this process's own (`performance.timeOrigin + performance.now()`).
 * The system's counts whole milliseconds, so it is read when it moves on. It also runs in a page, so it uses nothing else.
 */
export function clockSkew(): number {
  const skews: number[] = []
  for (let times = 0; times < 5; times += 1) {
    const before = Date.now()
    let now = before
    let own = 0
    while (now === before) {
      own = performance.timeOrigin + performance.now()
      now = Date.now()
    }
    skews.push(now - own)
  }
  // Whoever was interrupted between the two readings is late.
  return Math.min(...skews)
}
