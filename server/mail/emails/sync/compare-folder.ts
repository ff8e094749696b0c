import type { UidList } from '../../../platform/gateways/imap.ts'
import { isTold, toldFrom } from '../../mailboxes/mailboxes.ts'
import { messageIds } from '../../../formats/mail-text/parse.ts'
import { isDerivedId } from '../ingest/incoming-message.ts'
import { knownUids, type UidSpace } from '../messages/locations-store.ts'
import { dueAside, type Known, newestMessageIds } from './folder-state-store.ts'
import { type FolderReader, updateReader } from './folder-reader.ts'
import { LATER_GROWTH } from './poll-intervals.ts'
import { clearTrouble, noteTrouble, pausedUntil, troubleWith } from './put-aside.ts'
import type { OpenFolder, SyncPass } from './sync-pass.ts'

/** Messages that were put aside and are tried again in one pass, as long as none is refused. */
const AGAIN_AT_ONCE = 1000
/** Where UIDs may change at any time, so many of the newest are looked at by their Message-ID. */
const LOOKED_AT = 20
/** How long the emails of a folder that is suddenly empty stay, in milliseconds. */
const EMPTIED_MS = 10 * 60_000
/** Folders that people empty with one click. */
const OFTEN_EMPTIED: ReadonlySet<string | null> = new Set(['trash', 'junk', 'drafts'])

/**
 * The folder's UIDs where UIDNEXT cannot be relied on: it is missing, or lower than a UID that is known. Null where it
 * can.
 */
export async function listedIfNeeded(
  { session }: SyncPass,
  { exists, uidNext }: OpenFolder,
  highUid: number,
): Promise<UidList | null> {
  const isReliable = exists === 0 || (uidNext !== null && uidNext > highUid)
  // A folder with messages and UIDNEXT 1 contradicts itself.
  return isReliable && !(exists > 0 && uidNext === 1) ? null : session.listedUids()
}

/**
 * Whether UIDs belong to other messages than before, on a server without UIDVALIDITY (RFC 3501 2.3.1.1 asks for it).
 */
export async function uidsAreOthers(pass: SyncPass, at: UidSpace, status: OpenFolder): Promise<boolean> {
  if (status.hasLastingUids || status.exists === 0) return false
  const stored = await newestMessageIds(pass.context.db, at, LOOKED_AT)
  const uids = [...stored.keys()]
  if (uids.length === 0) return false
  const range = { from: Math.min(...uids), to: Math.max(...uids) }
  let looked = 0
  for await (const { uid, envelope } of pass.session.envelopes(range)) {
    const [id, before = []] = [messageIds(envelope?.messageId ?? '')[0], stored.get(uid)]
    if (id !== undefined && before.length > 0 && !before.includes(id)) return true
    if (id === undefined ? before.some(isDerivedId) : before.includes(id)) looked += 1
  }
  // The same number of messages under other UIDs.
  return looked === 0
}

/**
 * Until when emails stay in Howl whose folder is empty all of a sudden; null where that is no wonder. A server that has
 * lost sight of its storage answers in the same way as one whose folder was emptied in another program, unless it
 * counts changes (CONDSTORE).
 */
export async function emptiedUntil(
  { pass, at, folder, saved }: FolderReader,
  { exists, uidNext, highestModSeq }: OpenFolder,
  located: number,
): Promise<Date | null> {
  if (exists > 0 || located === 0 || OFTEN_EMPTIED.has(folder.role)) return null
  const hasCounted = saved.mod_seq !== null && BigInt(highestModSeq ?? 0) > BigInt(saved.mod_seq)
  if (hasCounted && uidNext !== null && uidNext > saved.high_uid) return null
  return noteTrouble(pass, { kind: 'emptied', path: at.path }, String(located), [EMPTIED_MS])
}

/**
 * Compares what is known of a folder with the number of messages that the server says it holds. What is missing is
 * looked for in the server's list and read; a difference that stays is told on the page.
 */
export async function lookForMissed(
  reader: FolderReader,
  { exists }: OpenFolder,
  known: Known,
  listed: UidList | null,
): Promise<void> {
  const { pass, at } = reader
  const { db, clock } = pass.context
  if (exists > 0) await clearTrouble(pass, { kind: 'emptied', path: at.path })
  const about = { kind: 'missing', path: at.path } as const
  const due = known.due > 0 ? await dueAside(db, at, clock.now(), AGAIN_AT_ONCE) : []
  const toCome = reader.newerUids.length + reader.olderUids.length
  const missing = exists - known.located - known.aside - toCome
  if (missing <= 0) {
    updateReader(reader, { againUids: due })
    await clearTrouble(pass, about)
    return
  }
  const before = troubleWith(pass, about)
  const isPaused = before !== undefined && isTold(before) && pausedUntil(pass, about) !== null
  if (isPaused && listed === null) {
    updateReader(reader, { againUids: due })
    return
  }
  const { uids, complete } = listed ?? (await pass.session.listedUids())
  const stored = await knownUids(db, at, uids[0] ?? 0, uids.at(-1) ?? 0)
  const coming = new Set([...reader.newerUids, ...reader.olderUids])
  const missed = uids.filter((uid) => !stored.has(uid) && !coming.has(uid))
  updateReader(reader, { againUids: [...new Set([...missed.toReversed(), ...due])] })
  // The others were removed while we looked.
  if (complete && missed.length === 0) return clearTrouble(pass, about)
  if (isPaused) return
  const reason = `${missing} of ${exists}`
  const isSure = !complete || before?.reason === reason
  await noteTrouble(pass, about, reason, LATER_GROWTH, isSure ? toldFrom(about.kind) : 1)
}
