import type { NewAnswer } from './store.ts'

/** Maximum of answers, and of their bytes, in one statement. */
const BATCH_ROWS = 200
const BATCH_BYTES = 8_000_000

type Waiting = { rows: NewAnswer[]; size: number; done: PromiseWithResolvers<void> }

/**
 * Writes answers in batches: while one statement runs, new answers wait for the next. Nobody waits longer than two
 * statements, and ten thousand mails need only a few hundred. The promise resolves once the rows are stored; senders
 * wait for it, which bounds the memory.
 */
export function makeAnswerWriter(insert: (rows: NewAnswer[]) => Promise<void>): {
  write(rows: NewAnswer[]): Promise<void>
} {
  const waiting: Waiting[] = []
  let writing = false

  const writeAll = async () => {
    writing = true
    while (waiting.length > 0) {
      const batch = nextBatch(waiting)
      try {
        await insert(batch.flatMap(({ rows }) => rows))
        for (const { done } of batch) done.resolve()
      } catch (error) {
        // One row may be at fault (its mailbox is gone); the others are retried without it.
        for (const { rows, done } of batch) {
          if (batch.length === 1) done.reject(error)
          else await insert(rows).then(done.resolve, done.reject)
        }
      }
    }
    writing = false
  }

  return {
    write: async (rows) => {
      if (rows.length === 0) return
      const size = rows.reduce((sum, { raw }) => sum + raw.length, 0)
      const entry: Waiting = { rows, size, done: Promise.withResolvers() }
      waiting.push(entry)
      if (!writing) void writeAll()
      await entry.done.promise
    },
  }
}

function nextBatch(waiting: Waiting[]): Waiting[] {
  let rows = 0
  let bytes = 0
  let count = 0
  for (const entry of waiting) {
    rows += entry.rows.length
    bytes += entry.size
    if (count > 0 && (rows > BATCH_ROWS || bytes > BATCH_BYTES)) break
    count += 1
  }
  return waiting.splice(0, count)
}
