import { ImapFailure, type ImapRawRow, MAX_MAIL_BYTES } from '../../../platform/gateways/imap.ts'
import { type UidSpace, newestKnown } from '../messages/locations-store.ts'
import { type Growth, LATER_GROWTH, REFUSED_GROWTH } from './poll-intervals.ts'
import { checkPass, reconnect, select, type SyncPass } from './sync-pass.ts'

/** A message that the server does not hand over, why, and when it is tried again. */
type RefusedMessage = { uid: number; refused: string; size: number; growth: Growth }

/** A fetched message: its bytes, or why the server does not hand it over. */
export type FetchedMessage = { uid: number; row: ImapRawRow } | RefusedMessage

/** After this many lost connections over the same fetch, its messages are fetched one at a time. */
const LOSSES_TOGETHER = 2
/** A message fetched alone is given up after this many refusals … */
const REFUSALS_ALONE = 2
/** … or lost connections, in two passes: a lost connection may have another cause. */
const LOSSES_ALONE = 3
const LOSSES_PASSES = 2
/** So many refusals in a row may be a trouble of the account: a message that is known to be readable will tell. */
const REFUSALS_IN_A_ROW = 3
/** Where no message is known to be readable, so many of those still to come are tried, newest first. */
const WITNESSES = 5
/** Where none of them is readable either, a refused one is put aside after so many passes. */
const REFUSED_PASSES = 30

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
  let readable: number | null = null
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
        readable = row.uid
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
  const refused: RefusedMessage[] = []
  let inARow: RefusedMessage[] = []
  let last: ImapFailure | null = null
  // Only what comes after them shows that the messages are to blame, and not a limit of the account.
  const blame = () => {
    for (const { uid } of inARow) pass.suspects.clear(at, uid)
    refused.push(...inARow)
    inARow = []
  }
  try {
    for (const [index, mail] of alone.entries()) {
      const fetched = await fetchAlone(pass, at, mail.uid)
      if (fetched === null) continue
      if ('failure' in fetched) {
        const { failure } = fetched
        const growth = failure.kind === 'later' ? LATER_GROWTH : REFUSED_GROWTH
        inARow.push({ ...mail, refused: failure.words, growth })
        last = failure
        if (inARow.length < REFUSALS_IN_A_ROW) continue
        const toCome = alone.slice(index + 1).map(({ uid }) => uid)
        readable = await assertServing(pass, at, { asked: uids, readable, toCome }, inARow, failure)
      } else {
        readable = mail.uid
        yield { uid: mail.uid, row: fetched.row }
      }
      blame()
    }
    if (last !== null && inARow.length > 0)
      await assertServing(pass, at, { asked: uids, readable, toCome: [] }, inARow, last)
    blame()
  } catch (error) {
    // Those that were found to blame are put aside, whatever holds up the others.
    yield* refused
    throw error
  }
  yield* refused
}

/** The UIDs that are being fetched, one of a message that is readable, and those that were not tried yet. */
type Fetching = { asked: readonly number[]; readable: number | null; toCome: readonly number[] }

/**
 * Tells a trouble of single messages from one of the account or the folder: fetches a byte of a message that was
 * readable before, or may be. Returns the UID of one that is. @throws the failure when that is refused, too
 */
async function assertServing(
  pass: SyncPass,
  at: UidSpace,
  { asked, readable, toCome }: Fetching,
  inARow: readonly RefusedMessage[],
  failure: ImapFailure,
): Promise<number | null> {
  const known = readable ?? (await newestKnown(pass.context.db, at, 1)).find((uid) => !asked.includes(uid))
  if (known === undefined) {
    for (const uid of toCome.slice(-WITNESSES).reverse()) if (await isServed(pass, at, uid)) return uid
    const times = inARow.map(({ uid }) => pass.suspects.timesSuspected(at, uid))
    if (isLoss(failure) || Math.min(...times) >= REFUSED_PASSES) return null
    throw failure
  }
  await atFolder(pass, at)
  if (await isHandedOver(pass, known)) return known
  throw failure
}

/** Whether the server hands over a message of which nothing is known yet. */
async function isServed(pass: SyncPass, at: UidSpace, uid: number): Promise<boolean> {
  try {
    await atFolder(pass, at)
    return await isHandedOver(pass, uid)
  } catch (error) {
    const failure = asImapFailure(error)
    if (isLost(pass, failure)) await reconnect(pass, failure)
    else if (failure.kind === 'later') throw failure
    return false
  }
}

async function isHandedOver(pass: SyncPass, asked: number): Promise<boolean> {
  const rows = await Array.fromAsync(pass.session.fetchRaw([asked], { maxBytes: 1 }))
  return rows.some(({ uid, raw }) => uid === asked && raw !== null)
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
    // One that the server wants to hand over later is not asked for again right away.
    if (refusals >= REFUSALS_ALONE || (refusals > 0 && failure.kind === 'later')) return { failure }
    if (losses >= LOSSES_ALONE) {
      if (pass.suspects.timesSuspected(at, uid) < LOSSES_PASSES) throw failure
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
export function isLost(pass: SyncPass, failure: ImapFailure): boolean {
  return !pass.session.usable || isLoss(failure)
}

/** An answer of the server that leaves the connection and the folder usable. @throws any other error */
export function refusalOf(pass: SyncPass, error: unknown): ImapFailure {
  const failure = asImapFailure(error)
  if (isLost(pass, failure) || failure.kind === 'no_folder') throw failure
  return failure
}

function isLoss({ kind }: ImapFailure): boolean {
  return kind === 'gone' || kind === 'timeout' || kind === 'unreachable'
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
