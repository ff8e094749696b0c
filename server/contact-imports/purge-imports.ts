import type { Context } from '../context.ts'
import { type Loop, startLoop } from '../jobs/loop.ts'
import { conflict } from '../errors.ts'
import { getImport, keptSince } from './find-import.ts'
import { dropUnused, forgetOldImports } from './imports-store.ts'

const LOOK_EVERY_MS = 10 * 60_000
/** A file that nobody imports is kept so long. */
const UNUSED_MS = 24 * 60 * 60_000
const AT_ONCE = 100

/** Starts the loop that throws away files and undo records whose time is over. */
export function startContactImportLoops(context: Context): Loop[] {
  return [startLoop(context, 'purge contact imports', LOOK_EVERY_MS, () => purgeImports(context))]
}

/** Throws away files that were not imported within a day, and all that is kept of imports after seven. */
export async function purgeImports(context: Context): Promise<void> {
  const now = context.clock.now()
  const before = { unused: new Date(now.getTime() - UNUSED_MS), done: keptSince(now) }
  for (;;) {
    const { forgotten, keys } = await forgetOldImports(context.db, before, AT_ONCE)
    // The rows are gone: bytes that a crash leaves behind right here are named by nothing, and harm nobody.
    for (const key of keys) await context.blobs.delete(key)
    if (forgotten < AT_ONCE || context.stopping.aborted) return
  }
}

/**
 * Throws away a file that its owner does not want to import.
 *
 * @throws Refusal 404; 409 for one that has been imported
 */
export async function discardImport(context: Context, userId: number, id: number): Promise<void> {
  const row = await dropUnused(context.db, userId, id)
  if (row === null) {
    await getImport(context, userId, id)
    throw conflict('These contacts are imported already: undo the import instead.')
  }
  if (row.file_key !== null) await context.blobs.delete(row.file_key)
}
