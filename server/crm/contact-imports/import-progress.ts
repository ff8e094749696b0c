import { performance } from 'node:perf_hooks'
import type { Context } from '../../platform/context.ts'

const TELL_EVERY_MS = 300

export type Progress = {
  /** `bytes` of the file have been read, and this many more rows. */
  read(bytes: number, rows: number): void
  /** Reports the end, however the import ended. */
  end(): Promise<void>
}

/**
 * Reports to the user's tabs now and then how far a file is read; a tab that misses the rest still learns of the end.
 */
export function tellProgress(context: Context, userId: number, totalBytes: number): Progress {
  let rows = 0
  let bytes = 0
  let toldAt = 0
  let last: Promise<void> = Promise.resolve()
  const say = (done: boolean) => {
    toldAt = performance.now()
    const event = { topic: 'import', rows, bytes, total_bytes: totalBytes, done } as const
    last = last
      .then(() => context.live.publish(context.db, userId, event))
      .catch((error: unknown) =>
        context.log.warn({ err: error }, 'the progress of an import could not be reported'),
      )
  }
  return {
    read: (atByte, more) => {
      bytes = atByte
      rows += more
      if (performance.now() - toldAt >= TELL_EVERY_MS) say(false)
    },
    end: () => {
      say(true)
      return last
    },
  }
}
