import type { Context } from '../../platform/context.ts'
import { type Loop, startLoop } from '../../platform/jobs/loop.ts'
import { conflict } from '../../platform/errors.ts'
import { getImport, keptSince } from './find-import.ts'
import { dropUnused, forgetOldImports } from './imports-store.ts'

const LOOK_EVERY_MS = 10 * 60_000
/** A file that is not imported is kept this long. */
const UNUSED_MS = 24 * 60 * 60_000
const AT_ONCE = 100

/** Starts the loop that deletes expired files and undo records. */
export function startContactImportLoops(context: Context): Loop[] {
  return [startLoop(context, 'purge contact imports', LOOK_EVERY_MS, () => purgeImports(context))]
}

/** Deletes files that were not imported within a day, and everything kept of imports after seven. */
export async function purgeImports(context: Context): Promise<void> {
  const now = context.clock.now()
  const before = { unused: new Date(now.getTime() - UNUSED_MS), done: keptSince(now) }
  for (;;) {
    const { forgotten, keys } = await forgetOldImports(context.db, before, AT_ONCE)
    // The rows are gone: if a crash leaves the file behind at this point, nothing refers to it any more.
    for (const key of keys) await context.blobs.delete(key)
    if (forgotten < AT_ONCE || context.stopping.aborted) return
  }
}

/**
 * Deletes a file that its owner does not want to import.
 *
 * @throws Refusal 404; 409 for one that has been imported
 */
export async function discardImport(context: Context, userId: number, id: number): Promise<void> {
  const row = await dropUnused(context.db, userId, id)
  if (row === undefined) {
    await getImport(context, userId, id)
    throw conflict('These contacts are imported already: undo the import instead.')
  }
  if (row.file_key !== null) await context.blobs.delete(row.file_key)
}
