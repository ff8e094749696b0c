import { inTransaction } from '../../database/transaction.ts'
import { takeFlags } from './relocations-store.ts'
import { newestKnown } from '../messages/locations-store.ts'
import { assertHeld, type FolderReader } from './folder-reader.ts'

/** Mails of a folder whose marks are compared each time, the newest first. */
const COMPARED = 2000

/** Where a server does not tell which marks have changed (no CONDSTORE): compares those of the newest mails. */
export async function compareFlags(reader: FolderReader): Promise<void> {
  const { turn, at } = reader
  const { context, mailbox } = turn
  const uids = await newestKnown(context.db, at, COMPARED)
  if (uids.length === 0) return
  const rows = await Array.fromAsync(turn.session.flagsOf(uids), ({ uid, flags }) => ({
    uid,
    seen: flags.has('\\Seen'),
    flagged: flags.has('\\Flagged'),
  }))
  await inTransaction(context.db, async (tx) => {
    await assertHeld(reader, tx)
    const changed = await takeFlags(tx, at, rows, true)
    if (changed > 0) await context.live.publish(tx, mailbox.user_id, { topic: 'emails' })
  })
}
