import type { ServerResponse } from 'node:http'
import type { LiveEvent, Topic } from '#contract/platform/events.ts'
import { runSql } from '../database/transaction.ts'
import type { Queryable } from '../database/handles.ts'
import type { Audience } from '../security/tokens.ts'

/** Channel of NOTIFY that carries live events between processes. */
export const LIVE_CHANNEL = 'howl_live'
/** NOTIFY payloads end at 8,000 bytes; ours are tiny. */
const PAYLOAD_MAX = 7900
/** Streams one user may hold open, one per browser tab. */
const STREAMS_PER_USER = 20
/** A tab hears of the same topic at most this often; the last event is never lost. */
const TELL_EVERY_MS = 150
/** A tab that stopped reading is cut off beyond this many bytes; it reconnects and reloads. */
const UNREAD_MAX_BYTES = 64 * 1024
/** Proxies end a silent stream after 30 to 60 s. */
const KEEP_ALIVE_MS = 20_000

type Stream = {
  response: ServerResponse
  audience: Audience
  waiting: Map<string, LiveEvent>
  timer: NodeJS.Timeout | undefined
}
type Streams = Map<number, Set<Stream>>

/** Announces changes in all processes; also from a command, which has no streams of its own. */
export const liveEvents = {
  /** Tells every tab of one user, whichever process it is connected to, when the transaction commits. Call once per batch, never per row. */
  publish: (db: Queryable, userId: number, event: LiveEvent) => notify(db, { userId, event }),
  /** The same for every open page of the administrator area. The event says only that something is new. */
  publishToAdministrators: (db: Queryable, event: LiveEvent) => notify(db, { userId: null, event }),
}

export type LiveEvents = typeof liveEvents
export type LiveHub = ReturnType<typeof makeLiveHub>

/** `onSessionEnd` is called in every process when a session of this user has ended. */
export function makeLiveHub(onSessionEnd: (userId: number) => void) {
  const streams: Streams = new Map()
  const beat = setInterval(() => each(streams, (stream) => write(stream, ': still here\n\n')), KEEP_ALIVE_MS)
  beat.unref()

  return {
    ...liveEvents,
    /** Opens a stream; the response must be hijacked and have its headers written. */
    open: (userId: number, response: ServerResponse, audience: Audience = 'user'): void => {
      // The client hung up while the session was looked up: nothing would ever remove it from the list again.
      if (response.destroyed) return
      const own = streams.get(userId) ?? new Set()
      streams.set(userId, own)
      const [oldest] = own
      if (oldest !== undefined && own.size >= STREAMS_PER_USER) {
        own.delete(oldest)
        end(oldest)
      }
      const stream: Stream = { response, audience, waiting: new Map(), timer: undefined }
      own.add(stream)
      response.write('retry: 1000\n\n')
      response.on('close', () => {
        clearTimeout(stream.timer)
        own.delete(stream)
        if (own.size === 0) streams.delete(userId)
      })
    },
    /** Receives a notification from the database. */
    receive: (payload: string): void => {
      const { userId, event } = JSON.parse(payload) as Announcement
      if (userId === null) {
        each(streams, (stream) => {
          if (stream.audience === 'admin') tell(stream, event)
        })
        return
      }
      if (event.topic === 'session') onSessionEnd(userId)
      for (const stream of streams.get(userId) ?? []) {
        // A session has ended: every tab reconnects with its token, and the ended one is refused.
        if (event.topic === 'session') end(stream)
        else if (stream.audience === 'user') tell(stream, event)
      }
    },
    /** Notifications may have been missed: every tab is told to reload. */
    resync: (): void => {
      each(streams, (stream) => {
        const topics: readonly Topic[] =
          stream.audience === 'admin' ? ['notifications'] : ['emails', 'contacts', 'outreach', 'mailboxes']
        for (const topic of topics) tell(stream, { topic })
      })
    },
    close: (): void => {
      clearInterval(beat)
      each(streams, end)
    },
  }
}

/** Null is every administrator. */
type Announcement = { userId: number | null; event: LiveEvent }

async function notify(db: Queryable, announcement: Announcement): Promise<void> {
  const payload = JSON.stringify(announcement)
  if (payload.length > PAYLOAD_MAX) throw new Error(`A live event of ${payload.length} bytes is too long`)
  await runSql(db, 'SELECT pg_notify($1, $2)', [LIVE_CHANNEL, payload])
}

function each(streams: Streams, act: (stream: Stream) => void): void {
  for (const own of streams.values()) for (const stream of own) act(stream)
}

function end(stream: Stream): void {
  clearTimeout(stream.timer)
  stream.response.end()
}

/** An ended stream stays open until its tab has read the rest; writing more would be an unhandled error. */
function write({ response }: Stream, text: string): void {
  if (response.writableEnded) return
  if (response.writableLength > UNREAD_MAX_BYTES) response.destroy()
  else response.write(text)
}

function tell(stream: Stream, event: LiveEvent): void {
  stream.waiting.set(event.topic, event)
  stream.timer ??= setTimeout(() => {
    stream.timer = undefined
    const lines = [...stream.waiting.values()].map((next) => `data: ${JSON.stringify(next)}\n\n`)
    stream.waiting.clear()
    write(stream, lines.join(''))
  }, TELL_EVERY_MS)
}
