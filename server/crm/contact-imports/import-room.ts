import type { Context } from '../../platform/context.ts'
import { Refusal } from '../../platform/errors.ts'
import { withRoom } from '../../platform/http/upload-room.ts'
import { letGoBeyond } from './imports-store.ts'
import type { Tx } from '../../platform/database/handles.ts'

/** What the files of one user's imports may take together; beyond it the oldest are deleted. */
const KEPT_BYTES_MAX = 1024 * 1024 * 1024

/**
 * Makes room for a file of contacts before its bytes arrive, by deleting the user's oldest files.
 *
 * @throws Refusal 413 when other uploads in progress leave no room
 */
export async function withImportRoom<T>(
  context: Context,
  userId: number,
  bytes: number,
  work: () => Promise<T>,
): Promise<T> {
  let gone: string[] = []
  const room = {
    userId,
    kind: 'contact import' as const,
    bytes,
    maxBytes: KEPT_BYTES_MAX,
    taken: async (tx: Tx, arriving: number) => {
      gone = arriving > KEPT_BYTES_MAX ? [] : await letGoBeyond(tx, userId, KEPT_BYTES_MAX - arriving)
      return 0
    },
    refuse: () =>
      new Refusal(413, 'Too many files are on their way. Please wait until they have arrived.', 'TOO_LARGE'),
  }
  return withRoom(context, room, async () => {
    for (const key of gone) await context.blobs.delete(key)
    return work()
  })
}
