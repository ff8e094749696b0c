import { getPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { once } from 'node:events'
import { expect, test } from 'vitest'

test.runIf(process.platform === 'linux')(
  'a thread in the background gives way, the others stay',
  async () => {
    const before = getPriority()
    const module = new URL('./thread-priority.ts', import.meta.url).href
    const worker = new Worker(
      `import { giveWayToOtherThreads } from ${JSON.stringify(module)}
    import { readlinkSync } from 'node:fs'
    import { basename } from 'node:path'
    import { getPriority } from 'node:os'
    import { parentPort } from 'node:worker_threads'
    giveWayToOtherThreads()
    parentPort.postMessage(getPriority(Number(basename(readlinkSync('/proc/thread-self')))))`,
      { eval: true, execArgv: ['--input-type=module'] },
    )
    const [priority] = (await once(worker, 'message')) as [number]
    await worker.terminate()
    expect(priority).toBe(10)
    expect(getPriority()).toBe(before)
  },
)
