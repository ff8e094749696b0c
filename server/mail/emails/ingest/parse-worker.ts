import { parentPort } from 'node:worker_threads'
import { giveWayToOtherThreads } from '../../../platform/worker-threads/thread-priority.ts'
import { freeBuffer } from './message-rows.ts'
import { parseBatch, type Batch } from './parse-batch.ts'

type Part = string | ArrayBuffer | ArrayBufferView

/** The part of Blob that the MIME reader uses, without its asynchronous storage: joins parts into one buffer. */
class JoinedBytes {
  readonly #parts: readonly Part[]

  constructor(parts: readonly Part[]) {
    this.#parts = parts
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const pieces = this.#parts.map(bytesOf)
    const all = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0))
    let at = 0
    for (const piece of pieces) {
      all.set(piece, at)
      at += piece.byteLength
    }
    return all.buffer
  }
}

/** Nearly all strings among the parts are line ends. */
const LINE_END = Buffer.from('\n')

function bytesOf(part: Part): Uint8Array {
  if (part === '\n') return LINE_END
  if (typeof part === 'string') return Buffer.from(part)
  if (part instanceof ArrayBuffer) return new Uint8Array(part)
  return new Uint8Array(part.buffer, part.byteOffset, part.byteLength)
}

// The MIME reader joins every part through a Blob, which costs three times as much as the rest of its work. Nothing
// else in this thread uses one.
Object.assign(globalThis, { Blob: JoinedBytes })

// oxlint-disable unicorn/require-post-message-target-origin -- the port between two threads has no origin
parentPort?.on('message', async (batch: Batch) => {
  const read = await parseBatch(batch)
  freeBuffer(batch.bytes)
  parentPort?.postMessage(read, [read.rows.buffer, read.bodies.buffer])
})
giveWayToOtherThreads()
parentPort?.postMessage('ready')
