import { setTimeout as pause } from 'node:timers/promises'
import type { SinkProcess } from './sink-process.ts'

const LOOK_EVERY_MS = 20

/** Waits until no mail has arrived for so long; returns how many are there then, and when the last one was first seen. */
export async function whenQuiet(
  sink: Pick<SinkProcess, 'count'>,
  quietMs: number,
): Promise<{ count: number; last: number }> {
  let count = await sink.count()
  // Mails of the moments before count as of now.
  let last = Date.now()
  while (Date.now() - last < quietMs) {
    await pause(LOOK_EVERY_MS)
    const now = await sink.count()
    if (now > count) last = Date.now()
    count = now
  }
  return { count, last }
}
