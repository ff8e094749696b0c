import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { SinkOptions } from './smtp-sink.ts'
import type { SinkRule } from './smtp-sink-process.ts'

export type SinkProcess = {
  host: string
  port: number
  pid: number
  count(): Promise<number>
  /** For each Message-ID the connections that it came over, in order, numbered from 1. */
  byMessageId(): Promise<Map<string, number[]>>
  connections(): Promise<{ open: number; most: number; total: number }>
  setRules(rules: SinkRule[]): Promise<void>
  clear(): Promise<void>
  stop(): Promise<void>
}

/** Starts `smtp-sink-process.ts`: a sink outside this process's event loop, which outlives whatever a test kills. */
export async function startSinkProcess(options: Omit<SinkOptions, 'script'> = {}): Promise<SinkProcess> {
  const script = fileURLToPath(new URL('smtp-sink-process.ts', import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })
  const [line] = (await once(lines, 'line')) as [string]
  const { port, control } = JSON.parse(line) as { port: number; control: number }
  const ask = async (path: string, body?: unknown): Promise<unknown> => {
    const method = body === undefined ? 'GET' : 'POST'
    const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    return await (await fetch(`http://127.0.0.1:${control}${path}`, init)).json()
  }
  return {
    host: '127.0.0.1',
    port,
    pid: child.pid ?? 0,
    count: async () => ((await ask('/count')) as { count: number }).count,
    byMessageId: async () => new Map(Object.entries((await ask('/ids')) as Record<string, number[]>)),
    connections: async () => (await ask('/connections')) as { open: number; most: number; total: number },
    setRules: async (rules) => void (await ask('/rules', rules)),
    clear: async () => void (await ask('/clear', {})),
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
    },
  }
}
