import type { ImapFlow } from 'imapflow'
import { ImapFailure } from './imap-failure.ts'
import type { UidRange } from './imap-rows.ts'
import { type FetchRows, openFolder, type Runner } from './imap-runner.ts'

/** More messages than any server in use handles well in one folder. */
const MAX_UIDS = 10_000_000

/** The UIDs of a folder; `complete` is false where the server lists fewer than it says there are. */
export type UidList = { uids: number[]; complete: boolean }

/** The UIDs of the folder that is selected. */
export function makeImapUids(client: ImapFlow, run: Runner, fetchRows: FetchRows) {
  const searched = async (query: Parameters<ImapFlow['search']>[0]): Promise<number[] | null> => {
    try {
      const uids = await run(() => client.search(query, { uid: true }))
      return Array.isArray(uids) ? uids : null
    } catch (error) {
      if (!client.usable || !(error instanceof ImapFailure) || error.kind === 'later') throw error
      return null
    }
  }

  /** Some servers reject a range in an empty folder. The folder may only have been empty when it was selected. */
  const freshCount = async () => {
    if (openFolder(client).exists === 0) await run(() => client.noop().then(() => true))
    return openFolder(client).exists
  }

  const listedUids = async (): Promise<UidList> => {
    const before = await freshCount()
    if (before === 0) return { uids: [], complete: true }
    const enough = (count: number) => count >= Math.min(before, openFolder(client).exists)
    const found = new Set(await searched({ all: true }))
    if (!enough(found.size))
      for await (const { uid } of fetchRows('1:*', { uid: true })) {
        found.add(uid)
        if (found.size > MAX_UIDS) throw new ImapFailure('protocol', 'The server listed too many messages')
      }
    return { uids: [...found].sort((a, b) => a - b), complete: enough(found.size) }
  }

  return {
    /** Those that the server lists, by SEARCH or else by FETCH, ascending. */
    listedUids,

    /** Those in the range, ascending. */
    async existingUids({ from, to }: UidRange) {
      if ((await freshCount()) === 0) return []
      const uids = await searched({ uid: `${from}:${to ?? '*'}` })
      const known = uids ?? (await listedUids()).uids.filter((uid) => uid <= (to ?? uid))
      if (known.length > MAX_UIDS) throw new ImapFailure('protocol', 'The server listed too many messages')
      // "7:*" also returns the newest message when its UID is below 7.
      return known.filter((uid) => uid >= from)
    },
  }
}
