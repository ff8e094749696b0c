import { pathOf } from '#contract/platform/endpoint.ts'
import { events, liveEvent, type LiveEvent } from '#contract/platform/events.ts'
import { readJson } from './errors.ts'
import { makeEventReader } from './event-lines.ts'
import { doubtSession, readToken } from './token.ts'

/** Milliseconds between attempts to connect: the first wait, and the limit that doubling leads to. */
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000
/**
 * The server sends something every 20 s; a stream that is silent for longer is dead, even if the network reports
 * nothing.
 */
const SILENCE_MS = 50_000
/** A first stream that opens later than this has left time for an event to be missed. */
const LATE_MS = 300
/** After a stream has stayed open this long, the waits start over with the first. */
const HELD_MS = 5000
/** A browser opens at most six connections to a server over all its tabs, so a hidden tab gives up its own. */
const HIDDEN_FOR_MS = 60_000

type LiveListener = {
  onEvent: (event: LiveEvent) => void
  /** The stream is open again, or opened late: events may have been missed. */
  onResume: () => void
  /** The stream has opened or closed. */
  onState: (open: boolean) => void
}

/** Which stream is read, with whose token, and what happens when it is refused. */
type StreamSource = { path: string; token: () => string | null; onRefused: () => void }

const OWN: StreamSource = { path: pathOf(events.stream), token: readToken, onRefused: doubtSession }

/**
 * The wait before attempt `failures + 1`: it doubles, and is random, so that clients do not all return at once after a
 * restart.
 */
export function waitBefore(failures: number, chance: number = Math.random()): number {
  const most = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures, 10))
  return Math.round(most * (0.5 + chance / 2))
}

/**
 * Keeps a stream of live events open while the tab is visible, the user's own if no other is named. It reconnects after a
 * cut, after a long time in the background and when the network returns; a 401 causes the session to be checked. Returns a
 * function that stops it.
 */
export function keepStream(listener: LiveListener, source: StreamSource = OWN): () => void {
  const ended = new AbortController()
  const { signal } = ended
  let current: AbortController | undefined
  let hidingTimer: ReturnType<typeof setTimeout> | undefined
  let hiddenForLong = false
  let wake = () => {}

  /** Waits for this many milliseconds, or until woken. */
  const pause = (milliseconds?: number) =>
    new Promise<void>((resolve) => {
      const timer = milliseconds === undefined ? undefined : setTimeout(resolve, milliseconds)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const hide = () => {
    hiddenForLong = true
    current?.abort()
  }
  const onVisibility = () => {
    clearTimeout(hidingTimer)
    hiddenForLong = false
    if (document.hidden) hidingTimer = setTimeout(hide, HIDDEN_FOR_MS)
    else wake()
  }
  onVisibility()
  document.addEventListener('visibilitychange', onVisibility, { signal })
  window.addEventListener('online', () => wake(), { signal })

  let isFirst = true
  let failures = 0
  const started = performance.now()
  const onOpen = () => {
    listener.onState(true)
    if (!isFirst || failures > 0 || performance.now() - started > LATE_MS) listener.onResume()
    isFirst = false
  }
  const run = async () => {
    while (!signal.aborted) {
      current = new AbortController()
      const began = performance.now()
      const outcome = await readStream(
        source,
        AbortSignal.any([signal, current.signal]),
        listener.onEvent,
        onOpen,
      )
      listener.onState(false)
      if (signal.aborted) return
      if (outcome === 'unauthorised') source.onRefused()
      const held = outcome !== 'unauthorised' && performance.now() - began > HELD_MS
      failures = held ? 0 : failures + 1
      await pause(hiddenForLong ? undefined : waitBefore(failures))
    }
  }
  void run()
  return () => {
    clearTimeout(hidingTimer)
    ended.abort()
    wake()
  }
}

type Outcome = 'over' | 'unauthorised'

/** Reads a stream until it ends, is cut, or fails to open. */
async function readStream(
  source: StreamSource,
  signal: AbortSignal,
  onEvent: LiveListener['onEvent'],
  onOpen: () => void,
): Promise<Outcome> {
  const silent = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silent.abort(), SILENCE_MS)
  }
  try {
    heard()
    const response = await fetch(source.path, {
      headers: { Accept: 'text/event-stream', Authorization: `Bearer ${source.token() ?? ''}` },
      signal: AbortSignal.any([signal, silent.signal]),
      cache: 'no-store',
    })
    if (response.status === 401 || response.status === 403) return 'unauthorised'
    if (!response.ok || response.body === null) return 'over'
    onOpen()
    const take = makeEventReader((data) => {
      const event = liveEvent.safeParse(readJson(data))
      if (event.success) onEvent(event.data)
    })
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return 'over'
      heard()
      take(value)
    }
  } catch {
    return 'over'
  } finally {
    clearTimeout(timer)
  }
}
