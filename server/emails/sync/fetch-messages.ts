import { ImapFailure, type ImapRawRow, MAX_MAIL_BYTES } from '../../gateways/imap.ts'
import { checkPass, reconnect, select, type SyncPass } from './sync-pass.ts'

/** A mail of a window: its bytes, or why the server does not hand them over. */
export type FetchedMessage = { uid: number; row: ImapRawRow } | { uid: number; refused: string; size: number }

/** After so many lost connections over the same window its mails are asked for one by one. */
const LOSSES_TOGETHER = 2
/** A mail that is asked for alone is given up after so many refusals … */
const REFUSALS_ALONE = 2
/** … or lost connections, in two turns: those may have another cause. */
const LOSSES_ALONE = 3
/** More mails than this cannot all be broken while none comes through: then it is the folder. */
const REFUSED_WITHOUT_SUCCESS_MAX = 3

export type FolderLocation = { path: string; uidValidity: string }

/** The folder was numbered anew, on the server, while it was being read. */
export class Renumbered extends Error {
  override readonly name = 'Renumbered'
}

/** Selects the folder unless it is, and makes sure that its UIDs still mean the same. */
export async function atFolder(turn: SyncPass, { path, uidValidity }: FolderLocation): Promise<void> {
  if (turn.selected === path && turn.session.usable) return
  const status = await select(turn, path)
  if (status.uidValidity !== uidValidity) throw new Renumbered()
}

/**
 * Fetches mails whatever happens: a failure over many leads to asking for each alone, a lost connection to another one.
 * What the server will not hand over at all comes as `refused`; a mail that is gone does not come.
 *
 * @throws ImapFailure when no connection comes about, or the folder as a whole gives nothing
 */
export async function* fetchMessages(
  turn: SyncPass,
  place: FolderLocation,
  uids: readonly number[],
): AsyncGenerator<FetchedMessage> {
  const left = new Set(uids)
  const unclear: { uid: number; size: number }[] = []
  let came = 0
  for (let losses = 0; left.size > 0 && losses < LOSSES_TOGETHER;) {
    const before = left.size
    try {
      await atFolder(turn, place)
      for await (const row of turn.session.fetchRaw([...left])) {
        if (!left.delete(row.uid)) continue
        if (row.raw === null) {
          unclear.push({ uid: row.uid, size: row.size })
          continue
        }
        came += 1
        yield { uid: row.uid, row }
      }
      left.clear()
    } catch (error) {
      const failure = ofConnection(error)
      if (failure.kind === 'no_folder') throw failure
      if (!isLost(turn, failure)) break
      // A poor connection that brings something is asked on; one that breaks at the same place is not.
      losses = left.size < before ? 0 : losses + 1
      await reconnect(turn, failure)
    }
  }
  const alone = [...unclear, ...[...left].map((uid) => ({ uid, size: 0 }))]
  const refused: { uid: number; refused: string; size: number }[] = []
  let lastFailure: ImapFailure | undefined
  for (const mail of alone) {
    const outcome = await fetchAlone(turn, place, mail.uid)
    if (outcome === null) continue
    if ('failure' in outcome) {
      lastFailure = outcome.failure
      refused.push({ ...mail, refused: outcome.failure.words })
    } else {
      came += 1
      yield { uid: mail.uid, row: outcome.row }
    }
    if (came === 0 && refused.length > REFUSED_WITHOUT_SUCCESS_MAX)
      throw lastFailure ?? new ImapFailure('refused', '')
  }
  yield* refused
}

/** One mail, tried a few times. Null when it is gone. */
async function fetchAlone(
  turn: SyncPass,
  place: FolderLocation,
  uid: number,
): Promise<{ row: ImapRawRow } | { failure: ImapFailure } | null> {
  let refusals = 0
  let losses = 0
  for (;;) {
    checkPass(turn)
    let failure: ImapFailure
    try {
      await atFolder(turn, place)
      const rows = await Array.fromAsync(turn.session.fetchRaw([uid]))
      const row = rows.find((found) => found.uid === uid)
      if (row === undefined) return null
      if (row.raw !== null) return { row }
      failure = new ImapFailure('refused', 'The server did not hand this mail over')
      refusals += 1
    } catch (error) {
      failure = ofConnection(error)
      if (failure.kind === 'no_folder') throw failure
      if (!isLost(turn, failure)) refusals += 1
      else {
        losses += 1
        await reconnect(turn, failure)
      }
    }
    if (refusals >= REFUSALS_ALONE) return { failure }
    if (losses >= LOSSES_ALONE) {
      if (!wasSuspected(turn, place, uid)) throw failure
      return { failure }
    }
  }
}

/** Mails that cost their connection in an earlier turn; more of them are not remembered. */
const suspects = new WeakMap<SyncPass['context'], Set<string>>()
const SUSPECTS_MAX = 1000

/**
 * Whether this mail cost its connection before. A network that breaks looks the same for a while, so the first time only
 * the turn ends; the second time, in a later turn, it is the mail.
 */
function wasSuspected(
  { context, mailbox }: SyncPass,
  { path, uidValidity }: FolderLocation,
  uid: number,
): boolean {
  const known = suspects.get(context) ?? new Set()
  suspects.set(context, known)
  const key = [mailbox.user_id, mailbox.id, path, uidValidity, uid].join(' ')
  if (known.delete(key)) return true
  if (known.size >= SUSPECTS_MAX) known.clear()
  known.add(key)
  return false
}

/** Runs a step once more on another connection, once or twice, when its connection is lost. */
export async function withReconnect<T>(turn: SyncPass, step: () => Promise<T>): Promise<T> {
  for (let losses = 1; ; losses += 1) {
    try {
      return await step()
    } catch (error) {
      const failure = ofConnection(error)
      if (!isLost(turn, failure) || losses > LOSSES_TOGETHER) throw failure
      await reconnect(turn, failure)
    }
  }
}

/** True when the connection is no good any more, whether or not it has noticed yet. */
export function isLost(turn: SyncPass, { kind }: ImapFailure): boolean {
  return !turn.session.usable || kind === 'gone' || kind === 'timeout' || kind === 'unreachable'
}

/** The error as one of the connection; anything else is thrown on. */
function ofConnection(error: unknown): ImapFailure {
  if (error instanceof ImapFailure) return error
  throw error
}

/** True for a mail that came cut off. */
export function isCut(row: ImapRawRow): boolean {
  return row.size > MAX_MAIL_BYTES || (row.raw !== null && row.raw.length >= MAX_MAIL_BYTES)
}
