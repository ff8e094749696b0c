import { startPart } from './process.ts'
import type { Arrived } from './sink-process.ts'

export type { Arrived } from './sink-process.ts'

export type Sink = {
  host: string
  port: number
  /** Forgets what came and waits for `mails`; `all` resolves when the last is there, or rejects after `withinMs`. */
  expect(mails: number, withinMs: number): Promise<{ all: Promise<Arrived> }>
  end(): Promise<void>
}

/** Starts the counting SMTP server. */
export async function startSink(): Promise<Sink> {
  const part = startPart('parts/sink-process.ts')
  const { port } = await part.next<{ port: number }>()
  return {
    host: '127.0.0.1',
    port,
    async expect(mails, withinMs) {
      const ready = part.next()
      part.send({ expect: mails })
      await ready
      // A sink that waits in vain reports what it has, so that the reason can be found.
      const late = setTimeout(() => part.send({ tell: true }), withinMs)
      const all = part.next<{ arrived: Arrived }>().then(({ arrived }) => {
        clearTimeout(late)
        if (arrived.mails === mails) return arrived
        throw new Error(`${arrived.mails} of ${mails} mails arrived within ${withinMs / 1000} s`)
      })
      return { all }
    },
    end: () => part.end(),
  }
}
