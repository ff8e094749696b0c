import type { Context } from '../../context.ts'
import { type Loop, startLoop } from '../../jobs/loop.ts'
import { deleteUnused } from './uploads-store.ts'

const LOOK_EVERY_MS = 10 * 60_000
/** A file that no mail takes is kept so long. */
const KEPT_MS = 24 * 60 * 60_000
const AT_ONCE = 500

/** Starts the loop that throws away files which no mail has. */
export function startPurgingUploads(context: Context): Loop[] {
  return [startLoop(context, 'purge uploads', LOOK_EVERY_MS, () => purgeUploads(context))]
}

/** Throws away uploaded files that no mail has and that are older than a day, and half files of killed processes. */
export async function purgeUploads(context: Context): Promise<void> {
  const before = new Date(context.clock.now().getTime() - KEPT_MS)
  for (;;) {
    const keys = await deleteUnused(context.db, before, AT_ONCE)
    // The rows are gone: bytes that are left behind by a crash right here are named by nothing, and harm nobody.
    for (const key of keys) await context.blobs.delete(key)
    if (keys.length < AT_ONCE || context.stopping.aborted) break
  }
  await context.blobs.removeDrafts()
}
