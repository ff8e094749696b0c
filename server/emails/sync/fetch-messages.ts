import { ImapFailure, type ImapRawRow, MAX_MAIL_BYTES } from '../../gateways/imap.ts'
import type { UidSpace } from '../messages/locations-store.ts'
import { checkPass, reconnect, select, type SyncPass } from './sync-pass.ts'

/** A fetched message: its bytes, or why the server does not hand it over. */
export type FetchedMessage = { uid: number; row: ImapRawRow } | { uid: number; refused: string; size: number }

/** After this many lost connections over the same fetch, its messages are fetched one at a time. */
const LOSSES_TOGETHER = 2
/** A message fetched alone is given up after this many refusals … */
const REFUSALS_ALONE = 2
/** … or lost connections, in two passes: a lost connection may have another cause. */
const LOSSES_ALONE = 3
/** More messages than this cannot all be broken while none comes through; then the folder itself is in trouble. */
const REFUSED_WITHOUT_SUCCESS_MAX = 3

/** UIDVALIDITY changed while the folder was being read. */
export class UidValidityChanged extends Error {
  override readonly name = 'UidValidityChanged'
}

/** Selects the folder unless it is selected already, and checks that its UIDVALIDITY is unchanged. */
export async function atFolder(pass: SyncPass, { path, uidValidity }: UidSpace): Promise<void> {
  if (pass.selected === path && pass.session.usable) return
  const status = await select(pass, path)
  if (status.uidValidity !== uidValidity) throw new UidValidityChanged()
}

/**
 * Fetches messages despite failures. When fetching many at once fails, each is fetched alone; a lost connection is
 * replaced. What the server never hands over comes as `refused`; a message that is gone does not come at all.
 *
 * @throws ImapFailure when no connection can be made, or the folder as a whole yields nothing
 */
export async function* fetchMessages(
  pass: SyncPass,
  at: UidSpace,
  uids: readonly number[],
): AsyncGenerator<FetchedMessage> {
  const left = new Set(uids)
  const withheld: { uid: number; size: number }[] = []
  let came = 0
  for (let losses = 0; left.size > 0 && losses < LOSSES_TOGETHER;) {
    const before = left.size
    try {
      await atFolder(pass, at)
      for await (const row of pass.session.fetchRaw([...left])) {
        if (!left.delete(row.uid)) continue
        if (row.raw === null) {
          withheld.push({ uid: row.uid, size: row.size })
          continue
        }
        came += 1
        yield { uid: row.uid, row }
      }
      left.clear()
    } catch (error) {
      const failure = asImapFailure(error)
      if (failure.kind === 'no_folder') throw failure
      if (!isLost(pass, failure)) break
      // A poor connection that makes progress is kept in use; one that keeps breaking at the same point is not.
      losses = left.size < before ? 0 : losses + 1
      await reconnect(pass, failure)
    }
  }
  const alone = [...withheld, ...[...left].map((uid) => ({ uid, size: 0 }))]
  const refused: { uid: number; refused: string; size: number }[] = []
  let lastFailure: ImapFailure | undefined
  for (const mail of alone) {
    const fetched = await fetchAlone(pass, at, mail.uid)
    if (fetched === null) continue
    if ('failure' in fetched) {
      lastFailure = fetched.failure
      refused.push({ ...mail, refused: fetched.failure.words })
    } else {
      came += 1
      yield { uid: mail.uid, row: fetched.row }
    }
    if (came === 0 && refused.length > REFUSED_WITHOUT_SUCCESS_MAX)
      throw lastFailure ?? new ImapFailure('refused', '')
  }
  yield* refused
}

/** Fetches one message, with retries. Null when it is gone. */
async function fetchAlone(
  pass: SyncPass,
  at: UidSpace,
  uid: number,
): Promise<{ row: ImapRawRow } | { failure: ImapFailure } | null> {
  let refusals = 0
  let losses = 0
  for (;;) {
    checkPass(pass)
    let failure: ImapFailure
    try {
      await atFolder(pass, at)
      const rows = await Array.fromAsync(pass.session.fetchRaw([uid]))
      const row = rows.find((found) => found.uid === uid)
      if (row === undefined) return null
      if (row.raw !== null) return { row }
      failure = new ImapFailure('refused', 'The server did not return this message')
      refusals += 1
    } catch (error) {
      failure = asImapFailure(error)
      if (failure.kind === 'no_folder') throw failure
      if (!isLost(pass, failure)) refusals += 1
      else {
        losses += 1
        await reconnect(pass, failure)
      }
    }
    if (refusals >= REFUSALS_ALONE) return { failure }
    if (losses >= LOSSES_ALONE) {
      if (!pass.suspects.wasSuspected(at, uid)) throw failure
      return { failure }
    }
  }
}

/** Runs a step, and runs it again on a new connection when its connection is lost, twice at most. */
export async function withReconnect<T>(pass: SyncPass, step: () => Promise<T>): Promise<T> {
  for (let losses = 1; ; losses += 1) {
    try {
      return await step()
    } catch (error) {
      const failure = asImapFailure(error)
      if (!isLost(pass, failure) || losses > LOSSES_TOGETHER) throw failure
      await reconnect(pass, failure)
    }
  }
}

/** True when the connection can no longer be used, whether or not it has noticed yet. */
export function isLost(pass: SyncPass, { kind }: ImapFailure): boolean {
  return !pass.session.usable || kind === 'gone' || kind === 'timeout' || kind === 'unreachable'
}

/** Narrows an error to ImapFailure; any other error is thrown on. */
function asImapFailure(error: unknown): ImapFailure {
  if (error instanceof ImapFailure) return error
  throw error
}

/** True for a message that arrived truncated. */
export function isCut(row: ImapRawRow): boolean {
  return row.size > MAX_MAIL_BYTES || (row.raw !== null && row.raw.length >= MAX_MAIL_BYTES)
}
