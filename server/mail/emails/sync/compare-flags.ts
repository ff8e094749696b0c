import { type SeenFlags, takeFlags } from './relocations-store.ts'
import { newestKnown, type UidSpace } from '../messages/locations-store.ts'
import type { FolderReader } from './folder-reader.ts'
import { type SyncPass, whileHeld } from './sync-pass.ts'
import { refusalOf } from './fetch-messages.ts'
import { clearTrouble, noteTrouble, pausedUntil, reasonOf } from './put-aside.ts'
import { STEP_GROWTH } from './poll-intervals.ts'

/** How many of a folder's messages have their flags compared each time, newest first. */
const COMPARED = 2000

/**
 * Asks for flags, which holds up no reading: a refusal is told and the question put again later. Null then.
 *
 * @throws ImapFailure when the connection is lost, or the server wants a pause
 */
export async function askFlags<T>({ pass, at }: FolderReader, ask: () => Promise<T>): Promise<T | null> {
  const about = { kind: 'changes', path: at.path } as const
  if (pausedUntil(pass, about) !== null) return null
  try {
    const answer = await ask()
    await clearTrouble(pass, about)
    return answer
  } catch (error) {
    const failure = refusalOf(pass, error)
    if (failure.kind === 'later') throw failure
    await noteTrouble(pass, about, reasonOf(failure), STEP_GROWTH)
    return null
  }
}

/**
 * Compares the flags of the newest messages, on servers that do not report which flags changed (no CONDSTORE). Whether
 * all of these messages are still there.
 */
export async function compareFlags(reader: FolderReader): Promise<boolean> {
  const { pass, at } = reader
  const uids = await newestKnown(pass.context.db, at, COMPARED)
  if (uids.length === 0) return true
  const rows = await seenFlags(pass.session.flagsOf(uids))
  await storeFlags(pass, at, rows, true)
  return rows.length >= uids.length
}

/** The flags that a server reports, as far as Howl keeps them. */
export function seenFlags(
  reported: AsyncIterable<{ uid: number; flags: ReadonlySet<string> }>,
): Promise<SeenFlags[]> {
  return Array.fromAsync(reported, ({ uid, flags }) => ({
    uid,
    seen: flags.has('\\Seen'),
    flagged: flags.has('\\Flagged'),
  }))
}

/** Takes over flags that were changed in another program; `primaryOnly` as for {@link takeFlags}. */
export async function storeFlags(
  pass: SyncPass,
  at: UidSpace,
  rows: readonly SeenFlags[],
  primaryOnly = false,
): Promise<void> {
  await whileHeld(pass, async (tx) => {
    const changed = await takeFlags(tx, at, rows, primaryOnly)
    if (changed > 0) await pass.context.live.publish(tx, at.userId, { topic: 'emails' })
  })
}
