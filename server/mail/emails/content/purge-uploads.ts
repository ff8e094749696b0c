import type { Context } from '../../../platform/context.ts'
import { type Loop, startLoop } from '../../../platform/jobs/loop.ts'
import { deleteUnused } from './uploads-store.ts'

const LOOK_EVERY_MS = 10 * 60_000
/** How long a file that no mail uses is kept. */
const KEPT_MS = 24 * 60 * 60_000
const AT_ONCE = 500

/** Starts the loop that deletes uploads that no mail uses. */
export function startPurgingUploads(context: Context): Loop[] {
  return [startLoop(context, 'purge uploads', LOOK_EVERY_MS, () => purgeUploads(context))]
}

/** Deletes uploads that no mail uses and that are older than a day, and partial files of killed processes. */
export async function purgeUploads(context: Context): Promise<void> {
  const before = new Date(context.clock.now().getTime() - KEPT_MS)
  for (;;) {
    const keys = await deleteUnused(context.db, before, AT_ONCE)
    // The rows are gone. If we crash here, blobs stay behind that nothing refers to; they do no harm.
    for (const key of keys) await context.blobs.delete(key)
    if (keys.length < AT_ONCE || context.stopping.aborted) break
  }
  await context.blobs.removeDrafts()
}
