import type { ImapFlow } from 'imapflow'
import { withinDeadline } from './deadline.ts'
import { imapFailure } from './imap-failure.ts'
import { lost, type ConnectionNotes, type ImapDeadlines } from './imap-runner.ts'

/** An IDLE that keeps ending at once must not become a busy loop. */
const IDLE_PAUSE_MS = 1_000
/** A server that refuses IDLE is asked for changes this often. */
const POLL_EVERY_MS = 30_000

export type ImapChange = 'new' | 'expunged' | 'flags'

/** Waits for changes in the selected folder until aborted. @throws {ImapFailure} when the connection is lost */
export async function listenForChanges(
  client: ImapFlow,
  deadlines: ImapDeadlines,
  notes: ConnectionNotes,
  onChange: (change: ImapChange) => void,
  signal: AbortSignal,
): Promise<void> {
  const exists = ({ count, prevCount }: { count: number; prevCount: number }) => {
    if (count > prevCount) onChange('new')
  }
  const expunged = () => onChange('expunged')
  const flags = () => onChange('flags')
  client.on('exists', exists).on('expunge', expunged).on('flags', flags)
  try {
    while (!signal.aborted) {
      if (!client.usable) throw lost(notes)
      const started = Date.now()
      const idled = await oneIdle(client, deadlines, signal)
      if (signal.aborted) return
      if (!client.usable) throw lost(notes)
      if (idled === false) await poll(client, deadlines, signal)
      else if (Date.now() - started < IDLE_PAUSE_MS) await pause(IDLE_PAUSE_MS, signal)
    }
  } catch (error) {
    throw imapFailure(error, true, notes.lastError)
  } finally {
    client.off('exists', exists).off('expunge', expunged).off('flags', flags)
  }
}

/** One IDLE, until something else needs the connection or the signal aborts it. */
async function oneIdle(
  client: ImapFlow,
  deadlines: ImapDeadlines,
  signal: AbortSignal,
): Promise<boolean | void> {
  const idling = client.idle()
  const stopped = Promise.withResolvers<void>()
  const stop = () => {
    // Any command ends an IDLE; NOOP does nothing else.
    withinDeadline(deadlines.command, client.noop(), () => client.close()).then(
      stopped.resolve,
      stopped.resolve,
    )
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([idling, stopped.promise])
  } finally {
    signal.removeEventListener('abort', stop)
    idling.catch(() => {})
  }
}

/** Where IDLE is refused, NOOP brings the same reports, only later. */
async function poll(client: ImapFlow, deadlines: ImapDeadlines, signal: AbortSignal): Promise<void> {
  await pause(POLL_EVERY_MS, signal)
  if (!signal.aborted) await withinDeadline(deadlines.command, client.noop(), () => client.close())
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(finish, milliseconds)
    function finish() {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    signal.addEventListener('abort', finish)
  })
}
