import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { conflict, presentError } from '../errors.ts'
import { type Loop, startLoop } from '../jobs/loop.ts'
import { forgetLapsedRoom } from './uploads-store.ts'
import { forgetCounts } from './limits-store.ts'
export type { CallKey } from './store.ts'
import { beginCall, type CallKey, findCall, finishCall, forgetCalls, takeOverCall } from './store.ts'

/** How long a stored answer is replayed, and how long an unfinished call keeps its key. */
const REPLAY_MS = 2 * 60_000
/** The client gives up after 30 s; a repeat that waits for the first call stops before that. */
const WAIT_MS = 28_000
const LOOK_EVERY_MS = 40

export type StoredAnswer = { status: number; body: string }

/** The identity of a call. The key alone is not enough, because clients cut it to 100 characters. */
export function callKey(userId: number, route: string, key: string, payload: unknown): CallKey {
  const payloadHash = createHash('sha256')
    .update(JSON.stringify(payload ?? null))
    .digest('base64url')
  return { userId, route, key: key.slice(0, 300), payloadHash }
}

/**
 * Runs `work` once for calls with the same key: a repeat waits for the first and gets its answer, for two minutes. A
 * refusal goes to those that waited for it, but a later click tries again.
 *
 * @param lastsMs how long `work` may take: a call that began before that has died
 */
export async function once(
  context: Context,
  call: CallKey,
  work: () => Promise<StoredAnswer>,
  lastsMs = REPLAY_MS,
): Promise<StoredAnswer> {
  const arrived = context.clock.now()
  if (await beginCall(context.db, call, arrived)) return runAndStore(context, call, work)
  const deadline = Date.now() + WAIT_MS
  while (Date.now() < deadline) {
    const found = await findCall(context.db, call)
    if (found === null) return once(context, call, work, lastsMs)
    const keptMs = found.finishedAt === null ? Math.max(lastsMs, REPLAY_MS) : REPLAY_MS
    const stale = (found.finishedAt ?? found.startedAt).getTime() < context.clock.now().getTime() - keptMs
    const refused = found.finishedAt !== null && (found.status ?? 500) >= 400 && found.finishedAt < arrived
    if (stale || refused) {
      if (await takeOverCall(context.db, call, found, context.clock.now()))
        return runAndStore(context, call, work)
    } else if (found.finishedAt !== null) {
      return { status: found.status ?? 500, body: found.reply ?? '' }
    } else {
      await pause(LOOK_EVERY_MS)
    }
  }
  throw conflict('This is still being worked on. Please wait a moment.')
}

async function runAndStore(
  context: Context,
  call: CallKey,
  work: () => Promise<StoredAnswer>,
): Promise<StoredAnswer> {
  let answer: StoredAnswer
  try {
    answer = await work()
  } catch (error) {
    const { status, body } = presentError(error)
    await finishCall(context.db, call, status, JSON.stringify(body), context.clock.now())
    throw error
  }
  await finishCall(context.db, call, answer.status, answer.body, context.clock.now())
  return answer
}

const FORGET_EVERY_MS = 10 * 60_000

/**
 * Deletes stored answers that are no longer replayed, space reserved for uploads that never came, and outdated call
 * counts.
 */
export function startForgettingCalls(context: Context): Loop[] {
  return [startLoop(context, 'forget calls', FORGET_EVERY_MS, () => forgetOldCalls(context))]
}

/** One step of the loop. */
export async function forgetOldCalls({ clock, db }: Context): Promise<void> {
  const now = clock.now()
  await forgetCalls(db, new Date(now.getTime() - 2 * REPLAY_MS))
  await forgetLapsedRoom(db, now)
  await forgetCounts(db, now)
}
