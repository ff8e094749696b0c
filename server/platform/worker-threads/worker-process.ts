import { type ChildProcess, fork } from 'node:child_process'
import type { EventEmitter } from 'node:events'

/** A process that is used as a thread is: one message in, one message out. */
export type WorkerProcess = Pick<EventEmitter, 'on' | 'once' | 'off'> & {
  postMessage: (message: unknown) => void
  ref: () => void
  unref: () => void
  terminate: () => void
}

/** Starts a module in a process of its own, which knows nothing of this one's settings, and ends with it. */
export function startProcess(entry: URL): WorkerProcess {
  const child: ChildProcess = fork(entry, {
    env: {},
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  return {
    on: child.on.bind(child),
    once: child.once.bind(child),
    off: child.off.bind(child),
    // A process that has just ended hears nothing; its end is an event of its own.
    postMessage: (message) => void child.send(message as object, () => {}),
    ref: () => {
      child.ref()
      child.channel?.ref()
    },
    unref: () => {
      child.unref()
      child.channel?.unref()
    },
    terminate: () => void child.kill('SIGKILL'),
  }
}
