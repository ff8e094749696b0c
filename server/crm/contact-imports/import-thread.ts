import { parentPort, workerData } from 'node:worker_threads'
import { Refusal } from '../../platform/errors.ts'
import type { FromReader, ReadOrder, Repeat, ToReader } from './import-messages.ts'
import { readImport } from './import-reading.ts'

// Runs in its own thread: garbage from reading a file is collected there, in a heap with a limit, and the process
// that serves everybody neither grows nor pauses.

/** Batches that may be in flight at once. */
const AHEAD = 2

const port = parentPort
if (port === null) throw new Error('This file is the start of a thread')

const say = (message: FromReader, handOver: ArrayBuffer[] = []) => port.postMessage(message, handOver)

/** Messages that nobody has waited for yet, and the waiter for the next one. */
const unread: ToReader[] = []
let wake: (() => void) | undefined
port.on('message', (message: ToReader) => {
  unread.push(message)
  wake?.()
})

async function next(): Promise<ToReader> {
  for (;;) {
    const message = unread.shift()
    if (message !== undefined) return message
    await new Promise<void>((resolve) => (wake = resolve))
  }
}

let ahead = 0

async function send(text: string, bytes: number, rows: number): Promise<void> {
  const encoded = new TextEncoder().encode(text)
  say({ kind: 'batch', bytes, rows, text: encoded }, [encoded.buffer])
  ahead += 1
  while (ahead >= AHEAD) if ((await next()).kind === 'more') ahead -= 1
}

async function repeatsAfter(afterLine: number): Promise<Repeat[]> {
  say({ kind: 'ask', afterLine })
  for (;;) {
    const answer = await next()
    if (answer.kind === 'repeats') return answer.repeats
    ahead -= 1
  }
}

try {
  say({ kind: 'end', ...(await readImport(workerData as ReadOrder, { send, repeatsAfter })) })
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  say({ kind: 'refusal', status: error.status, detail: error.message, code: error.code })
} finally {
  port.close()
}
