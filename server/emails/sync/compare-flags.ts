import { takeFlags } from './relocations-store.ts'
import { newestKnown } from '../messages/locations-store.ts'
import type { FolderReader } from './folder-reader.ts'
import { whileHeld } from './sync-pass.ts'

/** How many of a folder's messages have their flags compared each time, newest first. */
const COMPARED = 2000

/** Compares the flags of the newest messages, on servers that do not report which flags changed (no CONDSTORE). */
export async function compareFlags(reader: FolderReader): Promise<void> {
  const { pass, at } = reader
  const { context, mailbox } = pass
  const uids = await newestKnown(context.db, at, COMPARED)
  if (uids.length === 0) return
  const rows = await Array.fromAsync(pass.session.flagsOf(uids), ({ uid, flags }) => ({
    uid,
    seen: flags.has('\\Seen'),
    flagged: flags.has('\\Flagged'),
  }))
  await whileHeld(pass, async (tx) => {
    const changed = await takeFlags(tx, at, rows, true)
    if (changed > 0) await context.live.publish(tx, mailbox.user_id, { topic: 'emails' })
  })
}
