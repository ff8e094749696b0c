import { setImmediate as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { makeThreadPool, ThreadEnded } from './thread-pool.ts'
import { QueueRefused } from './turn-queue.ts'

const worker = (body: string) => new URL(`data:text/javascript,${encodeURIComponent(body)}`)
/** Answers at once, except to what it is to hold until it is released. */
const echo = worker(`
  import { parentPort } from 'node:worker_threads'
  parentPort.on('message', ({ held, name }) => {
    if (held !== undefined) Atomics.wait(new Int32Array(held), 0, 0)
    parentPort.postMessage(name)
  })
  parentPort.postMessage('ready')`)
const question = (name: string, held?: SharedArrayBuffer) => () => ({ message: { name, held }, handOver: [] })

test('long work of many owners leaves one thread free for what is short', async () => {
  const pool = makeThreadPool({ threads: 2, deadlineMs: 60_000, idleMs: 10, entry: echo })
  const held = new SharedArrayBuffer(4)
  const long = [1, 2, 3].map((owner) => pool.ask(question(`long ${owner}`, held), { owner, isLong: true }))
  // It would wait for ever if the long ones had both threads.
  expect(await pool.ask(question('short'), { owner: 4 })).toBe('short')
  Atomics.store(new Int32Array(held), 0, 1)
  Atomics.notify(new Int32Array(held), 0)
  expect(await Promise.all(long)).toEqual(['long 1', 'long 2', 'long 3'])
})

test('long and short work of one owner has one limit: it runs one after the other', async () => {
  const perOwner = { running: 1, waiting: 1, waitMs: 60_000 }
  const pool = makeThreadPool({ threads: 2, deadlineMs: 60_000, idleMs: 10, entry: echo, perOwner })
  const held = new SharedArrayBuffer(4)
  const done: unknown[] = []
  const ask = async (...asked: Parameters<typeof pool.ask>) => done.push(await pool.ask(...asked))
  const own = [ask(question('long', held), { owner: 1, isLong: true }), ask(question('short'), { owner: 1 })]
  await expect(pool.ask(question('one too many'), { owner: 1 })).rejects.toThrow(QueueRefused)
  await ask(question('of another'), { owner: 2 })
  Atomics.store(new Int32Array(held), 0, 1)
  Atomics.notify(new Int32Array(held), 0)
  await Promise.all(own)
  expect(done).toEqual(['of another', 'long', 'short'])
})

test('a process that does not come to an end is killed, and the next call is answered by another', async () => {
  const entry = new URL('../../../tests/support/stuck-process.ts', import.meta.url)
  const pool = makeThreadPool({ threads: 1, deadlineMs: 60_000, idleMs: 600_000, entry, inProcesses: true })
  const ask = (message: string) => pool.ask(() => ({ message, handOver: [] }))
  const { pid, settings } = (await ask('who')) as { pid: number; settings: string[] }
  expect(pid).not.toBe(process.pid)
  // A stranger's file is read there: nothing of Howl's settings is.
  expect(settings).toEqual([])
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const stuck = expect(ask('loop')).rejects.toThrow(ThreadEnded)
    await pause()
    vi.advanceTimersByTime(60_000)
    await stuck
  } finally {
    vi.useRealTimers()
  }
  expect(((await ask('who')) as { pid: number }).pid).not.toBe(pid)
  await expect.poll(() => isAlive(pid)).toBe(false)
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
