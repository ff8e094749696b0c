import type { MailboxFolder } from '../../mailboxes/mailboxes.ts'
import type { ChunkMail } from '../ingest/ingest-chunk.ts'
import type { FolderContext } from '../ingest/incoming-message.ts'
import type { ReadFolder, SyncPass } from './sync-pass.ts'
import type { UidSpace } from '../messages/locations-store.ts'

type ReaderState = {
  pass: SyncPass
  folder: ReadFolder
  folderContext: FolderContext
  at: UidSpace
  /** The folder's row, as it is saved with every chunk. */
  saved: Readonly<MailboxFolder>
  /** The highest UID the server had assigned when the folder was inspected. */
  newestUid: number
  /** UIDs above the stored range, ascending. */
  newerUids: readonly number[]
  /** UIDs below the stored range, ascending; reading takes them from the end. */
  olderUids: readonly number[]
  /** UIDs to fetch once more: missed between the others, or put aside and due. The first come first. */
  againUids: readonly number[]
  /** Messages whose bodies are still to be fetched. */
  incomplete: number
  /** UIDVALIDITY has changed: most of the folder's messages are known by their Message-ID. */
  uidValidityChanged: boolean
  msPerMail: number | null
}

/** A folder while it is being read: how far it is stored, and what is still missing. {@link updateReader} alone changes it. */
export type FolderReader = Readonly<ReaderState>

/** How the cursor moves when messages are stored, and which UIDs are still missing afterwards. */
export type CursorMove = {
  low_uid?: number
  high_uid?: number
  newerUids?: readonly number[]
  olderUids?: readonly number[]
}

export type Entry = ChunkMail & { uid: number }

/** Rows that are waiting for their bodies, by UID. */
export type Waiting = ReadonlyMap<number, { emailId: number; threadId: number }>

/** A reader for a folder that has just been selected. Which UIDs are missing is found out next. */
export function makeFolderReader(
  setup: Pick<
    ReaderState,
    'pass' | 'folder' | 'folderContext' | 'at' | 'saved' | 'newestUid' | 'uidValidityChanged'
  >,
): FolderReader {
  return { ...setup, newerUids: [], olderUids: [], againUids: [], incomplete: 0, msPerMail: null }
}

/** Notes what is known now of the folder. */
export function updateReader(reader: FolderReader, changes: Partial<ReaderState>): void {
  Object.assign(reader, changes)
}

/** Notes what the folder's row says now. */
export function noteSaved(reader: FolderReader, changes: Partial<MailboxFolder>): void {
  updateReader(reader, { saved: { ...reader.saved, ...changes } })
}

/** Takes over what a later inspection of the same folder found; pace and `newestUid` stay. */
export function takeOver(
  reader: FolderReader,
  { saved, at, newerUids, olderUids, againUids: due, incomplete }: FolderReader,
): void {
  // Where the server still refuses one, the others wait for the next pass.
  const againUids = reader.againUids.length === 0 ? [] : due
  updateReader(reader, { saved, at, newerUids, olderUids, againUids, incomplete })
}
