import type { Context } from '../../context.ts'
import { mergeIndexEntries } from './search-store.ts'

/**
 * Characters of words that are on the index's list before they are merged, some 5,000 mails of 200 words. The more there
 * are, the less a merge costs each of them; but every search reads through the list, in some 2 ms for a thousand mails.
 */
const MERGED_TOGETHER = 16_000_000
/** So few (some dozens of mails) are left on the list when nothing more comes. */
const LEFT = 200_000

export type IndexMerger = {
  /** Notes that so many characters of words were written; resolves when the next ones may be. */
  note(written: number): Promise<void>
  /** Nothing more comes for now: merges what is worth it. */
  mergeRest(): Promise<void>
  /** Resolves when no merge is under way. */
  settled(): Promise<void>
}

/** Has written words merged into the index, beside what is written next. */
export function makeIndexMerger({ db, log }: Pick<Context, 'db' | 'log'>): IndexMerger {
  // What an earlier process has left on the list nobody knows.
  let unmerged = LEFT
  let merging: Promise<void> = Promise.resolve()

  const merge = () => {
    const onList = unmerged
    unmerged = 0
    merging = mergeIndexEntries(db).catch((error: unknown) => {
      unmerged += onList
      log.warn(
        { err: error },
        'words could not be merged; searches go through a longer list until it succeeds',
      )
    })
  }
  return {
    note: async (written) => {
      unmerged += written
      if (unmerged < MERGED_TOGETHER) return
      await merging
      merge()
    },
    mergeRest: async () => {
      await merging
      if (unmerged < LEFT) return
      merge()
      await merging
    },
    settled: () => merging,
  }
}
