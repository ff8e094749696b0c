import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** A file of the benchmark that runs as its own process and communicates by messages. */
export type Part = {
  pid: number
  send(order: object): void
  /** The next message of it. @throws when it ends instead. */
  next<M>(): Promise<M>
  end(): Promise<void>
}

/** Starts `bench/<file>`; `order` is passed as the JSON of its first argument. */
export function startPart(file: string, order: object = {}): Part {
  const child = fork(fileURLToPath(new URL(`../${file}`, import.meta.url)), [JSON.stringify(order)])
  return {
    pid: child.pid ?? 0,
    send: (message) => void child.send(message),
    next: <M>() => nextMessage<M>(child),
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

function nextMessage<M>(child: ChildProcess): Promise<M> {
  return new Promise((resolve, reject) => {
    const take = (message: unknown) => {
      child.off('exit', fail)
      resolve(message as M)
    }
    const fail = () => {
      child.off('message', take)
      reject(new Error('A part of the benchmark ended early'))
    }
    child.once('message', take).once('exit', fail)
  })
}

/** Memory of a process in MB, now and at most so far; null if the system does not report it (Linux does). */
export async function memoryOf(pid: number): Promise<{ now: number; most: number } | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => null)
  if (status === null) return null
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024
  return { now: field('VmRSS'), most: field('VmHWM') }
}

/** Ticks of /proc/<pid>/stat are hundredths of a second wherever Linux runs on hardware that people have. */
const TICK_MS = 10

/**
 * Milliseconds of processor time that these processes have used so far; 0 if the system does not report it. Neighbours on
 * the machine hardly change it, so it tells more than the clock where there are any.
 */
export async function processorTimeOf(pids: readonly number[]): Promise<number> {
  const each = pids.map(async (pid) => {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    // utime and stime, the 14th and 15th field; the name before them may hold anything but ends with ")".
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS
  })
  return (await Promise.all(each)).reduce((sum, ms) => sum + ms, 0)
}
