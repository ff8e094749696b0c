import { parentPort } from 'node:worker_threads'
import { MAIL_TASKS, type TaskResult, type TaskRequest } from './mail-tasks.ts'

async function done({ name, args }: TaskRequest): Promise<TaskResult> {
  try {
    const work = MAIL_TASKS[name] as (...args: unknown[]) => unknown
    return { value: await work(...args) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : 'unknown' }
  }
}

// oxlint-disable unicorn/require-post-message-target-origin -- the port between two threads has no origin
parentPort?.on('message', async (order: TaskRequest) => parentPort?.postMessage(await done(order)))
parentPort?.postMessage('ready')
