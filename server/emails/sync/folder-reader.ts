import { holdsMailbox, type MailboxFolder } from '../../mailboxes/mailboxes.ts'
import type { ChunkMail } from '../ingest/ingest-chunk.ts'
import type { FolderContext } from '../ingest/incoming-message.ts'
import { MailboxTaken, type ReadFolder, type SyncPass } from './sync-pass.ts'
import type { UidSpace } from '../messages/locations-store.ts'
import type { Tx } from '../../database/handles.ts'

/** A folder while it is being read: how far it is stored, and what is still to come. */
export type FolderReader = {
  turn: SyncPass
  folder: ReadFolder
  place: FolderContext
  at: UidSpace
  /** As it is saved with every chunk. */
  saved: MailboxFolder
  /** The highest UID that was given out when the folder was looked into. */
  newestUid: number
  /** UIDs above the stored range, ascending. */
  newerUids: number[]
  /** UIDs below the stored range, ascending: the next ones are at the end. */
  olderUids: number[]
  /** Mails whose words are still to come. */
  incomplete: number
  /** The folder was numbered anew: its mails are mostly known, by their Message-ID. */
  renumbered: boolean
  msPerMail: number | null
}

/** Where the cursor stands when a window is stored, and what is then still to come. */
export type CursorMove = { low_uid?: number; high_uid?: number; above?: number[]; below?: number[] }

/** @throws MailboxTaken when the account is no longer this worker's */
export async function assertHeld({ turn }: FolderReader, tx: Tx): Promise<void> {
  const held = await holdsMailbox(tx, turn.mailbox.user_id, turn.mailbox.id, turn.context.workerId)
  if (!held) throw new MailboxTaken()
}

export type Entry = ChunkMail & { uid: number }

export type Waiting = ReadonlyMap<number, { emailId: number; threadId: number }>
