import type { Context } from '../context.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Refusal } from '../errors.ts'
import { UPLOAD_MAX_MS } from './slow-clients.ts'
import { giveBackRoom, lockUploads, reservedBytes, reserveRoom } from './uploads-store.ts'
import type { Tx } from '../database/handles.ts'

/** Room for one file among a user's files of this kind. */
export type Room = {
  userId: number
  kind: 'attachment' | 'contact import'
  /** Bytes of this file at the most. */
  bytes: number
  /** Bytes that all files of this kind may have together. */
  maxBytes: number
  /** Bytes that are taken, after it has made room for those that are `arriving`, this file's included. */
  taken(tx: Tx, arriving: number): Promise<number>
  refuse(): Refusal
}

/**
 * Reserves room for a file before its bytes come, so that uploads at the same time cannot exceed the quota together, and
 * gives it back when `work` has kept the file, or has failed. What a killed process has reserved lapses by itself.
 *
 * @throws what `refuse` makes where there is no room; what `work` throws
 */
export async function withRoom<T>(context: Context, room: Room, work: () => Promise<T>): Promise<T> {
  const { userId, kind, bytes, maxBytes } = room
  const now = context.clock.now()
  const id = await inTransaction(context.db, async (tx) => {
    await lockUploads(tx, userId)
    const arriving = (await reservedBytes(tx, userId, kind, now)) + bytes
    if ((await room.taken(tx, arriving)) + arriving > maxBytes) throw room.refuse()
    return reserveRoom(tx, userId, kind, bytes, new Date(now.getTime() + UPLOAD_MAX_MS))
  })
  try {
    return await work()
  } finally {
    // It lapses by itself where the database cannot hear of it now.
    await giveBackRoom(context.db, userId, id).catch((error: unknown) =>
      context.log.warn({ err: error }, 'room for a file could not be given back'),
    )
  }
}
