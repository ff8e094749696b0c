import { parentPort } from 'node:worker_threads'
import { giveWayToOtherThreads } from '../../../platform/worker-threads/thread-priority.ts'
import { freeBuffer } from './free-buffer.ts'
import { JoinedBytes } from './joined-bytes.ts'
import { parseBatch, type Batch } from './parse-batch.ts'

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
