import type { Context } from '../context.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Refusal } from '../errors.ts'
import { UPLOAD_MAX_MS } from './slow-clients.ts'
import { releaseRoom, lockUploads, reservedBytes, reserveRoom } from './uploads-store.ts'
import type { Tx } from '../database/handles.ts'

/** Quota for one file among a user's files of this kind. */
export type Room = {
  userId: number
  kind: 'attachment' | 'contact import'
  /** Largest allowed size of this file in bytes. */
  bytes: number
  /** Bytes that all files of this kind may take together. */
  maxBytes: number
  /** Bytes in use, after making room for the bytes that are `arriving`, this file's included. */
  taken(tx: Tx, arriving: number): Promise<number>
  refuse(): Refusal
}

/**
 * Reserves space for a file before its bytes arrive, so that simultaneous uploads cannot exceed the quota together,
 * and releases it when `work` has kept the file or failed. What a killed process has reserved expires.
 *
 * @throws what `refuse` returns when there is no room; what `work` throws
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
    // It expires even if the database cannot be reached now.
    await releaseRoom(context.db, userId, id).catch((error: unknown) =>
      context.log.warn({ err: error }, 'the space reserved for a file could not be released'),
    )
  }
}
