import { pathOf } from '#contract/endpoint.ts'
import { events, liveEvent, type LiveEvent } from '#contract/events.ts'
import { readJson } from './errors.ts'
import { makeEventReader } from './event-lines.ts'
import { doubtSession, readToken } from './token.ts'

/** Waits between attempts to connect, in milliseconds: the first, and the most that doubling leads to. */
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000
/** The server says something every 20 s; a stream that is silent for longer is dead, whatever the network says. */
const SILENCE_MS = 50_000
/** A stream that lived for this long was a good one: the next attempt is a first one again. */
const HELD_MS = 5000
/** A browser opens six connections to one server in all its tabs: a tab that nobody sees gives its own back. */
const HIDDEN_FOR_MS = 60_000

export type LiveListener = {
  onEvent: (event: LiveEvent) => void
  /** A stream is open that was lost before, or came late: events may have been missed. */
  onResume: () => void
  /** The stream is open, or no longer. */
  onState: (open: boolean) => void
}

/** How long to wait before attempt `failures + 1`: doubling, and spread, so that a restart is not met by all at once. */
export function waitBefore(failures: number, chance: number = Math.random()): number {
  const most = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures, 10))
  return Math.round(most * (0.5 + chance / 2))
}

/**
 * Keeps one stream of live events open while the tab can be seen, for the token that is stored. It comes back by itself
 * after a cut, after the tab was hidden for long and when the network returns; a 401 makes the session be asked for.
 * Returns the way to stop.
 */
export function keepStream(listener: LiveListener): () => void {
  const ended = new AbortController()
  const { signal } = ended
  let current: AbortController | undefined
  let hidingTimer: ReturnType<typeof setTimeout> | undefined
  let hiddenForLong = false
  let wake = () => {}

  /** Waits so many milliseconds, or until something wakes it. */
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
  const onOpen = () => {
    listener.onState(true)
    if (!isFirst || failures > 0) listener.onResume()
    isFirst = false
  }
  const run = async () => {
    while (!signal.aborted) {
      current = new AbortController()
      const began = performance.now()
      const outcome = await readStream(AbortSignal.any([signal, current.signal]), listener.onEvent, onOpen)
      listener.onState(false)
      if (signal.aborted) return
      if (outcome === 'unauthorised') doubtSession()
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

/** Reads one stream until it ends, is cut, or turns out not to open. */
async function readStream(
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
    const response = await fetch(pathOf(events.stream), {
      headers: { Accept: 'text/event-stream', Authorization: `Bearer ${readToken() ?? ''}` },
      signal: AbortSignal.any([signal, silent.signal]),
      cache: 'no-store',
    })
    if (response.status === 401) return 'unauthorised'
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
