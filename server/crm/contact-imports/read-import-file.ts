import { Worker } from 'node:worker_threads'
import { invalidInput, Refusal } from '../../platform/errors.ts'
import type { FromReader, ReadOrder, Repeat, ToReader } from './import-messages.ts'
import { readImport, type ReadResult } from './import-reading.ts'

/** Limit of the thread's heap: a file may cost it time, but not memory. */
const HEAP = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 48, stackSizeMb: 2 }

export type Reading = {
  /** Takes what was read; the thread stays a little ahead of it. */
  onBatch(batch: { text: Uint8Array; bytes: number; rows: number }): Promise<void>
  /** The next lines, after this one, whose address appears again. */
  repeatsAfter?(line: number): Promise<Repeat[]>
}

/** A file up to this size is read faster than a thread starts. */
const SMALL_BYTES = 512 * 1024

/**
 * Reads a file of contacts, a large one in its own thread.
 *
 * @throws Refusal 400 for a file that cannot be read; the signal's reason when aborted; what `onBatch` throws
 */
export async function readImportFile(
  order: ReadOrder,
  size: number,
  reading: Reading,
  signal: AbortSignal,
): Promise<ReadResult> {
  signal.throwIfAborted()
  if (size > SMALL_BYTES) return readInThread(order, reading, signal)
  return readImport(order, {
    send: async (text, bytes, rows) => {
      signal.throwIfAborted()
      await reading.onBatch({ text: Buffer.from(text), bytes, rows })
    },
    repeatsAfter: async (line) => (await reading.repeatsAfter?.(line)) ?? [],
  })
}

async function readInThread(
  order: ReadOrder,
  { onBatch, repeatsAfter }: Reading,
  signal: AbortSignal,
): Promise<ReadResult> {
  const thread = new Worker(new URL('import-thread.ts', import.meta.url), {
    workerData: order,
    resourceLimits: HEAP,
  })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const answer = (message: ToReader) => thread.postMessage(message)
  const stop = () => void thread.terminate()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await new Promise((resolve, reject) => {
      // One after the other: batches must reach the database in the file's order.
      let queue: Promise<void> = Promise.resolve()
      const handle = async (message: FromReader) => {
        if (message.kind === 'batch') {
          await onBatch(message)
          answer({ kind: 'more' })
        } else if (message.kind === 'ask') {
          answer({ kind: 'repeats', repeats: (await repeatsAfter?.(message.afterLine)) ?? [] })
        } else if (message.kind === 'end') resolve({ refused: message.refused, listed: message.listed })
        else reject(new Refusal(message.status, message.detail, message.code))
      }
      thread.on('message', (message: FromReader) => {
        queue = queue.then(() => handle(message)).catch(reject)
      })
      thread.on('error', (error) => reject(tooMuch(error)))
      thread.on('exit', () => {
        queue = queue.then(() =>
          reject(signal.aborted ? signal.reason : new Error('The reading thread ended early')),
        )
      })
    })
  } finally {
    signal.removeEventListener('abort', stop)
    await thread.terminate()
  }
}

function tooMuch(error: Error & { code?: string }): Error {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error
  return invalidInput(
    'This file cannot be read: too much of it belongs to one line. Please save it as CSV again.',
  )
}
