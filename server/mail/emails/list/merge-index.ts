import type { Context } from '../../../platform/context.ts'
import { mergeIndexEntries } from './search-store.ts'

/**
 * Characters of entries on the index's pending list before they are merged, some 5,000 mails of 200 words. The more there
 * are, the less a merge costs per mail; but every search reads the whole list, at some 2 ms per thousand mails.
 */
const MERGE_ABOVE = 16_000_000
/** Fewer characters than this (some dozens of mails) stay on the list when no more mail arrives. */
const KEEP_BELOW = 200_000

export type IndexMerger = {
  /** Reports that entries of so many characters were written; resolves when more may be written. */
  note(written: number): Promise<void>
  /** Merges the rest, unless it is very little, when no more mail arrives for now. */
  mergeRest(): Promise<void>
  /** Resolves when no merge is running. */
  settled(): Promise<void>
}

/** Merges new entries into the index while the next ones are written. */
export function makeIndexMerger({ db, log }: Pick<Context, 'db' | 'log'>): IndexMerger {
  // Nobody knows what an earlier process left on the list.
  let unmerged = KEEP_BELOW
  let merging: Promise<void> = Promise.resolve()

  const merge = () => {
    const onList = unmerged
    unmerged = 0
    merging = mergeIndexEntries(db).catch((error: unknown) => {
      unmerged += onList
      log.warn(
        { err: error },
        'index entries could not be merged; searches read a longer list until this succeeds',
      )
    })
  }
  return {
    note: async (written) => {
      unmerged += written
      if (unmerged < MERGE_ABOVE) return
      await merging
      merge()
    },
    mergeRest: async () => {
      await merging
      if (unmerged < KEEP_BELOW) return
      merge()
      await merging
    },
    settled: () => merging,
  }
}
